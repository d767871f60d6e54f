// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/readings.h>

#include <vector>

/// Tables of counters: average, minimum and maximum over each measurement.
namespace loadstone::report {

enum class ReadingChoice {
    usual, ///< of other computers those that a disclosure prints
    others, ///< all that `usual` leaves out, folded: of this machine all
    all,
};
/// One for each computer and measurement that has rows, in the order of the computers; all of one recording at one moment. `ofWindow`: of a
/// chosen window, the titles say what of it was measured.
std::vector<Table> readingTables(
    const std::vector<MeasuredReadings>& readings, ReadingChoice choice, bool ofWindow);

// Coverage, the share of a window for which there are samples: a column of its own where a row has less than all, with this note.
constexpr const char* kCoveredNote = "Covered: the share of the time for which there are samples.";
bool coversAll(double coverage); ///< of nearly all of the time: to the printed digit it is all
Cell coverageCell(double coverage);

/// Where counters are from beside the run's own: who measured them, and where their samples lie in the run. Empty where there are none.
Result<Table> sourceTable(const Recording& recording);

} // namespace loadstone::report
