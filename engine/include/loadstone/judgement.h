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

/// What a run comes to, in one word. The order is that of severity: a run has the worst that applies to it. Written into the
/// history's catalogue by number.
enum class Verdict : std::uint8_t {
    met, ///< it measured all that its plan has, and all criteria that the plan states are met
    measured, ///< it measured all that its plan has, and the plan states no criteria
    done, ///< it only filled or cleaned, and all is as it should be
    running, ///< it goes on, and nothing is certain yet
    notMet, ///< its figures are the target's, and a criterion is not met
    invalid, ///< the generator was the bottleneck, or nobody can tell that it was not
    wentWrong, ///< the audit or the oracle found the target at fault
    notDone, ///< it only filled or cleaned, and something is not as it should be
    nothingSucceeded, ///< a measurement in which no action ended well, or no message was sent
    nothingMeasured, ///< it ended before its first measurement
    cutShort, ///< it ended before all was measured, or died before its end was written
    failed, ///< an error ended it
    unreadable, ///< its recording cannot be read
};

/// "met", "measured", "done", "running", "not met", "invalid", "went wrong", "not done", "nothing succeeded", "nothing measured",
/// "cut short", "failed", "unreadable": for programs and for columns.
const char* toString(Verdict verdict);

/// The run came to its end, and nothing was found wrong.
constexpr bool isGood(Verdict verdict)
{
    return verdict <= Verdict::done;
}

/// A verdict with its words, in English.
struct RunVerdict {
    Verdict verdict = Verdict::running;
    std::string headline; ///< one sentence
    std::vector<std::string>
        reasons; ///< one sentence each; all that speaks against the run, not only what the headline names
    [[nodiscard]] bool good() const { return isGood(verdict); }
    bool operator==(const RunVerdict&) const = default;
};

/// One kind of action over the days of simulated users.
struct UserDayRow {
    std::string what; ///< "Read message", "Recipients per message"
    double had = 0; ///< what a user-day had; "per message" where that says so
    std::optional<double> planned; ///< what the profile's clock brings, or what its source prints
};

/// What a server did within a window, in the terms of "MAPI Messaging Benchmark" disclosures. Counts, not rates.
struct Load {
    std::int32_t mix = -1;
    std::string mixName;
    TimeWindow window;
    std::uint64_t submitted = 0; ///< messages accepted
    std::uint64_t recipients = 0; ///< copies accepted
    std::uint64_t delivered = 0; ///< copies that their mailboxes handed out
    std::uint64_t messageOpens = 0,
                  folderOpens = 0; ///< read or attachment loaded; Inbox checked or folder browsed
    std::uint64_t bytesFromClients = 0, bytesToClients = 0; ///< of all connections, without TLS
    double userDays = 0; ///< users times days; 0 without a profile
    std::vector<UserDayRow> perUserDay; ///< empty without a profile
};

/// A series of samples and the moment from which on it only fluctuates.
struct SettledSeries {
    std::string counter; ///< its path
    bool settled = false;
    Nanoseconds from {}; ///< since the run's start
    double before = 0, after = 0; ///< means; before: NaN when it was settled from the beginning
    bool drifts = false; ///< still grows or falls afterwards, by more than 5 % of its mean and than chance
};

/// Which part of a mix may count as steady: what begins when the last of the series has settled (MSER-5: White, "An
/// effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997) and shows no trend
/// (growth test, see Criterion::Kind::queueGrowth).
struct SteadyState {
    std::int32_t mix = -1;
    std::string mixName;
    TimeWindow measurement; ///< as the plan has it
    std::optional<TimeWindow> window; ///< none: it did not become steady
    std::vector<SettledSeries> series;
};

/// One thing that the plan asks of a measurement, and the measured value.
struct Criterion {
    enum class Kind : std::uint8_t {
        score, ///< s
        responseTime, ///< of one action, s
        processor, ///< %
        errorRate, ///< failed of all actions, 0 to 1
        /// Copies by which the queue grew: robust slope (Theil, Sen) times length. It fails when these are too many and
        /// the trend is no chance: Mann-Kendall's test at 1 %, variance corrected for autocorrelation by Hamed and Rao
        /// (Journal of Hydrology 204, 1998).
        queueGrowth,
        counter, ///< mean, in its unit
        counterGrowth, ///< as queueGrowth, of any counter
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
        unanswered, ///< the longest that a transfer was not completed for, s
    };
    Kind kind = Kind::responseTime;
    std::string subject; ///< action or counter
    Unit unit; ///< of the counter
    double percentile = 95; ///< score, responseTime
    std::optional<double> value; ///< unrounded; none: nothing to judge
    bool atLeast = false; ///< the value falls into what had not ended, and is a lower bound
    std::optional<double> least,
        most; ///< the plan's limits, in the value's unit; none: no limit on that side
    double confidence = 0; ///< growth: standard deviations (Z of Mann and Kendall) above chance
    bool met = false;
    /// generator: why not; oracle: what it did not come to compare; storage: what was found, when, and what went on at that time.
    /// Of any kind: why it is not met although no value is above its limit: that it cannot be told, or that nothing succeeded.
    std::string reason;
    /// Since the run's start: from then on it failed whenever the measurement so far was judged (sixty looks; of storage, each
    /// sample).
    std::optional<Nanoseconds> failedSince;
    double sampleLimit = 0; ///< sampleLatency: s
    Nanoseconds sampleLength {}; ///< likewise
    [[nodiscard]] bool ofStorage() const { return kind >= Kind::averageLatency; }
};

/// The criteria of one mix's measurement, judged.
struct MixJudgement {
    std::int32_t mix = -1;
    std::string mixName;
    TimeWindow window; ///< the measurement, as far as it has come
    std::vector<Criterion> criteria;
    [[nodiscard]] bool met() const;
};

/// The plan's criteria, judged.
struct Judgement {
    RunKind kind = RunKind::mail; ///< of the run that is judged
    bool stated = false; ///< the plan has criteria, or limits as storage tests have them
    bool measures = true; ///< false: the run only fills or cleans, and has nothing to measure
    /// The run is over, and not all that the plan has was measured, or its end was never written: whatever was judged until
    /// then, the plan is not met.
    bool cutShort = false;
    bool nothingSucceeded = false; ///< in a measurement: the plan is not met, whatever it asks for
    std::vector<MixJudgement> mixes;
    std::vector<Criterion> wholeRun; ///< audit and generator; of storage what was found outside its tests
    [[nodiscard]] bool met()
        const; ///< all; of a plan without criteria: audit and generator; false if it was cut short or nothing succeeded
};

/// The load of each mix's measurement; with a window, of that stretch alone. This and the functions below read the recording,
/// which may take seconds for a long run, on the caller's thread. An Error when it cannot be read, or says what no run can.
Result<std::vector<Load>> computeLoads(const Recording& recording, std::optional<TimeWindow> window = {});
/// One per mix that has been measured.
Result<std::vector<SteadyState>> findSteadyStates(const Recording& recording);
/// By the plan that the recording carries.
Result<Judgement> judge(const Recording& recording);

/// The headline of a run: see Verdict. Everybody who says how a run went says this.
RunVerdict verdictOf(const RunResults& results, const Judgement& judgement);
/// The same, from the recording, live or past.
Result<RunVerdict> verdictOf(const Recording& recording);

} // namespace loadstone
