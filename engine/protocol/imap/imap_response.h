// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/imap/imap_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// Goes over a response's values from left to right. After the first thing that is not as asked for it is failed() and
/// gives nothing more. The text must outlive what it gives.
class ImapScanner {
public:
    explicit ImapScanner(const ImapText& response, std::size_t at = 0)
        : m_response(&response)
        , m_at(at)
    {
    }

    [[nodiscard]] bool failed() const noexcept { return m_failed; }
    [[nodiscard]] std::size_t at() const noexcept { return m_at; }
    [[nodiscard]] std::string_view rest() const;
    [[nodiscard]] char peek() const; ///< 0 at the end
    bool accept(char c); ///< takes `c` if it is next
    void expect(char c);
    /// Takes blanks; some servers send two where one is due.
    void skipBlanks();

    std::string_view atom(); ///< up to a blank, parenthesis or quote; not empty
    std::uint64_t number();
    /// "BODY[HEADER.FIELDS (DATE)]<0>" is one name.
    std::string_view itemName();
    /// A quoted string without its quotes, a literal, an atom, or NIL as nothing. `streamed` tells a literal whose bytes
    /// were handed out: the text is empty then, its size as given by `size`.
    struct String {
        std::string text;
        std::uint64_t size = 0;
        bool nil = false, streamed = false;
    };
    String string();
    /// Any value, a list with all within; gives its text.
    std::string_view value();

private:
    void skipQuoted();
    std::optional<std::uint64_t> literal(); // takes "{n}" and the line end
    [[nodiscard]] bool handedOut() const;

    const ImapText* m_response;
    std::size_t m_at;
    bool m_failed = false;
};

enum class ImapCondition : std::uint8_t { ok, no, bad, bye, preauth };

/// What a response is, before its data are looked at. Views into the response's text.
struct ImapResponse {
    enum class Kind : std::uint8_t {
        continuation, ///< "+ text"
        condition, ///< "A1 OK [CODE arguments] text", or untagged
        data ///< "* 12 EXISTS", "* LIST …"
    } kind = Kind::data;
    std::string_view tag; ///< empty: untagged
    ImapCondition condition = ImapCondition::ok;
    std::string_view code, codeArguments; ///< of a condition; empty: none
    std::string_view text; ///< of a condition or continuation, for people
    bool numbered = false;
    std::uint32_t number = 0; ///< of data, where numbered
    std::string_view name; ///< of data, as the server spells it
    std::size_t rest = 0; ///< where in the text the data begin
};
/// Nothing where it is no response.
std::optional<ImapResponse> parseImapResponse(std::string_view text);

/// The system flags of a message, as bits.
enum ImapFlag : std::uint8_t {
    kImapSeen = 1,
    kImapAnswered = 2,
    kImapFlagged = 4,
    kImapDeleted = 8,
    kImapDraft = 16,
    kImapRecent = 32
};

/// What one FETCH response tells of a message.
struct ImapFetch {
    struct Body {
        std::string_view section; ///< "BODY[TEXT]<0>", as the server spells it
        ImapScanner::String content;
    };
    std::uint32_t number = 0; ///< its sequence number
    std::optional<std::uint32_t> uid;
    std::optional<std::uint64_t> size, modSequence;
    std::optional<std::uint8_t> flags;
    std::vector<std::string_view> keywords; ///< flags of users' own, where `flags` is there
    std::string_view internalDate, envelope, structure;
    std::vector<Body> bodies;
};
/// `response`: data by the name of FETCH. Nothing where the data are none.
std::optional<ImapFetch> parseImapFetch(const ImapText& text, const ImapResponse& response);

/// One line of LIST or LSUB.
struct ImapMailbox {
    std::vector<std::string_view> attributes; ///< "\HasNoChildren"
    std::string delimiter; ///< empty: NIL, a flat name
    std::string name; ///< as the server sends it
};
std::optional<ImapMailbox> parseImapList(const ImapText& text, const ImapResponse& response);

/// Message numbers or UIDs of SEARCH, or of the ALL part of ESEARCH ("2,5:7,10"). At most `limit`; nothing where the
/// text is no such set or names more.
std::optional<std::vector<std::uint32_t>> parseImapNumbers(std::string_view text, std::size_t limit);

} // namespace loadstone::protocol
