// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <string>
#include <vector>

namespace loadstone::report {

struct AxisTick {
    double value = 0;
    std::string label;
};

/// A scale from the least to the largest value it shows, with round numbers along it.
struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::vector<AxisTick> ticks;
    /// 0 at `low`, 1 at `high`; clipped to these.
    [[nodiscard]] double position(double value) const;
};

/// From 0 to `most` (or more), about `wanted` ticks.
Axis linearAxis(double most, AxisUnit quantity, std::size_t wanted = 5);
/// From `least` to `most`, both above 0, with ticks at 1, 2 and 5 times powers of ten or at these alone.
Axis logarithmicAxis(double least, double most, AxisUnit quantity);
/// Seconds from 0 to exactly `most`, labelled as times of a run.
Axis timeAxis(double most);

} // namespace loadstone::report
