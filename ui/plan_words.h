// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/plan_file.h>

#include <QString>

namespace loadstone::ui {

/// "4 mixes, up to 1,600 users", "5 tests".
QString planSize(const PlanSummary& plan);
/// Of a mail plan "up to 28 h 45 min", for a drain ends when all messages have arrived; of a storage plan "10 min of tests", for its
/// databases are made before; of a raw one "2 min 30 s".
QString planLength(const PlanSummary& plan);

} // namespace loadstone::ui
