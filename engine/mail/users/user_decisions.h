// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "mail/users/distribution_lists.h"
#include "mail/users/schedule.h"
#include "plan/model/profile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadstone::mail {

/// What a user does with a message after reading it.
struct Fate {
    bool loadAttachment = false; ///< if it has one
    std::optional<plan::ActionKind> answer; ///< reply, replyAll or forward
    std::optional<plan::ActionKind> disposal; ///< moveMessage, copyMessage or deleteMessage
};

/// A function of its arguments alone, so that the same message meets the same fate in every run of a seed, whenever and by
/// whichever worker it is read. `reading`: 0 for the first read in the Inbox, else the number of the browsing.
Fate decideFate(const plan::Reading& shares, std::uint64_t seed, std::uint32_t user, std::uint64_t message,
    std::uint32_t reading);

/// What a user writes.
struct Letter {
    std::size_t kind = 0; ///< index into the profile's messages
    std::vector<std::uint32_t> recipients; ///< mailboxes, distinct
};

/// An index into `kinds`, by their weights.
std::size_t drawMessageKind(const std::vector<plan::MessageKind>& kinds, Random& random);

/// The letter that `action` (sendMessage, reply, replyAll or forward) sends: for a new one a function of the seed, the user
/// and its number, for an answer of the seed, the user and the message that is answered. `users`: how many there are.
/// `everyone`: whom that message went to, where the profile answers all of them. `letter` is overwritten; reusing one
/// spares allocations.
void decideLetter(const plan::Profile& profile, const DistributionLists& lists, std::uint64_t seed,
    std::uint32_t users, const Appointment& action, std::span<const std::uint32_t> everyone, Letter& letter);

} // namespace loadstone::mail
