// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/common/server_line.h"

#include <algorithm>

namespace loadstone::protocol {

void ServerLines::feed(std::string_view bytes)
{
    if (m_at == m_bytes.size()) {
        m_before += m_at;
        m_bytes.clear();
        if (m_bytes.capacity() > 4096) // thousands of idle sessions must not keep what one burst needed
            m_bytes.shrink_to_fit();
        m_at = m_searched = 0;
    } else if (m_at > 65536) {
        m_before += m_at;
        m_bytes.erase(0, m_at);
        m_searched -= std::min(m_searched, m_at);
        m_at = 0;
    }
    m_bytes.append(bytes);
}

std::optional<ServerLines::Line> ServerLines::next()
{
    const std::size_t lf = m_bytes.find('\n', std::max(m_at, m_searched));
    if (lf == std::string::npos) {
        m_searched = m_bytes.size();
        if (m_bytes.size() - m_at > kMaxLine) {
            m_swallowing = true;
            m_at = m_bytes.size();
        }
        return std::nullopt;
    }
    Line line;
    line.end = m_before + lf + 1;
    if (m_swallowing || lf - m_at > kMaxLine) {
        line.tooLong = true;
    } else {
        line.text = std::string_view(m_bytes).substr(m_at, lf - m_at);
        if (line.text.ends_with('\r'))
            line.text.remove_suffix(1);
    }
    m_swallowing = false;
    m_at = m_searched = lf + 1;
    return line;
}

void ServerLines::discard()
{
    m_at = m_searched = m_bytes.size();
    m_swallowing = false;
}

CommandWords splitCommand(std::string_view line)
{
    while (line.ends_with(' ') || line.ends_with('\t'))
        line.remove_suffix(1);
    const auto space = line.find(' ');
    if (space == std::string_view::npos)
        return { line, {} };
    const auto first = line.find_first_not_of(' ', space);
    return { line.substr(0, space), line.substr(first) };
}

bool equalsIgnoringCase(std::string_view left, std::string_view right)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return left.size() == right.size()
        && std::equal(
            left.begin(), left.end(), right.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

std::string capitals(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return out;
}

} // namespace loadstone::protocol
