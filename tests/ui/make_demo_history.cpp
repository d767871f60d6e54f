// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// make_demo_history HISTORY [MORE [MIXES [SECONDS]]]: eight made-up runs of two configurations, three repeats of each in the order
// A B B A A B and a shorter one of each, and MORE short ones, for looking at comparisons. MIXES and SECONDS are of the first eight.
#include "support/demo_recording.h"

#include <cstdio>
#include <cstdlib>

using loadstone::test::DemoRecording;

namespace {

bool write(const std::filesystem::path& folder, const DemoRecording& demo)
{
    const auto id = demo.write(folder);
    if (!id)
        std::fprintf(stderr, "%s\n", id.error().message.c_str());
    else
        std::printf("%s %s\n", id->text().c_str(), demo.title.c_str());
    return id.has_value();
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: make_demo_history HISTORY [MORE [MIXES [SECONDS]]]\n");
        return 2;
    }
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / "runs";
    const int more = argc > 2 ? std::atoi(argv[2]) : 0;
    DemoRecording first;
    first.title = "Server with fsync";
    first.mixes = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 4;
    first.measurementSeconds = argc > 4 ? std::atoi(argv[4]) : 60;
    DemoRecording second = first;
    second.title = "Server without fsync";
    second.processor = "Another made-up CPU";
    second.slower = 0.8;
    auto start = loadstone::wallNow() - std::chrono::hours(24);
    std::uint64_t seed = 1;
    for (const char which : { 'A', 'B', 'B', 'A', 'A', 'B', 'a', 'b' }) {
        DemoRecording demo = which == 'A' || which == 'a' ? first : second;
        if (which == 'a' || which == 'b') // it stops at a lower load
            demo.mixes = demo.mixes > 1 ? demo.mixes - 1 : 1;
        demo.seed = seed++;
        demo.started = start += std::chrono::minutes(40);
        if (!write(folder, demo))
            return 1;
    }
    for (int i = 0; i < more; ++i) {
        DemoRecording demo;
        demo.title = "Short run " + std::to_string(i % 40);
        demo.mixes = 1;
        demo.measurementSeconds = 8;
        demo.seed = seed++;
        demo.started = loadstone::wallNow() - std::chrono::hours(48) - std::chrono::minutes(10 * i);
        if (!write(folder, demo))
            return 1;
    }
    return 0;
}
