// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone {

class Recording;

/// One computer of a run, and where its counters are.
struct ComputerFacts {
    std::string name; ///< as the plan calls it, else its host name; of a log that names none the log's
    /// What it did: "sut" (the system under test), "generator", "directory"; empty: not said.
    std::string role;
    /// Its sources in the recording, in rising order; 0: the run's own ticks.
    std::vector<std::uint32_t> sources;
    bool operator==(const ComputerFacts&) const = default;
};

/// The computers of a recording, those included that were attached later. The first one is the machine that ran Loadstone: the
/// generator, unless the plan gives it another role (`host = true` for the whole machine). Counters of some of its processors alone
/// (`processors`) are a computer of their own. In a merged run the first one is "all generators", without a role, with their series
/// combined; each generator follows with its own. On the Recording's thread; news are seen after its refresh(). An Error names damage.
Result<std::vector<ComputerFacts>> computersOf(const Recording& recording);

} // namespace loadstone
