// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_response.h"

#include "protocol/common/server_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace loadstone::protocol {

namespace {

constexpr int kDeepest = 200; // parentheses within parentheses: MIME structures nest, attacks nest more

bool isAtomChar(char c)
{
    return static_cast<unsigned char>(c) > ' ' && c != '(' && c != ')' && c != '"' && c != '{';
}

template <class Number>
bool readNumber(std::string_view text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

std::string_view takeWord(std::string_view& text)
{
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    while (text.starts_with(' '))
        text.remove_prefix(1);
    return word;
}

std::optional<ImapCondition> conditionOf(std::string_view word)
{
    constexpr std::array<std::string_view, 5> kWords { "OK", "NO", "BAD", "BYE", "PREAUTH" };
    for (std::size_t i = 0; i < kWords.size(); ++i)
        if (equalsIgnoringCase(word, kWords[i]))
            return static_cast<ImapCondition>(i);
    return std::nullopt;
}

/// "[CODE arguments] text".
void readCondition(std::string_view text, ImapResponse& response)
{
    if (text.starts_with('['))
        if (const std::size_t end = text.find(']'); end != std::string_view::npos) {
            std::string_view code = text.substr(1, end - 1);
            response.code = takeWord(code);
            response.codeArguments = code;
            text.remove_prefix(end + 1);
            while (text.starts_with(' '))
                text.remove_prefix(1);
        }
    response.text = text;
}

std::uint8_t systemFlag(std::string_view flag)
{
    constexpr std::array<std::pair<std::string_view, ImapFlag>, 6> kFlags { { { "\\Seen", kImapSeen },
        { "\\Answered", kImapAnswered }, { "\\Flagged", kImapFlagged }, { "\\Deleted", kImapDeleted },
        { "\\Draft", kImapDraft }, { "\\Recent", kImapRecent } } };
    for (const auto& [name, bit] : kFlags)
        if (equalsIgnoringCase(flag, name))
            return bit;
    return 0;
}

} // namespace

std::string_view ImapScanner::rest() const
{
    return std::string_view(m_response->text).substr(std::min(m_at, m_response->text.size()));
}

char ImapScanner::peek() const
{
    return !m_failed && m_at < m_response->text.size() ? m_response->text[m_at] : '\0';
}

bool ImapScanner::accept(char c)
{
    if (m_failed || m_at >= m_response->text.size() || m_response->text[m_at] != c)
        return false;
    ++m_at;
    return true;
}

void ImapScanner::expect(char c)
{
    if (!accept(c))
        m_failed = true;
}

void ImapScanner::skipBlanks()
{
    while (accept(' ')) { }
}

std::string_view ImapScanner::atom()
{
    const std::string_view text = m_failed ? std::string_view() : rest();
    const auto end = std::find_if_not(text.begin(), text.end(), isAtomChar);
    const std::string_view found = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    m_at += found.size();
    m_failed = m_failed || found.empty();
    return found;
}

std::uint64_t ImapScanner::number()
{
    std::uint64_t value = 0;
    m_failed = !readNumber(atom(), value) || m_failed;
    return m_failed ? 0 : value;
}

std::string_view ImapScanner::itemName()
{
    const std::string_view text = m_failed ? std::string_view() : rest();
    std::size_t n = 0;
    bool section = false; // within brackets anything goes
    while (n < text.size() && (section || isAtomChar(text[n]))) {
        section = text[n] == '[' || (section && text[n] != ']');
        ++n;
    }
    m_at += n;
    m_failed = m_failed || n == 0 || section;
    return m_failed ? std::string_view() : text.substr(0, n);
}

bool ImapScanner::handedOut() const
{
    return std::binary_search(m_response->streamed.begin(), m_response->streamed.end(), m_at);
}

std::optional<std::uint64_t> ImapScanner::literal()
{
    accept('~'); // literal8 (RFC 9051, 4.3)
    expect('{');
    const std::string_view text = rest();
    const std::size_t close = text.find('}');
    std::uint64_t size = 0;
    if (m_failed || close == std::string_view::npos
        || !readNumber(text.substr(0, text.substr(0, close).ends_with('+') ? close - 1 : close), size)) {
        m_failed = true;
        return std::nullopt;
    }
    m_at += close + 1;
    accept('\r');
    expect('\n');
    if (m_failed || (!handedOut() && size > rest().size())) {
        m_failed = true;
        return std::nullopt;
    }
    return size;
}

ImapScanner::String ImapScanner::string()
{
    String string;
    if (peek() == '"') {
        ++m_at;
        while (!m_failed && !accept('"')) {
            accept('\\');
            if (m_at >= m_response->text.size())
                m_failed = true;
            else
                string.text.push_back(m_response->text[m_at++]);
        }
    } else if (peek() == '{' || rest().starts_with("~{")) {
        if (const std::optional<std::uint64_t> size = literal()) {
            string.size = *size;
            string.streamed = handedOut();
            if (!string.streamed) {
                string.text = rest().substr(0, static_cast<std::size_t>(*size));
                m_at += string.text.size();
            }
            return string;
        }
    } else {
        string.text = atom();
        string.nil = equalsIgnoringCase(string.text, "NIL");
        if (string.nil)
            string.text.clear();
    }
    string.size = string.text.size();
    return string;
}

void ImapScanner::skipQuoted()
{
    expect('"');
    while (!m_failed && !accept('"')) {
        accept('\\');
        if (m_at >= m_response->text.size())
            m_failed = true;
        else
            ++m_at;
    }
}

std::string_view ImapScanner::value()
{
    const std::size_t begin = m_at;
    int depth = 0;
    do {
        skipBlanks();
        switch (peek()) {
        case '(':
            ++m_at;
            m_failed = ++depth > kDeepest;
            break;
        case ')':
            if (depth == 0)
                m_failed = true;
            else {
                ++m_at;
                --depth;
            }
            break;
        case '"':
            skipQuoted();
            break;
        case '{':
            if (const std::optional<std::uint64_t> size = literal(); size && !handedOut())
                m_at += static_cast<std::size_t>(*size);
            break;
        default:
            atom();
        }
    } while (depth > 0 && !m_failed);
    return m_failed ? std::string_view() : std::string_view(m_response->text).substr(begin, m_at - begin);
}

std::optional<ImapResponse> parseImapResponse(std::string_view text)
{
    ImapResponse response;
    const std::string_view whole = text;
    if (text == "+" || text.starts_with("+ ")) {
        response.kind = ImapResponse::Kind::continuation;
        response.text = text.substr(std::min<std::size_t>(2, text.size()));
        return response;
    }
    const std::string_view tag = takeWord(text);
    if (tag != "*")
        response.tag = tag;
    const std::string_view first = takeWord(text);
    if (tag.empty() || first.empty())
        return std::nullopt;
    if (const auto condition = conditionOf(first)) {
        const bool greeting = *condition == ImapCondition::bye || *condition == ImapCondition::preauth;
        if (greeting && tag != "*")
            return std::nullopt; // these two are never tagged
        response.kind = ImapResponse::Kind::condition;
        response.condition = *condition;
        readCondition(text, response);
        return response;
    }
    if (tag != "*")
        return std::nullopt;
    response.name = first;
    if (readNumber(first, response.number)) {
        response.numbered = true;
        response.name = takeWord(text);
        if (response.name.empty())
            return std::nullopt;
    }
    response.rest = whole.size() - text.size();
    return response;
}

std::optional<ImapFetch> parseImapFetch(const ImapText& text, const ImapResponse& response)
{
    ImapFetch fetch;
    fetch.number = response.number;
    ImapScanner scan(text, response.rest);
    scan.expect('(');
    scan.skipBlanks();
    while (!scan.failed() && !scan.accept(')')) {
        const std::string_view name = scan.itemName();
        scan.skipBlanks();
        const auto is = [&](std::string_view other) { return equalsIgnoringCase(name, other); };
        if (is("UID")) {
            const std::uint64_t uid = scan.number();
            if (uid == 0 || uid > UINT32_MAX)
                return std::nullopt;
            fetch.uid = static_cast<std::uint32_t>(uid);
        } else if (is("RFC822.SIZE"))
            fetch.size = scan.number();
        else if (is("MODSEQ")) {
            scan.expect('(');
            fetch.modSequence = scan.number();
            scan.expect(')');
        } else if (is("FLAGS")) {
            std::uint8_t flags = 0;
            fetch.keywords.clear();
            scan.expect('(');
            scan.skipBlanks();
            while (!scan.failed() && !scan.accept(')')) {
                const std::string_view flag = scan.atom();
                if (const std::uint8_t bit = systemFlag(flag); bit != 0)
                    flags |= bit;
                else
                    fetch.keywords.push_back(flag);
                scan.skipBlanks();
            }
            fetch.flags = flags;
        } else if (is("INTERNALDATE"))
            fetch.internalDate = scan.value();
        else if (is("ENVELOPE"))
            fetch.envelope = scan.value();
        else if (is("BODYSTRUCTURE") || is("BODY"))
            fetch.structure = scan.value();
        else if (scan.peek() == '(')
            scan.value(); // an extension's
        else
            fetch.bodies.push_back({ name, scan.string() });
        scan.skipBlanks();
    }
    if (scan.failed())
        return std::nullopt;
    return fetch;
}

std::optional<ImapMailbox> parseImapList(const ImapText& text, const ImapResponse& response)
{
    ImapMailbox mailbox;
    ImapScanner scan(text, response.rest);
    scan.expect('(');
    scan.skipBlanks();
    while (!scan.failed() && !scan.accept(')')) {
        mailbox.attributes.push_back(scan.atom());
        scan.skipBlanks();
    }
    scan.skipBlanks();
    mailbox.delimiter = scan.string().text;
    scan.skipBlanks();
    const ImapScanner::String name = scan.string();
    if (scan.failed() || name.nil)
        return std::nullopt;
    mailbox.name = name.text;
    return mailbox;
}

std::optional<std::vector<std::uint32_t>> parseImapNumbers(std::string_view text, std::size_t limit)
{
    std::vector<std::uint32_t> numbers;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" ,"), text.size());
        const std::string_view range = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (range.empty())
            continue;
        const std::size_t colon = std::min(range.find(':'), range.size());
        std::uint32_t first = 0;
        if (!readNumber(range.substr(0, colon), first) || first == 0)
            return std::nullopt;
        std::uint32_t last = first;
        if (colon < range.size() && (!readNumber(range.substr(colon + 1), last) || last == 0))
            return std::nullopt;
        if (last < first)
            std::swap(first, last); // RFC 9051: either end may come first
        if (last - first >= limit - numbers.size())
            return std::nullopt;
        for (std::uint32_t number = first;; ++number) {
            numbers.push_back(number);
            if (number == last)
                break;
        }
    }
    return numbers;
}

} // namespace loadstone::protocol
