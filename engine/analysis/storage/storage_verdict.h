// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/storage_test.h"

#include <loadstone/judgement.h>

#include <vector>

namespace loadstone::analysis {

/// What a storage plan's limits say of one of its tests, `measurement` being its phase of that kind: as far as it has come, while it
/// goes on. Empty where the phase belongs to none of the tests. `chosen`: it is cut to a chosen window, and nothing else is judged.
Result<std::vector<Criterion>> judgeStorageTest(
    const Recording& recording, const plan::StorageTest& test, const Phase& measurement, bool chosen = false);

} // namespace loadstone::analysis
