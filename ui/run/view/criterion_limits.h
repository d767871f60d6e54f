// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_line.h"
#include "run/view/line_key.h"

#include <loadstone/judgement.h>

#include <vector>

namespace loadstone::ui {

/// The limits that a plan's criteria set for lines of its run.
struct LineLimit {
    LineKey key;
    ChartLimit limit; ///< in the line's unit
};

/// Of the criteria of the last mix that has been judged: response times, processor time, the queue and counters; those of other computers
/// are looked for among `lines`. Where something may only grow, the limit is where it may stand at the end of the measurement.
std::vector<LineLimit> limitsOf(
    const Judgement& judgement, const RunHeader& header, const std::vector<LineInfo>& lines = {});

} // namespace loadstone::ui
