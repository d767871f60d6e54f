// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load/settling.h"

#include <algorithm>
#include <cmath>

namespace loadstone::storage {
namespace {

constexpr double kMinute = 60; // s
constexpr double kNearlyFull = 0.9; // of the checkpoint depth
constexpr double kMostGrowth = 0.05; // of the checkpoint depth, in a minute

} // namespace

Settling::Settling(double target, double margin, std::uint64_t checkpointDepth)
    : m_target(target)
    , m_margin(margin)
    , m_fullDepth(static_cast<double>(checkpointDepth))
{
}

Settling::State Settling::update(
    Nanoseconds sinceBegin, std::uint64_t transfers, std::uint64_t depth, bool waiting)
{
    const Sample now { seconds(sinceBegin), static_cast<double>(transfers), static_cast<double>(depth) };
    if (!waiting)
        m_waitingSince = -1;
    else if (m_waitingSince < 0)
        m_waitingSince = now.time;
    m_samples.push_back(now);
    // The first one is the last that is two minutes old or older.
    while (m_samples.size() > 2 && now.time - m_samples[1].time >= 2 * kMinute)
        m_samples.pop_front();
    if (waiting && now.time - m_waitingSince >= 2 * kMinute)
        return State::behind;
    const Sample& oldest = m_samples.front();
    if (now.time - oldest.time < 2 * kMinute)
        return State::changing;
    const Sample& middle = *std::find_if(m_samples.begin(), m_samples.end(),
        [&](const Sample& one) { return now.time - one.time <= kMinute; });
    const auto within = [&](const Sample& from, const Sample& to) {
        const double rate = (to.transfers - from.transfers) / (to.time - from.time);
        return std::abs(rate / m_target - 1) <= m_margin;
    };
    const bool deep =
        now.depth >= kNearlyFull * m_fullDepth || now.depth - middle.depth <= kMostGrowth * m_fullDepth;
    return deep && within(oldest, middle) && within(middle, now) ? State::settled : State::changing;
}

} // namespace loadstone::storage
