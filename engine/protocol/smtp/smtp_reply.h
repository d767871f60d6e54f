// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace loadstone::protocol {

/// Reads SMTP and LMTP replies (RFC 5321, 4.2) from bytes as they come. Lenient where servers are (a bare LF ends a
/// line), strict where a wrong guess would desynchronise the session: three digits, space, hyphen or line end, the
/// same code on all lines. Memory is bounded by kMaxLine and kMaxText.
class SmtpReplyParser {
public:
    static constexpr std::size_t kMaxLine = 4096;
    static constexpr std::size_t kMaxText = 65536;

    enum class Status { needMore, reply, malformed };

    /// Takes one reply's bytes off the front of `in`. After `reply`, code() and text() hold until the next feed().
    Status feed(std::string_view& in);

    [[nodiscard]] int code() const noexcept { return m_code; }
    /// All lines without code and line ends, joined by '\n'.
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }

private:
    bool takeLine(std::string_view line, bool& last);
    std::string m_partial; // a line that is not complete yet
    std::string m_text;
    int m_code = 0;
    bool m_within = false; // in the middle of a reply of several lines
};

} // namespace loadstone::protocol
