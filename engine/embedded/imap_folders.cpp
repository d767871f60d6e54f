// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"
#include "embedded/imap_flags.h"
#include "protocol/imap/imap_client.h"

#include <fmt/format.h>

#include <algorithm>

/// Folders: opened, listed, looked at, and filled by APPEND.
namespace loadstone::embedded {

using protocol::ImapScanner;

namespace {

/// LIST's wildcards: "*" is any text, "%" any within one level; as there is one level only, both mean the same. Linear: on a
/// mismatch only the last wildcard can take more.
bool matches(std::string_view name, std::string_view pattern)
{
    std::size_t n = 0, p = 0, wildcard = std::string_view::npos, resume = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '*' || pattern[p] == '%')) {
            wildcard = p++;
            resume = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (wildcard != std::string_view::npos) {
            p = wildcard + 1;
            n = ++resume;
        } else
            return false;
    }
    return pattern.find_first_not_of("*%", p) == std::string_view::npos;
}

} // namespace

bool ImapConversation::exists(const std::string& folder) const
{
    return protocol::equalsIgnoringCase(folder, "INBOX") || m_house.store.hasFolder(m_user, folder);
}

ImapConversation::Outcome ImapConversation::select(
    std::string& out, ImapScanner& words, bool readOnly, std::int64_t nowNs)
{
    const std::string folder = words.string().text;
    m_state = State::user; // whatever comes of it, the old one is left (RFC 9051, 6.3.2)
    m_view.clear();
    words.skipBlanks();
    if (words.accept('(')) { // RFC 7162, 3.1.8
        m_condstore = protocol::equalsIgnoringCase(words.atom(), "CONDSTORE") || m_condstore;
        words.expect(')');
    }
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[NONEXISTENT] there is no such folder" };
    m_key = keyOf(folder);
    m_view = m_house.store.view(m_key, nowNs);
    m_state = State::selected;
    m_readOnly = readOnly;
    const std::uint64_t next = m_house.store.nextUid(m_key, nowNs);
    out += fmt::format(
        "* {} EXISTS\r\n* 0 RECENT\r\n* FLAGS ({})\r\n* OK [PERMANENTFLAGS ({})] flags are kept\r\n"
        "* OK [UIDVALIDITY {}] while this process lives\r\n* OK [UIDNEXT {}] at least\r\n"
        "* OK [HIGHESTMODSEQ {}] changes are numbered\r\n",
        m_view.size(), kSystemFlags, readOnly ? "" : kSystemFlags, kUidValidity, next,
        m_house.store.highestChange(m_key));
    m_code = readOnly ? "[READ-ONLY]" : "[READ-WRITE]";
    return {};
}

ImapConversation::Outcome ImapConversation::list(std::string& out, const char* name, ImapScanner& words)
{
    const std::string reference = words.string().text;
    words.expect(' ');
    const std::string pattern = words.string().text;
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    if (pattern.empty()) { // RFC 3501, 6.3.8: asks for the delimiter
        out += fmt::format("* {} (\\Noselect) NIL \"\"\r\n", name);
        return {};
    }
    const auto tell = [&](const std::string& folder) {
        if (matches(folder, reference + pattern))
            out += fmt::format("* {} (\\HasNoChildren{}) NIL {}\r\n", name,
                folder == "Deleted Items"    ? " \\Trash" // RFC 6154
                    : folder == "Sent Items" ? " \\Sent"
                                             : "",
                protocol::imapQuoted(folder));
    };
    tell("INBOX");
    for (const std::string& folder : m_house.store.folders(m_user))
        tell(folder);
    return {};
}

ImapConversation::Outcome ImapConversation::status(std::string& out, ImapScanner& words, std::int64_t nowNs)
{
    const std::string folder = words.string().text;
    words.skipBlanks();
    words.expect('(');
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[NONEXISTENT] there is no such folder" };
    const std::vector<Entry> entries = m_house.store.view(keyOf(folder), nowNs);
    std::string items;
    while (!words.failed() && !words.accept(')')) {
        const std::string_view item = words.atom();
        const auto add = [&](const char* name, std::uint64_t value) {
            if (protocol::equalsIgnoringCase(item, name))
                items += fmt::format("{}{} {}", items.empty() ? "" : " ", name, value);
        };
        add("MESSAGES", entries.size());
        add("UIDNEXT", m_house.store.nextUid(keyOf(folder), nowNs));
        add("UIDVALIDITY", kUidValidity);
        add("RECENT", 0);
        add("UNSEEN",
            static_cast<std::uint64_t>(std::count_if(entries.begin(), entries.end(),
                [](const Entry& entry) { return (entry.flags & protocol::kImapSeen) == 0; })));
        words.skipBlanks();
    }
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    out += fmt::format("* STATUS {} ({})\r\n", protocol::imapQuoted(folder), items);
    return {};
}

ImapConversation::Outcome ImapConversation::append(ImapScanner& words)
{
    const std::string folder = words.string().text;
    words.skipBlanks();
    std::optional<std::uint8_t> flags = std::uint8_t { 0 };
    if (words.peek() == '(')
        flags = readFlags(words);
    words.skipBlanks();
    if (words.peek() == '"') { // the internal date is taken and forgotten
        words.string();
        words.skipBlanks();
    }
    ImapScanner::String content = words.string();
    if (words.failed() || !flags)
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[TRYCREATE] there is no such folder" };
    if (!m_house.store.hasRoom(content.text.size() + 1024))
        return Rejected { "NO", "[OVERQUOTA] no room" };
    const std::uint64_t uid = m_house.store.append(keyOf(folder), std::move(content.text), *flags);
    m_code = fmt::format("[APPENDUID {} {}]", kUidValidity, uid);
    return {};
}

} // namespace loadstone::embedded
