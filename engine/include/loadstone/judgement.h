// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/number.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/results.h"
#include "loadstone/run_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// The verdict of a run. The order is that of severity: a run has the worst verdict that applies to it. The history's
/// catalogue holds its number.
enum class Verdict : std::uint8_t {
    met, ///< everything in its plan was measured, and all criteria of the plan are met
    measured, ///< everything in its plan was measured, and the plan states no criteria
    done, ///< it only filled or cleaned mailboxes, and all are as planned
    running, ///< it has not ended, and nothing is certain yet
    notMet, ///< its figures are the target's, and a criterion is not met
    invalid, ///< the generator was the bottleneck, or it is not known whether it was
    wentWrong, ///< the audit or the oracle found a fault of the target
    notDone, ///< it only filled or cleaned mailboxes, and not all are as planned
    nothingSucceeded, ///< a measurement in which no action ended well, or no message was sent
    nothingMeasured, ///< it ended before its first measurement
    cutShort, ///< it ended before everything was measured, or died before its end was written
    failed, ///< an error ended it
    unreadable, ///< its recording cannot be read
};

/// "met", "measured", "done", "running", "not met", "invalid", "went wrong", "not done", "nothing succeeded", "nothing measured",
/// "cut short", "failed", "unreadable": for programs and for columns.
const char* toString(Verdict verdict);

/// The run ended, and nothing is wrong.
constexpr bool isGood(Verdict verdict)
{
    return verdict <= Verdict::done;
}

/// The run ended, its figures are the target's, and the target lost nothing, whether or not criteria are met.
constexpr bool isQuotable(Verdict verdict)
{
    return isGood(verdict) || verdict == Verdict::notMet;
}

/// A verdict with its words, in English.
struct RunVerdict {
    Verdict verdict = Verdict::running;
    std::string headline; ///< one sentence
    std::vector<std::string>
        reasons; ///< one sentence each; everything against the run, not only what the headline names
    [[nodiscard]] bool good() const { return isGood(verdict); }
    bool operator==(const RunVerdict&) const = default;
};

/// One kind of action per day of a simulated user.
struct UserDayRow {
    std::string what; ///< "Read message", "Recipients per message"
    double had = 0; ///< how many in a user-day; "per message" if the name says so
    std::optional<double> planned; ///< what the profile plans, or what its source prints
};

/// The work of a server within a window, in the terms of "MAPI Messaging Benchmark" disclosures. Counts, not rates.
struct Load {
    std::int32_t mix = -1;
    std::string mixName;
    TimeWindow window;
    std::uint64_t submitted = 0; ///< messages accepted
    std::uint64_t recipients = 0; ///< copies accepted
    std::uint64_t delivered = 0; ///< copies at their first retrieval
    std::uint64_t messageOpens = 0,
                  folderOpens = 0; ///< read or attachment loaded; Inbox checked or folder browsed
    std::uint64_t bytesFromClients = 0, bytesToClients = 0; ///< of all connections, without TLS
    double userDays = 0; ///< users times days; 0 without a profile
    std::vector<UserDayRow> perUserDay; ///< empty without a profile
};

/// A series of samples and the time from which on it only fluctuates.
struct SettledSeries {
    std::string counter; ///< its path
    bool settled = false;
    bool enoughSamples = true; ///< false: too few to tell, and so it is not settled
    Nanoseconds from {}; ///< since the run's start
    double before = 0, after = 0; ///< means; before: NaN if it was settled from the beginning
    bool drifts = false; ///< still grows or falls afterwards, by more than 5 % and more than chance
};

/// The steady part of a mix: it begins when the last of the series has settled (MSER-5: White, "An
/// effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997) and shows no trend
/// (growth test, see Criterion::Kind::queueGrowth).
struct SteadyState {
    std::int32_t mix = -1;
    std::string mixName;
    TimeWindow measurement; ///< as the plan has it
    std::optional<TimeWindow> window; ///< none: it did not become steady
    std::vector<SettledSeries> series;
};

/// One criterion of the plan for a measurement, and the measured value.
struct Criterion {
    enum class Kind : std::uint8_t {
        score, ///< s
        responseTime, ///< of one action, s
        processor, ///< %
        errorRate, ///< share of failed actions, 0 to 1
        /// Copies by which the queue grew: robust slope (Theil, Sen) times length. It fails when these are too many and
        /// the trend is not chance: Mann-Kendall's test at 1 %, variance corrected for autocorrelation by Hamed and Rao
        /// (Journal of Hydrology 204, 1998).
        queueGrowth,
        counter, ///< mean, in its unit
        counterGrowth, ///< like queueGrowth, for any counter
        audit, ///< copies lost, delivered twice or damaged
        generator, ///< the load generator kept up
        oracle, ///< its findings
        // Of a storage test, by the limits of its plan; the subject is volume and class, "nvme0n1: Database read", where it has one.
        averageLatency, ///< time in the device over the measurement, s
        sampleLatency, ///< how many samples' averages are above sampleLimit
        pageFaultStalls, ///< per second, of all groups
        transferRate, ///< database reads and writes per second, of all groups
        minutesOffTarget, ///< in which that rate is further from the target than a paced load may be
        damage, ///< pages, log files and log segments that are not as they were written
        wrongRecords,
        failedTransfers, ///< I/O errors
        unanswered, ///< the longest time for which a transfer was not completed, s
    };
    Kind kind = Kind::responseTime;
    std::string subject; ///< action or counter
    std::string computer; ///< that has the counter; empty: the machine that ran Loadstone
    Unit unit; ///< of the counter
    double percentile = 95; ///< score, responseTime
    std::optional<double> value; ///< unrounded; none: nothing to judge
    bool atLeast = false; ///< the value is a lower bound, because something had not ended
    std::optional<double> least,
        most; ///< the plan's limits, in the value's unit; none: no limit on that side
    std::optional<double> growsFrom; ///< growth: the level at which the trend begins
    double confidence = 0; ///< growth: standard deviations (Z of Mann and Kendall) above chance
    bool met = false;
    /// Not met, and not failed: a counter's samples cover too little of the time, copies have not arrived, or actions that had not
    /// ended would decide; see reason.
    bool cannotTell = false;
    /// generator: why not; oracle: what it did not compare; storage: what was found, when, and which counters were high then.
    /// Any kind: why it is not met although no value is above its limit: it is not known, or nothing succeeded.
    std::string reason;
    /// Since the run's start: from then on it failed each time the measurement so far was judged (at sixty points; storage: at
    /// each sample).
    std::optional<Nanoseconds> failedSince;
    double sampleLimit = 0; ///< sampleLatency: s
    Nanoseconds sampleLength {}; ///< sampleLatency
    [[nodiscard]] bool ofStorage() const { return kind >= Kind::averageLatency; }
};

/// The criteria of one mix's measurement, judged.
struct MixJudgement {
    std::int32_t mix = -1;
    std::string mixName;
    TimeWindow window; ///< the measurement so far
    std::vector<Criterion> criteria;
    [[nodiscard]] bool met() const;
};

/// The plan's criteria, judged.
struct Judgement {
    RunKind kind = RunKind::mail; ///< of the run that is judged
    bool stated = false; ///< the plan has criteria, or limits as storage tests have them
    bool measures = true; ///< false: the run only fills or cleans mailboxes
    bool running = false; ///< the run goes on: its criteria are those that can be looked at so far
    /// The window that was judged instead of the measurements, as computeResults() takes it; none: the plan's measurements. Audit and
    /// oracle are those of the whole run all the same.
    std::optional<TimeWindow> window;
    /// The run has ended before everything in the plan was measured, or its end was never written: the plan is not met,
    /// whatever the criteria so far.
    bool cutShort = false;
    bool nothingSucceeded = false; ///< in a measurement: the plan is not met, whatever its criteria
    std::vector<MixJudgement> mixes;
    std::vector<Criterion> wholeRun; ///< audit and generator; storage: what was found outside the tests
    [[nodiscard]] bool met()
        const; ///< all; of a plan without criteria: audit and generator; false if it was cut short or nothing succeeded
};

/// The load of each mix's measurement; with a window, of that window only. This and the functions below read the recording,
/// which may take seconds for a long run, on the caller's thread. An Error when it cannot be read or is inconsistent.
Result<std::vector<Load>> computeLoads(const Recording& recording, std::optional<TimeWindow> window = {});
/// One per mix that has been measured.
Result<std::vector<SteadyState>> findSteadyStates(const Recording& recording);
/// By the plan in the recording.
Result<Judgement> judge(const Recording& recording);
/// The same over a window, see computeResults(): whether the plan's criteria are met in it. That the run was cut short does not matter.
Result<Judgement> judge(const Recording& recording, const TimeWindow& window);

/// The headline of a run: see Verdict. Every view shows this one.
RunVerdict verdictOf(const RunResults& results, const Judgement& judgement);
/// The same, from the recording, live or past.
Result<RunVerdict> verdictOf(const Recording& recording);

} // namespace loadstone
