// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstdint>
#include <string_view>

namespace loadstone::target {

/// How long a command is worked on before its reply leaves.
struct ServiceTime {
    enum class Shape : std::uint8_t { none, constant, exponential, lognormal };
    Shape shape = Shape::none;
    double meanNs = 0;
    double sigma = 0; ///< lognormal: standard deviation of the natural logarithm

    /// "none", "constant 5 ms", "exponential 20 ms", "lognormal 20 ms 1.5" (mean, sigma).
    static Result<ServiceTime> parse(std::string_view text);
    /// One drawn time; at most an hour.
    [[nodiscard]] Nanoseconds draw(Random& random) const;
};

} // namespace loadstone::target
