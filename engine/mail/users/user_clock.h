// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/profile.h"

#include <loadstone/time.h>

#include <cstdint>
#include <vector>

namespace loadstone::mail {

/// When the clock brings a user's actions: a Poisson process (or an even one) per user and action whose intensity follows
/// the profile's day, day after day. Each instant is a function of the seed, the user, the action and its number.
class UserClock {
public:
    /// `day`: how long one of the profile's days lasts here.
    UserClock(const plan::Profile& profile, Nanoseconds day, std::uint64_t seed);

    /// The gap before the `number`-th action of a kind that comes `perDay` times a day, in days of even intensity. With even
    /// intervals only the first is drawn, as the phase.
    [[nodiscard]] double gap(
        std::uint32_t user, plan::ActionKind kind, std::uint32_t number, double perDay) const;
    /// When so many days of even intensity have passed, counted from the first morning.
    [[nodiscard]] Nanoseconds at(double days) const;

private:
    std::uint64_t m_seed;
    double m_day; // ns
    bool m_poisson;
    std::vector<double>
        m_passed; // at the begin of each part of the day, and at its end: 0 to 1; empty: evenly
};

} // namespace loadstone::mail
