// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/curve_cache.h"

#include <algorithm>

namespace loadstone::ui {

namespace {

/// The first point later than `at`.
std::vector<CounterPoint>::const_iterator after(const std::vector<CounterPoint>& points, Nanoseconds at)
{
    return std::upper_bound(points.begin(), points.end(), at,
        [](Nanoseconds value, const CounterPoint& point) { return value < point.at; });
}

} // namespace

Result<std::vector<CounterPoint>> CurveCache::read(const Recording& recording, std::uint32_t histogramId,
    double percentile, TimeWindow window, Nanoseconds stretch)
{
    Curve& curve = m_curves[{ histogramId, percentile, stretch }];
    const Nanoseconds phase = window.begin % stretch;
    // The recording may hold more than the window, so a stretch within the window is whole.
    const Nanoseconds whole = window.begin + (window.end - window.begin) / stretch * stretch;
    const bool meets = curve.phase == phase && window.begin <= curve.done && whole >= curve.begin;
    if (!meets || curve.points.size() > kMostPoints)
        curve = { phase, window.begin, window.begin, {} };
    if (window.begin < curve.begin) {
        auto earlier =
            recording.latencyCurve(histogramId, percentile, { window.begin, curve.begin }, stretch);
        if (!earlier)
            return earlier.error();
        curve.points.insert(curve.points.begin(), earlier->begin(), earlier->end());
        curve.begin = window.begin;
    }
    std::vector<CounterPoint> tail; // of the stretch that the window's end cuts
    if (const Nanoseconds known = std::min(whole, curve.done); known < window.end) {
        auto later = recording.latencyCurve(histogramId, percentile, { known, window.end }, stretch);
        if (!later)
            return later.error();
        const auto cut = after(*later, whole);
        if (whole > curve.done) { // then all that was known was used
            curve.points.insert(curve.points.end(), later->cbegin(), cut);
            curve.done = whole;
        }
        tail.assign(cut, later->cend());
    }
    std::vector<CounterPoint> all(after(curve.points, window.begin), after(curve.points, whole));
    all.insert(all.end(), tail.begin(), tail.end());
    return all;
}

} // namespace loadstone::ui
