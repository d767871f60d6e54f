// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/service_time.h"
#include "mail/users/schedule.h"
#include "plan/model/plan.h"

#include <queue>

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace loadstone::mail {

/// A mail server of the mind, for rehearsals: mailboxes, the time that actions take, and a queue in front of the delivery.
/// Every drawn time is a function of the seed, the user and the action, so that the order of calls at one instant does not
/// matter. One thread.
class ModelServer {
public:
    /// `users`: how many mailboxes, filled with messages of `initialSize` bytes. `keepRecipients`: everyone() is going to be
    /// asked.
    ModelServer(const plan::ModelledServer& model, const plan::InitialMailbox& initial,
        std::uint32_t initialSize, std::uint64_t seed, std::uint32_t users, bool keepRecipients);

    /// When an action that arrives now is done: calls come in the order of time.
    MonoTime serve(const Appointment& action, MonoTime now);

    /// Takes a message in (its id, size and attachment count).
    void submit(const SeenMessage& message, std::span<const std::uint32_t> recipients, MonoTime now);
    /// The messages that have come into the Inbox since the last call. Valid until the next call of anything.
    std::span<const SeenMessage> newMail(std::uint32_t user, MonoTime now);
    /// All messages that the Inbox shows. Valid until the next call of this.
    std::span<const SeenMessage> inbox(std::uint32_t user, MonoTime now);
    /// Of a folder, the message at `pick` (0 to 1) of its length; nothing where it is empty.
    std::span<const SeenMessage> browse(std::uint32_t user, std::uint16_t folder, double pick);
    /// Move, copy or delete (which moves to Deleted Items).
    void dispose(std::uint32_t user, const Appointment& action);
    /// Deletes what newMail() has told of.
    void emptySeen(std::uint32_t user);
    void emptyFolder(std::uint32_t user, Folder which) { folder(user, which).messages.clear(); }
    /// Whom a message of this run went to.
    [[nodiscard]] std::span<const std::uint32_t> everyone(std::uint64_t id) const;

    /// Copies accepted and not yet in their mailboxes. As with all calls, `now` never goes back.
    [[nodiscard]] std::size_t deliveryQueue(MonoTime now);
    /// Copies in their mailboxes, of all that were ever accepted.
    [[nodiscard]] std::uint64_t delivered(MonoTime now) { return m_copies - deliveryQueue(now); }

private:
    struct Stored {
        SeenMessage message;
        MonoTime visible;
    };
    struct MailFolder {
        std::vector<Stored> messages; // by UID
        std::uint32_t nextUid = 1;
    };
    MailFolder& folder(std::uint32_t user, std::uint16_t number)
    {
        return m_folders[std::size_t { user } * m_foldersEach + number];
    }
    void put(std::uint32_t user, std::uint16_t folder, SeenMessage message, MonoTime visible);

    ServiceTime m_serviceTime;
    Nanoseconds m_deliveryDelay, m_deliveryTime; // of one copy, with a limited rate
    std::uint64_t m_seed;
    std::uint16_t m_foldersEach;
    std::vector<MailFolder> m_folders; // by user and number
    std::vector<std::uint32_t> m_seenUpTo; // by user: the UID that the Inbox was last looked through to
    std::vector<std::uint32_t> m_served; // by user: actions so far
    std::priority_queue<MonoTime, std::vector<MonoTime>, std::greater<>>
        m_freeAt; // servers at work, with a capacity
    MonoTime m_lastDelivery {};
    std::deque<MonoTime> m_deliveries; // due, in order
    std::uint64_t m_copies = 0;
    bool m_keepRecipients;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_recipients;
    std::vector<SeenMessage> m_found, m_all;
};

} // namespace loadstone::mail
