// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace loadstone {

// Tables in the formats that they are printed in. Texts of cells may come from anywhere: what would be markup, a formula or a control of a
// terminal is taken out of them. Any thread.

/// For a terminal, at most `width` columns wide where text columns can give way. Tables without rows are left out, here and below.
std::string formatTables(const std::vector<ReportTable>& tables, std::size_t width = 100);
/// RFC 4180: of each table its title, its headings and its rows as printed, then an empty line.
std::string formatTablesCsv(const std::vector<ReportTable>& tables);
/// Tables of GitHub Flavored Markdown (GFM 0.29, 4.10) under headings; texts hold no markup.
std::string formatTablesMarkdown(const std::vector<ReportTable>& tables);
/// A list of objects with title, note, columns and rows of printed texts; one line.
std::string formatTablesJson(const std::vector<ReportTable>& tables);
/// A page that stands alone. `picture`: SVG as formatSvg() writes it, which goes above the tables; empty: none.
std::string formatTablesHtml(const std::string& title, const std::string& subtitle,
    const std::vector<ReportTable>& tables, const std::string& picture = {});

} // namespace loadstone
