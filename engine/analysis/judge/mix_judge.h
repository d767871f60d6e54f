// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <loadstone/judgement.h>

namespace loadstone::analysis {

/// The plan's [criteria] over one measurement: at its end, and at sixty moments before, each time from its beginning.
Result<std::vector<Criterion>> judgeMix(
    const Recording& recording, const plan::Criteria& criteria, TimeWindow window);

} // namespace loadstone::analysis
