// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <string>
#include <vector>

/// What speaks against comparing figures, in words.
namespace loadstone::compare {

/// Why a run's figures do not count: "it was cut short"; empty: they do.
std::string faultOf(const ComparedRun& run);
/// What people call a run in a sentence.
std::string nameOf(const ComparedRun& run);

/// What differs between two runs in the facts that decide.
struct FactReasons {
    std::vector<std::string> all; ///< nothing of them can be compared: "client: online against cached"
    std::vector<std::string> passing, audit; ///< only these
    std::vector<std::string> unknown; ///< labels of facts that one side does not state
};
FactReasons differingFacts(const ComparableFacts& before, const ComparableFacts& after);

/// The same for two matched mixes: lengths of the measurements and of what was before them, more than a tenth apart.
std::vector<std::string> differingMixes(const ComparedMix& before, const ComparedMix& after);
/// Two values of one row: definition, unit, what one event is; empty: they can be compared.
std::string differingValues(const ComparedValue& before, const ComparedValue& after);

} // namespace loadstone::compare
