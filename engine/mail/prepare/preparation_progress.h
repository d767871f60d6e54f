// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>
#include <loadstone/time.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

namespace loadstone::mail {

/// How far the filling or cleaning of mailboxes has come, and how long it will take at its recent speed. One thread.
class PreparationProgress {
public:
    /// `itemsEach`: initial messages, appointments and contacts of a mailbox, which tell more of the work than mailboxes do; 0:
    /// unknown.
    void begin(std::uint64_t mailboxes, std::uint64_t itemsEach, MonoTime now);
    /// What was counted since the last call; its `mailboxes` does not matter.
    void add(const PreparationTotals& counts, MonoTime now);

    [[nodiscard]] const PreparationTotals& totals() const noexcept { return m_totals; }
    [[nodiscard]] std::uint64_t toDo() const noexcept
    {
        return m_totals.mailboxes - std::min(m_totals.mailboxes, m_totals.done + m_totals.failed);
    }
    /// Nothing while nothing is done yet.
    [[nodiscard]] std::optional<Nanoseconds> left() const;

private:
    struct Point {
        MonoTime at;
        double work = 0; ///< done so far, mailboxes
    };
    PreparationTotals m_totals;
    double m_itemsEach = 0;
    std::deque<Point> m_points; // of the last half minute
};

} // namespace loadstone::mail
