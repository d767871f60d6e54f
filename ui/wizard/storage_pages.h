// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wizard/plan_page.h"

namespace loadstone::ui {

// Pages of storage benchmarks and raw device tests.
PlanPage* makeVolumesPage(PlanModel& model);
PlanPage* makeDatabasesPage(PlanModel& model);
PlanPage* makeTransactionsPage(PlanModel& model);
PlanPage* makeTestsPage(PlanModel& model);
PlanPage* makeThresholdsPage(PlanModel& model);
PlanPage* makeDevicePage(PlanModel& model);

/// What the mailboxes or the rate of a storage plan mean for its databases: "1,000 mailboxes of 10 MB: 9.8 GB of data in 4 databases, and
/// 250 transfers per second."
QString sizingWords(const Document& document);

} // namespace loadstone::ui
