// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"

#include <loadstone/time.h>

#include <queue>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace loadstone::mail {

/// A message as a user's session meets it in a mailbox.
struct SeenMessage {
    std::uint64_t id =
        0; ///< as its token says: the sender's mailbox << 32 | number; 0: not one of this program's
    std::uint32_t uid = 0; ///< in its folder
    std::uint32_t size = 0; ///< bytes
    std::uint16_t folder = 0; ///< see Folder
    bool attachment = false;
    std::uint32_t validity = 0; ///< UIDVALIDITY under which it has this UID; 0: not told
};

/// A folder whose messages have other UIDs than before (RFC 9051, 2.3.1.1).
struct Renumbered {
    std::uint16_t folder = 0;
    std::uint32_t validity = 0; ///< UIDVALIDITY from now on
};

/// Folders of a user's mailbox by number: these, then the user's own from kFirstOwnFolder on.
enum Folder : std::uint16_t { kInbox = 0, kDeletedItems = 1, kSentItems = 2, kFirstOwnFolder = 3 };

/// One thing for a simulated user to do.
struct Action {
    std::uint32_t actor = 0; ///< who does it, a number of the schedule's own
    std::uint32_t mailbox = 0; ///< for whom
    plan::ActionKind kind = plan::ActionKind::emptyMailbox;
    bool drains = false; ///< a visit after the load, by which it is judged what is lost
    std::uint16_t step = 0; ///< index into the workload's steps, where it has any
    std::uint16_t attempt = 0; ///< 0, then counting retries
    std::uint16_t folder = 0; ///< of a user's day: browseFolder, moveMessage, copyMessage: which one
    MonoTime intended {}; ///< when the user means to do it: response time counts from here
    MonoTime
        ready {}; ///< when it could begin, the actor being free: the generator's lateness counts from here
    // Of a user's day:
    std::uint32_t number =
        0; ///< how many actions of this kind the user's clock had brought before; of what follows from
    ///< reading: 0 for a first read in the Inbox, else the number of the browsing that led to it, from 1
    std::uint32_t place = 0; ///< the worker's own: among what it has under way
    double pick = 0; ///< browseFolder: which message of it is read then, 0 to 1
    SeenMessage message {}; ///< what is read, answered, moved, …
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
    /// What an action that looks for messages has found, before it is completed(); in the order of the mailbox.
    virtual void found(const Action&, std::span<const SeenMessage>) { }
    /// A session has learned this within the action, before it is completed(): whatever was to follow on messages that were
    /// found under another UIDVALIDITY is not done.
    virtual void renumbered(const Action&, const Renumbered&) { }
    /// `settled`: there is nothing to try again.
    virtual void completed(const Action& action, bool settled, MonoTime now) = 0;

    /// Something that is due and that nobody has begun.
    using Tell = std::function<void(plan::ActionKind kind, MonoTime intended)>;
    /// What of it the actors have who do nothing at present: meant for `until` or before, where next() was not called in time, or not
    /// often enough, before `now`. Takes no longer than there are such.
    virtual void tellDue(MonoTime /*until*/, MonoTime /*now*/, const Tell& /*tell*/) const { }
    /// What of it an actor has who has an action under way.
    virtual void tellBehind(std::uint32_t /*actor*/, MonoTime /*until*/, const Tell& /*tell*/) const { }

protected:
    struct Due {
        MonoTime when;
        std::uint32_t actor;
        bool operator>(const Due& other) const
        {
            return when > other.when || (when == other.when && actor > other.actor);
        }
    };
    struct Queue : std::priority_queue<Due, std::vector<Due>, std::greater<>> {
        using std::priority_queue<Due, std::vector<Due>, std::greater<>>::priority_queue;
        /// `visit(Due)` for each that comes no later than `until`, in no order, without a look at the others.
        template <class F>
        void eachUntil(MonoTime until, F&& visit, std::size_t from = 0) const
        {
            if (from >= c.size() || c[from].when > until)
                return;
            visit(c[from]);
            eachUntil(until, visit, 2 * from + 1);
            eachUntil(until, visit, 2 * from + 2);
        }
    };
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
