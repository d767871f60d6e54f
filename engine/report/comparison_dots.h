// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>

#include <string>

namespace loadstone::report {

/// One <figure> with a line for each row of a mix that has a change: every run of every column as a dot at its distance from the baseline's
/// mean, its within-run interval as a thin line, and around 0 what is needed to be more than chance. At most 40 rows; nothing where there is
/// no row to draw. Needs the report's style sheet.
std::string dotFigure(const Comparison& comparison, const ComparisonMix& mix);

} // namespace loadstone::report
