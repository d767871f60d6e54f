// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/message_factory.h"
#include "plan/model/plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::mail {

/// Which initial message it is: the place in which it began.
struct InitialPlace {
    std::uint32_t user = 0; ///< the mailbox's index, below 2^27
    std::uint16_t folder = 0; ///< see Folder, below 2^14
    std::uint32_t number = 0; ///< in its folder, from 0, below 2^20
    bool operator==(const InitialPlace&) const = default;
};

/// Marks the initial messages of a seed.
std::uint32_t initialKey(std::uint64_t seed);
std::uint64_t initialTokenId(const InitialPlace& place);
InitialPlace initialPlaceOf(std::uint64_t tokenId);

/// How many messages a folder is to hold; 0 beyond the plan's folders.
std::uint32_t initialCount(const plan::InitialMailbox& initial, std::uint16_t folder);
/// What the message is to users, in runs and rehearsals: its sender's mailbox << 32 | a number that no user sends. `users`:
/// of the mix, among whom the sender is drawn.
std::uint64_t initialMessageId(
    const plan::InitialMailbox& initial, std::uint64_t seed, std::uint32_t users, const InitialPlace& place);

/// Makes what mailboxes hold before a run: the same message for the same plan and place, in every run. Immutable; any thread.
class InitialMessages {
public:
    explicit InitialMessages(const plan::MailPlan& plan);
    void make(const InitialPlace& place, Message& message) const;

private:
    const plan::MailPlan& m_plan;
    std::uint32_t m_users;
    std::uint64_t m_size = 0; // without a profile
    MessageFactory m_factory;
};

} // namespace loadstone::mail
