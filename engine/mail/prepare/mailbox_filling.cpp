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

Task<bool> MailboxFilling::workOnFolders()
{
    bool good = co_await list();
    const plan::Workload& workload = m_setup.plan.workload;
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
    const std::string name = names().nameOf(folder);
    const bool listed = folder == kInbox
        || std::any_of(folders().begin(), folders().end(),
            [&](const ListedFolder& one) { return one.name == name && one.selectable; });
    if (!listed)
        made = co_await make(folder);
    if (made == Made::failed)
        co_return false;
    const std::uint32_t wanted = initialCount(*m_setup.plan.workload.initial, folder);
    if (wanted == 0 && (listed || made == Made::now))
        co_return true;
    std::vector<bool> there(wanted);
    bool good = true;
    if (made == Made::before)
        good = co_await lookFor(folder, there);
    const auto found = static_cast<std::uint64_t>(std::count(there.begin(), there.end(), true));
    m_found += found;
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
    const std::string text = "CREATE " + protocol::imapQuoted(names().nameOf(folder));
    client().command(ImapVerb::create, text);
    const bool good = co_await exchange(true);
    if (good) {
        count(Quantity::foldersMade);
        co_return Made::now;
    }
    // Somebody was faster, or it may not be made: selecting it will tell.
    co_return client().closed() ? Made::failed : Made::before;
}

Task<bool> MailboxFilling::lookFor(std::uint16_t folder, std::vector<bool>& there)
{
    const std::string name = names().nameOf(folder);
    bool good = co_await look(name);
    if (!good)
        co_return false;
    const std::uint32_t key = initialKey(m_setup.plan.seed);
    std::fill(there.begin(), there.end(), false);
    std::vector<std::uint32_t> doubles;
    bool foreignDeleted = false;
    for (const FoundMessage& message : messages()) {
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
    good = co_await remove(doubles, foreignDeleted);
    count(Quantity::doublesRemoved, good ? extra : 0);
    co_return good;
}

Task<bool> MailboxFilling::append(std::uint16_t folder, const std::vector<bool>& there)
{
    const bool together = client().can("MULTIAPPEND") && client().can("LITERAL+");
    const std::string name = names().nameOf(folder);
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
            m_setup.initial->make({ m_action.mailbox, folder, number }, message);
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
        client().append(name, "\\Seen", pieces, first);
        good = co_await exchange();
        if (good) {
            m_appended += taken;
            count(Quantity::messagesAppended, taken);
        }
    }
    co_return good;
}

} // namespace loadstone::mail
