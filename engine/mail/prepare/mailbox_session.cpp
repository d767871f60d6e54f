// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/mailbox_session.h"

#include "mail/action/converse.h"
#include "mail/action/user_session.h"
#include "mail/message/number_set.h"
#include "protocol/common/server_line.h"
#include "protocol/imap/imap_extensions.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>

namespace loadstone::mail {

using protocol::equalsIgnoringCase;
using protocol::FailureKind;
using protocol::ImapVerb;

namespace {

constexpr std::size_t kMostHeader = 4096; // of the fields that are asked for
constexpr std::size_t kMostMessages = 1'000'000; // of a folder
constexpr std::size_t kMostFolders = 100'000;
constexpr std::size_t kRemovedAtOnce = 1000; // messages of one command
constexpr const char* kMarks =
    "UID FETCH 1:* (UID FLAGS BODY.PEEK[HEADER.FIELDS (X-Loadstone-Initial X-Loadstone-Token)])";

std::string_view nameIn(std::string_view header)
{
    return header.substr(0, header.size() - 2);
}

bool isNameable(const std::string& name)
{
    return !name.empty() && protocol::isQuotable(name);
}

} // namespace

MailboxSession::MailboxSession(ActionShell& shell)
    : m_shell(shell)
    , m_action(shell.action())
    , m_login(shell.loginAt(shell.setup().plan.target.imap))
{
}

Task<bool> MailboxSession::logOn()
{
    WorkerContext& context = m_shell.context();
    m_link.emplace(m_shell.setup(), context.io.get_executor(), context.connections, m_login);
    client().listen(this);
    bool good = co_await m_link->open(m_shell);
    if (good && client().can("NAMESPACE")) {
        const std::string text = "NAMESPACE";
        co_await command(ImapVerb::nameSpace, text, true);
        good = !m_shell.outcome().failure; // a server that does not tell has none
    }
    co_return good;
}

Task<void> MailboxSession::logOut()
{
    if (client().closed())
        co_return;
    client().logout();
    co_await exchange();
}

Task<bool> MailboxSession::exchange(bool mayRefuse)
{
    if (!mayRefuse) {
        const bool good = co_await m_link->exchange(m_shell);
        co_return good;
    }
    const TlsSettings noTls; // it was there from the logon on
    co_await m_shell.converse(m_link->connection, client(), noTls, m_link->commands, m_link->port);
    const protocol::Failure why = client().failure();
    if (!why)
        co_return true;
    client().forgetFailure();
    if (client().closed())
        m_shell.report(why, toString(static_cast<ImapVerb>(why.verb)), &client().transcript());
    co_return false;
}

Task<bool> MailboxSession::command(ImapVerb verb, const std::string& text, bool mayRefuse)
{
    m_told = kUnknownMessages;
    client().command(verb, text);
    const bool good = co_await exchange(mayRefuse);
    co_return good;
}

Task<bool> MailboxSession::list()
{
    m_folders.clear();
    m_names.clear();
    const std::string text = listAllFolders(client().can("SPECIAL-USE") && client().can("LIST-EXTENDED"));
    const bool good = co_await command(ImapVerb::list, text);
    if (good && m_tooMany)
        failed("more folders than Loadstone reads");
    co_return good && !m_tooMany;
}

Task<bool> MailboxSession::look(const std::string& folder, bool mayRefuse)
{
    m_messages.clear();
    m_exists = 0;
    const std::string select = "SELECT " + protocol::imapQuoted(folder);
    bool good = co_await command(ImapVerb::select, select, mayRefuse);
    if (good && m_exists > 0) { // some servers take "1:*" of nothing for an error
        const std::string fetch = kMarks;
        good = co_await command(ImapVerb::fetch, fetch);
    }
    if (good && m_tooMany)
        failed("more messages in a folder than Loadstone reads");
    std::sort(m_messages.begin(), m_messages.end(),
        [](const FoundMessage& a, const FoundMessage& b) { return a.uid < b.uid; });
    const auto twice = std::unique(m_messages.begin(), m_messages.end(),
        [](const FoundMessage& a, const FoundMessage& b) { return a.uid == b.uid; });
    m_messages.erase(twice, m_messages.end());
    if (good && !m_tooMany && m_messages.size() < m_exists) { // what is not told of may be somebody else's
        failed("the server did not report all messages of the folder");
        co_return false;
    }
    co_return good && !m_tooMany;
}

Task<bool> MailboxSession::remove(std::vector<std::uint32_t>& uids, bool foreignDeleted)
{
    const bool exact = client().can("UIDPLUS");
    if (!exact && foreignDeleted) {
        failed("EXPUNGE would remove messages that are not Loadstone's and are marked as deleted, and the "
               "server has no "
               "UIDPLUS");
        co_return false;
    }
    std::sort(uids.begin(), uids.end());
    bool good = true;
    const std::vector<std::string> sets = numberSets(uids, kRemovedAtOnce);
    for (const std::string& set : sets) {
        const std::string mark = "UID STORE " + set + " +FLAGS.SILENT (\\Deleted)";
        good = co_await command(ImapVerb::store, mark);
        if (!good)
            break;
        const std::string expunge = exact ? "UID EXPUNGE " + set : std::string("EXPUNGE");
        good = co_await command(ImapVerb::expunge, expunge);
    }
    co_return good;
}

void MailboxSession::failed(const std::string& text)
{
    protocol::Failure failure;
    failure.kind = FailureKind::protocol;
    failure.text = text;
    m_shell.report(failure, toString(m_action.kind), &client().transcript());
}

void MailboxSession::data(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    using Kind = protocol::ImapResponse::Kind;
    if (response.kind != Kind::data)
        return;
    if (response.numbered && equalsIgnoringCase(response.name, "EXISTS"))
        m_exists = response.number;
    else if (response.numbered && equalsIgnoringCase(response.name, "EXPUNGE"))
        m_exists -= m_exists > 0 ? 1 : 0;
    else if (response.numbered && equalsIgnoringCase(response.name, "FETCH"))
        message(text, response);
    else if (equalsIgnoringCase(response.name, "STATUS")) { // "name" (MESSAGES 5)
        const std::string_view rest = std::string_view(text.text).substr(response.rest);
        const std::size_t at = rest.rfind("MESSAGES ");
        std::uint64_t number = 0;
        if (at == std::string_view::npos)
            return;
        const char* const digits = rest.data() + at + std::strlen("MESSAGES ");
        const auto read = std::from_chars(digits, rest.data() + rest.size(), number);
        m_told = read.ec == std::errc() ? number : kUnknownMessages;
    } else if (equalsIgnoringCase(response.name, "NAMESPACE")) {
        m_names.prefix = protocol::ownPrefixOf(text, response);
        if (!isNameable(m_names.prefix))
            m_names.prefix.clear();
    } else if (equalsIgnoringCase(response.name, "LIST")) {
        auto mailbox = protocol::parseImapList(text, response);
        if (!mailbox || m_folders.size() >= kMostFolders) {
            m_tooMany = m_tooMany || mailbox.has_value();
            return;
        }
        constexpr std::size_t kLongestName = 1000;
        const bool selectable = !FolderNames::isMarked(*mailbox, "\\Noselect")
            && !FolderNames::isMarked(*mailbox, "\\NonExistent");
        if (selectable && isNameable(mailbox->name) && mailbox->name.size() <= kLongestName)
            m_names.listed(*mailbox);
        ListedFolder folder { std::move(mailbox->name), std::move(mailbox->delimiter), selectable };
        if (folder.name.size() > kLongestName)
            m_tooMany = true; // a hundred thousand of these would be no list any more
        else if (isNameable(folder.name))
            m_folders.push_back(std::move(folder));
    }
}

void MailboxSession::body(std::string_view, std::string_view piece, bool, bool)
{
    m_header.append(piece.substr(0, kMostHeader - std::min(kMostHeader, m_header.size())));
}

void MailboxSession::message(const protocol::ImapText& text, const protocol::ImapResponse& response)
{
    const auto fetch = protocol::parseImapFetch(text, response);
    const std::string header = std::exchange(m_header, {});
    if (!fetch || !fetch->uid || fetch->bodies.empty()) // flags, as servers tell of them unasked
        return;
    if (m_messages.size() >= kMostMessages) {
        m_tooMany = true;
        return;
    }
    const std::string_view fields =
        header.empty() ? std::string_view(fetch->bodies.front().content.text) : std::string_view(header);
    FoundMessage found;
    found.uid = *fetch->uid;
    found.deleted = (fetch->flags.value_or(0) & protocol::kImapDeleted) != 0;
    if (const auto initial = MessageToken::parse(fieldOf(fields, nameIn(kInitialHeader)))) {
        found.kind = FoundMessage::Kind::initial;
        found.token = *initial;
    } else if (const auto sent = MessageToken::parse(fieldOf(fields, nameIn(kTokenHeader)))) {
        found.kind = FoundMessage::Kind::run;
        found.token = *sent;
    }
    m_messages.push_back(found);
}

void MailboxSession::ended(const protocol::ImapEnd& end, MonoTime)
{
    constexpr std::size_t kMostWords = 200;
    const bool good = end.condition == protocol::ImapCondition::ok;
    m_ends.push_back({ end.tag, good, good ? std::string() : std::string(end.text.substr(0, kMostWords)) });
}

std::vector<MailboxSession::End> MailboxSession::takeEnds()
{
    std::sort(m_ends.begin(), m_ends.end(), [](const End& a, const End& b) { return a.tag < b.tag; });
    return std::exchange(m_ends, {});
}

} // namespace loadstone::mail
