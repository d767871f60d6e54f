// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// make_demo_recording HISTORY [MIXES [SECONDS]]: a made-up run for looking at the workbench.
#include "support/demo_recording.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char* argv[])
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: make_demo_recording HISTORY [MIXES [SECONDS]]\n");
        return 2;
    }
    loadstone::test::DemoRecording demo;
    if (argc > 2)
        demo.mixes = static_cast<unsigned>(std::atoi(argv[2]));
    if (argc > 3)
        demo.measurementSeconds = std::atoi(argv[3]);
    const auto id = demo.write(std::filesystem::path(argv[1]) / "runs");
    if (!id) {
        std::fprintf(stderr, "%s\n", id.error().message.c_str());
        return 1;
    }
    std::printf("%s\n", id->text().c_str());
    return 0;
}
