// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <loadstone/readings.h>
#include <loadstone/results.h>

namespace loadstone::report {

// Curves over the whole run, thinned to what a page can show. A chart without anything to draw has no curves.
Result<Chart> messageRateChart(const Recording& recording);
/// Of a storage test's own I/O.
Result<Chart> ioRateChart(const Recording& recording);
/// Of each storage group.
Result<Chart> transactionChart(const Recording& recording);
/// 50th, 95th and 99th percentile of one series.
Result<Chart> latencyChart(const Recording& recording, const HistogramInfo& series);
Result<Chart> processorChart(const Recording& recording);
Result<Chart> loadThreadChart(const Recording& recording);
Result<Chart> contextSwitchChart(const Recording& recording);
Result<Chart> diskChart(const Recording& recording);
Result<Chart> networkChart(const Recording& recording);
Result<Chart> failureChart(const Recording& recording);

// One point per mix over its number of users; for suites of mixes that differ in it.
Chart responseByUsersChart(const RunResults& results);
Chart ratesByUsersChart(const RunResults& results);
/// Mean processor time of the systems under test and directories.
Chart processorByUsersChart(const RunResults& results, const std::vector<MeasuredReadings>& readings);

} // namespace loadstone::report
