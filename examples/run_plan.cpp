// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a plan and prints the 95th percentile of the response times of each mix.
#include <loadstone/results.h>
#include <loadstone/run.h>
#include <loadstone/units.h>

#include <iostream>

int main(int argc, char* argv[])
{
    if (argc < 3) {
        std::cerr << "usage: run_plan PLAN HISTORY-FOLDER [FILE OF THE PROGRAM loadstone]\n";
        return 2;
    }
    loadstone::RunOptions options;
    options.plan = argv[1];
    options.historyFolder = argv[2];
    if (argc > 3) // it is started where the plan asks for the embedded target
        options.targetProgram = argv[3];

    auto run = loadstone::Run::start(options);
    if (!run) {
        std::cerr << run.error().message << '\n';
        return 1;
    }
    const auto results = (*run)->wait();
    if (!results) {
        std::cerr << results.error().message << '\n';
        return 1;
    }
    for (const loadstone::MixResult& mix : results->mixes)
        std::cout << mix.name << ": 95th percentile " << loadstone::formatLatency(mix.response.p95) << " of "
                  << mix.response.count << " actions\n";
    for (const std::string& reason : results->invalidReasons)
        std::cout << "not to be quoted: " << reason << '\n';
    return 0;
}
