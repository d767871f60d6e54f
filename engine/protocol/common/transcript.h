// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace loadstone::protocol {

/// What was said in a session, for the history of failures: "C: " and "S: " lines, message bodies only by their
/// size. Bounded: the first and the last 7.5 KB, so that 16 KB are never passed. Callers mask secrets before they hand them over.
class Transcript {
public:
    static constexpr std::size_t kHalf = 7680;

    void clear() noexcept
    {
        m_head.clear();
        m_tail.clear();
        m_dropped = 0;
    }
    /// One command or several lines, with or without line ends.
    void client(std::string_view text) { append("C: ", text); }
    void server(std::string_view text) { append("S: ", text); }
    /// A reply whose code of three digits has been taken off its text.
    void reply(int code, std::string_view text);
    /// A remark of ours: "[TLS established]".
    void note(std::string_view text) { append("", text); }
    [[nodiscard]] std::string text() const;

private:
    void append(std::string_view who, std::string_view text);
    std::string m_head, m_tail;
    std::size_t m_dropped = 0;
};

} // namespace loadstone::protocol
