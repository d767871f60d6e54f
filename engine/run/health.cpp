// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/health.h"

#include <loadstone/units.h>

#include <fmt/format.h>

namespace loadstone::run {

namespace {
constexpr std::size_t kRecent = 10;
constexpr std::uint64_t kEnoughSamples = 20; // a percentile of fewer says nothing
} // namespace

void Health::add(const Phase& phase, Nanoseconds length, const metrics::Histogram& slip, double busiestWorker)
{
    const double cpu = busiestWorker >= 0 ? busiestWorker / 100 * seconds(length) : 0;
    m_recent.push_back({ "", phase.index, slip, cpu, seconds(length) });
    if (m_recent.size() > kRecent)
        m_recent.erase(m_recent.begin());
    if (phase.kind != PhaseKind::measurement)
        return;
    if (m_measured.empty() || m_measured.back().phase != phase.index)
        m_measured.push_back({ phase.mixName, phase.index, {}, 0, 0 });
    Stretch& stretch = m_measured.back();
    stretch.slip.merge(slip);
    stretch.cpuSeconds += cpu;
    stretch.seconds += seconds(length);
}

std::string Health::judge(const Stretch& stretch) const
{
    if (stretch.slip.count() >= kEnoughSamples && stretch.slip.percentile(99) > m_limits.slipP99)
        return fmt::format("timer slip p99 {} (limit {})", formatLatency(stretch.slip.percentile(99)),
            formatLatency(m_limits.slipP99));
    const double use = stretch.seconds > 0 ? 100 * stretch.cpuSeconds / stretch.seconds : 0;
    if (use > m_limits.workerCpu)
        return fmt::format("a load thread used {:.0f} % of a CPU (limit {:.0f} %)", use, m_limits.workerCpu);
    return {};
}

std::string Health::live() const
{
    Stretch sum;
    for (const Stretch& tick : m_recent) {
        sum.slip.merge(tick.slip);
        sum.cpuSeconds += tick.cpuSeconds;
        sum.seconds += tick.seconds;
    }
    return judge(sum);
}

std::vector<std::string> Health::verdict() const
{
    std::vector<std::string> reasons;
    for (const Stretch& stretch : m_measured)
        if (const std::string why = judge(stretch); !why.empty())
            reasons.push_back(
                fmt::format("the generator was the bottleneck in mix \"{}\": {}", stretch.name, why));
    if (m_overruns > 0)
        reasons.push_back(fmt::format(
            "{} ticks lasted longer than planned because the history's disk did not keep up", m_overruns));
    return reasons;
}

} // namespace loadstone::run
