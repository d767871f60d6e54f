// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <queue>

#include <cstdint>
#include <functional>
#include <vector>

namespace loadstone::mail {

/// When an actor of a schedule has something to do.
struct Due {
    MonoTime when;
    std::uint32_t actor;
    bool operator>(const Due& other) const
    {
        return when > other.when || (when == other.when && actor > other.actor);
    }
};

/// The earliest on top; at one instant the actor with the lowest number.
struct DueQueue : std::priority_queue<Due, std::vector<Due>, std::greater<>> {
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

} // namespace loadstone::mail
