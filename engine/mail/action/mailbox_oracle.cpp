// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/mailbox_oracle.h"

#include "base/random.h"
#include "mail/action/user_session.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

using protocol::equalsIgnoringCase;

namespace {

constexpr std::size_t kMostFindings = 100; // of one visit; one fault tends to bring many
constexpr std::uint32_t kMostInFolder = 10'000'000; // of a folder: more is not believed

/// The parts of "3857529045 16 42" (COPYUID, APPENDUID).
std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0)
            words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::uint32_t numberOf(std::string_view word)
{
    const auto numbers = protocol::parseImapNumbers(word, 1);
    return numbers && numbers->size() == 1 ? numbers->front() : 0;
}

} // namespace

bool isFollowed(std::uint64_t seed, std::uint32_t mailbox, double share)
{
    constexpr std::uint64_t kOracle = 0x6f7261636c65;
    const double offset = Random(hashOf({ seed, kOracle })).uniform();
    return std::floor((mailbox + 1.0) * share + offset) > std::floor(mailbox * share + offset);
}

void MailboxOracle::leave()
{
    if (m_selected != kNone && !m_selecting)
        selected().order = std::move(m_uids);
    m_uids.clear();
}

void MailboxOracle::selecting(std::uint16_t folder)
{
    leave();
    m_selected = folder;
    m_selecting = true;
}

void MailboxOracle::disconnected()
{
    settled(false);
    leave();
    m_selected = kNone;
    m_selecting = false;
}

std::string MailboxOracle::where(std::uint16_t folder) const
{
    return m_user + ", " + folderName(folder);
}

bool MailboxOracle::check(bool good, const std::string& what)
{
    ++m_checks;
    if (!good && m_findings.size() < kMostFindings)
        m_findings.push_back(where(m_selected) + ": " + what);
    return good;
}

void MailboxOracle::data(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    using Kind = protocol::ImapResponse::Kind;
    if (response.kind == Kind::condition)
        return code(response.code, response.codeArguments);
    if (!response.numbered || m_selected == kNone)
        return;
    if (equalsIgnoringCase(response.name, "EXISTS"))
        exists(response.number);
    else if (equalsIgnoringCase(response.name, "EXPUNGE"))
        expunged(response.number);
    else if (equalsIgnoringCase(response.name, "FETCH"))
        fetched(text, response);
}

void MailboxOracle::ended(const protocol::ImapEnd& end)
{
    code(end.code, end.codeArguments);
    if (end.verb == protocol::ImapVerb::select) {
        m_selecting = false;
        if (end.condition != protocol::ImapCondition::ok)
            m_selected = kNone;
    }
}

void MailboxOracle::exists(std::uint32_t count)
{
    if (count > kMostInFolder)
        return;
    FolderState& folder = selected();
    if (!m_selecting) {
        check(count >= m_uids.size(),
            fmt::format("EXISTS fell from {} to {} without EXPUNGE", m_uids.size(), count));
        m_uids.resize(count);
        return;
    }
    m_uids.assign(count, 0);
    if (!folder.whole || folder.loose)
        return;
    // Of the Inbox, mail may have arrived that this client has not looked at: it is counted, and its UID is not known.
    const std::size_t known = std::max(
        folder.held.size() + folder.unplaced, m_selected == kInbox ? folder.order.size() : std::size_t { 0 });
    const bool good = m_selected == kInbox
        ? check(count >= known, fmt::format("holds {} messages where {} are known", count, known))
        : check(count == known, fmt::format("holds {} messages instead of {}", count, known));
    if (!good || folder.unplaced > 0)
        return;
    if (m_selected == kInbox) { // what came since stands behind those
        std::copy(folder.order.begin(), folder.order.end(), m_uids.begin());
        return;
    }
    std::size_t number = 0;
    for (const auto& [uid, message] : folder.held)
        m_uids[number++] = uid;
    folder.older = static_cast<std::uint32_t>(number);
}

void MailboxOracle::expunged(std::uint32_t number)
{
    if (!check(number >= 1 && number <= m_uids.size(),
            fmt::format("EXPUNGE of message {} of {}", number, m_uids.size())))
        return;
    const std::uint32_t uid = m_uids[number - 1];
    m_uids.erase(m_uids.begin() + static_cast<std::ptrdiff_t>(number - 1));
    selected().older -= number <= selected().older ? 1 : 0;
    using Kind = Operation::Kind;
    const bool one = (m_operation.kind == Kind::move || m_operation.kind == Kind::remove)
        && (uid == 0 || uid == m_operation.uid);
    check(one || m_operation.kind == Kind::empty || selected().loose,
        fmt::format("UID {} was expunged without a request", uid));
    selected().held.erase(uid != 0 || !one ? uid : m_operation.uid); // 0: not told which one stands there
}

void MailboxOracle::fetched(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    const auto fetch = protocol::parseImapFetch(text, response);
    if (!fetch
        || !check(fetch->number >= 1 && fetch->number <= m_uids.size(),
            fmt::format("FETCH of message {} of {}", fetch->number, m_uids.size())))
        return;
    if (fetch->uid)
        numbered(fetch->number, *fetch->uid);
    const std::uint32_t uid = m_uids[fetch->number - 1];
    Held* message = uid == 0 ? nullptr : known(uid, fetch->number);
    if (message == nullptr)
        return;
    if (fetch->size) {
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(*fetch->size, 0xffffffff));
        if (message->size != 0)
            check(size == message->size,
                fmt::format("UID {} had {} bytes and has {}", uid, message->size, size));
        message->size = size;
    }
    if (fetch->flags) {
        const bool seen = (*fetch->flags & protocol::kImapSeen) != 0;
        check(seen || !message->seen || selected().loose, fmt::format("UID {} lost its \\Seen", uid));
        message->seen = seen;
    }
}

/// The server says which UID a sequence number has.
void MailboxOracle::numbered(std::uint32_t number, std::uint32_t uid)
{
    const std::uint32_t before = m_uids[number - 1];
    if (before != 0)
        check(before == uid, fmt::format("message {} was UID {} and is UID {}", number, before, uid));
    const auto self = m_uids.begin() + static_cast<std::ptrdiff_t>(number - 1);
    const auto lower = std::find_if(
        std::make_reverse_iterator(self), m_uids.rend(), [](std::uint32_t other) { return other != 0; });
    check(lower == m_uids.rend() || *lower < uid,
        fmt::format("message {} has UID {}, one before it a higher one", number, uid));
    const auto higher = std::find_if(self + 1, m_uids.end(), [](std::uint32_t other) { return other != 0; });
    check(before != 0 || higher == m_uids.end() || *higher > uid,
        fmt::format("message {} has UID {}, one behind it a lower one", number, uid));
    *self = uid;
}

/// A message of the selected folder, by its sequence number (0: not told); a new one begins to be known. Null for what cannot be.
MailboxOracle::Held* MailboxOracle::known(std::uint32_t uid, std::uint32_t number)
{
    FolderState& folder = selected();
    if (const auto found = folder.held.find(uid); found != folder.held.end())
        return &found->second;
    // A UID is never given twice: what is new is above all that there were. What stands before the highest has been there
    // longer: EXISTS had counted it, and nobody has looked at it.
    const bool isNew = check(uid > folder.highest || number <= folder.older || folder.unplaced > 0
            || folder.loose || !folder.whole,
        fmt::format("UID {} appears, below the earlier UID {}", uid, folder.highest));
    check(m_selected == kInbox || folder.unplaced > 0 || folder.loose || !folder.whole,
        fmt::format("UID {} appears, and no client put it there", uid));
    if (!isNew)
        return nullptr;
    if (m_selected != kInbox && folder.unplaced > 0)
        --folder.unplaced;
    if (uid > folder.highest) {
        folder.highest = uid;
        folder.older = number;
    }
    return &folder.held[uid];
}

void MailboxOracle::listed(const SeenMessage& message)
{
    Held* held = m_selected == kNone ? nullptr : known(message.uid, 0);
    if (held == nullptr)
        return;
    if (message.id == 0)
        return;
    if (held->id != 0)
        check(held->id == message.id, fmt::format("UID {} is another message than before", message.uid));
    held->id = message.id;
}

void MailboxOracle::toldTwice(std::uint32_t uid)
{
    if (m_selected != kNone)
        check(false, fmt::format("the server gave UID {} twice in one answer", uid));
}

void MailboxOracle::code(std::string_view name, std::string_view arguments)
{
    const auto words = wordsOf(arguments);
    if (m_selecting && equalsIgnoringCase(name, "UIDVALIDITY") && words.size() == 1) {
        FolderState& folder = selected();
        const std::uint32_t validity = numberOf(words[0]);
        if (folder.validity != 0
            && !check(validity == folder.validity,
                fmt::format("UIDVALIDITY changed from {} to {}", folder.validity, validity))) {
            folder = {};
            std::fill(m_uids.begin(), m_uids.end(), 0); // EXISTS came first, and was taken for those before
        }
        folder.validity = validity;
    } else if (m_selecting && equalsIgnoringCase(name, "UIDNEXT") && words.size() == 1) {
        FolderState& folder = selected();
        const std::uint32_t next = numberOf(words[0]);
        check(next >= folder.next, fmt::format("UIDNEXT fell from {} to {}", folder.next, next));
        check(next > folder.highest,
            fmt::format("UIDNEXT is {}, but UID {} was used before", next, folder.highest));
        folder.next = next;
    } else if (equalsIgnoringCase(name, "COPYUID") && words.size() == 3)
        m_operation.placed = numberOf(words[2]);
    else if (equalsIgnoringCase(name, "APPENDUID") && words.size() == 2)
        m_operation.placed = numberOf(words[1]);
}

void MailboxOracle::begin(Operation operation)
{
    m_operation = operation;
    if (m_selected == kNone)
        return;
    const auto held = selected().held.find(operation.uid);
    if (held != selected().held.end()) {
        m_operation.message = held->second;
        m_operation.there = true;
    }
}
void MailboxOracle::copying(std::uint32_t uid, std::uint16_t to, bool moves, bool tellsUid)
{
    begin({ moves ? Operation::Kind::move : Operation::Kind::copy, uid, 0, to, 0, {}, tellsUid, false });
}
void MailboxOracle::removing(std::uint32_t uid)
{
    begin({ Operation::Kind::remove, uid, 0, 0, 0, {}, false, false });
}
void MailboxOracle::emptying()
{
    begin({ Operation::Kind::empty, 0, 0, 0, 0, {}, false, false });
}
void MailboxOracle::appending(std::uint16_t to, std::uint32_t size)
{
    begin({ Operation::Kind::append, 0, size, to, 0, {}, false, true });
}
void MailboxOracle::reading(std::uint32_t uid)
{
    begin({ Operation::Kind::read, uid, 0, 0, 0, {}, false, false });
}

void MailboxOracle::place(std::uint16_t to, const Held& message)
{
    FolderState& folder = m_folders[to];
    if (m_operation.placed == 0) { // a server without UIDPLUS, or there was nothing to copy any more
        folder.unplaced += m_operation.tellsUid || !m_operation.there ? 0 : 1;
        return;
    }
    check(m_operation.placed > folder.highest,
        fmt::format("UID {} was assigned in {}, where UID {} was used before", m_operation.placed,
            folderName(to), folder.highest));
    folder.highest = std::max(folder.highest, m_operation.placed);
    folder.held[m_operation.placed] = message;
}

void MailboxOracle::settled(bool good)
{
    using Kind = Operation::Kind;
    const Kind kind = m_operation.kind;
    if (kind == Kind::none)
        return;
    const bool fills = kind == Kind::copy || kind == Kind::move || kind == Kind::append;
    if (!good) {
        if (fills)
            m_folders[m_operation.to].loose = true;
        if (m_selected != kNone)
            selected().loose = true;
        m_operation = {};
        return;
    }
    if (kind == Kind::append) {
        place(m_operation.to, { 0, m_operation.size, true });
        m_operation = {};
        return;
    }
    if (fills)
        place(m_operation.to, m_operation.message);
    if (m_selected == kNone) {
        m_operation = {};
        return;
    }
    FolderState& folder = selected();
    const auto source = folder.held.find(m_operation.uid);
    if (kind == Kind::read && source != folder.held.end())
        source->second.seen = true;
    if (kind == Kind::move || kind == Kind::remove) {
        check(source == folder.held.end() || folder.loose,
            fmt::format("UID {} should have been expunged and was not", m_operation.uid));
        folder.held.erase(m_operation.uid);
    }
    if (kind == Kind::empty && !folder.loose) {
        check(m_uids.empty(), fmt::format("{} messages remain after all were expunged", m_uids.size()));
        folder.held.clear();
        folder.unplaced = 0;
    }
    m_operation = {};
}

void MailboxOracle::wholeFolder()
{
    if (m_selected != kNone)
        selected().whole = true;
}

std::optional<std::string> contradictionOf(
    std::span<const std::pair<std::uint32_t, bool>> read, std::span<const std::uint32_t> found)
{
    const std::set<std::uint32_t> named(found.begin(), found.end());
    std::size_t unread = 0, missing = 0, extra = 0;
    std::uint32_t firstMissing = 0, firstExtra = 0;
    for (const auto& [uid, isRead] : read) {
        const bool is = named.contains(uid);
        unread += isRead ? 0 : 1;
        if (!isRead && !is && missing++ == 0)
            firstMissing = uid;
        if (isRead && is && extra++ == 0)
            firstExtra = uid;
    }
    if (missing > 0)
        return fmt::format("SEARCH UNSEEN leaves out {} of the {} messages without \\Seen, UID {} first",
            missing, unread, firstMissing);
    if (extra > 0)
        return fmt::format("SEARCH UNSEEN names {} messages with \\Seen, UID {} first", extra, firstExtra);
    return std::nullopt;
}

void MailboxOracle::searched(
    std::span<const std::pair<std::uint32_t, bool>> read, std::span<const std::uint32_t> found)
{
    const auto wrong = contradictionOf(read, found);
    check(!wrong, wrong.value_or(std::string()));
}

void MailboxOracle::compare(std::span<const SeenMessage> messages, std::span<const RetrievedMessage> contents)
{
    if (m_selected == kNone)
        return;
    FolderState& folder = selected();
    std::set<std::uint32_t> there;
    for (const SeenMessage& message : messages)
        there.insert(message.uid);
    for (const auto& [uid, message] : folder.held)
        check(there.count(uid) > 0 || folder.loose, fmt::format("UID {} is missing at the end", uid));
    for (std::size_t i = 0; i < messages.size() && messages.size() == contents.size(); ++i) {
        check(contents[i].kind != RetrievedMessage::Kind::damaged,
            fmt::format("UID {} is damaged", messages[i].uid));
        const auto held = folder.held.find(messages[i].uid);
        if (contents[i].kind == RetrievedMessage::Kind::whole && held != folder.held.end()
            && held->second.id != 0)
            check(contents[i].id == held->second.id,
                fmt::format("UID {} holds another message than before", messages[i].uid));
    }
}

} // namespace loadstone::mail
