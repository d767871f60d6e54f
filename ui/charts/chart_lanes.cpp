// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_lanes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace loadstone::ui {

namespace {

constexpr double kAir = 0.04; // above the highest value: a line at 100 % is to be seen whole

/// What the lines need room for; nothing where nothing is known.
std::optional<ValueExtent> extentOf(
    const std::vector<ChartLine>& lines, const std::vector<std::size_t>& which, bool scaled, bool inView)
{
    std::optional<ValueExtent> all;
    for (const std::size_t i : which) {
        const ChartLine& line = lines[i];
        const auto own = inView || !line.whole ? wholeExtent(line.bands) : line.whole;
        if (!own || !std::isfinite(own->minimum) || !std::isfinite(own->maximum))
            continue;
        const double scale = scaled ? line.scale : 1;
        const ValueExtent drawn { own->minimum * scale, own->maximum * scale, own->positive * scale,
            own->peak * scale };
        all = all ? joined(*all, drawn) : drawn;
    }
    return all;
}

/// Just around what is in view.
std::pair<double, double> fitted(const ValueExtent& extent)
{
    const double span = extent.maximum - extent.minimum;
    const double largest = std::max(std::abs(extent.minimum), std::abs(extent.maximum));
    // Values that hardly differ are drawn as the level line that they are.
    const double air = span > 1e-6 * largest ? span * kAir : std::max(largest * kAir, 1e-9);
    return { extent.minimum - air, extent.maximum + air };
}

/// From 0 to the next round number, and as far below 0 as there are values.
std::pair<double, double> rounded(const ValueExtent& extent)
{
    const double largest = std::max(std::abs(extent.minimum), std::abs(extent.maximum));
    if (largest <= 0)
        return { 0, 1 + kAir };
    const double step = valueStep(0, largest, 10);
    const auto up = [&](double value) { return std::ceil(value / step - 1e-9) * step; };
    const double high = up(std::max(extent.maximum, 0.0)), low = -up(std::max(-extent.minimum, 0.0));
    return { low, high + (high - low) * kAir };
}

/// Whole decades around the values above 0.
std::pair<double, double> decades(const ValueExtent& extent)
{
    constexpr int kMost = 12;
    if (!(extent.peak > 0) || !(extent.positive > 0) || !std::isfinite(extent.peak))
        return { 1, 10 };
    const double top = std::ceil(std::log10(extent.peak) - 1e-9);
    const double bottom = std::floor(std::log10(extent.positive) + 1e-9);
    return { std::pow(10, std::clamp(bottom, top - kMost, top - 1)), std::pow(10, top) };
}

bool isPercent(const QString& unit)
{
    return unit == QLatin1String("%");
}

} // namespace

double valueStep(double low, double high, int most)
{
    const double least = (high - low) / std::max(most, 1);
    if (!(least > 0) || !std::isfinite(least))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : { 1.0, 2.0, 5.0 })
        if (power * factor >= least * (1 - 1e-9))
            return power * factor;
    return power * 10;
}

std::vector<double> decadeTicks(double low, double high, int most)
{
    std::vector<double> ticks;
    if (!(low > 0) || !(high > low) || !std::isfinite(high))
        return ticks;
    const double first = std::ceil(std::log10(low) - 1e-9), last = std::floor(std::log10(high) + 1e-9);
    const double each = std::max(1.0, std::ceil((last - first + 1) / std::max(most, 1)));
    for (double power = first; power <= last; power += each)
        ticks.push_back(std::pow(10, power));
    if (ticks.size() > 1)
        return ticks;
    ticks.clear();
    for (double power = first - 1; power <= last; ++power)
        for (const double factor : { 1.0, 2.0, 5.0 })
            if (const double value = factor * std::pow(10, power);
                value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                ticks.push_back(value);
    return ticks;
}

Lane overlayOf(const std::vector<ChartLine>& lines, ValueRange mode, bool logarithmic)
{
    Lane lane;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].shown)
            lane.lines.push_back(i);
    const auto extent = extentOf(lines, lane.lines, true, mode == ValueRange::fit);
    if (logarithmic) {
        ValueExtent room = extent.value_or(ValueExtent {});
        if (mode != ValueRange::fit && room.peak > 0)
            room.peak = std::max(room.peak, 100.0);
        std::tie(lane.low, lane.high) = decades(room);
        return lane;
    }
    if (extent && mode == ValueRange::fit) {
        std::tie(lane.low, lane.high) = fitted(*extent);
        return lane;
    }
    const double high = std::max(100.0, extent ? extent->maximum : 0),
                 low = std::min(0.0, extent ? extent->minimum : 0);
    std::tie(lane.low, lane.high) = rounded({ low, high });
    return lane;
}

std::vector<Lane> lanesOf(const std::vector<ChartLine>& lines, ValueRange mode, bool logarithmic)
{
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].shown)
            continue;
        auto lane = std::find_if(lanes.begin(), lanes.end(),
            [&](const Lane& l) { return l.unit == lines[i].unit && l.family == lines[i].family; });
        if (lane == lanes.end())
            lane = lanes.insert(lanes.end(), { lines[i].unit, lines[i].family, {}, 0, 100 });
        lane->lines.push_back(i);
    }
    for (Lane& lane : lanes) {
        if (logarithmic) {
            auto room = extentOf(lines, lane.lines, false, mode == ValueRange::fit).value_or(ValueExtent {});
            if (isPercent(lane.unit) && mode != ValueRange::fit && room.peak > 0)
                room.peak = std::max(room.peak, 100.0);
            std::tie(lane.low, lane.high) = decades(room);
        } else if (isPercent(lane.unit) && mode != ValueRange::fit) {
            const auto beyond = extentOf(lines, lane.lines, false, false); // of several processors together
            std::tie(lane.low, lane.high) = rounded({ 0, std::max(100.0, beyond ? beyond->maximum : 0) });
        } else if (const auto extent = extentOf(lines, lane.lines, false, mode == ValueRange::fit)) {
            std::tie(lane.low, lane.high) = mode == ValueRange::fit ? fitted(*extent) : rounded(*extent);
        }
    }
    if (mode == ValueRange::shared) {
        const std::vector<Lane> own = lanes;
        for (Lane& lane : lanes)
            for (const Lane& other : own)
                if (other.unit == lane.unit) {
                    lane.low = std::min(lane.low, other.low);
                    lane.high = std::max(lane.high, other.high);
                }
    }
    return lanes;
}

} // namespace loadstone::ui
