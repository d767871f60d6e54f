// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::series {

/// One step of a computation over a stack of values: operands first, then what is done with the upper two.
struct DerivedStep {
    enum class Kind : std::uint8_t {
        counter, ///< the only counter that fits
        sum, ///< of all counters that fit
        mean, ///< likewise
        number,
        users, ///< simulated users of the mix
        processors, ///< of the computer that the first counter is of
        times,
        over,
    };
    Kind kind = Kind::number;
    std::vector<std::string> patterns {}; ///< counter, sum, mean
    double number = 0;
    bool operator==(const DerivedStep&) const = default;
};

/// A counter that is computed from others, as people define it:
///   name [unit] = expression
/// where the unit may be left out, and the expression multiplies (*) and divides (/), from left to right and with brackets: paths in double
/// or single quotes, sum("path", ...), mean("path", ...), numbers, users, processors. In paths * is any text and ? one letter; a quote in a
/// quoted path is written twice.
struct DerivedText {
    std::string name;
    std::string unit; ///< empty: that of its parts
    std::vector<DerivedStep> steps;
    bool operator==(const DerivedText&) const = default;
};
/// An Error names the column, what stands there and what would be right. At most 4,000 bytes, 100 steps and 20 brackets within each other.
Result<DerivedText> parseDerived(std::string_view text);
/// A path as such a text has it.
std::string quotedPath(std::string_view path);

} // namespace loadstone::series
