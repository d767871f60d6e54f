// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>
#include <loadstone/history.h>
#include <loadstone/study.h>

#include <optional>
#include <string>
#include <vector>

namespace loadstone::cli {

struct WordColumns {
    std::vector<ComparedColumn> columns; ///< never empty
    std::optional<Study> study; ///< that they are of
    bool wholeStudy = false; ///< all that the study has, or all of its question
};

/// The columns that a word of the command line means: "NAME=WHAT" or WHAT, where that is runs with commas between the repeats of one column
/// (ids, beginnings of ids, "last", files of recordings), "FILE.toml:ID" (a case or set of a study, a system of a result), or "FILE.toml" alone
/// (all of them). Files may be names of those that come with the program. `question`: of a study alone, the columns of its comparison with this
/// id; empty: none.
Result<WordColumns> columnsOf(History& history, const std::string& word, const std::string& question = {});

/// The comparison of a study with this id; nullptr: it has none.
const StudyComparison* findQuestion(const Study& study, const std::string& id);

} // namespace loadstone::cli
