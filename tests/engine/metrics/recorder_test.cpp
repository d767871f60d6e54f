// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/recorder.h"
#include "metrics/underway.h"
#include "support/catch.h"

#include <deque>
#include <mutex>
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

TEST_CASE("what is under way is what began and has not ended, at whatever moment it is looked at")
{
    enum : std::uint32_t { begun, ended };
    metrics::Recorder recorder(1, 2);
    metrics::Gate gate;
    metrics::Underway underway; // behind the gate
    constexpr std::uint64_t kActions = 300'000;
    std::thread owner([&] {
        std::deque<std::uint32_t> places;
        for (std::uint64_t i = 0; i < kActions; ++i) {
            const std::lock_guard inside(gate);
            recorder.count(begun);
            places.push_back(underway.begin({ MonoTime(Nanoseconds(i)), 0, 0, 7 }));
            if (places.size() < 20 + i % 50)
                continue;
            recorder.count(ended);
            underway.end(places.front());
            places.pop_front();
        }
    });
    metrics::Slab all;
    for (std::uint64_t seen = 0; seen < kActions;) {
        std::uint64_t open = 0;
        metrics::Slab* full = nullptr;
        {
            const std::lock_guard inside(gate);
            for (const metrics::Underway::Entry& entry : underway.entries())
                open += entry.kind != metrics::Underway::kNothing ? 1 : 0;
            full = &recorder.switchOver();
        }
        metrics::Recorder::empty(*full, all);
        seen = all.counts.at(begun);
        REQUIRE(open == seen - all.counts.at(ended));
    }
    owner.join();
    CHECK(underway.entries().size() <= 70); // room is reused
}
