// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <string>
#include <vector>

namespace loadstone::plan {
struct Plan;
}

namespace loadstone::analysis {

/// What a reader of the figures should know although they are valid, one sentence each: that the processors of a storage test's machine were
/// busy, and that its transactions were not of the plan's mix. `plan`: the one that was run.
std::vector<std::string> remarksOf(const std::vector<MixResult>& mixes, const plan::Plan& plan);

} // namespace loadstone::analysis
