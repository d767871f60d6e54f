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
#include <pthread.h>
#include <utility>

namespace loadstone::mail {

namespace asio = boost::asio;

namespace {
constexpr auto kHeartbeat = std::chrono::milliseconds(100);

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
    , m_agenda(m_context.series, m_context.recorder)
    , m_work(asio::make_work_guard(m_context.io))
    , m_timer(m_context.io)
    , m_heartbeat(m_context.io)
{
    m_context.pausing = [this](std::uint32_t place, Nanoseconds length) { m_agenda.postpone(place, length); };
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
    std::uint32_t phase, bool yielding, const std::vector<Pauses>* pauses)
{
    m_idle.store(false, std::memory_order_release);
    m_played.store(false, std::memory_order_release);
    asio::post(m_context.io, [this, make = std::move(make), mailboxes, phase, yielding, pauses] {
        if (!m_yielding)
            pump(); // what was due before now
        exchangeSchedule(make ? make() : nullptr, make && mailboxes != 0);
        m_activeNow = 0;
        m_context.kept.clear();
        for (auto& [user, session] : m_context.users)
            if (mailboxes != 0 && user >= mailboxes) { // none of the mix that begins
                session->hangUp();
                session->dav.hangUp();
            }
        m_yielding = yielding;
        if (mailboxes != 0) // a drain names none, but sends that began before it still draw their recipients
            m_context.mailboxes = mailboxes;
        m_context.pauses = pauses;
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
    schedule = m_agenda.exchange(std::move(schedule), newMix);
    m_context.generation = m_agenda.generation();
    return schedule;
}

Decision Worker::decide()
{
    return m_agenda.next(monoNow(), [this](const Appointment& appointment) {
        return m_yielding && m_visited.contains(appointment.mailbox);
    });
}

std::optional<Appointment> Worker::pump(bool takesOne)
{
    std::optional<Appointment> taken;
    if (m_pumping)
        return taken; // an action that ended at once: the loop below goes on
    m_pumping = true;
    bool idle = m_agenda.empty();
    while (!m_agenda.empty() && m_active < m_mostSessions) {
        Decision decision = decide();
        if (decision.kind == Decision::Kind::act) {
            Appointment& action = decision.action;
            ++m_active;
            ++m_activeNow;
            if (opensMailbox(action.kind))
                m_visited.insert(action.mailbox);
            if (takesOne && !taken)
                taken = std::move(action);
            else
                asio::co_spawn(
                    m_context.io, playActions(*this, std::move(action)), [](const std::exception_ptr& error) {
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

std::optional<Appointment> Worker::finished(
    Appointment& appointment, const ActionOutcome& outcome, std::uint32_t generation)
{
    --m_active;
    m_activeNow -= generation == m_agenda.generation() ? 1 : 0;
    if (const auto visit = m_visited.find(appointment.mailbox);
        visit != m_visited.end() && opensMailbox(appointment.kind))
        m_visited.erase(visit);
    m_agenda.finished(appointment, outcome, generation);
    return pump(true);
}

/// Users who have idled for long.
void Worker::renewIdles(MonoTime now)
{
    const plan::ImapEndpoint& endpoint = m_context.setup.plan.target.imap;
    m_nextRenewal = now
        + std::min<Nanoseconds>(endpoint.idleRenewal / 4, std::chrono::seconds(1)); // often: few at a time
    if (!endpoint.idle)
        return;
    std::vector<std::uint32_t> due;
    for (const auto& [mailbox, session] : m_context.users)
        if (session->alive() && session->link()->client.idling()
            && session->idleSince + endpoint.idleRenewal <= now)
            due.push_back(mailbox);
    for (const std::uint32_t mailbox : due)
        asio::co_spawn(m_context.io, renewIdle(m_context, mailbox), [](const std::exception_ptr& error) {
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
