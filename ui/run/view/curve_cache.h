// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <map>

namespace loadstone::ui {

/// Latency curves of one recording, of which only the stretch at the end is read again: the others cannot change
/// any more, and a long run has many. One curve is kept per series and percentile.
class CurveCache {
public:
    /// As Recording::latencyCurve().
    Result<std::vector<CounterPoint>> read(const Recording& recording, std::uint32_t histogramId,
        double percentile, TimeWindow window, Nanoseconds stretch);
    void clear() { m_curves.clear(); }

private:
    struct Curve {
        Nanoseconds begin {}, stretch {};
        Nanoseconds done {}; // up to here `points` are final
        std::vector<CounterPoint> points;
    };
    std::map<std::pair<std::uint32_t, double>, Curve> m_curves;
};

} // namespace loadstone::ui
