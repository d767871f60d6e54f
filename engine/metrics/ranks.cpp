// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone::metrics {

std::vector<double> ranksOf(std::span<const double> values)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i]))
            order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i + 1; // of those that are equal
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        for (std::size_t j = i; j < end; ++j)
            ranks[order[j]] = static_cast<double>(i + 1 + end) / 2;
        i = end;
    }
    return ranks;
}

} // namespace loadstone::metrics
