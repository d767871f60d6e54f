// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/imap/imap_reader.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone::protocol {

/// One command of an IMAP client, complete, or what it waits for an answer to.
struct ImapCommand {
    enum class Kind : std::uint8_t {
        command,
        literal, ///< the client waits for leave to send a literal: answer with "+"
        line, ///< a line that is no command: the answer to a challenge, or DONE
        malformed, ///< what came is no command; `fault` says why
    } kind = Kind::command;
    std::uint64_t end = 0; ///< bytes of the session up to and with its last one
    std::string tag; ///< "*" where there is none
    std::string name; ///< in capitals, "UID FETCH" as one; of `line`: the line
    ImapText text; ///< all of it, literals within, without the last line end
    std::size_t arguments = 0; ///< where in the text they begin
    const char* fault = "";
};

/// Cuts what an IMAP client sends into commands (RFC 9051, section 2.2.1). Sans-io, and bounded: a command's text may be as
/// long as `mostLiteral` and kMaxLine together.
class ImapCommandReader {
public:
    static constexpr std::size_t kMaxLine = 65536;

    explicit ImapCommandReader(std::uint64_t mostLiteral)
        : m_mostLiteral(mostLiteral)
    {
    }
    void feed(std::string_view bytes) { m_in.append(bytes); }
    /// The next thing to answer, the same until answered(); null when more bytes are needed.
    const ImapCommand* next();
    void answered();
    /// The next line is no command.
    void expectLine() noexcept { m_expectsLine = true; }
    /// Forgets what was not taken yet.
    void discard();
    /// Held beyond the literal that is under way, which is waited for.
    [[nodiscard]] std::size_t backlog() const noexcept
    {
        const std::size_t bytes = held();
        return bytes > m_wanted ? bytes - m_wanted : 0;
    }
    [[nodiscard]] std::size_t held() const noexcept { return m_in.size() - m_at; }
    /// Of literals, from now on.
    void allow(std::uint64_t mostLiteral) noexcept { m_mostLiteral = mostLiteral; }

private:
    bool readLine();
    void finish(std::size_t end);
    void fault(const char* why, std::size_t end);
    void release();

    std::uint64_t m_mostLiteral;
    std::string m_in;
    std::size_t m_at = 0; // of m_in: all before it was taken
    std::size_t m_scan = 0; // where the line begins that is looked for the end of
    std::uint64_t m_before = 0; // bytes of the session before m_in
    std::uint64_t m_skip = 0; // bytes of a refused literal still to come
    std::size_t m_wanted = 0; // from m_at on, with the literal under way
    bool m_expectsLine = false, m_ready = false, m_leave = false;
    ImapCommand m_command;
};

} // namespace loadstone::protocol
