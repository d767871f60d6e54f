// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/worker.h"

#include "base/thread_placement.h"
#include "mail/action/smtp_action.h"
#include "mail/action/user_session.h"
#include "mail/run/action_run.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace loadstone::mail {

namespace asio = boost::asio;

namespace {
constexpr auto kHeartbeat = std::chrono::milliseconds(100);
constexpr int kAbandonedBits = 20;

/// Over POP3, which gives a mailbox to one session at a time.
bool opensMailbox(plan::ActionKind kind)
{
    return plan::isOf(kind, plan::ActionSet::pop3);
}

} // namespace

Worker::Worker(const MailSetup& setup, unsigned number)
    : m_number(number)
    , m_mostSessions(setup.sessionsOf(number))
    , m_context(setup)
    , m_work(asio::make_work_guard(m_context.io))
    , m_timer(m_context.io)
    , m_heartbeat(m_context.io)
{
}

Worker::~Worker()
{
    stop();
    join();
}

void Worker::start(MonoTime origin)
{
    m_context.origin = origin;
    m_thread = std::thread([this] { run(); });
    ::pthread_getcpuclockid(m_thread.native_handle(), &m_cpuClock);
}

void Worker::run()
{
    nameThisThread("load " + std::to_string(m_number));
    m_threadId.store(thisThreadId(), std::memory_order_relaxed);
    blockBrokenPipeSignal();
    m_nextBeat = monoNow() + kHeartbeat;
    asio::post(m_context.io, [this] { heartbeat(); });
    // Thread entry: what is thrown (a broken invariant, no memory) is told by rethrow() on the control thread, which then
    // stops the run. Until that, and for an orderly end of the other sessions, the thread goes on.
    for (bool over = false; !over;) {
        try {
            m_context.io.run();
            over = true;
        } catch (...) {
            if (!m_failed.load(std::memory_order_relaxed))
                m_error = std::current_exception();
            m_failed.store(true, std::memory_order_release);
            exchangeSchedule(nullptr, false);
            m_pumping = false;
        }
    }
}

void Worker::rethrow()
{
    if (m_failed.load(std::memory_order_acquire))
        std::rethrow_exception(m_error);
}

Nanoseconds Worker::cpuTime() const
{
    timespec t {};
    if (!m_thread.joinable() || ::clock_gettime(m_cpuClock, &t) != 0)
        return {};
    return std::chrono::seconds(t.tv_sec) + Nanoseconds(t.tv_nsec);
}

void Worker::play(std::function<std::unique_ptr<Schedule>()> make, std::uint32_t mailboxes,
    std::uint32_t phase, bool yielding)
{
    m_idle.store(false, std::memory_order_release);
    m_played.store(false, std::memory_order_release);
    asio::post(m_context.io, [this, make = std::move(make), mailboxes, phase, yielding] {
        if (!m_yielding)
            pump(); // what was due before now
        exchangeSchedule(make ? make() : nullptr, make && mailboxes != 0);
        m_activeNow = 0;
        m_context.kept.clear();
        m_context.unsent.clear();
        for (auto& [user, session] : m_context.users)
            if (mailboxes != 0 && user >= mailboxes) { // none of the mix that begins
                session->hangUp();
                session->dav.hangUp();
            }
        m_yielding = yielding;
        if (mailboxes != 0) // a drain names none, but sends that began before it still draw their recipients
            m_context.mailboxes = mailboxes;
        m_context.phase = phase;
        m_context.transcripts = {};
        pump();
    });
}

void Worker::enterPhase(std::uint32_t phase)
{
    asio::post(m_context.io, [this, phase] {
        m_context.phase = phase;
        m_context.transcripts = {};
    });
}

void Worker::owe(std::shared_ptr<const OwedCopies> owed)
{
    asio::post(m_context.io, [this, owed = std::move(owed)] { m_context.owed = owed; });
}

void Worker::stop()
{
    asio::post(m_context.io, [this] {
        m_context.stopping = true;
        exchangeSchedule(nullptr, false);
        m_timer.cancel();
        m_heartbeat.cancel();
        m_context.connections.abortAll();
        for (asio::steady_timer* hold : m_context.holds)
            hold->cancel();
        m_work.reset();
    });
}

void Worker::join()
{
    if (m_thread.joinable())
        m_thread.join();
}

std::unique_ptr<Schedule> Worker::exchangeSchedule(std::unique_ptr<Schedule> schedule, bool newMix)
{
    const std::lock_guard inside(m_gate);
    const Schedule::Tell abandon = [&](plan::ActionKind kind, MonoTime intended) {
        const std::int64_t from = intended.time_since_epoch().count() + (1 << kAbandonedBits) - 1;
        ++m_abandoned[{ kind, from >> kAbandonedBits }];
    };
    const MonoTime now = monoNow();
    if (m_schedule) {
        m_schedule->tellDue(now, now, abandon);
        for (const metrics::Underway::Entry& entry : m_underway.entries())
            if (entry.kind != metrics::Underway::kNothing && entry.generation == m_context.generation)
                m_schedule->tellBehind(entry.actor, now, abandon);
    }
    ++m_context.generation;
    for (const auto& [actor, place] : m_again)
        m_left.push_back(place);
    m_again.clear();
    if (newMix) {
        for (const std::uint32_t place : m_left)
            m_underway.end(place);
        m_left.clear();
        m_context.recorder.write([&](metrics::Slab& slab) {
            for (const auto& [what, count] : m_abandoned)
                slab[m_context.series.counts(what.first).givenUp] += count;
        });
        m_abandoned.clear();
        m_firstGeneration = m_context.generation;
    }
    m_schedule.swap(schedule);
    return schedule;
}

void Worker::collect(metrics::Slab& slab, MonoTime until, std::span<std::uint64_t> waiting)
{
    const auto add = [&](plan::ActionKind kind, MonoTime intended, std::uint64_t times = 1) {
        slab[m_context.series.age(kind)].record(until - intended, times);
    };
    const Schedule::Tell tell = [&](plan::ActionKind kind, MonoTime intended) {
        add(kind, intended);
        ++waiting[static_cast<std::size_t>(kind)];
    };
    metrics::Slab* full = nullptr;
    {
        const std::lock_guard inside(m_gate);
        for (const metrics::Underway::Entry& entry : m_underway.entries()) {
            if (entry.kind == metrics::Underway::kNothing || entry.generation < m_firstGeneration)
                continue;
            add(static_cast<plan::ActionKind>(entry.kind), entry.intended);
            if (m_schedule && entry.generation == m_context.generation)
                m_schedule->tellBehind(entry.actor, until, tell);
        }
        if (m_schedule)
            m_schedule->tellDue(until, monoNow(), tell);
        for (const auto& [what, count] : m_abandoned) {
            add(what.first, MonoTime(Nanoseconds(what.second << kAbandonedBits)), count);
            waiting[static_cast<std::size_t>(what.first)] += count;
        }
        full = &m_context.recorder.switchOver();
    }
    metrics::Recorder::empty(*full, slab);
}

Decision Worker::decide()
{
    const std::lock_guard inside(m_gate);
    while (m_schedule && m_active < m_mostSessions) {
        const MonoTime now = monoNow();
        Decision decision = m_schedule->next(now);
        if (decision.kind != Decision::Kind::act)
            return decision;
        Action& action = decision.action;
        if (m_yielding && m_visited.contains(action.mailbox)) {
            m_schedule->completed(action, false, now);
            continue;
        }
        if (const auto again = action.attempt > 0 ? m_again.find(action.actor) : m_again.end();
            again != m_again.end()) {
            action.place = again->second;
            m_again.erase(again);
        } else {
            action.place = m_underway.begin({ action.intended, action.actor, m_context.generation,
                static_cast<std::uint32_t>(action.kind) });
            m_context.recorder.count(m_context.series.counts(action.kind).begun);
        }
        return decision;
    }
    return {};
}

std::optional<Action> Worker::pump(bool takesOne)
{
    std::optional<Action> taken;
    if (m_pumping)
        return taken; // an action that ended at once: the loop below goes on
    m_pumping = true;
    bool idle = !m_schedule;
    while (m_schedule && m_active < m_mostSessions) {
        const Decision decision = decide();
        if (decision.kind == Decision::Kind::act) {
            const Action& action = decision.action;
            ++m_active;
            ++m_activeNow;
            if (opensMailbox(action.kind))
                m_visited.insert(action.mailbox);
            if (takesOne && !taken)
                taken = action;
            else
                asio::co_spawn(m_context.io, playActions(*this, action), [](const std::exception_ptr& error) {
                    if (error) // a broken invariant or no memory: ends the run
                        std::rethrow_exception(error);
                });
            continue;
        }
        idle = decision.kind == Decision::Kind::idle;
        if (decision.kind == Decision::Kind::wait) {
            m_timer.expires_at(decision.until);
            m_timer.async_wait([this](const boost::system::error_code& error) {
                if (!error)
                    pump();
            });
        }
        break;
    }
    m_idle.store(idle && m_active == 0, std::memory_order_release);
    m_played.store(idle && m_activeNow == 0, std::memory_order_release);
    m_pumping = false;
    return taken;
}

/// After the first one.
unsigned Worker::furtherAttempts(plan::ActionKind kind) const
{
    return plan::isOf(kind, plan::ActionSet::preparation) ? kPreparationAttempts - 1
                                                          : m_context.setup.plan.workload.retry.attempts;
}

std::optional<Action> Worker::finished(
    const Action& action, const ActionOutcome& outcome, std::uint32_t generation)
{
    --m_active;
    m_activeNow -= generation == m_context.generation ? 1 : 0;
    if (const auto visit = m_visited.find(action.mailbox);
        visit != m_visited.end() && opensMailbox(action.kind))
        m_visited.erase(visit);
    const bool good = !outcome.failure;
    const bool settled = (good && !outcome.dropped) || outcome.settled;
    const bool current = m_schedule && generation == m_context.generation;
    const bool again = !settled && current && !m_yielding && action.attempt < furtherAttempts(action.kind);
    {
        const std::lock_guard inside(m_gate);
        if (outcome.failure.kind == protocol::FailureKind::stopped)
            ; // it has not ended: it was left alone
        else if (again)
            m_again[action.actor] = action.place;
        else { // an action is over after its last attempt
            m_underway.end(action.place);
            if (!outcome.dropped)
                account(action, outcome);
        }
        for (const Renumbered& folder : outcome.renumbered)
            if (current)
                m_schedule->renumbered(action, folder);
        if (current && !outcome.found.empty())
            m_schedule->found(action, outcome.found);
        if (current)
            m_schedule->completed(action, settled, outcome.done);
    }
    return pump(true);
}

void Worker::account(const Action& action, const ActionOutcome& outcome)
{
    const MailSeries& series = m_context.series;
    m_context.recorder.write([&](metrics::Slab& slab) {
        ++slab[series.total().ended];
        if (!outcome.failure) { // how long a failure took says nothing about service
            const MailSeries::Times& times = series.times(action.kind);
            slab[times.response].record(outcome.done - action.intended);
            slab[times.service].record(outcome.done - outcome.sent);
            return;
        }
        ++slab[series.total().failed];
        ++slab[series.counts(action.kind).failed];
    });
}
/// Users who have idled for long.
void Worker::renewIdles(MonoTime now)
{
    const plan::ImapEndpoint& endpoint = m_context.setup.plan.target.imap;
    m_nextRenewal = now
        + std::min<Nanoseconds>(endpoint.idleRenewal / 4, std::chrono::seconds(1)); // often: few at a time
    if (!endpoint.idle)
        return;
    std::vector<Action> due;
    for (const auto& [mailbox, session] : m_context.users)
        if (session->alive() && session->link()->client.idling()
            && session->idleSince + endpoint.idleRenewal <= now)
            due.emplace_back().mailbox = mailbox;
    for (const Action& action : due)
        asio::co_spawn(m_context.io, renewIdle(m_context, action), [](const std::exception_ptr& error) {
            if (error)
                std::rethrow_exception(error);
        });
}

void Worker::heartbeat()
{
    m_heartbeat.expires_at(m_nextBeat);
    m_heartbeat.async_wait([this](const boost::system::error_code& error) {
        if (error || m_context.stopping)
            return;
        const MonoTime now = monoNow();
        m_context.recorder.record(m_context.series.lag(), now - m_nextBeat);
        m_context.connections.expire(now);
        m_sessionCount.store(m_context.connections.size(), std::memory_order_relaxed);
        if (now >= m_nextRenewal)
            renewIdles(now);
        m_nextBeat = std::max(m_nextBeat + kHeartbeat, now);
        heartbeat();
    });
}

} // namespace loadstone::mail
