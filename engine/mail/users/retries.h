// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/appointment.h"
#include "mail/users/due_queue.h"

#include <cstdint>
#include <vector>

namespace loadstone::mail {

/// The appointments of a schedule that are to be tried again. This is the one place that decides whether there is another
/// attempt. One thread.
class Retries {
public:
    /// `attempts`: at most so many after the first one.
    explicit Retries(unsigned attempts)
        : m_attempts(attempts)
    {
    }
    /// After an attempt that failed. True: there is another one from `when` on, and the appointment is moved from. False: that
    /// was the last one.
    bool take(Appointment& appointment, MonoTime when);

    [[nodiscard]] bool empty() const { return m_waiting.empty(); }
    /// Of the next one; there must be one.
    [[nodiscard]] Due front() const { return m_waiting.front().due; }
    /// Whether it comes before all of the queue.
    [[nodiscard]] bool comeBefore(const DueQueue& queue) const
    {
        return !empty() && (queue.empty() || queue.top() > front());
    }
    /// Takes it out, ready when it was due.
    Appointment pop();

private:
    struct Waiting {
        Due due;
        std::uint64_t number; // in the order of take(): of equals the first comes first
        Appointment appointment;
    };
    static bool isLater(const Waiting& one, const Waiting& other);

    unsigned m_attempts;
    std::uint64_t m_taken = 0;
    std::vector<Waiting> m_waiting; // a heap, the next one in front
};

} // namespace loadstone::mail
