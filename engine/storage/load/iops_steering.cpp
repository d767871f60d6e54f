// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load/iops_steering.h"

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr double kReadWindow = 10; // s, over which the reads of a transaction are taken
constexpr double kWindow = 120; // s, over which the writes of a read are, and the I/Os that are missing
constexpr double kRemembered =
    0.5; // the latest share of a shorter time: in its beginning no writes are due yet
constexpr double kWritesDue = 60; // s, after which the writes of the first transactions have surely come
constexpr double kLearnOver = 20; // s
constexpr double kCorrectOver = 120; // s
constexpr double kMostCorrection = 0.02; // of the rate: less than the error that a target usually allows

} // namespace

IopsSteering::IopsSteering(double target, double readsPerTransaction, double writesPerTransaction)
    : m_target(target)
    , m_readsPerTransaction(std::max(readsPerTransaction, 0.1))
    , m_writesPerRead(writesPerTransaction / m_readsPerTransaction)
    , m_rate(target / (m_readsPerTransaction * (1 + m_writesPerRead)))
{
    m_samples.push_back({ 0, 0, 0, 0 });
}

void IopsSteering::setTarget(double target)
{
    m_rate *= target / m_target;
    m_target = target;
    m_samples = { m_samples.back() }; // what was missing is not made up for
    m_begin = m_samples.back().time;
}

double IopsSteering::update(
    Nanoseconds sinceBegin, std::uint64_t reads, std::uint64_t writes, std::uint64_t transactions)
{
    const Sample now { seconds(sinceBegin), static_cast<double>(reads), static_cast<double>(writes),
        static_cast<double>(transactions) };
    const double step = now.time - m_samples.back().time;
    m_samples.push_back(now);
    const double window = std::min(kWindow, kRemembered * (now.time - m_begin));
    while (m_samples.size() > 2 && now.time - m_samples[1].time >= window)
        m_samples.pop_front();
    const auto recent = std::find_if(m_samples.begin(), m_samples.end(),
        [&](const Sample& s) { return now.time - s.time <= kReadWindow; });
    if (now.transactions - recent->transactions >= 1)
        m_readsPerTransaction =
            std::max((now.reads - recent->reads) / (now.transactions - recent->transactions), 0.1);
    const Sample& oldest = m_samples.front();
    if (now.reads - oldest.reads >= 1) {
        const double seen = (now.writes - oldest.writes) / (now.reads - oldest.reads);
        // Few writes mean nothing before the first ones are due; many do.
        if (now.time - m_begin >= kWritesDue || seen > m_writesPerRead)
            m_writesPerRead += (seen - m_writesPerRead) * std::min(step / kLearnOver, 1.0);
    }
    const double missing =
        m_target * (now.time - oldest.time) - (now.reads + now.writes - oldest.reads - oldest.writes);
    const double most = kMostCorrection * m_target;
    const double wanted = m_target + std::clamp(missing / kCorrectOver, -most, most);
    m_rate = wanted / (m_readsPerTransaction * (1 + m_writesPerRead));
    return m_rate;
}

} // namespace loadstone::storage
