// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/appointment.h"
#include "plan/model/plan.h"

#include <loadstone/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace loadstone::mail {

struct Decision {
    enum class Kind : std::uint8_t { act, wait, idle } kind = Kind::idle;
    Appointment action; ///< for act
    MonoTime until {}; ///< for wait: nothing to do before
};

/// When which simulated user does what, and what is tried again. Without timers, threads or sockets: the caller asks next(now),
/// carries the appointment out, and calls completed(); the same object serves the real and a virtual clock. One thread.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// Each call hands out one appointment that is due, at most one per actor at a time. Where it is
    /// tried again, its attempt() is not 0.
    virtual Decision next(MonoTime now) = 0;
    /// What an action that looks for messages has found, before it is completed(); in the order of the mailbox.
    virtual void found(const Appointment&, std::span<const SeenMessage>) { }
    /// A session has learned this within the action, before it is completed(): whatever was to follow on messages that were
    /// found under another UIDVALIDITY is not done.
    virtual void renumbered(const Appointment&, const Renumbered&) { }
    /// `settled`: there is nothing to try again. True: it is not over, but kept for another attempt, and moved from.
    virtual bool completed(Appointment& appointment, bool settled, MonoTime now) = 0;

    /// Something that is due and that nobody has begun.
    using Tell = std::function<void(plan::ActionKind kind, MonoTime intended)>;
    /// What of it the actors have who do nothing at present: meant for `until` or before, where next() was not called in time, or not
    /// often enough, before `now`. Takes no longer than there are such.
    virtual void tellDue(MonoTime /*until*/, MonoTime /*now*/, const Tell& /*tell*/) const { }
    /// What of it an actor has who has an action under way.
    virtual void tellBehind(std::uint32_t /*actor*/, MonoTime /*until*/, const Tell& /*tell*/) const { }
};

/// Which part of the simulated users one worker has: every `workers`-th, from `worker` on.
struct Share {
    unsigned worker = 0, workers = 1;
};

/// `part` of `parts` equal pieces of a span; no product of the two is too large.
inline Nanoseconds pieceOf(Nanoseconds span, std::uint64_t part, std::uint64_t parts)
{
    __extension__ using Wide = __int128;
    return Nanoseconds(static_cast<std::int64_t>(static_cast<Wide>(span.count()) * part / parts));
}

/// Threads with think time, as ZDESTT has them: each thread goes through its mailboxes in turn, one iteration of all
/// steps for each, and rests for the think time after each iteration. Threads start spread over the think time (at
/// most over the ramp-up), in an order drawn from the seed.
std::unique_ptr<Schedule> makeClosedSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin);

/// Every mailbox carries out every step at the plan's rate, at times of its own, whatever the server's speed. An
/// action that is not finished when the next of its kind is due delays that one, whose response time then counts from
/// when it was meant to begin. Mailboxes set in evenly over the ramp-up.
std::unique_ptr<Schedule> makeOpenSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin);

/// Users who live the days of the workload's profile: actions at random intervals by the clock, and what follows from
/// reading. Each does one thing at a time; what comes meanwhile waits, and counts from when it was meant. What follows from
/// reading is meant a pause after the last of it, and lets go first what the clock has brought.
std::unique_ptr<Schedule> makeUserSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin);

/// The one that the workload's pacing asks for.
std::unique_ptr<Schedule> makeSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin);

/// How often a mailbox is filled or cleaned before it is given up.
inline constexpr unsigned kPreparationAttempts = 3;

/// Visits each of `mailboxes` once as fast as `concurrency` allows; what fails then again after all others, up to `attempts`
/// times in all. `step` and `kind`: what to hand out.
std::unique_ptr<Schedule> makeDrainSchedule(const std::vector<std::uint32_t>& mailboxes,
    std::uint32_t concurrency, std::uint16_t step, plan::ActionKind kind, unsigned attempts = 1);

} // namespace loadstone::mail
