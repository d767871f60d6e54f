// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/mailbox_filling.h"

#include "mail/action/user_session.h"
#include "mail/users/initial_messages.h"
#include "protocol/common/server_line.h"

#include <algorithm>
#include <deque>

namespace loadstone::mail {

using protocol::ImapVerb;

namespace {

// Of one APPEND with MULTIAPPEND (RFC 3502); bounds what a server holds for it, and what a session has in memory.
constexpr std::size_t kMostTogether = 50;
constexpr std::size_t kMostBytesTogether = 512U * 1024;

} // namespace

MailboxFilling::MailboxFilling(ActionShell& shell)
    : m_shell(shell)
    , m_action(shell.action())
    , m_session(shell)
    , m_errand(shell, m_session)
{
}

Task<void> MailboxFilling::carryOut()
{
    bool good = co_await m_errand.begin();
    if (good)
        good = co_await fillFolders();
    co_await m_errand.end(good);
}

Task<bool> MailboxFilling::fillFolders()
{
    bool good = co_await m_session.list();
    const plan::Workload& workload = m_shell.setup().plan.workload;
    const auto end = static_cast<std::uint16_t>(kFirstOwnFolder + workload.initial->folders);
    for (std::uint16_t folder = kInbox; good && folder < end; ++folder) {
        const bool needed = initialCount(*workload.initial, folder) > 0 || folder >= kFirstOwnFolder
            || (workload.pacing == plan::Pacing::users && folder != kInbox);
        if (needed)
            good = co_await fillFolder(folder);
    }
    co_return good;
}

Task<bool> MailboxFilling::fillFolder(std::uint16_t folder)
{
    Made made = Made::before;
    const std::string name = m_session.names().nameOf(folder);
    const bool listed = folder == kInbox
        || std::any_of(m_session.folders().begin(), m_session.folders().end(),
            [&](const ListedFolder& one) { return one.name == name && one.selectable; });
    if (!listed)
        made = co_await make(folder);
    if (made == Made::failed)
        co_return false;
    const std::uint32_t wanted = initialCount(*m_shell.setup().plan.workload.initial, folder);
    if (wanted == 0 && (listed || made == Made::now))
        co_return true;
    std::vector<bool> there(wanted);
    bool good = true;
    if (made == Made::before)
        good = co_await lookFor(folder, there);
    const auto found = static_cast<std::uint64_t>(std::count(there.begin(), there.end(), true));
    m_errand.found += found;
    if (!good || found == wanted)
        co_return good;
    good = co_await append(folder, there);
    // Another session, of a run that was killed, may have had an APPEND under way while this one looked.
    if (good && made == Made::before)
        good = co_await lookFor(folder, there);
    co_return good;
}

Task<MailboxFilling::Made> MailboxFilling::make(std::uint16_t folder)
{
    const std::string text = "CREATE " + protocol::imapQuoted(m_session.names().nameOf(folder));
    m_session.client().command(ImapVerb::create, text);
    const bool good = co_await m_session.exchange(true);
    if (good) {
        m_errand.count(Quantity::foldersMade);
        co_return Made::now;
    }
    // Somebody was faster, or it may not be made: selecting it will tell.
    co_return m_session.client().closed() ? Made::failed : Made::before;
}

Task<bool> MailboxFilling::lookFor(std::uint16_t folder, std::vector<bool>& there)
{
    const std::string name = m_session.names().nameOf(folder);
    bool good = co_await m_session.look(name);
    if (!good)
        co_return false;
    const std::uint32_t key = initialKey(m_shell.setup().plan.seed);
    std::fill(there.begin(), there.end(), false);
    std::vector<std::uint32_t> doubles;
    bool foreignDeleted = false;
    for (const FoundMessage& message : m_session.messages()) {
        const InitialPlace place = initialPlaceOf(message.token.id);
        const bool meant = message.kind == FoundMessage::Kind::initial && message.token.run == key
            && place.user == m_action.mailbox && place.folder == folder && place.number < there.size();
        if (meant && there[place.number])
            doubles.push_back(message.uid);
        else if (meant)
            there[place.number] = true;
        foreignDeleted = foreignDeleted || message.deleted;
    }
    if (doubles.empty())
        co_return true;
    const std::size_t extra = doubles.size();
    good = co_await m_session.remove(doubles, foreignDeleted);
    m_errand.count(Quantity::doublesRemoved, good ? extra : 0);
    co_return good;
}

Task<bool> MailboxFilling::append(std::uint16_t folder, const std::vector<bool>& there)
{
    const bool together = m_session.client().can("MULTIAPPEND") && m_session.client().can("LITERAL+");
    const std::string name = m_session.names().nameOf(folder);
    std::vector<Message> batch; // for its memory, and because the pieces point into it
    bool good = true;
    for (std::uint32_t number = 0; good && number < there.size();) {
        std::vector<std::string_view> pieces;
        std::deque<std::string> between; // whose elements stay where they are
        std::size_t taken = 0, bytes = 0, first = 0;
        batch.resize(together ? kMostTogether : 1);
        for (; number < there.size() && taken < batch.size() && bytes < kMostBytesTogether; ++number) {
            if (there[number])
                continue;
            Message& message = batch[taken];
            m_shell.setup().initial->make({ m_action.mailbox, folder, number }, message);
            // RFC 3502: the next message's flags and literal follow where the command would end.
            if (taken > 0)
                pieces.push_back(
                    between.emplace_back(" (\\Seen) {" + std::to_string(message.size) + "+}\r\n"));
            else
                first = message.size;
            pieces.insert(pieces.end(), message.pieces.begin(), message.pieces.end());
            bytes += message.size;
            ++taken;
        }
        if (taken == 0)
            break;
        m_session.client().append(name, "\\Seen", pieces, first);
        good = co_await m_session.exchange();
        if (good) {
            m_errand.appended += taken;
            m_errand.count(Quantity::messagesAppended, taken);
        }
    }
    co_return good;
}

} // namespace loadstone::mail
