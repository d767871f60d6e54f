// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_messages.h"

#include "embedded/imap_flags.h"
#include "embedded/imap_sections.h"
#include "protocol/common/server_line.h"
#include "protocol/imap/imap_response.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::embedded {

using protocol::ImapScanner;

ImapOutcome ImapMessages::fetch(std::string& out, ImapScanner& words, bool uid)
{
    const auto messages = m_view.messagesOf(words.atom(), uid);
    words.expect(' ');
    std::vector<std::string> items;
    const bool several = words.accept('(');
    do {
        items.emplace_back(words.itemName());
        words.skipBlanks();
    } while (several && !words.failed() && !words.accept(')'));
    words.skipBlanks();
    std::uint64_t since = 0;
    if (words.accept('(')) { // RFC 7162, 3.1.4.1
        if (!protocol::equalsIgnoringCase(words.atom(), "CHANGEDSINCE"))
            return ImapOutcome::bad("CHANGEDSINCE is the only modifier");
        words.expect(' ');
        since = words.number();
        words.expect(')');
        items.emplace_back("MODSEQ");
    }
    if (words.failed() || !messages)
        return ImapOutcome::bad();
    for (const std::string& item : items)
        if (protocol::equalsIgnoringCase(item, "MODSEQ"))
            m_view.tellChanges();
        else if (!isFetchItem(item))
            return ImapOutcome::bad("this server does not know one of the items");
    for (const std::size_t index : *messages)
        if (m_view.at(index).changed > since)
            fetchOne(out, index, items, uid);
    return {};
}

void ImapMessages::fetchOne(
    std::string& out, std::size_t index, const std::vector<std::string>& items, bool uid)
{
    const ImapView::Entry& entry = m_view.at(index);
    std::string damaged;
    const std::string_view text = m_house.store.peek(m_view.key(), entry.uid, damaged);
    if (text.empty()) // gone meanwhile: told with the next news
        return;
    const bool reads = !m_view.readOnly() && (entry.flags & protocol::kImapSeen) == 0
        && std::any_of(items.begin(), items.end(), [](const std::string& item) { return marksAsSeen(item); });
    if (reads)
        setFlags(index, entry.flags | protocol::kImapSeen);
    out += fmt::format("* {} FETCH (", index + 1);
    const std::size_t begin = out.size();
    const auto space = [&] { out += out.size() > begin ? " " : ""; };
    bool told = false, flagged = false;
    for (const std::string& item : items) {
        space();
        if (protocol::equalsIgnoringCase(item, "UID")) {
            out += fmt::format("UID {}", entry.uid);
            told = true;
        } else if (protocol::equalsIgnoringCase(item, "FLAGS")) {
            out += fmt::format("FLAGS ({})", flagsText(entry.flags));
            flagged = true;
        } else if (protocol::equalsIgnoringCase(item, "MODSEQ")) {
            out += fmt::format("MODSEQ ({})", entry.changed);
        } else if (protocol::equalsIgnoringCase(item, "RFC822.SIZE"))
            out += fmt::format("RFC822.SIZE {}", text.size());
        else if (protocol::equalsIgnoringCase(item, "INTERNALDATE"))
            out += "INTERNALDATE \"01-Jan-2026 00:00:00 +0000\"";
        else {
            m_house.totals.retrieved += item.ends_with("[]") ? 1 : 0;
            appendFetchSection(out, item, text);
        }
    }
    if (uid && !told) {
        space();
        out += fmt::format("UID {}", entry.uid);
    }
    if (reads && !flagged) {
        space();
        out += fmt::format("FLAGS ({})", flagsText(entry.flags));
    }
    out += ")\r\n";
}

/// False where the message is gone. A user with that fault never has a message that is read.
bool ImapMessages::setFlags(std::size_t index, std::uint8_t flags)
{
    if (m_house.options.faults.ofMailbox(Fault::unread, m_folders.user()))
        flags = static_cast<std::uint8_t>(flags & ~protocol::kImapSeen);
    return m_view.setFlags(index, flags);
}

ImapOutcome ImapMessages::store(std::string& out, ImapScanner& words, bool uid)
{
    const auto messages = m_view.messagesOf(words.atom(), uid);
    words.expect(' ');
    std::string action = protocol::capitals(words.atom());
    words.expect(' ');
    const auto flags = readFlags(words);
    const bool silent = action.ends_with(".SILENT");
    if (silent)
        action.resize(action.size() - 7);
    if (words.failed() || !flags || !messages
        || (action != "FLAGS" && action != "+FLAGS" && action != "-FLAGS"))
        return ImapOutcome::bad();
    for (const std::size_t index : *messages) {
        const ImapView::Entry& entry = m_view.at(index);
        const int before = entry.flags;
        const int after = action[0] == '+' ? before | *flags
            : action[0] == '-'             ? before & ~*flags
                                           : int { *flags };
        if (!setFlags(index, static_cast<std::uint8_t>(after)) || (silent && !m_view.tellsChanges()))
            continue;
        const std::string flagsNow = silent ? "" : fmt::format(" FLAGS ({})", flagsText(entry.flags));
        const std::string told =
            (uid ? fmt::format(" UID {}", entry.uid) : "") + flagsNow + m_view.changeText(entry);
        out += fmt::format("* {} FETCH ({})\r\n", index + 1, told.substr(1));
    }
    return {};
}

ImapMessages::Copied ImapMessages::copyMessages(ImapScanner& words, bool uid)
{
    auto messages = m_view.messagesOf(words.atom(), uid);
    words.expect(' ');
    const std::string folder = words.string().text;
    if (words.failed() || !messages)
        return { ImapOutcome::bad(), {} };
    if (!m_folders.has(folder))
        return { ImapOutcome::no("[TRYCREATE] there is no such folder"), {} };
    if (!m_house.store.hasRoom(messages->size() * 256))
        return { ImapOutcome::no("[OVERQUOTA] no room"), {} };
    const std::string target = m_folders.keyOf(folder);
    std::string from, to;
    for (const std::size_t index : *messages)
        if (const std::uint64_t copy = m_house.store.copy(m_view.key(), m_view.at(index).uid, target);
            copy != 0) {
            from += fmt::format("{}{}", from.empty() ? "" : ",", m_view.at(index).uid);
            to += fmt::format("{}{}", to.empty() ? "" : ",", copy);
        }
    ImapOutcome done;
    if (!from.empty())
        done.text = fmt::format("[COPYUID {} {} {}]", kUidValidity, from, to);
    return { std::move(done), std::move(*messages) };
}

ImapOutcome ImapMessages::copy(ImapScanner& words, bool uid)
{
    return copyMessages(words, uid).outcome;
}

ImapOutcome ImapMessages::move(std::string& out, ImapScanner& words, bool uid)
{
    const Copied copied = copyMessages(words, uid);
    if (copied.outcome.status != ImapOutcome::Status::ok)
        return copied.outcome;
    if (!copied.outcome.text.empty())
        out += "* OK " + copied.outcome.text + " moved\r\n"; // RFC 6851, 4.3: before the messages go
    std::vector<std::uint64_t> uids;
    for (const std::size_t index : copied.messages)
        uids.push_back(m_view.at(index).uid);
    m_house.store.erase(m_view.key(), uids);
    return {}; // that they are gone is told with the news
}

void ImapMessages::expunge()
{
    erase(nullptr);
}

ImapOutcome ImapMessages::expunge(std::string_view uids)
{
    const auto only = m_view.messagesOf(uids, true);
    if (!only)
        return ImapOutcome::bad();
    erase(&*only);
    return {};
}

void ImapMessages::erase(const std::vector<std::size_t>* only)
{
    std::vector<std::uint64_t> uids;
    for (std::size_t i = 0; i < m_view.entries().size(); ++i)
        if ((m_view.at(i).flags & protocol::kImapDeleted) != 0
            && (only == nullptr || std::binary_search(only->begin(), only->end(), i)))
            uids.push_back(m_view.at(i).uid);
    if (!uids.empty())
        m_house.totals.deleted += m_house.store.erase(m_view.key(), uids);
}

} // namespace loadstone::embedded
