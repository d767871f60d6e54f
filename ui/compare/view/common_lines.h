// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/line_key.h"

#include <vector>

namespace loadstone::ui {

/// The lines of a run as compared runs share them, in the same order. What the run itself has is as it is. A source's counter has its
/// computer in place of the file or address that it came from, so that the same counter of the same computer is one line whatever the
/// log is called: the role where one computer of the run alone has it, else the name, as in the comparison's table. A counter that
/// several sources have of one computer counts them: "EX1", "EX1 (2)".
std::vector<LineInfo> commonLinesOf(const std::vector<LineInfo>& lines);

} // namespace loadstone::ui
