// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/axis.h"

#include "report/wording.h"

#include <loadstone/units.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::report {

namespace {

/// A unit to label an axis in.
struct Scale {
    double factor;
    const char* unit;
};

Scale scaleFor(double most, AxisUnit quantity)
{
    switch (quantity) {
    case AxisUnit::percent:
        return { 1, " %" };
    case AxisUnit::seconds:
        return most >= 1 ? Scale { 1, " s" } : most >= 1e-3 ? Scale { 1e-3, " ms" } : Scale { 1e-6, " us" };
    case AxisUnit::bytesPerSecond:
        return most >= 1 << 30 ? Scale { 1 << 30, " GB/s" }
            : most >= 1 << 20  ? Scale { 1 << 20, " MB/s" }
            : most >= 1 << 10  ? Scale { 1 << 10, " KB/s" }
                               : Scale { 1, " B/s" };
    case AxisUnit::number:
        break;
    }
    return { 1, "" };
}

} // namespace

double Axis::position(double value) const
{
    const double at = logarithmic
        ? (std::log(std::max(value, low)) - std::log(low)) / (std::log(high) - std::log(low))
        : (value - low) / (high - low);
    return std::clamp(at, 0.0, 1.0);
}

Axis linearAxis(double most, AxisUnit quantity, std::size_t wanted)
{
    if (!(most > 0) || !std::isfinite(most))
        most = quantity == AxisUnit::seconds ? 1e-3 : 1;
    const Scale scale = scaleFor(most, quantity);
    const double rough = most / scale.factor / static_cast<double>(wanted);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double nice : { 5.0, 2.5, 2.0, 1.0 })
        if (nice * power >= rough)
            step = nice * power;
    const int exponent = static_cast<int>(std::floor(std::log10(step)));
    const bool quarter = std::abs(step / std::pow(10, exponent) - 2.5) < 1e-9;
    const int decimals = std::clamp(-exponent + (quarter ? 1 : 0), 0, 9);
    Axis axis;
    const auto steps = static_cast<std::size_t>(std::ceil(most / scale.factor / step - 1e-9));
    for (std::size_t i = 0; i <= std::max<std::size_t>(steps, 1); ++i) {
        const double value = step * static_cast<double>(i);
        axis.ticks.push_back({ value * scale.factor, grouped(value, i == 0 ? 0 : decimals) + scale.unit });
    }
    axis.high = axis.ticks.back().value;
    return axis;
}

Axis logarithmicAxis(double least, double most, AxisUnit quantity)
{
    Axis axis;
    axis.logarithmic = true;
    const int first = static_cast<int>(std::floor(std::log10(least)));
    const int last = static_cast<int>(std::ceil(std::log10(most)));
    const bool fine = last - first <= 4;
    const std::array<double, 3> all { 1, 2, 5 };
    std::vector<double> values;
    for (int power = first; power <= last; ++power)
        for (const double digit : all)
            if (fine || digit == 1)
                values.push_back(digit * std::pow(10, power));
    // The last tick at or below the least value, the first at or above the largest.
    while (values.size() > 2 && values[1] <= least)
        values.erase(values.begin());
    while (values.size() > 2 && values[values.size() - 2] >= most)
        values.pop_back();
    for (const double value : values) {
        const Scale scale = scaleFor(value * 1.0001, quantity);
        axis.ticks.push_back({ value, formatNumber(value / scale.factor, 1) + scale.unit });
    }
    axis.low = values.front();
    axis.high = values.back();
    return axis;
}

Axis timeAxis(double most)
{
    constexpr double kWanted = 10;
    constexpr std::array<double, 19> kSteps { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
        10800, 21600, 43200, 86400, 604800 };
    Axis axis;
    axis.high = most > 0 && std::isfinite(most) ? most : 1;
    double step = kSteps.back();
    for (std::size_t i = kSteps.size(); i-- > 0;)
        if (axis.high / kSteps[i] <= kWanted)
            step = kSteps[i];
    for (double value = 0; value <= axis.high + 1e-6 && axis.ticks.size() < 100; value += step)
        axis.ticks.push_back({ value, formatClock(Nanoseconds(std::llround(value * 1e9))) });
    return axis;
}

} // namespace loadstone::report
