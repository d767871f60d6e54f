// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/judgement.h>

#include <functional>
#include <string>
#include <vector>

/// Recordings of storage tests whose seconds are made up, and their verdicts.
namespace loadstone::test {

/// What is recorded in one second; of counters with two groups that of each.
struct Second {
    Nanoseconds read = std::chrono::milliseconds(8), logWrite = std::chrono::milliseconds(2);
    double reads = 150, writes = 135, stalls = 0;
    double checkpoints = 0, flushed = 40, logFiles = 1, maintenance = 10, processor = 30;
    std::uint64_t readsDone = 20, logWritesDone = 10; ///< whose times are recorded
    Nanoseconds readAge {}, logWriteAge {}, transactionAge {}; ///< of one that is unfinished at the end; 0: there is none
    double wrong = 0, failed = 0, pagesSeen = 0, badPages = 0, correctable = 0;
};

struct Stage {
    std::int32_t mix;
    PhaseKind kind;
    int length; ///< s
};
/// A minute of warm-up, ten of measurement, ten seconds of ramp-down, all of the first test.
extern const std::vector<Stage> kOneTest;

/// The head of a plan with two groups and strict limits of 20, 50 (reads), 10 and 50 ms (log writes); [load] and [[tests]] follow.
extern const std::string kHead, kLoad, kPerformance;
/// The volumes' classes that there are.
extern const std::string kReads, kLogWrites;

/// Of a recording of these stages whose seconds are as `secondOf` makes them, counted from the run's start; one that ends earlier, at
/// `until`, is still being written.
Judgement judged(const std::string& plan, const std::function<Second(int)>& secondOf,
    const std::vector<Stage>& stages = kOneTest, int until = 100'000);
Second usual(int number);

/// nullptr: none.
const Criterion* look(
    const std::vector<Criterion>& criteria, Criterion::Kind kind, const std::string& subject = {});
/// Of a test; throws where there is none.
const Criterion& find(
    const Judgement& judgement, Criterion::Kind kind, const std::string& subject = {}, std::size_t mix = 0);

} // namespace loadstone::test
