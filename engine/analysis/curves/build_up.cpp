// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/build_up.h"

#include <loadstone/units.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace loadstone::analysis {

namespace {

BuildUp cannotTell(const TimeWindow& searched, Nanoseconds from, Nanoseconds to)
{
    const auto clock = [&](Nanoseconds at) {
        return formatClock(std::max(at - searched.begin, Nanoseconds(0)));
    };
    return { BuildUp::State::cannotTell, {},
        "there are no samples from " + clock(from) + " to " + clock(to) + " after the ramp-up" };
}

} // namespace

Nanoseconds longestGapOf(std::span<const CounterPoint> points)
{
    const Nanoseconds least = std::chrono::minutes(2);
    if (points.size() < 2)
        return least;
    const Nanoseconds interval =
        (points.back().at - points.front().at) / static_cast<std::int64_t>(points.size() - 1);
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
