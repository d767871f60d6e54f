// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>
#include <loadstone/history.h>

#include <string>
#include <vector>

namespace loadstone::cli {

/// The columns that a word of the command line means: "NAME=WHAT" or WHAT, where that is runs with commas between the repeats of one column
/// (ids, beginnings of ids, "last", files of recordings), "FILE.toml:ID" (a case or set of a study, a system of a result), or "FILE.toml" alone
/// (all of them). Files may be names of those that come with the program. `matters`: set to that of a study.
Result<std::vector<ComparedColumn>> columnsOf(
    History& history, const std::string& word, std::optional<double>& matters);

} // namespace loadstone::cli
