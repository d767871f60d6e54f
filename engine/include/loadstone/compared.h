// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/figure.h"
#include "loadstone/judgement.h"
#include "loadstone/key.h"
#include "loadstone/result.h"
#include "loadstone/run_differences.h"
#include "loadstone/run_header.h"
#include "loadstone/time.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What goes into a comparison: runs and results from elsewhere in one form. Values, any thread.
namespace loadstone {

class Recording;

/// What a row of a comparison is of. Two values stand in one row when their keys are equal.
struct RowKey {
    std::string
        figure; ///< key of figureTable(); "counter.average", … of a reading; empty: a figure that has no key here
    Subject subject; ///< of the figure; empty: of the whole mix, or run
    std::optional<SeriesKey>
        counter; ///< of a reading; the host of its subject and of a foreign counter is left empty
    std::string computer; ///< of a reading: the role ("sut") where one computer alone has it, else the name
    std::string name; ///< of a figure from elsewhere that has no key here: as printed there
    auto operator<=>(const RowKey&) const = default;
    bool operator==(const RowKey&) const = default;
};

/// One figure of one run, with what is needed to print, compare and judge it.
struct ComparedValue {
    RowKey key;
    std::string group; ///< heading above its row: "Messages", "Response times", "sut"
    std::string label; ///< "Sent/s", "Send message, 95th percentile", "% Processor Time"
    std::optional<double> value; ///< in `unit`; finite; none: missing
    std::string unit; ///< "messages/s", "s", "%"; empty: a bare number, or a share of 1
    Rounding rounding;
    Better better = Better::neither;
    Statistic statistic = Statistic::mean;
    FigureFlags flags; ///< lowerBound: the true value is this or more
    int version = 1; ///< of the figure's definition
    std::string counts; ///< what one event is, if products differ: "per recipient"; else empty
    std::uint64_t samples = 0; ///< 0: not known
    std::string printed; ///< of a result from elsewhere: its digits; else empty
    double slack =
        0; ///< how far the exact value may be from `value`: half a unit of the last digit, a whole one where it was cut
    /// Of a run's own figures: one standard error of the mean by the means of about 20 stretches of the measurement (batch means;
    /// Law, "Simulation Modeling and Analysis", 5th edition, 9.5.3). It says nothing about other runs. None: not computed.
    std::optional<double> withinError;
    bool detail = false; ///< shown and judged only if all rows are asked for
    bool operator==(const ComparedValue&) const = default;
};

/// The figures at one load.
struct ComparedMix {
    std::int32_t index = -1; ///< within its run
    std::string name;
    std::optional<double> load; ///< in `loadUnit`
    std::string loadUnit; ///< "users", "threads"
    std::optional<double> clients; ///< beside the users, where these are of clients
    TimeWindow window; ///< of the run; empty: of a result from elsewhere
    /// How long they lasted, as conditions. 0: not known, or a result: a storage test warms up until its cache is filled, and a backup,
    /// recovery or checksum lasts as long as its work.
    Nanoseconds measured {}, warmUp {};
    bool warm = true; ///< false: a storage test whose warm-up ran out before the cache was filled or its load had settled
    bool complete = true; ///< false: its measurement was cut short
    std::optional<bool>
        passed; ///< all criteria of the plan are met; none: there are none, or it is not known
    std::vector<ComparedValue> values;
    bool operator==(const ComparedMix&) const = default;
};

/// What a fact decides when two runs differ in it.
enum class FactScope : std::uint8_t {
    all, ///< nothing of them can be compared
    passing, ///< which loads pass, and not the figures themselves: limits, percentiles of criteria
    audit, ///< figures of the audit
    none, ///< it only pools
};

/// One fact on which it depends whether figures can be compared.
struct ComparableFact {
    std::string key; ///< one of `fact`, or "action.send"; of results from elsewhere also a condition's name
    std::string label; ///< for people: "Profile", "Send message a user-day"
    std::string
        value; ///< for people; facts are the same when their values are. Never empty: a fact that is not known is left out
    FactScope scope = FactScope::all;
    bool pools =
        true; ///< repeatability is taken from runs that have the same; stable, and bucketed where it is a size
    bool operator==(const ComparableFact&) const = default;
};

/// Keys of facts. Beginning with fact::action: how often users do something; a run that has other actions has none of it.
namespace fact {
inline constexpr std::string_view kind = "kind", profile = "profile", client = "client", pacing = "pacing",
                                  protocol = "protocol", steps = "steps", percentile = "percentile",
                                  limit = "limit", audit = "audit", cache = "cache", pageSize = "page-size",
                                  pattern = "pattern", target = "target", machine = "machine",
                                  action = "action.";
}

/// Of a run, in rising order of keys. Unknown is not different: a fact that one side lacks is no reason, and is named as unknown.
struct ComparableFacts {
    std::vector<ComparableFact> facts;
    [[nodiscard]] const ComparableFact* find(std::string_view key) const;
    /// Nothing for an empty value; replaces one of the same key.
    void set(ComparableFact fact);
    /// The same for runs whose repeatability can be pooled: "kind=mail;profile=...", one line.
    [[nodiscard]] std::string poolingKey() const;
    bool operator==(const ComparableFacts&) const = default;
};

/// One line of a configuration: a key of the plan, a field of the lab, a version.
struct ConfigurationValue {
    RunDifference::Group group = RunDifference::Group::lab;
    std::string label; ///< for people, and by which the values of several runs are matched
    std::string value;
    bool operator==(const ConfigurationValue&) const = default;
};

/// One run, or one result from elsewhere, with all its figures.
struct ComparedRun {
    RunId id; ///< empty: from elsewhere
    std::string title;
    WallTime started {};
    Nanoseconds length {};
    RunKind kind = RunKind::mail;
    bool external = false;
    bool live = false; ///< it has not ended
    Verdict verdict = Verdict::measured;
    std::vector<std::string>
        invalidReasons; ///< why its figures are not the server's alone, one sentence each
    std::vector<std::string> remarks {}; ///< RunResults::remarks
    ComparableFacts facts;
    /// Digest of plan, lab, software and machine without names and seeds: runs that have the same are repeats.
    std::string configuration;
    std::vector<ComparedMix> mixes;
    std::vector<ComparedValue> wholeRun;
    std::filesystem::path file; ///< its recording, or the result's file
    std::string target; ///< of several the one that it is about; empty: all together
    std::vector<ConfigurationValue>
        described; ///< of a result from elsewhere: all that its report says; of a run empty
    RunLab lab; ///< of a result from elsewhere: the one that describes it; of a run empty
    bool operator==(const ComparedRun&) const = default;
};

/// One column of a comparison: a configuration with its repeats.
struct ComparedColumn {
    std::string name;
    std::vector<ComparedRun> runs;
    std::string note;
    std::string id {}; ///< of a study's case or set; else empty
};

/// All that can be compared of a run, live or past; with a window as computeResults() takes it. Reads the recording, which may take
/// seconds for a long run. On the Recording's thread. An Error when it cannot be read.
Result<ComparedRun> comparedRun(const Recording& recording, const std::optional<TimeWindow>& window = {});

/// As bytes for a cache, and back; what encodeCompared() of another version wrote, and anything else, is an Error.
std::string encodeCompared(const ComparedRun& run);
Result<ComparedRun> decodeCompared(std::string_view bytes);

/// The value of a row in a mix, or of the run; nullptr: it has none.
const ComparedValue* findValue(const std::vector<ComparedValue>& values, const RowKey& key);

} // namespace loadstone
