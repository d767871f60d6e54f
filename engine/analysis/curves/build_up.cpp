// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/build_up.h"

#include <loadstone/units.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace loadstone::analysis {

namespace {

constexpr std::size_t kFewest =
    4; // of fewer points the time between two may be a gap as well as the interval

BuildUp cannotTell(const TimeWindow& searched, Nanoseconds from, Nanoseconds to)
{
    const auto clock = [&](Nanoseconds at) {
        return formatClock(std::max(at - searched.begin, Nanoseconds(0)));
    };
    return { BuildUp::State::cannotTell, {},
        "there are no samples from " + clock(from) + " to " + clock(to) + " after the ramp-up" };
}

} // namespace

Nanoseconds longestGapOf(std::span<const CounterPoint> points, const TimeWindow& searched)
{
    // In a test of hours two minutes decide nothing; in one of a minute they would be all of it.
    constexpr int kParts = 20;
    const Nanoseconds least =
        std::min<Nanoseconds>(std::chrono::minutes(2), (searched.end - searched.begin) / kParts);
    if (points.size() < kFewest)
        return least;
    std::vector<Nanoseconds> intervals;
    for (std::size_t i = 1; i < points.size(); ++i)
        intervals.push_back(points[i].at - points[i - 1].at);
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::ranges::nth_element(intervals, middle);
    const Nanoseconds interval = *middle;
    return std::max(least, 2 * interval);
}

BuildUp buildUpOf(
    std::span<const CounterPoint> points, const TimeWindow& searched, double limit, Nanoseconds longestGap)
{
    std::optional<Nanoseconds>
        above; // the first sample of the stretch above the limit that reaches to the end
    Nanoseconds later = searched.end; // up to here nothing is known yet
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
        if (std::isnan(point->value))
            continue;
        if (later - point->at > longestGap)
            return cannotTell(searched, point->at, later);
        if (!(point->value > limit))
            return above
                ? BuildUp { BuildUp::State::builtUp, std::max(*above - searched.begin, Nanoseconds(0)) }
                : BuildUp { BuildUp::State::notWithinTest, searched.end - searched.begin };
        above = later = point->at;
        if (point->at <= searched.begin)
            break;
    }
    if (!above || later - searched.begin > longestGap)
        return cannotTell(searched, searched.begin, later);
    return { BuildUp::State::builtUp, std::max(*above - searched.begin, Nanoseconds(0)) };
}

} // namespace loadstone::analysis

namespace loadstone {

const char* toString(BuildUp::State state)
{
    switch (state) {
    case BuildUp::State::builtUp:
        return "built up";
    case BuildUp::State::notWithinTest:
        return "not within the test";
    case BuildUp::State::cannotTell:
        break;
    }
    return "cannot tell";
}

} // namespace loadstone
