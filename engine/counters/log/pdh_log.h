// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/log/counter_log.h"
#include "counters/log/line_file.h"

namespace loadstone::counters {

/// A log as PerfMon, logman, relog, typeperf and esxtop in batch mode write it: CSV or TSV, the first line with the marker "(PDH-CSV 4.0)",
/// the zone and its bias in minutes, and the paths of the counters; then a row per sample, in local time. `lines`: at its
/// beginning. An Error where its first lines are none of such a log.
Result<std::unique_ptr<CounterLog>> openPdhLog(LineFile lines);

/// Whether a first line is that of such a log.
bool beginsPdhLog(std::string_view line);

} // namespace loadstone::counters
