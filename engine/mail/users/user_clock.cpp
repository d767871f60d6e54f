// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/user_clock.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

UserClock::UserClock(const plan::Profile& profile, Nanoseconds day, std::uint64_t seed)
    : m_seed(seed)
    , m_day(static_cast<double>(day.count()))
    , m_poisson(profile.poisson)
{
    double sum = 0;
    for (const double part : profile.dayShape) {
        m_passed.push_back(sum);
        sum += part;
    }
    if (m_passed.empty())
        return;
    m_passed.push_back(sum);
    for (double& passed : m_passed)
        passed /= sum;
}

double UserClock::gap(std::uint32_t user, plan::ActionKind kind, std::uint32_t number, double perDay) const
{
    if (!m_poisson && number > 0)
        return 1 / perDay;
    Random random(hashOf({ m_seed, 0x75736572, user, static_cast<std::uint64_t>(kind), number }));
    return m_poisson ? random.exponential(1 / perDay) : random.uniform() / perDay;
}

Nanoseconds UserClock::at(double days) const
{
    const double whole = std::floor(days);
    double within = days - whole;
    if (!m_passed.empty()) {
        // The part of the day in which this share of its intensity has passed; parts without any are stepped over.
        const auto next = std::upper_bound(m_passed.begin(), m_passed.end() - 1, within);
        const auto part = next - m_passed.begin() - 1;
        const double begin = m_passed[static_cast<std::size_t>(part)];
        const double length = m_passed[static_cast<std::size_t>(part) + 1] - begin;
        const double parts = static_cast<double>(m_passed.size() - 1);
        within = (static_cast<double>(part) + (length > 0 ? (within - begin) / length : 0)) / parts;
    }
    return Nanoseconds(std::llround((whole + within) * m_day));
}

} // namespace loadstone::mail
