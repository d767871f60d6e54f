// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/seen_message.h"
#include "plan/model/action_kind.h"

#include <loadstone/time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace loadstone::mail {

/// A message that the server took for some recipients only: what another attempt has to send. The others would get it twice.
struct UnsentMessage {
    std::uint32_t number = 0; ///< of the sender's messages
    std::vector<std::uint32_t> mailboxes; ///< its recipients that are still to be taken
};

/// What an action that failed leaves to its next attempt.
struct Retry {
    unsigned attempts = 0; ///< so far
    std::optional<UnsentMessage> unsent;
    /// What the attempts at filling a mailbox have put there.
    std::uint64_t messagesPut = 0, entriesPut = 0;
    Nanoseconds paused {}; ///< the pauses that they made: no part of the action's times
};

/// A step of a script; a visit of the drain; the filling or cleaning of a mailbox.
struct ScriptAction {
    std::unique_ptr<Retry> retry = nullptr; ///< null: nothing is left from an attempt before
    std::uint16_t step = 0; ///< index into the workload's steps, where it has any
    bool drains = false; ///< a visit after the load, by which it is judged what is lost
    std::uint32_t draw = 0; ///< what the pauses within it are drawn from

    /// What the next attempt finds, if there is one.
    Retry& left()
    {
        if (!retry)
            retry = std::make_unique<Retry>();
        return *retry;
    }
};

/// What a user's clock brings, and the logon before it.
struct TimedAction {
    std::uint32_t number = 0; ///< how many actions of this kind the user's clock had brought before
    std::uint16_t folder = 0; ///< of browseFolder: which one
    double pick = 0; ///< of browseFolder: which message of it is read then, 0 to 1
};

/// What a user does with a message that was found: reads, answers, moves it, …
struct FollowingAction {
    SeenMessage message;
    std::uint32_t reading = 0; ///< 0: found by a look into the Inbox; else the number of the browsing, from 1
    std::uint16_t folder = 0; ///< of moveMessage and copyMessage: where to
};

/// One thing for a simulated user to do, and when. Whoever carries it out hands it back to the schedule that it comes from.
struct Appointment {
    std::uint32_t actor = 0; ///< who does it, a number of the schedule's own
    std::uint32_t mailbox = 0; ///< for whom
    std::uint32_t place = 0; ///< the agenda's own: among what it has under way
    plan::ActionKind kind = plan::ActionKind::emptyMailbox;
    MonoTime intended {}; ///< when the user means to do it: response time counts from here
    MonoTime
        ready {}; ///< when it could begin, the actor being free: the generator's lateness counts from here
    std::variant<ScriptAction, TimedAction, FollowingAction> of {};

    /// Null for an action of a user's day.
    [[nodiscard]] ScriptAction* script() { return std::get_if<ScriptAction>(&of); }
    [[nodiscard]] const ScriptAction* script() const { return std::get_if<ScriptAction>(&of); }
    [[nodiscard]] const TimedAction* timed() const { return std::get_if<TimedAction>(&of); }
    [[nodiscard]] const FollowingAction* following() const { return std::get_if<FollowingAction>(&of); }

    // Of each sort of action what it has, and 0, false or nothing of the others:
    [[nodiscard]] std::uint16_t step() const
    {
        return script() != nullptr ? script()->step : std::uint16_t { 0 };
    }
    [[nodiscard]] bool drains() const { return script() != nullptr && script()->drains; }
    /// How many attempts there were before this one.
    [[nodiscard]] unsigned attempt() const
    {
        return script() != nullptr && script()->retry ? script()->retry->attempts : 0;
    }
    /// What those attempts spent in pauses of the plan's own.
    [[nodiscard]] Nanoseconds paused() const
    {
        return script() != nullptr && script()->retry ? script()->retry->paused : Nanoseconds(0);
    }
    [[nodiscard]] std::uint32_t number() const { return timed() != nullptr ? timed()->number : 0; }
    [[nodiscard]] double pick() const { return timed() != nullptr ? timed()->pick : 0; }
    [[nodiscard]] std::uint32_t reading() const { return following() != nullptr ? following()->reading : 0; }
    [[nodiscard]] std::uint16_t folder() const
    {
        return following() != nullptr ? following()->folder : timed() != nullptr ? timed()->folder : 0;
    }
    [[nodiscard]] const SeenMessage& message() const
    {
        static constexpr SeenMessage kNone {};
        return following() != nullptr ? following()->message : kNone;
    }
};
static_assert(sizeof(Appointment) <= 72, "thousands are under way at once");

} // namespace loadstone::mail
