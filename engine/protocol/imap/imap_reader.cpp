// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_reader.h"

#include "protocol/common/server_line.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace loadstone::protocol {

namespace {

constexpr std::size_t kKept = 2048; // bytes of memory held between responses: idle sessions are many

/// The size in "{12}", "{12+}" or "~{12}" at the end of a line (RFC 9051, 4.3).
std::optional<std::uint64_t> literalAtEnd(std::string_view line)
{
    if (!line.ends_with('}'))
        return std::nullopt;
    const std::size_t open = line.rfind('{');
    if (open == std::string_view::npos)
        return std::nullopt;
    std::string_view digits = line.substr(open + 1, line.size() - open - 2);
    if (digits.ends_with('+'))
        digits.remove_suffix(1);
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return size;
}

std::string_view word(std::string_view& line)
{
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view first = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return first;
}

} // namespace

ImapReader::Status ImapReader::feed(std::string_view& in)
{
    if (m_complete) {
        if (m_response.text.capacity() > kKept)
            m_response.text = {};
        m_response.text.clear();
        m_response.streamed.clear();
        m_lineBegin = 0;
        m_complete = false;
    }
    std::string& text = m_response.text;
    while (!in.empty()) {
        if (m_place == Place::body)
            return handOut(in);
        std::size_t n = 0;
        if (m_place == Place::literal)
            n = static_cast<std::size_t>(std::min<std::uint64_t>(m_literalLeft, in.size()));
        else
            n = std::min(in.find('\n'), in.size() - 1) + 1;
        if (text.size() + n > kMaxText)
            return Status::malformed;
        text.append(in.substr(0, n));
        in.remove_prefix(n);
        if (m_place == Place::literal) {
            m_literalLeft -= n;
            if (m_literalLeft == 0) {
                m_place = Place::line;
                m_lineBegin = text.size();
            }
        } else if (text.back() == '\n')
            if (const Status status = endOfLine(); status != Status::needMore)
                return status;
    }
    return Status::needMore;
}

ImapReader::Status ImapReader::endOfLine()
{
    std::string& text = m_response.text;
    std::string_view line = std::string_view(text).substr(m_lineBegin);
    line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
    if (m_lineBegin == 0) {
        std::string_view rest = line;
        const std::string_view tag = word(rest);
        std::string_view name = word(rest);
        const bool numbered = !name.empty()
            && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (numbered)
            name = word(rest);
        m_isFetch = numbered && equalsIgnoringCase(name, "FETCH");
        // What people read may end in anything: only data has literals.
        m_mayHaveLiterals = tag == "*";
        for (const std::string_view condition : { "OK", "NO", "BAD", "BYE", "PREAUTH" })
            m_mayHaveLiterals = m_mayHaveLiterals && !equalsIgnoringCase(name, condition);
        m_depth = 0;
        m_quoted = false;
    }
    const std::optional<std::uint64_t> size = m_mayHaveLiterals ? literalAtEnd(line) : std::nullopt;
    if (!size) {
        text.resize(m_lineBegin + line.size());
        m_complete = true;
        return text.empty() ? Status::malformed : Status::response;
    }
    if (*size > kMaxLiteral)
        return Status::malformed;
    if (m_isFetch)
        look(line);
    m_lineBegin = text.size();
    if (m_isFetch && m_depth == 1) { // directly in the list of items: BODY[…], BINARY[…], RFC822…
        m_response.streamed.push_back(text.size());
        m_place = Place::body;
        m_bodyLeft = *size;
        m_bodyDue = true;
        std::string_view nothing;
        return *size == 0 ? handOut(nothing) : Status::needMore;
    }
    m_literalLeft = *size;
    m_place = *size == 0 ? Place::line : Place::literal;
    return Status::needMore;
}

ImapReader::Status ImapReader::handOut(std::string_view& in)
{
    m_bodyBegins = std::exchange(m_bodyDue, false);
    m_piece = in.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(m_bodyLeft, in.size())));
    in.remove_prefix(m_piece.size());
    m_bodyLeft -= m_piece.size();
    if (m_bodyLeft == 0)
        m_place = Place::line;
    return Status::body;
}

/// Follows parentheses and quotes over a part of a FETCH response.
void ImapReader::look(std::string_view part)
{
    for (std::size_t i = 0; i < part.size(); ++i) {
        const char c = part[i];
        if (m_quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                m_quoted = false;
        } else if (c == '"')
            m_quoted = true;
        else if (c == '(')
            ++m_depth;
        else if (c == ')')
            --m_depth;
    }
}

} // namespace loadstone::protocol
