// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadstone {

/// A chart of a workbook. What has no value is a gap.
struct SheetChart {
    enum class Kind : std::uint8_t {
        scatter, ///< lines with dots over numbers
        columns, ///< grouped bars over names
    };
    struct Series {
        std::string name;
        std::vector<double> x; ///< scatter: as many as values
        std::vector<std::optional<double>> values;
        std::uint32_t colour = 0; ///< 0xRRGGBB
        bool linked = true; ///< scatter: dots are joined by lines
    };
    Kind kind = Kind::scatter;
    std::string title, xTitle, yTitle;
    std::vector<std::string> names; ///< columns: of the groups
    std::vector<Series> series;
    bool logarithmicX = false, logarithmicY = false;
};

/// A workbook (Office Open XML, ECMA-376) with a sheet for each table, the charts with their numbers, and a sheet "Model" that has each number of the
/// tables as it is, not rounded, with its unit and how it is printed. Numbers are numbers, in the unit in which they are printed and with
/// formats of their rounding; ranges, and numbers with an error, are texts. Texts are never formulas or links. Tables without rows are left out. The bytes of the
/// file; an Error when it cannot be made. Any thread.
Result<std::string> formatTablesXlsx(const std::string& title, const std::vector<ReportTable>& tables,
    const std::vector<SheetChart>& charts = {});

} // namespace loadstone
