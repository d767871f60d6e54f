// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/problems.h"

#include <loadstone/plan_file.h>
#include <loadstone/study.h>

#include <filesystem>
#include <string>

namespace loadstone::compare {

/// Reports plans, labs and results of cases that are not there or cannot be used. Paths count from the study's file on.
void checkFilesOf(const Study& study, document::Problems& problems);

/// The plan of a case as it is run: with the case's lab and variant in the place of the plan's own. An Error names what cannot be read.
Result<Document> planOf(const Study& study, const StudyCase& one);
/// The file of a case's result: beside the study, else a shipped one.
std::filesystem::path resultFileOf(const Study& study, const StudyCase& one);

} // namespace loadstone::compare
