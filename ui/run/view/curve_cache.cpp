// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/curve_cache.h"

#include <algorithm>

namespace loadstone::ui {

Result<std::vector<CounterPoint>> CurveCache::read(const Recording& recording, std::uint32_t histogramId,
    double percentile, TimeWindow window, Nanoseconds stretch)
{
    Curve& curve = m_curves[{ histogramId, percentile }];
    if (curve.begin != window.begin || curve.stretch != stretch)
        curve = { window.begin, stretch, window.begin, {} };
    // The recording may hold more than the window, so a stretch within the window is whole.
    const Nanoseconds whole = window.begin + (window.end - window.begin) / stretch * stretch;
    const Nanoseconds known = std::min(whole, curve.done);
    const auto after = [](const std::vector<CounterPoint>& points, Nanoseconds at) {
        return std::find_if(points.begin(), points.end(), [at](const CounterPoint& p) { return p.at > at; });
    };
    std::vector<CounterPoint> all(curve.points.cbegin(), after(curve.points, known));
    if (known >= window.end)
        return all;
    auto rest = recording.latencyCurve(histogramId, percentile, { known, window.end }, stretch);
    if (!rest)
        return rest.error();
    if (whole > curve.done) { // then all that was known was used
        curve.points.insert(curve.points.end(), rest->cbegin(), after(*rest, whole));
        curve.done = whole;
    }
    all.insert(all.end(), rest->begin(), rest->end());
    return all;
}

} // namespace loadstone::ui
