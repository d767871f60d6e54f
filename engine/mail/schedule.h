// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <loadstone/time.h>

#include <queue>

#include <cstdint>
#include <memory>
#include <vector>

namespace loadstone::mail {

/// One thing for a simulated user to do.
struct Action {
    std::uint32_t actor = 0; ///< who does it, a number of the schedule's own
    std::uint32_t mailbox = 0; ///< for whom
    std::uint16_t step = 0; ///< index into the workload's steps
    std::uint16_t attempt = 0; ///< 0, then counting retries
    MonoTime intended {}; ///< when the user means to do it: response time counts from here
    MonoTime
        ready {}; ///< when it could begin, the actor being free: the generator's lateness counts from here
};

struct Decision {
    enum class Kind : std::uint8_t { act, wait, idle } kind = Kind::idle;
    Action action; ///< for act
    MonoTime until {}; ///< for wait: nothing to do before
};

/// When which simulated user does what. Without timers, threads or sockets: the caller asks next(now), carries the
/// action out, and tells completed(); the same object serves the real and a virtual clock. One thread.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// Each call hands out one action that is due, at most one per actor at a time.
    virtual Decision next(MonoTime now) = 0;
    /// `settled`: there is nothing to try again.
    virtual void completed(const Action& action, bool settled, MonoTime now) = 0;

protected:
    struct Due {
        MonoTime when;
        std::uint32_t actor;
        bool operator>(const Due& other) const
        {
            return when > other.when || (when == other.when && actor > other.actor);
        }
    };
    using Queue = std::priority_queue<Due, std::vector<Due>, std::greater<>>;
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

/// Visits each of `mailboxes` once as fast as `concurrency` allows. `step` is the index to hand out.
std::unique_ptr<Schedule> makeDrainSchedule(
    std::vector<std::uint32_t> mailboxes, std::uint32_t concurrency, std::uint16_t step);

} // namespace loadstone::mail
