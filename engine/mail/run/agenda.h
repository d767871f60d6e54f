// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"
#include "mail/users/mail_series.h"
#include "mail/users/schedule.h"
#include "metrics/recorder.h"
#include "metrics/underway.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace loadstone::mail {

/// What a load thread plays, and the account of it: the schedule, what is under way, what waits for another attempt, and what
/// was due and never begun. So each tick knows what is unfinished, however late the thread is.
///
/// The load thread calls all but collect(), which is the control thread's.
class Agenda {
public:
    /// Both outlive it.
    Agenda(const MailSeries& series, metrics::Recorder& recorder)
        : m_series(series)
        , m_recorder(recorder)
    {
    }

    /// Plays this schedule from now on; null: none. `newMix`: what is unfinished of the schedules before is given up, and no
    /// longer reported. Returns the schedule of before, whose end may take a while.
    std::unique_ptr<Schedule> exchange(std::unique_ptr<Schedule> schedule, bool newMix);
    /// Counts the schedules: whatever ends later than its schedule belongs to an older one.
    [[nodiscard]] std::uint32_t generation() const { return m_generation; }
    [[nodiscard]] bool empty() const { return m_schedule == nullptr; }

    /// The next appointment that is due at `now`; it is then under way. Where `leavesOut(Appointment)` is true it does not
    /// begin, and has failed.
    template <class F>
    Decision next(MonoTime now, F&& leavesOut);
    /// An attempt has ended. Its schedule takes the appointment back where it is still the present one. `generation`: the
    /// schedule's.
    void finished(Appointment& appointment, const ActionOutcome& outcome, std::uint32_t generation);

    /// What is under way at this place makes a pause of the plan's own: its age does not count that.
    void postpone(std::uint32_t place, Nanoseconds length);

    /// Adds what was recorded since the last call, and to the histograms of ages what is unfinished at `until`: under way, or due
    /// by then and not begun, which is counted in `waiting` by kind as well.
    void collect(metrics::Slab& slab, MonoTime until, std::span<std::uint64_t> waiting);

private:
    void begin(Appointment& appointment);
    void account(
        plan::ActionKind kind, MonoTime intended, Nanoseconds pausedBefore, const ActionOutcome& outcome);
    void abandonDue();

    const MailSeries& m_series;
    metrics::Recorder& m_recorder;
    metrics::Gate m_gate; // before all that follows; only the load thread changes it
    std::unique_ptr<Schedule> m_schedule;
    std::uint32_t m_generation = 0;
    std::uint32_t m_firstGeneration = 0; // of the present mix; what is under way from before is not reported
    metrics::Underway m_underway;
    /// What was due and not begun when its schedule went, by kind and 2^20 ns of when it was meant, rounded up. It stays
    /// unfinished until another mix begins.
    std::map<std::pair<plan::ActionKind, std::int64_t>, std::uint64_t> m_abandoned;
};

template <class F>
Decision Agenda::next(MonoTime now, F&& leavesOut)
{
    const std::lock_guard inside(m_gate);
    while (m_schedule) {
        Decision decision = m_schedule->next(now);
        if (decision.kind != Decision::Kind::act)
            return decision;
        if (!leavesOut(std::as_const(decision.action))) {
            begin(decision.action);
            return decision;
        }
        m_schedule->completed(decision.action, false, now);
    }
    return {};
}

} // namespace loadstone::mail
