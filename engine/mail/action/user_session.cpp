// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_session.h"

#include "mail/users/initial_messages.h"
#include "protocol/common/server_line.h"
#include "protocol/imap/imap_extensions.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

using protocol::equalsIgnoringCase;

namespace {

constexpr std::size_t kMostFields = 4096; // of the fields that are asked for
constexpr std::size_t kMostFound = 1'000'000; // messages of one answer
/// The numbers of messages that no token numbers: beyond all that users send.
constexpr std::uint64_t kUntold = 0xffffffff00000000ULL;

/// Of more than an honest answer has, none is known.
bool isNew(std::unordered_set<std::uint32_t>& known, std::uint32_t uid)
{
    return known.size() >= kMostFound ? !known.contains(uid) : known.insert(uid).second;
}

} // namespace

/// The value of a header field, unfolded as far as its first line; empty: there is none.
std::string_view fieldOf(std::string_view header, std::string_view name)
{
    for (std::size_t begin = 0; begin < header.size();) {
        const std::size_t end = std::min(header.find('\n', begin), header.size());
        std::string_view line = header.substr(begin, end - begin);
        begin = end + 1;
        if (line.size() <= name.size() || line[name.size()] != ':'
            || !equalsIgnoringCase(line.substr(0, name.size()), name))
            continue;
        line.remove_prefix(name.size() + 1);
        while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
            line.remove_prefix(1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.remove_suffix(1);
        return line;
    }
    return {};
}

UserSession::Link& UserSession::renew(const MailSetup& setup, const Executor& executor, ConnectionSet& set)
{
    hangUp();
    m_link = std::make_unique<Link>(setup, executor, set, m_login);
    m_link->client.listen(this);
    selected = kNoFolder;
    return *m_link;
}

void UserSession::forget()
{
    seen.clear();
    numbers.clear();
    check = nullptr;
    m_header.clear();
    m_whole = m_surplus = false;
    m_wholeAt.reset();
    m_told.clear();
    m_given.clear();
}

std::vector<SeenMessage> UserSession::takeFetched()
{
    const auto fetched = std::stable_partition(listed.begin(), listed.end(), [&](const SeenMessage& message) {
        return std::binary_search(unread.begin(), unread.end(), message.uid);
    });
    std::vector<SeenMessage> taken(fetched, listed.end());
    listed.erase(fetched, listed.end());
    return taken;
}

void UserSession::body(std::string_view soFar, std::string_view piece, bool begins, bool ends)
{
    if (begins) {
        const std::size_t section = soFar.rfind('['); // "BODY[] {120}"
        m_whole =
            check != nullptr && section != std::string_view::npos && soFar.substr(section).starts_with("[]");
        m_surplus = m_whole && m_wholeAt;
        if (m_whole && !m_surplus)
            check->begin();
    }
    if (m_surplus)
        return;
    m_whole = m_whole && check != nullptr; // nobody asked for one that comes to its end behind the command's
    if (!m_whole) {
        m_header.append(piece.substr(0, kMostFields - std::min(kMostFields, m_header.size())));
        return;
    }
    check->data(piece);
    if (ends)
        m_wholeAt = monoNow();
}

/// A message is retrieved once its answer has ended. One that broke off before does not say whose it was, and is asked for again.
/// What comes twice under one UID is there once.
bool UserSession::endWhole(std::optional<std::uint32_t> uid)
{
    const bool first = !m_wholeAt || !uid || isNew(m_given, *uid);
    if (m_wholeAt && check != nullptr && first)
        check->end(*m_wholeAt);
    m_wholeAt.reset();
    return first;
}

void UserSession::data(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    using Kind = protocol::ImapResponse::Kind;
    if (oracle)
        oracle->data(text, response);
    const auto is = [&](const char* name) { return equalsIgnoringCase(response.name, name); };
    if (response.kind == Kind::condition)
        condition(response);
    else if (response.numbered && is("EXISTS")) {
        news = news || response.number > exists;
        exists = response.number;
    } else if (response.numbered && is("EXPUNGE"))
        exists -= exists > 0 ? 1 : 0;
    else if (response.numbered && is("FETCH"))
        message(text, response);
    else if (is("SEARCH")) {
        const std::string_view rest = std::string_view(text.text).substr(response.rest);
        if (auto found =
                protocol::parseImapNumbers(rest.substr(0, rest.find('(')), kMostFound)) // "(MODSEQ 7)"
            numbers = std::move(*found);
    } else if (is("ESEARCH")) {
        if (auto found = protocol::parseImapEsearch(text, response, kMostFound))
            numbers = std::move(found->all);
    } else if (is("LIST"))
        folder(text, response);
    else if (is("NAMESPACE"))
        names.prefix = protocol::ownPrefixOf(text, response);
}

void UserSession::condition(const protocol::ImapResponse& response)
{
    const auto number = protocol::numberOfCode(response);
    if (!number)
        return;
    const auto is = [&](const char* code) { return equalsIgnoringCase(response.code, code); };
    const auto small = static_cast<std::uint32_t>(std::min<std::uint64_t>(*number, 0xffffffff));
    if (is("UIDNEXT"))
        uidNext = small;
    else if (is("HIGHESTMODSEQ"))
        highestChange = *number;
    else if (is("UIDVALIDITY") && selected != kNoFolder) {
        if (selecting)
            validity(small);
        else // the commands under way name messages by UIDs that they were sent with
            unsure = unsure || small != validityOf(selected);
    }
}

/// RFC 9051, 2.3.1.1: where it changes, the UIDs that are known name nothing any more, or another message.
void UserSession::validity(std::uint32_t now)
{
    if (m_validities.size() <= selected)
        m_validities.resize(selected + std::size_t { 1 });
    const std::uint32_t before = std::exchange(m_validities[selected], now);
    if (before == 0 || before == now)
        return;
    if (selected == kInbox) {
        unread.clear();
        listed.clear();
        inboxNext = 0;
        inboxLookedThrough = false;
        inboxChanges = 0;
        againBelow = 0xffffffff; // until it is known what lies there
    }
    const auto same = std::find_if(renumbered.begin(), renumbered.end(),
        [&](const Renumbered& other) { return other.folder == selected; });
    (same == renumbered.end() ? renumbered.emplace_back() : *same) = { selected, now };
}

void UserSession::folder(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    const auto mailbox = protocol::parseImapList(text, response);
    if (!mailbox)
        return;
    constexpr std::size_t kMostFolders = 100'000; // more is no honest answer
    if (!protocol::isQuotable(mailbox->name))
        return;
    const auto marked = [&](const char* attribute) { return FolderNames::isMarked(*mailbox, attribute); };
    if (marked("\\Noselect") || marked("\\NonExistent") || folders.size() >= kMostFolders)
        return;
    names.listed(*mailbox);
    for (const std::uint16_t known : { kDeletedItems, kSentItems })
        if (mailbox->name == names.ownNameOf(known) // such as initialisation makes
            || marked(known == kSentItems ? "\\Sent" : "\\Trash"))
            folders.push_back(known);
    if (!mailbox->name.starts_with(names.prefix))
        return;
    const std::string_view name = std::string_view(mailbox->name).substr(names.prefix.size());
    unsigned own = 0;
    if (name.starts_with("Folder ") && name.size() <= 12) {
        for (const char c : name.substr(7))
            own = c >= '0' && c <= '9' ? own * 10 + static_cast<unsigned>(c - '0') : 0;
        if (own > 0 && folderName(static_cast<std::uint16_t>(kFirstOwnFolder + own - 1)) == name)
            folders.push_back(static_cast<std::uint16_t>(kFirstOwnFolder + own - 1));
    }
}

void UserSession::message(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    const auto fetch = protocol::parseImapFetch(text, response);
    bool surplus = !endWhole(fetch ? fetch->uid : std::nullopt);
    surplus = std::exchange(m_surplus, false) || surplus;
    const bool told = fetch && fetch->uid && fetch->size; // otherwise flags, as servers tell of them unasked
    const bool first = told && isNew(m_told, *fetch->uid);
    if (oracle && fetch && fetch->uid && (surplus || first != told))
        oracle->toldTwice(*fetch->uid);
    if (!first) {
        m_header.clear();
        return;
    }
    if (m_header.empty() && !fetch->bodies.empty())
        m_header = fetch->bodies.front().content.text; // a quoted string
    SeenMessage found;
    found.uid = *fetch->uid;
    found.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(*fetch->size, 0xffffffff));
    found.folder = selected;
    found.validity = validityOf(selected);
    found.attachment = fieldOf(m_header, "Content-Type").starts_with("multipart/mixed");
    constexpr std::string_view kTokenName = kTokenHeader.substr(0, kTokenHeader.size() - 2);
    const auto token = MessageToken::parse(fieldOf(m_header, kTokenName));
    found.id = token ? token->id : kUntold | found.uid;
    std::uint64_t identity =
        token ? token->id : 0; // what stays the same wherever it is moved, and from mix to mix
    constexpr std::string_view kInitialName = kInitialHeader.substr(0, kInitialHeader.size() - 2);
    if (const auto initial = MessageToken::parse(fieldOf(m_header, kInitialName)); initial && plan != nullptr)
        found.id = initialMessageId(
            *plan->workload.initial, plan->seed, users, initialPlaceOf(initial->id)); // as in a rehearsal
    if (const auto initial = MessageToken::parse(fieldOf(m_header, kInitialName)))
        identity = kUntold ^ initial->id;
    if (present != nullptr && fetch->flags && present->size() < kMostFound)
        present->push_back({ found.uid, token.has_value(), (*fetch->flags & protocol::kImapSeen) != 0,
            token.value_or(MessageToken()) });
    if (seen.size() < kMostFound) // more is no honest answer
        seen.push_back(found);
    if (oracle) {
        found.id = check != nullptr ? 0 : identity; // whole messages are not asked for their token on the way
        oracle->listed(found);
    }
    m_header.clear();
}

} // namespace loadstone::mail
