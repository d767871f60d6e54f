// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loadstone::session {

/// The axis of a log begins one interval before its first sample; that interval is made of so many samples at most.
constexpr std::size_t kSamplesOfAxis = 256;

/// The median of the steps between the first kSamplesOfAxis of these times, for single steps may be odd; a second where there is no step.
inline Nanoseconds usualInterval(const std::vector<Nanoseconds>& times)
{
    std::vector<Nanoseconds> steps;
    for (std::size_t i = 1; i < std::min(times.size(), kSamplesOfAxis); ++i)
        steps.push_back(times[i] - times[i - 1]);
    if (steps.empty())
        return std::chrono::seconds(1);
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

} // namespace loadstone::session
