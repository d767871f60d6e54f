// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"
#include "run/view/line_key.h"

#include <functional>
#include <vector>

namespace loadstone::ui {

/// What each line of one recording reaches over all of it, so that scales do not depend on what is in view. While a
/// recording grows an extent only widens. Not thread-safe.
class WholeExtents {
public:
    /// A line's values within a window.
    using Read = std::function<Result<std::vector<CounterBand>>(TimeWindow)>;

    /// Reads what came since the last call, of a source also the minute before, and the whole line again where that is more than was
    /// known. What lies in a drain of `phases` counts only where there is nothing else. None without samples.
    Result<std::optional<ValueExtent>> of(
        const LineKey& key, Nanoseconds length, const std::vector<Phase>& phases, const Read& read);
    void clear() { m_known.clear(); }

private:
    struct Known {
        LineKey key;
        Nanoseconds upTo {};
        std::optional<ValueExtent> extent;
    };
    std::vector<Known> m_known; // as many as lines that were ever shown
};

} // namespace loadstone::ui
