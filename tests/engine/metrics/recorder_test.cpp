// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/recorder.h"
#include "support/catch.h"

#include <thread>

using namespace loadstone;

TEST_CASE("a reader that collects while the writer records loses nothing and counts nothing twice")
{
    constexpr std::uint64_t kSamples = 300'000;
    metrics::Recorder recorder(2, 1);
    std::atomic<bool> done { false };
    std::thread writer([&] {
        for (std::uint64_t i = 0; i < kSamples; ++i) {
            recorder.record(i % 2, Nanoseconds(static_cast<std::int64_t>(i)));
            recorder.count(0);
        }
        done = true;
    });
    metrics::Slab total;
    while (!done)
        recorder.collect(total);
    writer.join();
    recorder.collect(total);
    CHECK(total.counts[0] == kSamples);
    CHECK(total.histograms[0].count() + total.histograms[1].count() == kSamples);
    CHECK(total.histograms[1].maximum() == Nanoseconds(kSamples - 1));
}
