// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/key.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Logs of counters that other programs write: what is in them, and how one is attached to a run. Read are PDH-CSV and PDH-TSV (PerfMon, logman,
/// relog, typeperf, esxtop in batch mode), sadf -d and -j, vmstat -t, iostat -t, and pmrep -o csv. Files are untrusted; an Error names file, line and what is wrong.
namespace loadstone {

/// What a log holds.
struct CounterLogFacts {
    std::string format; ///< for people: "PDH-CSV 4.0"
    std::string zone; ///< as the log calls it; empty: it does not say
    std::optional<Nanoseconds> bias; ///< what is added to its local times for UTC; none: it does not say
    std::vector<ForeignCounter> counters; ///< in the order of its columns
};
/// Reads the head of the file alone.
Result<CounterLogFacts> readCounterLog(const std::filesystem::path& log);

/// Which counters have a path that fits one of the patterns, by their places, ascending. `*` stands for any text, `?` for one letter,
/// upper and lower case are the same; a pattern without `*` and `?` fits wherever it stands in the path, and one that begins with a
/// single backslash fits the counters of every computer. All where there is no pattern.
std::vector<std::size_t> chooseCounters(
    const std::vector<ForeignCounter>& counters, const std::vector<std::string>& patterns);

struct AttachOptions {
    std::vector<std::string> patterns; ///< which counters; see chooseCounters()
    /// Local time of the log less UTC, for a log that does not say it.
    std::optional<Nanoseconds> zone;
    /// Where the begin of the log lies on the run's axis; none: where the clocks of the two computers have it.
    std::optional<Nanoseconds> offset;
    /// What the log's computer did in the run, see SourceFacts::role.
    std::string role {};
    /// Its name, as the plan's criteria and other sources call it; empty: the log's own.
    std::string computer {};
    /// Called after every 256 samples with the share that is done, 0 to 1; false ends the work with an Error.
    std::function<bool(double)> progress {};
};

/// What became of an attached log.
struct AttachedLog {
    std::uint32_t source = 0; ///< of the recording
    std::uint64_t samples = 0; ///< of each counter
    std::size_t counters = 0;
    Nanoseconds offset {};
    std::vector<std::string> notes; ///< what was left out or repaired, one sentence each with its line
};
/// Adds a log's samples to a recording, as a source with a time axis of its own; see loadstone/source.h. Memory: the log's longest line
/// and some 1,500 samples of the chosen counters; of formats with several lines for one instant, which are refused past
/// 10 million values, the whole log. What was attached before an Error in mid-file stays, as an incomplete source, which the Error says.
Result<AttachedLog> attachLog(const std::filesystem::path& recording, const std::filesystem::path& log,
    const AttachOptions& options = {});

} // namespace loadstone
