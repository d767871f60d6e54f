// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/action/worker_context.h"
#include "mail/run/agenda.h"
#include "mail/users/schedule.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <unordered_set>

namespace loadstone::mail {

/// One load thread: an io_context, a schedule, and the sessions of the simulated users that it plays. Everything
/// but start(), post…() and the hand-overs runs on its own thread.
class Worker {
public:
    Worker(const MailSetup& setup, unsigned number);
    ~Worker();

    // The control thread:
    void start(MonoTime origin);
    /// Replaces the schedule, made on the worker's thread; actions under way are finished first come what may.
    /// `mailboxes`: of the present mix, for recipients.
    /// `yielding`: leaves out mailboxes that a visit of before still holds (POP3 gives them to one session at a time).
    /// `pauses`: between the requests of sessions, of the mix that begins; null: there are none.
    void play(std::function<std::unique_ptr<Schedule>()> make, std::uint32_t mailboxes, std::uint32_t phase,
        bool yielding = false, const std::vector<Pauses>* pauses = nullptr);
    void enterPhase(std::uint32_t phase);
    /// For the visits of the schedule that is played next.
    void owe(std::shared_ptr<const OwedCopies> owed);
    void stop(); ///< ends all sessions; join() returns within a second
    void join();
    /// As Agenda::collect().
    void collect(metrics::Slab& slab, MonoTime until, std::span<std::uint64_t> waiting)
    {
        m_agenda.collect(slab, until, waiting);
    }
    Journal& journal() noexcept { return m_context.journal; }
    [[nodiscard]] Nanoseconds cpuTime() const; ///< of the thread so far
    [[nodiscard]] int threadId() const noexcept
    {
        return m_threadId.load(std::memory_order_relaxed);
    } ///< 0: not started
    [[nodiscard]] std::size_t sessions() const noexcept
    {
        return m_sessionCount.load(std::memory_order_relaxed);
    }
    /// Nothing under way and nothing left to hand out.
    [[nodiscard]] bool idle() const noexcept { return m_idle.load(std::memory_order_acquire); }
    /// The same of the present schedule: actions of older ones may still be under way.
    [[nodiscard]] bool played() const noexcept { return m_played.load(std::memory_order_acquire); }
    /// Throws what ended the thread before its time, if anything did.
    void rethrow();

    // The worker's own thread:
    WorkerContext& context() noexcept { return m_context; }
    /// Gives what the coroutine that calls goes on with, if anything.
    std::optional<Appointment> finished(
        Appointment& appointment, const ActionOutcome& outcome, std::uint32_t generation);

private:
    void run();
    /// Begins what the schedule has due. With `takesOne` the first of it is left to the caller, who is a coroutine that has
    /// just become free: going on costs less than a new one.
    std::optional<Appointment> pump(bool takesOne = false);
    void heartbeat();
    Decision decide(); ///< as Agenda::next()
    std::unique_ptr<Schedule> exchangeSchedule(std::unique_ptr<Schedule> schedule, bool newMix);
    void renewIdles(MonoTime now);

    unsigned m_number;
    std::size_t m_mostSessions; // open at once
    WorkerContext m_context;
    Agenda m_agenda;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work;
    boost::asio::steady_timer m_timer, m_heartbeat;
    MonoTime m_nextBeat {}, m_nextRenewal {};
    std::size_t m_active = 0; // actions under way
    std::size_t m_activeNow = 0; // of these, the present schedule's
    bool m_pumping = false, m_yielding = false;
    std::unordered_multiset<std::uint32_t> m_visited; // mailboxes with a POP3 session under way
    std::atomic<std::size_t> m_sessionCount { 0 };
    std::atomic<bool> m_idle { true }, m_played { true };
    std::atomic<bool> m_failed { false };
    std::exception_ptr m_error; // set before m_failed
    std::thread m_thread;
    clockid_t m_cpuClock = 0;
    std::atomic<int> m_threadId { 0 };
};

} // namespace loadstone::mail
