// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstdint>
#include <string_view>

namespace loadstone {

/// How long a command is worked on before its reply leaves.
struct ServiceTime {
    enum class Shape : std::uint8_t { none, constant, exponential, lognormal };
    Shape shape = Shape::none;
    double meanNs = 0;
    double sigma = 0; ///< lognormal: standard deviation of the natural logarithm

    static constexpr const char* kForms =
        R"(write "none", "constant 5 ms", "exponential 20 ms" or "lognormal 20 ms 1.5" (mean, sigma))";
    /// One of kForms; the error says what is wrong, not the forms. The mean is at most an hour, sigma 5: beyond that
    /// the mean would hang on events that no run sees.
    static Result<ServiceTime> parse(std::string_view text);
    /// One drawn time; at most an hour.
    [[nodiscard]] Nanoseconds draw(Random& random) const;
};

} // namespace loadstone
