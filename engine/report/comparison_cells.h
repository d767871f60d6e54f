// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/comparison.h>
#include <loadstone/table.h>

#include <optional>
#include <string>
#include <string_view>

/// Values of comparisons as tables and pictures print them.
namespace loadstone::report {

/// The unit behind a row's values; empty where they are printed with it.
std::string unitText(const ComparisonRow& row);
Cell valueCell(const ComparisonRow& row, const ComparedCell& cell);
/// What its difference, ratio and change are as well: a lower bound.
FigureFlags boundOf(const ComparedCell& cell);
Cell changeCell(const std::optional<double>& change, FigureFlags flags = {}); ///< "+7.9 %"
Cell differenceCell(const ComparisonRow& row, const ComparedCell& cell); ///< "+73", "-1.5", "+1.2 ms"
std::string valueText(
    const Rounding& rounding, std::string_view unit, double value); ///< "12.3 ms", "17.9 messages/s"

} // namespace loadstone::report
