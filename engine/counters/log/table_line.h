// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loadstone::counters {

/// Goes through the fields of a line of a CSV or TSV file (RFC 4180), without a copy. A quoted field may hold separators.
class TableLine {
public:
    TableLine(std::string_view line, char separator) noexcept
        : m_rest(line)
        , m_separator(separator)
    {
    }
    /// False: there is no further field. `field`: without its quotes, with quotes in it still doubled.
    bool next(std::string_view& field) noexcept;
    /// A quoted field has no end.
    [[nodiscard]] bool broken() const noexcept { return m_broken; }

private:
    std::string_view m_rest;
    char m_separator;
    bool m_done = false, m_broken = false;
};

/// As it was meant: each doubled quote once.
std::string unquoted(std::string_view field);

} // namespace loadstone::counters
