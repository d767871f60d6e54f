// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage_run.h"
#include "support/catch.h"

#include <algorithm>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

using Kind = Criterion::Kind;

/// Reads of 60 ms in these of the samples of 15 s, where the strict limit is 50 ms.
std::function<Second(int)> slowIn(const std::vector<int>& samples)
{
    return [samples](int number) {
        Second second;
        if (number >= 60 && std::count(samples.begin(), samples.end(), (number - 60) / 15) > 0)
            second.read = 60ms;
        return second;
    };
}

} // namespace

TEST_CASE("a storage test that keeps to all limits of its plan is met, without criteria in the plan",
    "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + kPerformance, usual);
    CHECK(judgement.stated);
    CHECK(judgement.met());
    REQUIRE(judgement.mixes.size() == 1);
    CHECK(judgement.mixes[0].criteria.size() == 8); // nothing of what never happened, nor of a target
    CHECK(find(judgement, Kind::averageLatency, kReads).value == 0.008);
    CHECK(find(judgement, Kind::averageLatency, kReads).most == 0.020);
    CHECK(find(judgement, Kind::averageLatency, kLogWrites).value == 0.002);
    const Criterion& maximum = find(judgement, Kind::sampleLatency, kReads);
    CHECK(maximum.value == 0);
    CHECK(maximum.sampleLimit == 0.050);
    CHECK(maximum.sampleLength == 15s);
    CHECK(maximum.reason == "of 40 the highest was 8.00 ms, 01:00 - 01:15");
    CHECK(find(judgement, Kind::pageFaultStalls).value == 0);
    CHECK(judgement.wholeRun.size() == 1); // the generator
}

TEST_CASE("an average is judged before it is rounded", "[storage-verdict]")
{
    const auto reads = [](Nanoseconds time) {
        return judged(kHead + kLoad + kPerformance, [time](int) {
            Second second;
            second.read = time;
            return second;
        });
    };
    const Judgement even = reads(20ms);
    CHECK(find(even, Kind::averageLatency, kReads).met);
    const Judgement more = reads(20'000'400ns);
    const Criterion& above = find(more, Kind::averageLatency, kReads);
    CHECK_FALSE(above.met);
    CHECK(above.reason == "400 ns over the limit; samples above it: sustained: all 40 samples from 01:00 on");
    CHECK(above.failedSince == 75s);
    CHECK(find(more, Kind::sampleLatency, kReads).met);
    CHECK_FALSE(more.met());
}

TEST_CASE(
    "as many samples above the maximum are tolerated as the plan says, and told of", "[storage-verdict]")
{
    const Judgement one = judged(kHead + kLoad + kPerformance, slowIn({ 10 }));
    CHECK(one.met());
    const Criterion& spike = find(one, Kind::sampleLatency, kReads);
    CHECK(spike.value == 1);
    CHECK(spike.most == 6);
    CHECK(spike.reason
        == "of 40 the highest was 60.0 ms, 03:30 - 03:45; samples above: a single spike, 03:30 - 03:45; "
           "no other counter was twice as high at the same time");

    const Judgement seven = judged(kHead + kLoad + kPerformance, slowIn({ 1, 4, 11, 13, 20, 29, 38 }));
    CHECK_FALSE(seven.met());
    const Criterion& spikes = find(seven, Kind::sampleLatency, kReads);
    CHECK(spikes.value == 7);
    CHECK_THAT(
        spikes.reason, ContainsSubstring("7 spikes: 01:15 - 01:30, 02:00 - 02:15, 03:45 - 04:00 and 4 more"));
    CHECK(spikes.failedSince == 645s);
    CHECK(find(seven, Kind::averageLatency, kReads).met);
    const Judgement lenient =
        judged(kHead + kLoad + kPerformance + "limits = \"lenient\"\n", slowIn({ 1, 4, 11, 13, 20, 29, 38 }));
    CHECK(lenient.met());
    CHECK(find(lenient, Kind::sampleLatency, kReads).sampleLimit == 0.100);
}

TEST_CASE("spikes that come again and again are told with their period and what comes with them",
    "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + kPerformance, [](int number) {
        Second second;
        if (number >= 60 && (number - 60) / 15 % 5 == 2) {
            second.read = 60ms;
            second.checkpoints = 2;
            second.flushed = 400;
        }
        return second;
    });
    const Criterion& spikes = find(judgement, Kind::sampleLatency, kReads);
    CHECK_FALSE(spikes.met);
    CHECK(spikes.value == 8);
    CHECK_THAT(spikes.reason,
        ContainsSubstring(
            "samples above: periodic, every 75 s: 01:30 - 01:45, 02:45 - 03:00, 04:00 - 04:15 and 5 "
            "more; at the same time: checkpoint moves 2.00/s (else none), pages flushed 400/s "
            "(else 40.0/s)"));
    CHECK(spikes.reason.find("maintenance") == std::string::npos);
    CHECK(spikes.reason.find("processor") == std::string::npos);
}

TEST_CASE("what is slow from some point on is called sustained, with a busy processor beside it",
    "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + kPerformance, [](int number) {
        Second second;
        const bool late = number >= 60 + 25 * 15;
        second.logWrite = late ? 60ms : 2ms;
        second.processor = late ? 95 : 80; // not twice as much
        return second;
    });
    for (const Kind kind : { Kind::averageLatency, Kind::sampleLatency }) {
        const Criterion& slow = find(judgement, kind, kLogWrites);
        CHECK_FALSE(slow.met);
        CHECK_THAT(slow.reason,
            ContainsSubstring(
                "sustained: all 15 samples from 07:15 on; at the same time: processor time here "
                "95.0 % (else 80.0 %)"));
        CHECK(slow.failedSince.value() > 435s);
    }
    CHECK(find(judgement, Kind::averageLatency, kReads).met);
}

TEST_CASE("page fault stalls of all groups are judged together", "[storage-verdict]")
{
    const auto stalls = [](double ofEach) {
        return judged(kHead + kLoad + kPerformance, [ofEach](int number) {
            Second second;
            second.stalls = number % 2 == 0 ? ofEach : 0;
            return second;
        });
    };
    const Judgement even = stalls(1);
    CHECK(find(even, Kind::pageFaultStalls).value == 1);
    CHECK(find(even, Kind::pageFaultStalls).met);
    const Judgement more = stalls(2);
    CHECK(find(more, Kind::pageFaultStalls).value == 2);
    CHECK_FALSE(find(more, Kind::pageFaultStalls).met);
    CHECK_THAT(find(more, Kind::pageFaultStalls).reason, ContainsSubstring("in 40 of 40 samples"));
}

TEST_CASE("the achieved rate may be below the target by the margin", "[storage-verdict]")
{
    const auto reads = [](double ofEach) {
        return judged(kHead + "[load]\nthreads = 8\ntarget_iops = 600\n" + kPerformance, [ofEach](int) {
            Second second;
            second.reads = ofEach;
            return second;
        });
    };
    const Judgement enough = reads(150);
    CHECK(find(enough, Kind::transferRate).met);
    CHECK(find(enough, Kind::transferRate).value == 570);
    CHECK(find(enough, Kind::transferRate).reason == "300/s reads, 270/s writes; target 600/s");
    CHECK(look(enough.mixes[0].criteria, Kind::minutesOffTarget) == nullptr); // nothing steers it
    const Judgement few = reads(149);
    CHECK_FALSE(find(few, Kind::transferRate).met);
    CHECK_THAT(find(few, Kind::transferRate).reason,
        ContainsSubstring("samples below the limit: sustained: all 40 samples from 01:00 on"));
    CHECK(find(few, Kind::transferRate).failedSince == 75s);
}

TEST_CASE("a paced load keeps to its target in every minute", "[storage-verdict]")
{
    const std::string plan =
        kHead + "[load]\npacing = \"rate\"\nthreads = 8\ntarget_iops = 570\n" + kPerformance;
    const Judgement judgement = judged(plan, [](int number) {
        Second second;
        if (number >= 60 + 120 && number < 60 + 180)
            second.reads = 200;
        return second;
    });
    CHECK(find(judgement, Kind::transferRate).met);
    const Criterion& minutes = find(judgement, Kind::minutesOffTarget);
    CHECK_FALSE(minutes.met);
    CHECK(minutes.value == 1);
    CHECK(minutes.reason
        == "of 10, between 570/s and 670/s; target 570/s, within 5 %; minutes outside: a single spike, 03:00 "
           "- "
           "04:00");
    CHECK(find(judged(plan, usual), Kind::minutesOffTarget).met);
}

TEST_CASE(
    "a paced load that is measured for less than a minute keeps to its target, too", "[storage-verdict]")
{
    const std::string plan = kHead
        + "[load]\npacing = \"rate\"\nthreads = 8\ntarget_iops = 500\n[[tests]]\nkind = \"performance\"\n"
          "duration = \"40 s\"\n";
    const std::vector<Stage> brief { { 0, PhaseKind::rampUp, 60 }, { 0, PhaseKind::measurement, 40 } };
    const Judgement above = judged(plan, usual, brief);
    CHECK(find(above, Kind::transferRate).met); // there can be no more than enough
    const Criterion& off = find(above, Kind::minutesOffTarget);
    CHECK_FALSE(off.met);
    CHECK(off.value == 1);
    CHECK(
        off.reason == "570/s over the measurement, which is shorter than a minute; target 500/s, within 5 %");
    const Judgement goesOn = judged(plan, usual, brief, 60 + 30);
    CHECK_FALSE(find(goesOn, Kind::minutesOffTarget).value.has_value());
    CHECK(find(goesOn, Kind::minutesOffTarget).cannotTell);
    const Judgement stopped =
        judged(plan, usual, { { 0, PhaseKind::rampUp, 60 }, { 0, PhaseKind::measurement, 2 } });
    CHECK(find(stopped, Kind::minutesOffTarget).cannotTell);
}

TEST_CASE("damaged pages and failed transfers are told of at the test that found them", "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + kPerformance + "[[tests]]\nkind = \"checksum\"\n",
        [](int number) {
            Second second;
            second.failed = number == 5 ? 1 : 0; // in the warm-up
            second.pagesSeen = number >= 670 ? 1000 : 0;
            second.badPages = number == 675 ? 2 : 0;
            second.correctable = number == 676 ? 1 : 0;
            return second;
        },
        { { 0, PhaseKind::rampUp, 60 }, { 0, PhaseKind::measurement, 600 }, { 0, PhaseKind::rampDown, 10 },
            { 1, PhaseKind::measurement, 20 } });
    REQUIRE(judgement.mixes.size() == 2);
    CHECK_FALSE(judgement.mixes[0].met());
    CHECK(find(judgement, Kind::failedTransfers).value == 1);
    CHECK(find(judgement, Kind::failedTransfers).reason == "vdb: Database read: 1 failed transfer; at 00:06");
    CHECK(look(judgement.mixes[0].criteria, Kind::damage) == nullptr); // it checked no page
    const Criterion& damage = find(judgement, Kind::damage, "", 1);
    CHECK_FALSE(damage.met);
    CHECK(damage.value == 3);
    CHECK(damage.reason == "group-1-1: 2 bad pages, 1 correctable page; from 11:16 to 11:17");
    CHECK(find(judgement, Kind::failedTransfers, "", 1).met);
    CHECK(look(judgement.mixes[1].criteria, Kind::averageLatency) == nullptr);
    CHECK(judgement.wholeRun.size() == 1);
}

TEST_CASE("a check that read nothing is not met, and I/O errors outside of tests are the run's",
    "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + "[[tests]]\nkind = \"checksum\"\n",
        [](int number) {
            Second second;
            second.failed = number == 3 ? 2 : 0;
            return second;
        },
        { { -1, PhaseKind::initialisation, 10 }, { 0, PhaseKind::measurement, 10 } });
    CHECK_FALSE(find(judgement, Kind::damage).met);
    CHECK_FALSE(find(judgement, Kind::damage).value.has_value());
    CHECK(find(judgement, Kind::damage).reason == "nothing was read");
    CHECK(find(judgement, Kind::failedTransfers).met);
    const Criterion* failed = look(judgement.wholeRun, Kind::failedTransfers);
    REQUIRE(failed != nullptr);
    CHECK(failed->value == 2);
    CHECK_FALSE(failed->met);
}

TEST_CASE("a test that goes on is judged by its whole samples and minutes so far", "[storage-verdict]")
{
    const std::string plan =
        kHead + "[load]\npacing = \"rate\"\nthreads = 8\ntarget_iops = 570\n" + kPerformance;
    const Judgement judgement = judged(plan, slowIn({ 3, 13 }), kOneTest, 60 + 200);
    CHECK(judgement.stated);
    CHECK(judgement.met());
    const Criterion& maximum = find(judgement, Kind::sampleLatency, kReads);
    CHECK(maximum.value == 1); // the fourteenth sample is not whole yet
    CHECK_THAT(maximum.reason, ContainsSubstring("of 13 the highest was 60.0 ms, 01:45 - 02:00"));
    CHECK_THAT(find(judgement, Kind::minutesOffTarget).reason, ContainsSubstring("of 3, "));
    const Judgement begun = judged(plan, usual, kOneTest, 60 + 1);
    CHECK_FALSE(find(begun, Kind::sampleLatency, kReads).value.has_value());
    CHECK(find(begun, Kind::sampleLatency, kReads).cannotTell); // neither good nor bad: no sample is whole
    CHECK(find(begun, Kind::averageLatency, kReads).met);
}

TEST_CASE("the last sample of a measurement that was stopped counts when it is half as long or more",
    "[storage-verdict]")
{
    const auto stoppedAfter = [](int length) {
        return judged(kHead + kLoad + kPerformance, usual,
            { { 0, PhaseKind::rampUp, 60 }, { 0, PhaseKind::measurement, length } });
    };
    CHECK_THAT(find(stoppedAfter(67), Kind::sampleLatency, kReads).reason, ContainsSubstring("of 4 the"));
    CHECK_THAT(find(stoppedAfter(68), Kind::sampleLatency, kReads).reason, ContainsSubstring("of 5 the"));
    const Judgement brief =
        judged(kHead + kLoad + "[[tests]]\nkind = \"performance\"\nduration = \"5 min\"\n", usual,
            { { 0, PhaseKind::rampUp, 60 }, { 0, PhaseKind::measurement, 300 } });
    CHECK(find(brief, Kind::sampleLatency, kReads).sampleLength == 5s);
    CHECK_THAT(find(brief, Kind::sampleLatency, kReads).reason, ContainsSubstring("of 60 the"));
}

namespace {

/// From `begin` until `end`, seconds since the run's start, nothing of the log is completed; a write was handed over at `begin`.
std::function<Second(int)> logFrozen(int begin, int end, Nanoseconds read = 8ms)
{
    return [=](int number) {
        Second second;
        second.read = read;
        if (number < begin || number >= end)
            return second;
        second.logWritesDone = 0;
        second.logWriteAge = second.transactionAge = (number + 1 - begin) * 1s;
        if (number > begin) // all sessions wait for the log by then
            second.readsDone = 0;
        return second;
    };
}

const std::vector<Stage> kShort { { 0, PhaseKind::rampUp, 10 }, { 0, PhaseKind::measurement, 45 },
    { 0, PhaseKind::rampDown, 10 } };
const std::string kShortTest = "[[tests]]\nkind = \"performance\"\nduration = \"45 s\"\n";

} // namespace

TEST_CASE("samples in which nothing was completed while something was outstanding are above the limit",
    "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + kShortTest, logFrozen(22, 34), kShort);
    CHECK_FALSE(judgement.met());
    const Criterion& writes = find(judgement, Kind::sampleLatency, kLogWrites);
    CHECK_FALSE(writes.met);
    CHECK(writes.value == 2); // from 20 and from 25 s on
    CHECK(writes.most == 0); // of those that a transfer was outstanding through
    CHECK_THAT(writes.reason,
        ContainsSubstring("of 9 the highest was ≥ 8.00 s, 00:25 - 00:30")
            && ContainsSubstring("a transfer was not completed in the whole of 1"));
    const Criterion& reads = find(judgement, Kind::sampleLatency, kReads); // none was outstanding
    CHECK(reads.value == 1);
    CHECK_THAT(reads.reason,
        ContainsSubstring("no transfer was completed in 1, though transactions were under way"));
    CHECK(find(judgement, Kind::unanswered).met);
    CHECK(find(judgement, Kind::unanswered).value == 12);
    CHECK(judged(kHead + kLoad + kShortTest, usual, kShort).met());
}

TEST_CASE(
    "a volume that does not answer for 30 s fails the test, which says where and when", "[storage-verdict]")
{
    const Judgement judgement = judged(kHead + kLoad + kPerformance, logFrozen(100, 141));
    const Criterion& unanswered = find(judgement, Kind::unanswered);
    CHECK_FALSE(unanswered.met);
    CHECK(unanswered.value == 41);
    CHECK(unanswered.atLeast);
    CHECK(unanswered.reason == "vdc: Log write: not completed for at least 41.0 s, 01:40 - 02:21");
    CHECK_FALSE(find(judgement, Kind::sampleLatency, kLogWrites)
                    .met); // the plan tolerates six samples above, but no standstill
    const Judgement enough = judged(kHead + kLoad + kPerformance, logFrozen(100, 129));
    CHECK(find(enough, Kind::unanswered).met);
    const Judgement slow = judged(kHead + kLoad + kPerformance, [](int number) {
        Second second;
        second.read = number == 200 ? 30s : 8ms;
        return second;
    });
    CHECK(
        find(slow, Kind::unanswered).reason == "vdb: Database read: not completed for 30.0 s, 02:51 - 03:21");
}

TEST_CASE("what is outstanding when a measurement ends is in its average, or the average cannot be told",
    "[storage-verdict]")
{
    // The last ten seconds of the measurement, and for ever: 600 * 10 writes of 2 ms and one of 10 s or more.
    const Judgement judgement = judged(kHead + kLoad + kPerformance, logFrozen(650, 700));
    const Criterion& average = find(judgement, Kind::averageLatency, kLogWrites);
    CHECK_FALSE(average.met);
    CHECK(average.cannotTell);
    CHECK(average.atLeast);
    CHECK_THAT(average.reason, ContainsSubstring("not known: 1 transfer had not been completed at the end"));
    // It was answered after the measurement.
    const Judgement answered = judged(kHead + kLoad + kPerformance, logFrozen(658, 662));
    CHECK(find(answered, Kind::averageLatency, kLogWrites).met);
    // With its age alone it is above the limit of 10 ms.
    const Judgement above = judged(kHead + kLoad + kShortTest, logFrozen(45, 700), kShort);
    CHECK(find(above, Kind::averageLatency, kLogWrites).value.value() > 0.025);
    CHECK_FALSE(find(above, Kind::averageLatency, kLogWrites).cannotTell);
    CHECK_THAT(find(above, Kind::averageLatency, kLogWrites).reason, ContainsSubstring("over the limit"));
}
