// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/lab/lab_value.h"

#include <string>
#include <string_view>
#include <vector>

/// The ways to print a value that cell_pattern.h lists.
namespace loadstone::report {

bool isModifier(std::string_view modifier);
std::string modifierNames(); ///< for messages
/// The figure's text after each of the modifiers. Those that need a number leave a figure without one as it is written.
std::string modified(const LabFigure& figure, const std::vector<std::string>& modifiers);
/// At most kLongestCell bytes, cut between characters.
std::string cutCell(std::string text);

} // namespace loadstone::report
