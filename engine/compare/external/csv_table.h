// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace loadstone::compare {

struct CsvRow {
    std::size_t line = 0; ///< from 1, on which it begins
    std::vector<std::string> cells; ///< without blanks around them
};

/// The rows of a CSV (RFC 4180; commas, semicolons or tabs, whichever the first line has most of), empty ones left out. An Error names the
/// line and what would be right. At most 1 MB, 20,000 rows and 1,000 cells in a row.
Result<std::vector<CsvRow>> readCsv(std::string_view text, const std::string& name);

} // namespace loadstone::compare
