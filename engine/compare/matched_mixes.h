// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which mixes of several runs stand side by side.
namespace loadstone::compare {

struct MatchedMix {
    std::string name;
    std::optional<double> load;
    std::string loadUnit;
    /// Of each column, of each of its runs: index into ComparedRun::mixes.
    std::vector<std::vector<std::optional<std::size_t>>> mixes;
    [[nodiscard]] std::size_t columns() const; ///< that have it
};

/// "83,300 users", "17.9"; of a mix with a load.
std::string loadText(const ComparedMix& mix);

/// In the order of the baseline, then of the others. By users those without a load are matched by name, and so are all where there are none.
std::vector<MatchedMix> matchMixes(
    std::span<const ComparedColumn> columns, std::size_t baseline, MixMatch match);

} // namespace loadstone::compare
