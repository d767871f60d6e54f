// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kLeast = 1e-3; // the share from which on colours differ

// One hue whose lightness rises, after Brewer's "Blues" and "YlGnBu": from the ground to the dense cells.
constexpr std::array<QRgb, 6> kOnLight { 0xffdeebf7, 0xffb5d4e9, 0xff72b2d7, 0xff3182bd, 0xff0b559f,
    0xff08264f };
constexpr std::array<QRgb, 6> kOnDark { 0xff14283c, 0xff1b4965, 0xff1f78a4, 0xff41aec8, 0xff9fdcd0,
    0xfff7fcd2 };

} // namespace

const HeatMapColumn* HeatMap::columnAt(Nanoseconds at) const
{
    const auto it = std::lower_bound(
        columns.begin(), columns.end(), at, [](const HeatMapColumn& c, Nanoseconds t) { return c.end < t; });
    return it != columns.end() && it->begin <= at ? &*it : nullptr;
}

QColor heatColour(double share, bool darkGround)
{
    if (!(share > 0))
        return Qt::transparent;
    const auto& ramp = darkGround ? kOnDark : kOnLight;
    const double place = std::clamp(1 - std::log10(std::max(share, kLeast)) / std::log10(kLeast), 0.0, 1.0)
        * static_cast<double>(ramp.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
    const double part = place - static_cast<double>(below);
    const QColor from(ramp[below]), to(ramp[below + 1]);
    const auto mix = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
    return { mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()) };
}

} // namespace loadstone::ui
