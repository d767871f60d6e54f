// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <array>
#include <string>

namespace loadstone::report {

/// Told apart by the colour-blind as well, and dark enough on white and on the phases' grey (at least 4:1).
constexpr std::array<const char*, 6> kColours { "#0b5cad", "#c2410c", "#157347", "#7a2f9a", "#8a6100",
    "#4b5563" };

/// Text for HTML and SVG: markup characters escaped, control characters and broken UTF-8 replaced.
std::string escaped(const std::string& text);
/// One <figure> with the chart as inline SVG, its legend and its note. Needs the report's style sheet.
std::string chartFigure(const Chart& chart);

} // namespace loadstone::report
