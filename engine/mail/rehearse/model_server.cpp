// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/rehearse/model_server.h"

#include "base/random.h"
#include "mail/users/initial_messages.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

ModelServer::ModelServer(const plan::ModelledServer& model, const plan::InitialMailbox& initial,
    std::uint32_t initialSize, std::uint64_t seed, std::uint32_t users, bool keepRecipients)
    : m_serviceTime(ServiceTime::parse(model.serviceTime).value()) // the plan's check has read it
    , m_deliveryDelay(model.deliveryDelay)
    , m_deliveryTime(
          model.deliveriesPerSecond > 0 ? std::llround(1e9 / model.deliveriesPerSecond) : std::int64_t { 0 })
    , m_seed(seed)
    , m_foldersEach(static_cast<std::uint16_t>(kFirstOwnFolder + initial.folders))
    , m_folders(std::size_t { users } * m_foldersEach)
    , m_seenUpTo(users)
    , m_served(users)
    , m_keepRecipients(keepRecipients)
{
    for (unsigned i = 0; i < model.capacity; ++i)
        m_freeAt.push(MonoTime::min());
    for (std::uint32_t user = 0; user < users; ++user) {
        const auto fill = [&](std::uint16_t folderNumber, unsigned count) {
            folder(user, folderNumber).messages.reserve(count);
            for (unsigned i = 0; i < count; ++i) {
                const std::uint64_t id = initialMessageId(initial, seed, users, { user, folderNumber, i });
                put(user, folderNumber, { id, 0, initialSize, folderNumber, false }, MonoTime::min());
            }
        };
        fill(kInbox, initial.inbox);
        m_seenUpTo[user] = initial.inbox; // what lies there has been read
        fill(kDeletedItems, initial.deletedItems);
        for (std::uint16_t own = kFirstOwnFolder; own < m_foldersEach; ++own)
            fill(own, initial.messagesPerFolder);
    }
}

void ModelServer::put(std::uint32_t user, std::uint16_t number, SeenMessage message, MonoTime visible)
{
    MailFolder& to = folder(user, number);
    message.folder = number;
    message.uid = to.nextUid++;
    to.messages.push_back({ message, visible });
}

MonoTime ModelServer::serve(const Appointment& action, MonoTime now)
{
    Random random(hashOf({ m_seed, 0x7365727665, action.mailbox, m_served[action.mailbox]++ }));
    const Nanoseconds time = m_serviceTime.draw(random);
    if (m_freeAt.empty())
        return now + time;
    const MonoTime done = std::max(now, m_freeAt.top()) + time;
    m_freeAt.pop();
    m_freeAt.push(done);
    return done;
}

void ModelServer::submit(const SeenMessage& message, std::span<const std::uint32_t> recipients, MonoTime now)
{
    for (const std::uint32_t recipient : recipients) {
        m_lastDelivery = std::max(now + m_deliveryDelay, m_lastDelivery) + m_deliveryTime;
        if (m_lastDelivery > now)
            m_deliveries.push_back(m_lastDelivery);
        put(recipient, kInbox, message, m_lastDelivery);
    }
    m_copies += recipients.size();
    if (m_keepRecipients)
        m_recipients.emplace(message.id, std::vector<std::uint32_t>(recipients.begin(), recipients.end()));
}

std::span<const SeenMessage> ModelServer::newMail(std::uint32_t user, MonoTime now)
{
    m_found.clear();
    const std::vector<Stored>& inbox = folder(user, kInbox).messages;
    auto message = std::partition_point(inbox.begin(), inbox.end(),
        [&](const Stored& stored) { return stored.message.uid <= m_seenUpTo[user]; });
    for (; message != inbox.end() && message->visible <= now; ++message)
        m_found.push_back(message->message);
    if (!m_found.empty())
        m_seenUpTo[user] = m_found.back().uid;
    return m_found;
}

std::span<const SeenMessage> ModelServer::inbox(std::uint32_t user, MonoTime now)
{
    m_all.clear();
    for (const Stored& stored : folder(user, kInbox).messages)
        if (stored.visible <= now)
            m_all.push_back(stored.message);
    return m_all;
}

std::span<const SeenMessage> ModelServer::browse(std::uint32_t user, std::uint16_t number, double pick)
{
    const std::vector<Stored>& messages = folder(user, number).messages;
    m_found.clear();
    if (!messages.empty())
        m_found.push_back(
            messages[static_cast<std::size_t>(pick * static_cast<double>(messages.size()))].message);
    return m_found;
}

void ModelServer::dispose(std::uint32_t user, const Appointment& action)
{
    const SeenMessage& what = action.message();
    std::vector<Stored>& from = folder(user, what.folder).messages;
    const auto stored = std::partition_point(
        from.begin(), from.end(), [&](const Stored& other) { return other.message.uid < what.uid; });
    if (stored == from.end() || stored->message.uid != what.uid)
        return;
    const SeenMessage message = stored->message;
    if (action.kind != plan::ActionKind::copyMessage)
        from.erase(stored);
    put(user,
        action.kind == plan::ActionKind::deleteMessage ? std::uint16_t { kDeletedItems } : action.folder(),
        message, MonoTime::min());
}

void ModelServer::emptySeen(std::uint32_t user)
{
    std::erase_if(folder(user, kInbox).messages,
        [&](const Stored& stored) { return stored.message.uid <= m_seenUpTo[user]; });
}

std::span<const std::uint32_t> ModelServer::everyone(std::uint64_t id) const
{
    const auto known = m_recipients.find(id);
    return known == m_recipients.end() ? std::span<const std::uint32_t>() : known->second;
}

std::size_t ModelServer::deliveryQueue(MonoTime now)
{
    while (!m_deliveries.empty() && m_deliveries.front() <= now)
        m_deliveries.pop_front();
    return m_deliveries.size();
}

} // namespace loadstone::mail
