// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// make_golden_runs HISTORY: the runs of the golden test as a history, for a look at them with the program.
#include "golden/made_up_run.h"

#include <cstdio>
#include <exception>

int main(int argc, char* argv[])
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_golden_runs HISTORY\n");
        return 2;
    }
    try {
        const auto folder = std::filesystem::path(argv[1]) / "runs";
        std::filesystem::create_directories(folder);
        for (const loadstone::test::MadeUpRun& run : loadstone::test::madeUpRuns()) {
            run.write(folder / (run.id.text() + ".loadstone"));
            std::printf("%s %s\n", run.id.text().c_str(), run.name.c_str());
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
