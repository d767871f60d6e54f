// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/parsed_text.h"

#include <loadstone/keys.h>
#include <loadstone/problem.h>

#include <vector>

namespace loadstone::document {

/// What the table of keys of a kind says is wrong with a well-formed text, by line: unknown keys, types, ranges, choices. Unknown keys
/// of labs are kept, so they are warnings.
std::vector<Problem> keyProblems(FileKind kind, const Node& root);

} // namespace loadstone::document
