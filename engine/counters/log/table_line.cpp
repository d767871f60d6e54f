// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/table_line.h"

namespace loadstone::counters {

bool TableLine::next(std::string_view& field) noexcept
{
    if (m_done)
        return false;
    std::size_t end = 0;
    if (m_rest.starts_with('"')) {
        std::size_t quote = m_rest.find('"', 1);
        while (quote != std::string_view::npos && quote + 1 < m_rest.size() && m_rest[quote + 1] == '"')
            quote = m_rest.find('"', quote + 2);
        m_broken = m_broken || quote == std::string_view::npos;
        field = m_rest.substr(1, quote == std::string_view::npos ? quote : quote - 1);
        end = quote == std::string_view::npos ? quote : m_rest.find(m_separator, quote + 1);
    } else {
        end = m_rest.find(m_separator);
        field = m_rest.substr(0, end);
    }
    m_done = end == std::string_view::npos;
    m_rest = m_done ? std::string_view() : m_rest.substr(end + 1);
    return true;
}

std::string unquoted(std::string_view field)
{
    std::string text;
    for (std::size_t i = 0; i < field.size(); ++i) {
        text += field[i];
        if (field[i] == '"' && i + 1 < field.size() && field[i + 1] == '"')
            ++i;
    }
    return text;
}

} // namespace loadstone::counters
