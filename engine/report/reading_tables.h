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
/// One for each computer and measurement that has rows, in the order of the computers; all of one recording at one moment.
std::vector<Table> readingTables(const std::vector<MeasuredReadings>& readings, ReadingChoice choice);

} // namespace loadstone::report
