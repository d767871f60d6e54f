// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/trend.h"

#include <algorithm>
#include <vector>

namespace loadstone::analysis {

namespace {
constexpr std::size_t kMostSamples = 500; // 125,000 pairs
}

double robustSlope(std::span<const Sample> samples)
{
    std::vector<Sample> taken;
    const std::size_t count = std::min(samples.size(), kMostSamples);
    for (std::size_t i = 0; i < count; ++i)
        taken.push_back(samples[i * samples.size() / count]);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < taken.size(); ++i)
        for (std::size_t j = i + 1; j < taken.size(); ++j)
            if (taken[j].at > taken[i].at)
                slopes.push_back((taken[j].value - taken[i].value) / (taken[j].at - taken[i].at));
    if (slopes.empty())
        return 0;
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::nth_element(slopes.begin(), middle, slopes.end());
    if (slopes.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(slopes.begin(), middle)) / 2;
}

} // namespace loadstone::analysis
