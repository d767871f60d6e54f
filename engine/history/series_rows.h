// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"

#include <loadstone/series.h>

#include <cstdint>
#include <string>
#include <vector>

/// The series of a run or source as rows of a recording's tables: their keys in columns.
namespace loadstone::history {

struct SourcePlace;

/// Rows for series of `source`, the first of which stands at `first` in the table.
Result<void> insertCounters(
    Database& database, std::uint32_t source, std::uint32_t first, const std::vector<CounterInfo>& counters);
Result<void> insertHistograms(Database& database, std::uint32_t source, std::uint32_t first,
    const std::vector<HistogramInfo>& histograms);

/// Those of one source, with ids from 0. Of another source than the run exactly as many as its place has; sets where those stand that
/// it got later. An Error names what is not known: recordings come from elsewhere.
Result<std::vector<CounterInfo>> readCounters(
    Database& database, const std::string& file, SourcePlace& place);
Result<std::vector<HistogramInfo>> readHistograms(
    Database& database, const std::string& file, const SourcePlace& place);

} // namespace loadstone::history
