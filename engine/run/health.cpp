// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/health.h"

#include "base/joined.h"

#include <fmt/format.h>

namespace loadstone::run {

namespace {
constexpr std::size_t kRecent = 10;
}

void Health::add(Nanoseconds length, std::span<const double> values, const std::vector<Histogram>& histograms)
{
    analysis::GeneratorEvidence& tick = m_recent.emplace_back();
    tick.add(m_series, values, length);
    if (m_series.slipTimes && *m_series.slipTimes < histograms.size())
        tick.addSlip(histograms[*m_series.slipTimes]);
    if (m_series.lagTimes && *m_series.lagTimes < histograms.size())
        tick.addLag(histograms[*m_series.lagTimes]);
    if (m_recent.size() > kRecent)
        m_recent.pop_front();
}

std::string Health::live() const
{
    analysis::GeneratorEvidence sum;
    for (const analysis::GeneratorEvidence& tick : m_recent)
        sum.add(tick);
    return fmt::format("{}", joined(sum.exceeded(m_limits), "; "));
}

} // namespace loadstone::run
