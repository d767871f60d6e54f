// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <string>

namespace loadstone::plan {

/// One load of a plan: what it is called, and how long its parts take.
struct LoadPoint {
    std::string name;
    Nanoseconds rampUp {}, measurement {}, rampDown {};
    Nanoseconds quietTime {}; ///< before the next one
    int line = 0; ///< in the plan file
    [[nodiscard]] Nanoseconds total() const
    {
        return rampUp + measurement + rampDown;
    } ///< without the quiet time
    bool operator==(const LoadPoint&) const = default;
};

} // namespace loadstone::plan
