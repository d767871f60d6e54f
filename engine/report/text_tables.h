// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/model.h"

#include <cstddef>
#include <string>

/// Tables and sentences as a terminal shows them. Control characters are replaced.
namespace loadstone::report {

/// The title, the headings and the rows, at most `width` columns wide where text columns can give way; then the note.
/// Nothing of a table without rows.
void appendTable(std::string& out, const Table& table, std::size_t width);
/// Breaks a sentence at spaces.
void appendWrapped(std::string& out, const std::string& sentence, std::size_t width);

} // namespace loadstone::report
