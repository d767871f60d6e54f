// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/initial_messages.h"

#include "base/random.h"
#include "mail/users/schedule.h"
#include "mail/users/user_decisions.h"

#include <array>
#include <chrono>

namespace loadstone::mail {

namespace {

/// Numbers that no user sends.
constexpr std::uint32_t kInitialNumbers = 0x80000000U;
constexpr unsigned kNumberBits = 20, kFolderBits = 14;
constexpr std::uint64_t kDefaultSize = 10240; // where a plan sends nothing that could be an example

} // namespace

std::uint32_t initialKey(std::uint64_t seed)
{
    return static_cast<std::uint32_t>(hashOf({ seed, 0x696e69746b6579 }));
}

std::uint64_t initialTokenId(const InitialPlace& place)
{
    return std::uint64_t { place.user } << (kFolderBits + kNumberBits)
        | std::uint64_t { place.folder } << kNumberBits | place.number;
}

InitialPlace initialPlaceOf(std::uint64_t tokenId)
{
    return { static_cast<std::uint32_t>(tokenId >> (kFolderBits + kNumberBits)),
        static_cast<std::uint16_t>(tokenId >> kNumberBits & ((1U << kFolderBits) - 1)),
        static_cast<std::uint32_t>(tokenId & ((1U << kNumberBits) - 1)) };
}

std::uint32_t initialCount(const plan::InitialMailbox& initial, std::uint16_t folder)
{
    switch (folder) {
    case kInbox:
        return initial.inbox;
    case kDeletedItems:
        return initial.deletedItems;
    case kSentItems:
        return 0;
    default:
        return folder < kFirstOwnFolder + initial.folders ? initial.messagesPerFolder : 0;
    }
}

std::uint64_t initialMessageId(
    const plan::InitialMailbox& initial, std::uint64_t seed, std::uint32_t users, const InitialPlace& place)
{
    std::uint32_t number = kInitialNumbers + place.number;
    if (place.folder != kInbox)
        number += initial.inbox;
    if (place.folder >= kFirstOwnFolder)
        number += initial.deletedItems
            + static_cast<std::uint32_t>(place.folder - kFirstOwnFolder) * initial.messagesPerFolder;
    const auto sender =
        static_cast<std::uint32_t>(Random(hashOf({ seed, 0x696e6974, place.user, number })).below(users));
    return std::uint64_t { sender } << 32U | number;
}

InitialMessages::InitialMessages(const plan::MailPlan& plan)
    : m_plan(plan)
    , m_users(static_cast<std::uint32_t>(plan.largestMix()))
    , m_size(kDefaultSize)
    , m_factory(hashOf({ plan.seed, 0x696e6974 }), initialKey(plan.seed), plan.target.domain, kInitialHeader)
{
    for (const plan::Step& step : plan.workload.steps)
        if (step.kind == plan::ActionKind::sendMessage) {
            m_size = step.size;
            break;
        }
}

void InitialMessages::make(const InitialPlace& place, Message& message) const
{
    using namespace std::chrono_literals;
    constexpr WallTime kLatest = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
    const std::uint64_t id = initialTokenId(place);
    Random random(hashOf({ m_plan.seed, 0x696e69746d6978, id }));
    MessageOrder order;
    order.id = id;
    order.size = static_cast<std::size_t>(m_size);
    if (m_plan.workload.profile) {
        const auto& kinds = m_plan.workload.profile->messages;
        order.kind = &kinds[drawMessageKind(kinds, random)];
    }
    const auto address = [&](std::uint32_t mailbox) {
        return plan::mailboxName(m_plan.target, mailbox) + "@" + m_plan.target.domain;
    };
    const auto sender = static_cast<std::uint32_t>(
        initialMessageId(*m_plan.workload.initial, m_plan.seed, m_users, place) >> 32U);
    const std::string from = address(sender);
    const std::array<std::string, 1> to { address(place.user) };
    order.sender = from;
    order.recipients = to;
    order.date = kLatest - std::chrono::minutes(random.below(365U * 24 * 60));
    m_factory.make(order, message);
}

} // namespace loadstone::mail
