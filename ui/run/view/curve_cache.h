// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>

#include <map>
#include <tuple>

namespace loadstone::ui {

/// Latency curves of one recording. A stretch that has ended does not change any more: panned, zoomed back or with a run that
/// grows, only stretches that were not asked for before are read, for a long run has many. One curve is kept per series,
/// percentile and length of the stretches, with kMostPoints at most. Not thread-safe.
class CurveCache {
public:
    static constexpr std::size_t kMostPoints = 2000;

    /// As Recording::latencyCurve().
    Result<std::vector<CounterPoint>> read(const Recording& recording, std::uint32_t histogramId,
        double percentile, TimeWindow window, Nanoseconds stretch);
    void clear() { m_curves.clear(); }

private:
    struct Curve {
        Nanoseconds phase {}; // of the places where stretches begin
        Nanoseconds begin {}, done {}; // between them `points` are all there are, and final
        std::vector<CounterPoint> points;
    };
    std::map<std::tuple<std::uint32_t, double, Nanoseconds>, Curve> m_curves;
};

} // namespace loadstone::ui
