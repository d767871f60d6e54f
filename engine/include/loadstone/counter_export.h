// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/recording.h"
#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

enum class CounterFormat : std::uint8_t {
    pdh, ///< PDH-CSV 4.0, as PerfMon and relog read it: times in UTC to the millisecond
    openMetrics, ///< OpenMetrics text 1.0 with time stamps: a gauge for each counter
    csv, ///< RFC 4180, with the time since the run's start at which a row ends, its length, phase and mix
};

struct CounterExport {
    CounterFormat format = CounterFormat::csv;
    std::vector<std::string> patterns; ///< which counters, see countersOf(); none: all
    std::optional<Nanoseconds> from, to; ///< since the run's start; none: from its begin, to its end
};
/// What was written.
struct ExportedCounters {
    std::size_t counters = 0;
    std::uint64_t rows = 0; ///< of pdh and csv; of openMetrics samples
    /// Sampling times within the window that are not in the file: of sources, before the first or after the last row, or with a later one in
    /// the same row. Of openMetrics 0.
    std::uint64_t leftOut = 0;
};

/// Writes the samples of a choice of counters, the run's own and those of its sources, with the present offsets of these. Levels in the
/// counter's unit, counts per second of their tick; numbers are not rounded, and what is missing is blank. A row is a tick of the run; where
/// all counters are of one source, it is a sample of that source. A sample of another source stands in the row of the tick that it ends in;
/// of several in one tick the last one. Control characters in names become blanks. Memory: some 50 MB, whatever the length of the run. An
/// Error where no counter fits, the window has no tick or no sample, the recording cannot be read or the file not be written.
Result<ExportedCounters> exportCounters(
    const Recording& recording, const CounterExport& what, const std::filesystem::path& to);

} // namespace loadstone
