// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <string>

namespace loadstone::report {

/// Text for HTML and SVG: markup characters escaped, control characters and broken UTF-8 replaced.
std::string escaped(const std::string& text);
/// One <figure> with the chart as inline SVG, its legend and its note. Needs the report's style sheet.
std::string chartFigure(const Chart& chart);

} // namespace loadstone::report
