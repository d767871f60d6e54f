// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/number.h"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone {

struct Figure;

struct ReportColumn {
    std::string heading;
    bool number = true; ///< right-aligned
};

/// A cell of a table: a text, or a number that knows its unit, its rounding and whether it is a lower bound. Text may come from
/// plans and servers.
class Cell {
public:
    // From any value, so that rows are lists of values.
    Cell(const char* text) // NOLINT(google-explicit-constructor)
        : m_text(text)
    {
    }
    Cell(std::string text) // NOLINT(google-explicit-constructor)
        : m_text(std::move(text))
    {
    }
    Cell(const Number& number) // NOLINT(google-explicit-constructor)
        : m_number(number)
    {
    }
    Cell(const Figure& figure); // NOLINT(google-explicit-constructor)
    [[nodiscard]] const std::optional<Number>& number() const { return m_number; } ///< none: it is a text
    /// As reports print it.
    [[nodiscard]] std::string text() const { return m_number ? format(*m_number) : m_text; }
    bool operator==(const Cell&) const = default;
    template <std::convertible_to<std::string_view> Text>
    bool operator==(const Text& text) const ///< compares the printed text
    {
        return this->text() == std::string_view(text);
    }

private:
    std::string m_text;
    std::optional<Number> m_number;
};

/// A table with the wording and rounding of the reports.
struct ReportTable {
    std::string title;
    std::string note; ///< one sentence below it; empty: none
    std::vector<ReportColumn> columns;
    std::vector<std::vector<Cell>> rows;
    bool folded = false; ///< a page shows its title alone until somebody asks for more
    [[nodiscard]] bool empty() const { return rows.empty(); }
};

} // namespace loadstone
