// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/number.h>

#include <optional>
#include <string>

namespace loadstone::report {

/// A number as a cell of a spreadsheet has it.
struct SheetNumber {
    double value = 0; ///< in the unit in which it is printed
    std::string format; ///< by which a spreadsheet shows what format(Number) prints: `#,##0.0" ms"`
};
/// Nothing for a missing number, and for what is printed as more than one: a range, or a value with its error.
std::optional<SheetNumber> sheetNumber(const Number& number);

} // namespace loadstone::report
