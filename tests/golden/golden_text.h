// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace loadstone::test {

/// The JSON in the layout of golden files: what fits a line of 400 letters stands on one, so that a change of a figure is a change of
/// its line. Numbers have twelve digits, for the last ones differ between compilers. Of a figure what the one of the same key before it
/// says as well is left out, but for its value: that is the definition, again and again.
std::string goldenText(const std::string& json);
/// The first lines in which they differ, for people; empty where they are the same.
std::string differences(const std::string& expected, const std::string& found);

} // namespace loadstone::test
