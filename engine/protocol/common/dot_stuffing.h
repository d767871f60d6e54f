// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace loadstone::protocol {

/// Puts text into the form that SMTP DATA and POP3 multi-line replies carry (RFC 5321, section 4.5.2): a line
/// that begins with a dot gets a second one. Lines end in CRLF only. One object per message; the text may
/// come in pieces.
class DotStuffer {
public:
    void append(std::string& out, std::string_view piece);
    /// Adds the last CRLF where the text had none, then the terminating ".CRLF".
    void finish(std::string& out);

private:
    // What the last bytes were: nothing of note, CR, or CRLF (and the very start).
    enum class State : unsigned char { InLine, Cr, LineStart };
    State m_state = State::LineStart;
};

/// A whole message at once.
void appendStuffed(std::string& out, std::string_view text);

/// Takes the stuffing off a stream that comes in arbitrary pieces. Lines end in CRLF only: a bare LF is data,
/// so that no two parties can disagree about where a message ends. One object per message; holds no buffer.
class DotUnstuffer {
public:
    /// Calls `sink(std::string_view)` with the text, in order, as views into `bytes` (or of static storage),
    /// valid during the call only. Returns how many bytes were used: all, or up to the end of the terminator
    /// when done().
    template <class Sink>
    std::size_t feed(std::string_view bytes, Sink&& sink);

    /// The terminator has been read.
    [[nodiscard]] bool done() const noexcept { return m_state == State::Done; }

private:
    // What was seen last: nothing of note, CR, CRLF (or the very start), CRLF and a dot, CRLF and a dot and
    // CR.
    enum class State : unsigned char { InLine, Cr, LineStart, Dot, DotCr, Done };
    State m_state = State::LineStart;
};

template <class Sink>
std::size_t DotUnstuffer::feed(std::string_view bytes, Sink&& sink)
{
    const char* const begin = bytes.data();
    const char* const end = begin + bytes.size();
    const char* kept = begin; // what was not handed out yet
    const char* at = begin;
    // Byte by byte only around the start of a piece and behind a dot that begins a line.
    while (at != end && m_state != State::Done) {
        const char c = *at;
        switch (m_state) {
        case State::LineStart:
            if (c == '.') {
                if (kept != at)
                    sink(std::string_view(kept, static_cast<std::size_t>(at - kept)));
                kept = ++at; // the dot is dropped, whether stuffing or terminator
                m_state = State::Dot;
                continue;
            }
            m_state = c == '\r' ? State::Cr : State::InLine;
            break;
        case State::Cr:
            m_state = c == '\n' ? State::LineStart : c == '\r' ? State::Cr : State::InLine;
            break;
        case State::Dot:
            m_state = c == '\r' ? State::DotCr : State::InLine;
            if (m_state == State::DotCr) {
                kept = ++at; // held back: part of the terminator if LF follows
                continue;
            }
            break;
        case State::DotCr:
            if (c == '\n') {
                m_state = State::Done;
                kept = ++at;
                continue;
            }
            sink(std::string_view("\r", 1)); // no terminator: what was held back is text
            m_state = c == '\r' ? State::Cr : State::InLine;
            break;
        case State::InLine:
        case State::Done:
            break;
        }
        if (m_state != State::InLine) {
            ++at;
            continue;
        }
        // Inside a line only "CRLF." matters: hop from dot to dot, which are rarer than line ends.
        for (;;) {
            const auto* dot =
                static_cast<const char*>(std::memchr(at, '.', static_cast<std::size_t>(end - at)));
            if (dot == nullptr) {
                const auto left = static_cast<std::size_t>(end - at);
                if (left >= 2 && end[-1] == '\n' && end[-2] == '\r')
                    m_state = State::LineStart;
                else if (left >= 1 && end[-1] == '\r')
                    m_state = State::Cr;
                at = end;
                break;
            }
            if (dot - at >= 2 && dot[-1] == '\n' && dot[-2] == '\r') {
                m_state = State::LineStart;
                at = dot;
                break;
            }
            at = dot + 1;
            if (at == end)
                break;
        }
    }
    if (kept != at)
        sink(std::string_view(kept, static_cast<std::size_t>(at - kept)));
    return static_cast<std::size_t>(at - begin);
}

} // namespace loadstone::protocol
