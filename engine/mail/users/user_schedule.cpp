// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/users/due_queue.h"
#include "mail/users/schedule.h"
#include "mail/users/user_clock.h"
#include "mail/users/user_decisions.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace loadstone::mail {

using plan::ActionKind;

namespace {

/// Within how much of a day users log on where the plan does not say.
constexpr int kLogonPart = 32;

class UserSchedule final : public Schedule {
public:
    UserSchedule(
        const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
        : m_profile(*workload.profile)
        , m_clock(m_profile, workload.day, seed)
        , m_seed(seed)
        , m_begin(begin)
        , m_pauseNs(static_cast<double>(m_profile.pause.count()) * static_cast<double>(workload.day.count())
              / static_cast<double>(m_profile.day.count()))
    {
        for (const ActionKind kind : plan::kAllActions)
            if (workload.plays(kind))
                m_timed.push_back({ kind, m_profile.perDayOf(kind) });
        m_slots = static_cast<std::uint32_t>(m_timed.size()) + 1;
        const auto users = static_cast<std::uint32_t>(mix.mailboxes());
        const Nanoseconds logonOver = workload.logonOver > Nanoseconds(0)
            ? workload.logonOver
            : std::min(mix.rampUp, workload.day / kLogonPart);
        std::vector<Due> dues;
        for (std::uint32_t number = share.worker; number < users; number += share.workers) {
            const auto actor = static_cast<std::uint32_t>(m_users.size());
            User& user = m_users.emplace_back();
            user.number = number;
            user.goesOn = user.freeSince = begin + pieceOf(logonOver, number, users);
            dues.push_back({ user.goesOn, actor * m_slots });
            for (std::uint32_t slot = 1; slot < m_slots; ++slot) {
                m_days.push_back(m_clock.gap(number, m_timed[slot - 1].kind, 0, m_timed[slot - 1].perDay));
                m_counts.push_back(0);
                dues.push_back({ instant(actor, slot), actor * m_slots + slot });
            }
        }
        m_queue = DueQueue({}, std::move(dues));
    }

    Decision next(MonoTime now) override
    {
        while (!m_queue.empty() && m_queue.top().when <= now) {
            const Due due = m_queue.top();
            m_queue.pop();
            const std::uint32_t actor = due.actor / m_slots;
            if (const std::uint32_t slot = due.actor % m_slots; slot != 0)
                bringIntent(actor, slot, due.when);
            wake(actor, now);
        }
        Decision decision;
        if (!m_ready.empty()) {
            const std::uint32_t actor = m_ready.front();
            m_ready.pop_front();
            decision.kind = Decision::Kind::act;
            decision.action = begin(actor);
        } else if (!m_queue.empty()) {
            decision.kind = Decision::Kind::wait;
            decision.until = m_queue.top().when;
        }
        return decision;
    }

    void found(const Appointment& look, std::span<const SeenMessage> messages) override
    {
        User& user = m_users[look.actor];
        const bool inbox = look.kind == ActionKind::checkInbox;
        // In front of what is left from before, and the first of them first: the list is taken from its end.
        for (auto message = messages.rbegin(); message != messages.rend(); ++message)
            user.following.push_back(
                { ActionKind::readMessage, { *message, inbox ? 0 : look.number() + 1 } });
    }

    void renumbered(const Appointment& appointment, const Renumbered& folder) override
    {
        std::erase_if(m_users[appointment.actor].following, [&](const Next& next) {
            const SeenMessage& message = next.what.message;
            return message.folder == folder.folder && message.validity != 0
                && message.validity != folder.validity;
        });
    }

    /// Users do not try again: what failed has failed.
    bool completed(Appointment& action, bool settled, MonoTime now) override
    {
        User& user = m_users[action.actor];
        user.busy = false;
        user.freeSince = now;
        if (action.kind == ActionKind::logon) {
            user.present = settled;
            // What prompted it is carried out in any case, and fails: so that no failure of the server makes the load less.
            user.logonTried = settled || !user.intents.empty() || !user.following.empty();
        } else if (action.kind == ActionKind::logoff)
            user.present = user.logonTried = false;
        else
            user.logonTried = user.present; // otherwise the next action prompts another attempt
        if (action.kind == ActionKind::readMessage && settled)
            afterReading(user, *action.following());
        if ((action.kind == ActionKind::moveMessage || action.kind == ActionKind::deleteMessage) && settled)
            forget(user, action.following()->message);
        if (!user.following.empty()) {
            const Nanoseconds pause = pauseBefore(user);
            user.goesOn = now + pause;
            if (pause > Nanoseconds(0))
                m_queue.push({ user.goesOn, action.actor * m_slots });
        }
        wake(action.actor, now);
        return false;
    }

    void tellDue(MonoTime until, MonoTime, const Tell& tell) const override
    {
        for (const std::uint32_t actor : m_ready)
            tellOf(m_users[actor], until, tell);
        m_queue.eachUntil(until, [&](const Due& due) {
            const std::uint32_t actor = due.actor / m_slots;
            const User& user = m_users[actor];
            if (const std::uint32_t slot = due.actor % m_slots; slot != 0)
                tellComing(actor, slot, until, tell);
            else if (!user.busy && !user.queued) // a ready one was told of
                tellOf(user, until, tell);
        });
    }

    void tellBehind(std::uint32_t actor, MonoTime until, const Tell& tell) const override
    {
        tellOf(m_users[actor], until, tell);
    }

private:
    struct Timed {
        ActionKind kind;
        double perDay;
    };
    struct Intent {
        MonoTime intended;
        ActionKind kind;
        TimedAction what;
    };
    struct Next {
        ActionKind kind;
        FollowingAction what;
    };
    struct User {
        std::uint32_t number = 0; // of the mailbox
        std::uint32_t pauses = 0; // so far
        bool busy = false, queued = false;
        bool begun = false; // the day: nobody acts before coming in
        bool present = false, logonTried = false;
        MonoTime goesOn {}; // with what follows from reading; at first: comes in
        MonoTime freeSince {};
        std::vector<Intent> intents; // that the clock has brought, the earliest first
        std::vector<Next> following; // from what was found; the next one last
    };

    [[nodiscard]] std::size_t timedIndex(std::uint32_t actor, std::uint32_t slot) const
    {
        return std::size_t { actor } * (m_slots - 1) + slot - 1;
    }
    [[nodiscard]] MonoTime instant(std::uint32_t actor, std::uint32_t slot) const
    {
        return m_begin + m_clock.at(m_days[timedIndex(actor, slot)]);
    }

    void bringIntent(std::uint32_t actor, std::uint32_t slot, MonoTime when)
    {
        User& user = m_users[actor];
        const Timed& timed = m_timed[slot - 1];
        const std::size_t index = timedIndex(actor, slot);
        TimedAction what { .number = m_counts[index]++ };
        if (timed.kind == ActionKind::browseFolder) {
            Random random(hashOf({ m_seed, 0x62726f777365, user.number, what.number }));
            what.folder =
                static_cast<std::uint16_t>(kFirstOwnFolder + random.below(m_profile.initial.folders));
            what.pick = random.uniform();
        }
        user.intents.push_back({ user.begun ? when : std::max(when, user.goesOn), timed.kind, what });
        m_days[index] += m_clock.gap(user.number, timed.kind, m_counts[index], timed.perDay);
        m_queue.push({ instant(actor, slot), actor * m_slots + slot });
    }

    /// What the clock has for the user by `until` and bringIntent() has not brought.
    void tellComing(std::uint32_t actor, std::uint32_t slot, MonoTime until, const Tell& tell) const
    {
        const User& user = m_users[actor];
        const Timed& timed = m_timed[slot - 1];
        const std::size_t index = timedIndex(actor, slot);
        double day = m_days[index];
        for (std::uint32_t number = m_counts[index];;) {
            const MonoTime when = m_begin + m_clock.at(day);
            const MonoTime intended = user.begun ? when : std::max(when, user.goesOn);
            if (intended > until)
                return;
            tell(timed.kind, intended);
            day += m_clock.gap(user.number, timed.kind, ++number, timed.perDay);
        }
    }

    /// What a user has to do that was brought; who is busy goes on with what follows a pause after that.
    static void tellOf(const User& user, MonoTime until, const Tell& tell)
    {
        if (!user.busy && !user.present && !user.logonTried)
            if (const MonoTime intended = user.intents.empty() ? user.goesOn : user.intents.front().intended;
                intended <= until)
                tell(ActionKind::logon, intended);
        for (const Intent& intent : user.intents)
            if (intent.intended <= until)
                tell(intent.kind, intent.intended);
        if (!user.busy && !user.following.empty() && user.goesOn <= until)
            tell(user.following.back().kind, user.goesOn);
    }

    void wake(std::uint32_t actor, MonoTime now)
    {
        User& user = m_users[actor];
        const bool goesOn = user.goesOn <= now;
        const bool works = user.begun ? !user.intents.empty() || (!user.following.empty() && goesOn) : goesOn;
        if (user.busy || user.queued || !works)
            return;
        user.queued = true;
        m_ready.push_back(actor);
    }

    /// What the user does now, having something to do.
    Appointment begin(std::uint32_t actor)
    {
        User& user = m_users[actor];
        user.queued = false;
        user.busy = user.begun = true;
        Appointment action;
        action.actor = actor;
        action.mailbox = user.number;
        if (!user.present && !user.logonTried) {
            action.kind = ActionKind::logon;
            action.intended = user.intents.empty() ? user.goesOn : user.intents.front().intended;
            action.of = TimedAction {};
        } else if (!user.intents.empty()) {
            const Intent& intent = user.intents.front();
            action.kind = intent.kind;
            action.intended = intent.intended;
            action.of = intent.what;
            user.intents.erase(user.intents.begin());
        } else {
            const Next& next = user.following.back();
            action.kind = next.kind;
            action.intended = user.goesOn;
            action.of = next.what;
            user.following.pop_back();
        }
        action.ready = std::max(action.intended, user.freeSince);
        return action;
    }

    /// It is no longer where it was: a user who came upon it twice does not go on with the second time.
    static void forget(User& user, const SeenMessage& gone)
    {
        std::erase_if(user.following, [&](const Next& next) {
            const bool needsIt = next.kind == ActionKind::readMessage
                || next.kind == ActionKind::loadAttachment || next.kind == ActionKind::moveMessage
                || next.kind == ActionKind::copyMessage || next.kind == ActionKind::deleteMessage;
            const SeenMessage& message = next.what.message;
            return needsIt && message.id == gone.id && message.uid == gone.uid
                && message.folder == gone.folder;
        });
    }

    void afterReading(User& user, const FollowingAction& read)
    {
        const SeenMessage& message = read.message;
        const Fate fate = decideFate(m_profile.reading, m_seed, user.number, message.id, read.reading);
        if (fate.disposal) {
            Random random(hashOf({ m_seed, 0x666f6c646572, user.number, message.id, read.reading }));
            const auto to =
                static_cast<std::uint16_t>(kFirstOwnFolder + random.below(m_profile.initial.folders));
            user.following.push_back({ *fate.disposal, { message, read.reading, to } });
        }
        if (fate.answer)
            user.following.push_back({ *fate.answer, { message, read.reading } });
        if (fate.loadAttachment && message.attachment)
            user.following.push_back({ ActionKind::loadAttachment, { message, read.reading } });
    }

    Nanoseconds pauseBefore(User& user)
    {
        if (m_pauseNs <= 0)
            return Nanoseconds(0);
        Random random(hashOf({ m_seed, 0x7061757365, user.number, user.pauses++ }));
        return Nanoseconds(std::llround(random.exponential(m_pauseNs)));
    }

    const plan::Profile m_profile;
    UserClock m_clock;
    std::uint64_t m_seed;
    MonoTime m_begin;
    double m_pauseNs;
    std::vector<Timed> m_timed;
    std::uint32_t m_slots = 1; // of a user in the queue: one to go on, and one for each timed action
    std::vector<User> m_users;
    std::vector<double> m_days; // by user and timed action: when the next one comes
    std::vector<std::uint32_t> m_counts; // and its number
    std::deque<std::uint32_t> m_ready;
    DueQueue m_queue;
};

} // namespace

std::unique_ptr<Schedule> makeUserSchedule(
    const plan::Workload& workload, const plan::Mix& mix, std::uint64_t seed, Share share, MonoTime begin)
{
    return std::make_unique<UserSchedule>(workload, mix, seed, share, begin);
}

} // namespace loadstone::mail
