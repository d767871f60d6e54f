// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstdint>

namespace loadstone::plan {

/// How a pause varies about its mean.
struct PauseShape {
    enum class Kind : std::uint8_t {
        constant,
        uniform, ///< as far above the mean as below it
        exponential, ///< without memory; between bounds its rate is such that the mean stays
    };
    Kind kind = Kind::constant;
    Nanoseconds least {};
    Nanoseconds most {}; ///< 0: no bound, or the one that follows from the mean
    bool operator==(const PauseShape&) const = default;
};

/// A pause of a script: think time after an iteration, or the pause before a further request.
struct Pause {
    Nanoseconds mean {};
    PauseShape shape;
    [[nodiscard]] bool varies() const
    {
        return mean > Nanoseconds(0) && shape.kind != PauseShape::Kind::constant;
    }
    bool operator==(const Pause&) const = default;
};

} // namespace loadstone::plan
