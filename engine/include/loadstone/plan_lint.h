// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/plan_file.h"
#include "loadstone/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// Something that a plan does not test though people may take it to. The plan can be run all the same: these are not problems.
struct PlanLint {
    std::string what; ///< "nothing is judged: the plan has no criteria"
    std::string remedy; ///< what would test it; empty: nothing in the plan would
    std::string field; ///< the key that it is about: "criteria"; empty: the plan as a whole
    bool operator==(const PlanLint&) const = default;
};

/// What is known of the machines, for sizes that are compared with memory.
struct LintFacts {
    /// Bytes of this machine; none: it is asked.
    std::optional<std::uint64_t> memory;
};

/// What a plan that can be run does not test: no criteria, one load or one seed, no pause between iterations, a measurement that is too
/// short for its percentiles, data that fit into memory, and the like. In the order of importance; a plan with errors has none. Memory is
/// that of the lab's systems under test, where the plan names a lab that says it, else of this machine if all its targets are on it. An Error
/// only when the file cannot be read. Touches no server and no volume. Any thread.
Result<std::vector<PlanLint>> lintPlan(const PlanInput& plan, const LintFacts& facts = {});

} // namespace loadstone
