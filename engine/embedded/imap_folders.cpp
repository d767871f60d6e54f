// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_folders.h"

#include "embedded/imap_flags.h"
#include "protocol/common/server_line.h"
#include "protocol/imap/imap_client.h"
#include "protocol/imap/imap_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

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

/// A name that a folder may get.
std::optional<std::string> newName(ImapScanner& words)
{
    std::string folder = words.string().text;
    const bool good =
        !words.failed() && !folder.empty() && folder.size() <= 200 && folder.find('\n') == std::string::npos;
    return good ? std::optional(std::move(folder)) : std::nullopt;
}

const char* const kInboxStays = "INBOX is always there";

} // namespace

bool ImapFolders::has(const std::string& folder) const
{
    return protocol::equalsIgnoringCase(folder, "INBOX") || m_house.store.hasFolder(m_user, folder);
}

ImapOutcome ImapFolders::list(std::string& out, const char* name, ImapScanner& words) const
{
    const std::string reference = words.string().text;
    words.expect(' ');
    const std::string pattern = words.string().text;
    if (words.failed())
        return ImapOutcome::bad();
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

ImapOutcome ImapFolders::status(std::string& out, ImapScanner& words, std::int64_t nowNs)
{
    const std::string folder = words.string().text;
    words.skipBlanks();
    words.expect('(');
    if (words.failed())
        return ImapOutcome::bad();
    if (!has(folder))
        return ImapOutcome::no("[NONEXISTENT] there is no such folder");
    const std::vector<MailStore::Entry> entries = m_house.store.view(keyOf(folder), nowNs);
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
                [](const MailStore::Entry& entry) { return (entry.flags & protocol::kImapSeen) == 0; })));
        words.skipBlanks();
    }
    if (words.failed())
        return ImapOutcome::bad();
    out += fmt::format("* STATUS {} ({})\r\n", protocol::imapQuoted(folder), items);
    return {};
}

ImapOutcome ImapFolders::append(ImapScanner& words)
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
        return ImapOutcome::bad();
    if (!has(folder))
        return ImapOutcome::no("[TRYCREATE] there is no such folder");
    if (!m_house.store.hasRoom(content.text.size() + 1024))
        return ImapOutcome::no("[OVERQUOTA] no room");
    const std::uint64_t uid = m_house.store.append(keyOf(folder), std::move(content.text), *flags);
    return ImapOutcome::ok(fmt::format("[APPENDUID {} {}]", kUidValidity, uid));
}

ImapOutcome ImapFolders::create(ImapScanner& words)
{
    const auto folder = newName(words);
    if (!folder)
        return ImapOutcome::bad();
    if (protocol::equalsIgnoringCase(*folder, "INBOX"))
        return ImapOutcome::no(kInboxStays);
    if (!m_house.store.hasRoom(1024))
        return ImapOutcome::no("[OVERQUOTA] no room");
    return m_house.store.createFolder(m_user, *folder)
        ? ImapOutcome()
        : ImapOutcome::no("[ALREADYEXISTS] the folder exists already");
}

ImapOutcome ImapFolders::remove(ImapScanner& words)
{
    const auto folder = newName(words);
    if (!folder)
        return ImapOutcome::bad();
    if (protocol::equalsIgnoringCase(*folder, "INBOX"))
        return ImapOutcome::no(kInboxStays);
    return m_house.store.removeFolder(m_user, *folder) ? ImapOutcome()
                                                       : ImapOutcome::no("[NONEXISTENT] there is no such folder");
}

} // namespace loadstone::embedded
