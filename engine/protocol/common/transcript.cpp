// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/common/transcript.h"

#include <algorithm>
#include <array>

namespace loadstone::protocol {

void Transcript::append(std::string_view who, std::string_view text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    std::string& part = m_head.size() + who.size() + text.size() < kHalf && m_tail.empty() ? m_head : m_tail;
    part.append(who).append(text.substr(0, kHalf)).push_back('\n');
    if (m_tail.size() > 2 * kHalf) { // cut rarely, at a line's beginning
        const std::size_t cut = m_tail.find('\n', m_tail.size() - kHalf);
        const std::size_t n = cut == std::string::npos ? m_tail.size() - kHalf : cut + 1;
        m_dropped += n;
        m_tail.erase(0, n);
    }
}

void Transcript::reply(int code, std::string_view text)
{
    const auto digit = [code](int place) { return static_cast<char>('0' + code / place % 10); };
    const std::array<char, 7> who { 'S', ':', ' ', digit(100), digit(10), digit(1), ' ' };
    append({ who.data(), who.size() }, text);
}

std::string Transcript::text() const
{
    std::size_t from = 0;
    if (m_tail.size() > kHalf) {
        const std::size_t cut = m_tail.find('\n', m_tail.size() - kHalf);
        from = cut == std::string::npos || cut + 1 == m_tail.size() ? m_tail.size() - kHalf : cut + 1;
    }
    std::string all = m_head;
    if (const std::size_t dropped = m_dropped + from; dropped > 0)
        all += "[" + std::to_string(dropped) + " bytes left out]\n";
    return all.append(m_tail, from);
}

} // namespace loadstone::protocol
