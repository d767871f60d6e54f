// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace loadstone {

enum class ProblemSeverity : std::uint8_t {
    warning, ///< the file can be used
    error, ///< it cannot
};

/// One thing wrong with a file that people write (a plan, a profile, a lab): where, what, and what would be right.
struct Problem {
    ProblemSeverity severity = ProblemSeverity::error;
    int line = 0, column = 0; ///< from 1; 0: the file as a whole
    std::string field; ///< "mixes[2].total"
    std::string message; ///< what is wrong
    std::string remedy; ///< what would be right
    /// "plan.toml:14:3: mixes[2].total: …; …"
    [[nodiscard]] std::string format(const std::string& file) const;
    bool operator==(const Problem&) const = default;
};

} // namespace loadstone
