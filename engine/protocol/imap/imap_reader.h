// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// The text of one IMAP response, without its line end. Literals stand in it as on the wire ("{5}", line end, five
/// bytes), but for the bodies that FETCH brings: of these only the "{n}" and its line end, for their bytes were handed
/// out as they came.
struct ImapText {
    std::string text;
    std::vector<std::size_t>
        streamed; ///< where in `text` the bytes of handed-out literals would begin, ascending
};

/// Cuts what an IMAP server sends into responses (RFC 3501 and RFC 9051, section 7). Lenient where servers are (a bare
/// LF ends a line). Memory is bounded by kMaxText, whatever the size of a message.
class ImapReader {
public:
    static constexpr std::size_t kMaxText = 1U
        << 20U; ///< of one response, literals included that are not streamed
    static constexpr std::uint64_t kMaxLiteral = 1ULL << 32U; ///< bytes; more is taken for a broken server

    enum class Status {
        needMore,
        response, ///< response() holds one until the next feed()
        body, ///< piece() is the next of a FETCH body's bytes, valid while the bytes fed are
        malformed
    };

    /// Takes bytes off the front of `in`, up to the end of what it reports. Call until it needs more.
    Status feed(std::string_view& in);

    [[nodiscard]] const ImapText& response() const noexcept { return m_response; }
    [[nodiscard]] std::string_view piece() const noexcept { return m_piece; }
    [[nodiscard]] bool bodyBegins() const noexcept { return m_bodyBegins; } ///< `piece` is a body's first
    [[nodiscard]] bool bodyEnds() const noexcept { return m_bodyLeft == 0; } ///< `piece` is its last
    /// What of the response has come so far: with a body's first piece, what stands before that body.
    [[nodiscard]] std::string_view soFar() const noexcept { return m_response.text; }

private:
    enum class Place : std::uint8_t { line, literal, body };
    Status endOfLine();
    Status handOut(std::string_view& in);
    void look(std::string_view part);

    ImapText m_response;
    std::string_view m_piece;
    std::uint64_t m_literalLeft = 0, m_bodyLeft = 0;
    std::size_t m_lineBegin = 0; // in the text
    int m_depth = 0; // of parentheses, in a FETCH response
    Place m_place = Place::line;
    bool m_complete = false; // the text is the last response's
    bool m_isFetch = false, m_mayHaveLiterals = false, m_quoted = false;
    bool m_bodyDue = false, m_bodyBegins = false;
};

} // namespace loadstone::protocol
