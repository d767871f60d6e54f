// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"

#include <loadstone/problem.h>

namespace loadstone::ui {

/// A table of what is wrong with a file: line, field, what is wrong, what would be right.
std::vector<Column<Problem>> problemColumns();
/// "2 errors, 1 warning"; "no problems".
QString countOfProblems(const std::vector<Problem>& problems);

} // namespace loadstone::ui
