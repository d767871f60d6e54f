// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/layout.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace loadstone::analysis {

/// How long the samples are whose means are held against maxima, by the planned length of a measurement. Jetstress 2013 has 15 s,
/// and 5 s as a second interval (LogInterval, LogInterval2 of its configuration).
Nanoseconds sampleLength(Nanoseconds planned);

/// One counter over the ticks that were added up; missing samples add nothing.
struct CounterSum {
    double total = 0; ///< of the samples as they are stored: of a count its events
    double last = 0; ///< the newest of them
    // As a chart shows them, counts per second:
    double weighted = 0, length = 0; ///< times the seconds of their ticks; these seconds
    double least = 0, most = 0;
    std::uint64_t samples = 0;
    // The first and the last tick with more than nothing, and what it was there:
    bool active = false;
    history::TickTime firstTick, lastTick;
    double first = 0, latest = 0;

    void add(CounterKind kind, double sample, const history::TickTime& tick);
    [[nodiscard]] double average() const { return length > 0 ? weighted / length : 0; }
};

/// What of one series of latencies came within one sample. Samples count from the measurement's beginning; a tick belongs to
/// the one that its middle lies in.
struct SampleMean {
    std::int64_t sample = 0;
    std::uint64_t count = 0;
    double total = 0; ///< ns
    // Not completed at the end of its last tick:
    std::uint64_t unfinished = 0;
    double ages = 0; ///< ns
};
/// A mean of which perhaps only a lower bound is known, as transfers were not completed.
struct LongestMean {
    Nanoseconds mean {};
    bool atLeast = false;
    bool operator==(const LongestMean&) const = default;
};

/// What the tables of a storage plan's test are made from, added up tick by tick like all of MixSums.
struct StorageSums {
    Nanoseconds sample = std::chrono::seconds(15); ///< how long each is; above 0
    /// By id: of the page store, of verification and recovery, of the host.
    std::map<std::uint32_t, CounterSum> counters;
    CounterSum stalls; ///< page fault stalls of all groups together
    /// By id: the time in the device of each class of I/O.
    std::map<std::uint32_t, std::vector<SampleMean>> latencies;
};

/// Whether the recording has counters of a page store.
bool hasStorageCounters(const RunHeader& header);
/// The host's counters that are told of a measurement, in their order, as far as the recording has them: ids.
std::vector<std::uint32_t> hostCounters(const RunHeader& header);
/// Adds the ticks in `added`, which are not empty, of a measurement that begins at `origin`.
Result<void> addStorage(
    const Recording& recording, history::TickRange added, Nanoseconds origin, StorageSums& sums);

/// The longest mean of the samples, each `sample` long, of a measurement of this length. A last one of less than half of
/// that counts only where there is no other. None: there was nothing.
std::optional<LongestMean> longestMean(
    const std::vector<SampleMean>& samples, Nanoseconds sample, Nanoseconds length);

} // namespace loadstone::analysis
