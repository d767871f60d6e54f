// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/smtp/smtp_reply.h"

#include <algorithm>

namespace loadstone::protocol {

SmtpReplyParser::Status SmtpReplyParser::feed(std::string_view& in)
{
    if (!m_within) {
        m_text.clear();
        m_code = 0;
    }
    while (!in.empty()) {
        const std::size_t end = in.find('\n');
        const std::size_t size = end == std::string_view::npos ? in.size() : end;
        if (m_partial.size() + size > kMaxLine)
            return Status::malformed;
        std::string_view line = in.substr(0, size);
        if (end == std::string_view::npos || !m_partial.empty()) {
            m_partial.append(line);
            if (end == std::string_view::npos) {
                in = {};
                return Status::needMore;
            }
            line = m_partial;
        }
        in.remove_prefix(end + 1);
        bool last = false;
        const bool good = takeLine(line, last);
        m_partial.clear();
        if (!good)
            return Status::malformed;
        m_within = !last;
        if (last)
            return Status::reply;
    }
    return Status::needMore;
}

bool SmtpReplyParser::takeLine(std::string_view line, bool& last)
{
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    const auto digit = [&](std::size_t i) { return line[i] >= '0' && line[i] <= '9'; };
    if (line.size() < 3 || !digit(0) || !digit(1) || !digit(2) || line[0] < '2' || line[0] > '5')
        return false;
    const int code = (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
    if (line.size() > 3 && line[3] != ' ' && line[3] != '-')
        return false;
    if (m_within && code != m_code)
        return false;
    last = line.size() == 3 || line[3] == ' ';
    if (m_within)
        m_text.push_back('\n');
    m_code = code;
    m_text.append(line.substr(std::min<std::size_t>(4, line.size())));
    return m_text.size() <= kMaxText;
}

} // namespace loadstone::protocol
