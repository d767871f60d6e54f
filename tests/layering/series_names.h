// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace loadstone::layering {

/// What is wrong in one line of a source file of engine/, ui/ or app/, as far as names of series go. A series is found by its key: its
/// names are for people, and engine/series/typed_names.cpp alone reads what people type. `path`: relative to the checkout, with '/'.
/// Comments and, but for counters that ui/ names, literals may say anything.
std::vector<std::string> namesOfSeriesIn(const std::string& path, const std::string& line);

} // namespace loadstone::layering
