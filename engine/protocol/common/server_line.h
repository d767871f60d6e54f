// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::protocol {

/// The command lines of one client, server side: bytes in, lines out. A line ends in LF or CRLF; one longer
/// than the limit is swallowed to its end and reported as too long, so that no client can make the buffer
/// grow.
class ServerLines {
public:
    struct Line {
        std::string_view text; ///< without its end; valid until the next call of feed() or discard()
        std::uint64_t end = 0; ///< bytes of the session up to and with the line's last one
        bool tooLong = false; ///< `text` is empty
    };
    static constexpr std::size_t kMaxLine = 12288; // RFC 4954: an AUTH line may be that long

    void feed(std::string_view bytes);
    std::optional<Line> next();
    /// What was fed and not yet taken.
    [[nodiscard]] std::string_view rest() const noexcept { return std::string_view(m_bytes).substr(m_at); }
    /// Takes bytes that are no lines (message text).
    void take(std::size_t count) noexcept { m_at += count; }
    /// Bytes of the session taken so far, by lines and by take().
    [[nodiscard]] std::uint64_t taken() const noexcept { return m_before + m_at; }
    /// Counts bytes that the caller used without feeding them; only while rest() is empty.
    void skip(std::size_t count) noexcept { m_before += count; }
    /// Forgets what was not taken yet.
    void discard();

private:
    std::string m_bytes;
    std::size_t m_at = 0; // taken of m_bytes
    std::size_t m_searched = 0; // no LF before this
    std::uint64_t m_before = 0; // bytes of the session before m_bytes
    bool m_swallowing = false;
};

/// "MAIL FROM:<a>" splits into "MAIL" and "FROM:<a>".
struct CommandWords {
    std::string_view verb;
    std::string_view arguments;
};
CommandWords splitCommand(std::string_view line);
/// ASCII only, as protocols have it.
bool equalsIgnoringCase(std::string_view left, std::string_view right);
std::string capitals(std::string_view text);

} // namespace loadstone::protocol
