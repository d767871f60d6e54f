// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"
#include "embedded/imap_flags.h"
#include "embedded/imap_sections.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

/// The commands on the messages of the selected folder.
namespace loadstone::embedded {

using protocol::ImapScanner;

namespace {

std::optional<std::uint64_t> numberOf(std::string_view text, std::uint64_t star)
{
    if (text == "*")
        return star;
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() || value == 0)
        return std::nullopt;
    return value;
}

} // namespace

std::optional<std::vector<std::size_t>> ImapConversation::messagesOf(std::string_view set, bool uid) const
{
    std::set<std::size_t> found;
    const std::uint64_t star = uid ? (m_view.empty() ? 0 : m_view.back().uid) : m_view.size();
    while (!set.empty()) {
        const std::size_t comma = std::min(set.find(','), set.size());
        const std::string_view range = set.substr(0, comma);
        set.remove_prefix(std::min(comma + 1, set.size()));
        const std::size_t colon = range.find(':');
        auto low = numberOf(range.substr(0, colon), star);
        auto high = colon == std::string_view::npos ? low : numberOf(range.substr(colon + 1), star);
        if (!low || !high)
            return std::nullopt;
        if (*low > *high)
            std::swap(low, high);
        if (!uid) {
            for (std::uint64_t n = std::max<std::uint64_t>(*low, 1);
                 n <= std::min<std::uint64_t>(*high, m_view.size()); ++n)
                found.insert(static_cast<std::size_t>(n - 1));
            continue;
        }
        const auto first = std::lower_bound(m_view.begin(), m_view.end(), *low,
            [](const Entry& entry, std::uint64_t id) { return entry.uid < id; });
        for (auto entry = first; entry != m_view.end() && entry->uid <= *high; ++entry)
            found.insert(static_cast<std::size_t>(entry - m_view.begin()));
    }
    return std::vector<std::size_t>(found.begin(), found.end());
}

ImapConversation::Outcome ImapConversation::fetch(std::string& out, ImapScanner& words, bool uid)
{
    const auto messages = messagesOf(words.atom(), uid);
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
            return Rejected { "BAD", "CHANGEDSINCE is the only modifier" };
        words.expect(' ');
        since = words.number();
        words.expect(')');
        items.emplace_back("MODSEQ");
    }
    if (words.failed() || !messages)
        return Rejected { "BAD", "the arguments are wrong" };
    for (const std::string& item : items)
        if (protocol::equalsIgnoringCase(item, "MODSEQ"))
            m_condstore = true;
        else if (!isFetchItem(item))
            return Rejected { "BAD", "this server does not know one of the items" };
    for (const std::size_t index : *messages)
        if (m_view[index].changed > since)
            fetchOne(out, index, items, uid);
    return {};
}

void ImapConversation::fetchOne(
    std::string& out, std::size_t index, const std::vector<std::string>& items, bool uid)
{
    Entry& entry = m_view[index];
    std::string damaged;
    const std::string_view text = m_house.store.peek(m_key, entry.uid, damaged);
    if (text.empty()) // gone meanwhile: told with the next news
        return;
    const bool reads = !m_readOnly && (entry.flags & protocol::kImapSeen) == 0
        && std::any_of(items.begin(), items.end(), [](const std::string& item) { return marksAsSeen(item); });
    if (reads)
        setFlags(entry, entry.flags | protocol::kImapSeen);
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

/// In the store and in the session's view; false where the message is gone.
bool ImapConversation::setFlags(Entry& entry, std::uint8_t flags)
{
    if (m_house.options.faults.ofMailbox(Fault::unread, m_user))
        flags = static_cast<std::uint8_t>(flags & ~protocol::kImapSeen);
    const bool there = m_house.store.setFlags(m_key, entry.uid, flags);
    if (there && entry.flags != flags)
        entry.changed = m_house.store.highestChange(m_key);
    entry.flags = flags;
    return there;
}

ImapConversation::Outcome ImapConversation::store(std::string& out, ImapScanner& words, bool uid)
{
    const auto messages = messagesOf(words.atom(), uid);
    words.expect(' ');
    std::string action = protocol::capitals(words.atom());
    words.expect(' ');
    const auto flags = readFlags(words);
    const bool silent = action.ends_with(".SILENT");
    if (silent)
        action.resize(action.size() - 7);
    if (words.failed() || !flags || !messages
        || (action != "FLAGS" && action != "+FLAGS" && action != "-FLAGS"))
        return Rejected { "BAD", "the arguments are wrong" };
    for (const std::size_t index : *messages) {
        Entry& entry = m_view[index];
        const int before = entry.flags;
        const int after = action[0] == '+' ? before | *flags
            : action[0] == '-'             ? before & ~*flags
                                           : int { *flags };
        if (!setFlags(entry, static_cast<std::uint8_t>(after)) || (silent && !m_condstore))
            continue;
        const std::string flagsNow = silent ? "" : fmt::format(" FLAGS ({})", flagsText(entry.flags));
        const std::string told =
            (uid ? fmt::format(" UID {}", entry.uid) : "") + flagsNow + changeText(entry);
        out += fmt::format("* {} FETCH ({})\r\n", index + 1, told.substr(1));
    }
    return {};
}

ImapConversation::Outcome ImapConversation::search(std::string& out, ImapScanner& words, bool uid)
{
    const auto options = returnOptions(words);
    if (!options)
        return Rejected { "BAD", "the arguments are wrong" };
    std::vector<bool> in(m_view.size(), true);
    const auto keep = [&](auto&& condition) {
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = in[i] && condition(i);
    };
    const auto among = [&](std::string_view set, bool byUid) {
        const auto messages = messagesOf(set, byUid);
        if (messages)
            keep([&](std::size_t i) { return std::binary_search(messages->begin(), messages->end(), i); });
        return messages.has_value();
    };
    const auto flagged = [&](std::uint8_t flag, bool is) {
        keep([&](std::size_t i) { return ((m_view[i].flags & flag) != 0) == is; });
    };
    while (!words.failed() && words.peek() != '\0') {
        const std::string key(words.atom());
        const auto is = [&](const char* name) { return protocol::equalsIgnoringCase(key, name); };
        bool good = true;
        if (is("SEEN") || is("UNSEEN"))
            flagged(protocol::kImapSeen, is("SEEN"));
        else if (is("DELETED") || is("UNDELETED"))
            flagged(protocol::kImapDeleted, is("DELETED"));
        else if (is("ANSWERED") || is("UNANSWERED"))
            flagged(protocol::kImapAnswered, is("ANSWERED"));
        else if (is("FLAGGED") || is("UNFLAGGED"))
            flagged(protocol::kImapFlagged, is("FLAGGED"));
        else if (is("UID")) {
            words.expect(' ');
            good = among(words.atom(), true);
        } else if (!is("ALL"))
            good = among(key, false);
        if (!good || words.failed())
            return Rejected { "BAD", "this server does not know one of the keys" };
        words.skipBlanks();
    }
    if (m_house.options.faults.ofMailbox(Fault::search, m_user))
        in.assign(in.size(), false);
    tellSearch(out, in, *options, uid);
    return {};
}

ImapConversation::Outcome ImapConversation::copyOrMove(
    std::string& out, ImapScanner& words, bool uid, bool moves)
{
    const auto messages = messagesOf(words.atom(), uid);
    words.expect(' ');
    const std::string folder = words.string().text;
    if (words.failed() || !messages)
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[TRYCREATE] there is no such folder" };
    if (!m_house.store.hasRoom(messages->size() * 256))
        return Rejected { "NO", "[OVERQUOTA] no room" };
    std::string from, to;
    for (const std::size_t index : *messages)
        if (const std::uint64_t copy = m_house.store.copy(m_key, m_view[index].uid, keyOf(folder));
            copy != 0) {
            from += fmt::format("{}{}", from.empty() ? "" : ",", m_view[index].uid);
            to += fmt::format("{}{}", to.empty() ? "" : ",", copy);
        }
    std::string code = from.empty() ? "" : fmt::format("[COPYUID {} {} {}]", kUidValidity, from, to);
    if (!moves) {
        m_code = std::move(code);
        return {};
    }
    if (!code.empty())
        out += "* OK " + code + " moved\r\n"; // RFC 6851, 4.3: before the messages go
    std::vector<std::uint64_t> uids;
    for (const std::size_t index : *messages)
        uids.push_back(m_view[index].uid);
    m_house.store.erase(m_key, uids);
    return {}; // that they are gone is told with the news
}

ImapConversation::Outcome ImapConversation::expunge(std::string&, const std::vector<std::size_t>* only)
{
    std::vector<std::uint64_t> uids;
    for (std::size_t i = 0; i < m_view.size(); ++i)
        if ((m_view[i].flags & protocol::kImapDeleted) != 0
            && (only == nullptr || std::binary_search(only->begin(), only->end(), i)))
            uids.push_back(m_view[i].uid);
    if (!uids.empty())
        m_house.totals.deleted += m_house.store.erase(m_key, uids);
    return {};
}

} // namespace loadstone::embedded
