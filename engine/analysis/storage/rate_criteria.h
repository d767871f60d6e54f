// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/storage/load_measurement.h"

#include <vector>

namespace loadstone::analysis {

// Each adds what one limit says of how much a load did.

Result<void> judgePageFaultStalls(LoadMeasurement& load, std::vector<Criterion>& judged);
/// Database transfers; nothing where the plan has no target.
Result<void> judgeTransferRate(LoadMeasurement& load, std::vector<Criterion>& judged);
/// A paced load keeps to its target in every minute. Nothing while the target is searched for: then it moves.
Result<void> judgeMinutes(LoadMeasurement& load, std::vector<Criterion>& judged);

} // namespace loadstone::analysis
