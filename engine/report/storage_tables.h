// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/results.h>

#include <vector>

/// The tables of a storage plan's run, under the headings that published disclosures of Jetstress results have. Rows are tests;
/// a table without anything to say has none.
namespace loadstone::report {

/// What was attained, and how large the databases were.
Table sizingTable(const RunResults& results);
/// The load of the groups: rates and shape; log and cache; records and commits.
Table groupLoadTable(const RunResults& results);
Table groupLogTable(const RunResults& results);
Table recordTable(const RunResults& results);
/// Each volume and class of I/O: databases, then logs, then the others.
Table diskTable(const RunResults& results);
/// This machine's counters over each measurement.
Table hostPerformanceTable(const RunResults& results);
/// Pages and log segments that were read and checked, each database and log, and their sum.
Table checksumTable(const RunResults& results);
Table logChecksumTable(const RunResults& results);
Table backupTable(const RunResults& results);
Table recoveryTable(const RunResults& results);

/// The programme as the plan has it, and its parameters in words; no rows where the kept plan is no storage plan.
Table programmeTable(const Recording& recording);
Table parameterTable(const Recording& recording);
/// The run's events with their times.
Table testLogTable(const RunHeader& header, const std::vector<RunEvent>& events);

} // namespace loadstone::report
