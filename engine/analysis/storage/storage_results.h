// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/storage/storage_sums.h"
#include "plan/model/storage_test.h"

#include <loadstone/results.h>

namespace loadstone::analysis {

/// What a measurement's sums come to. `step`: which of the plan's tests it is; `range`: the ticks that were added up.
Result<StorageResult> storageResultOf(const Recording& recording, const plan::StorageTest& test,
    const plan::StorageTestStep& step, history::TickRange range, const StorageSums& sums);

} // namespace loadstone::analysis
