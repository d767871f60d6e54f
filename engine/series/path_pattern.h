// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace loadstone::series {

/// Whether the path of a counter fits a pattern that a person typed: `*` stands for any text, `?` for one letter, upper and lower case
/// are the same. A pattern without `*` and `?` fits wherever it stands in the path, and one that
/// begins with a single backslash, `\Process(*)\% Processor Time`, fits the counters of every computer. Takes steps of the product of both lengths at most.
bool fitsPattern(std::string_view pattern, std::string_view path);

} // namespace loadstone::series
