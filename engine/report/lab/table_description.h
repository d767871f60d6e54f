// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"
#include "report/lab/cell_pattern.h"

#include <loadstone/problem.h>

#include <optional>
#include <string>
#include <vector>

/// A [[table]] of a lab file: which cells a report prints, and from which items they come.
///
///     [[table]]
///     title = "Server"
///     variant = "two-processors"         # the lab that its cells come from; without one as it was asked for
///     item = "srv"                       # whose keys a name with a dot in front means: {.bios}
///     columns = ["", "Base", "Bigger"]   # headings
///     variants = ["", "bigger"]          # of each column after the labels; items = […] likewise
///     rows = [
///         { label = "Processors", show = "{cpu.count} x {cpu.model}" },       # the same in each column
///         { label = "Volumes", each = ["c", "d"], show = "{.letter} {.size}", join = ", ", none = "None" },
///         { label = "{.place}", rows_of = "exchange.changed", show = "{.value}" },  # a row for each tuning
///         { label = "Disks", see = "Storage" },                               # "Refer to Storage section"
///         { cells = ["{srv.name}", "{srv.memory}"] },                         # no label, a cell for each column
///     ]
///
/// The first column has the labels where a row has one. See cell_pattern.h for what cells may say, and scopesOf() for lists.
namespace loadstone::report {

struct DescribedColumn {
    std::string heading;
    std::optional<std::string> variant;
    std::string item; ///< empty: that of the table
};

struct DescribedRow {
    document::Position at;
    std::string field; ///< "table[0].rows[3]"
    std::optional<CellPattern> label;
    std::vector<CellPattern> cells; ///< one: for all columns
    std::vector<std::string> each; ///< lists whose scopes are joined in one cell
    std::string rowsOf;
    std::string join = "; ";
    std::string none;
};

struct DescribedTable {
    document::Position at;
    std::string title, note;
    std::optional<std::string> variant;
    std::string item;
    std::vector<DescribedColumn> columns; ///< without that of the labels
    std::vector<DescribedRow> rows;
    bool hasLabels = false;
    std::string labelHeading;
};

/// The [[table]] entries of a lab. Bounded: 200 tables, 500 rows each, 64 columns.
std::vector<DescribedTable> describedTables(const document::Node& root, std::vector<Problem>& problems);

} // namespace loadstone::report
