// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/prepare/preparation_progress.h"

#include "metrics/preparation_counters.h"

namespace loadstone::mail {

namespace {
constexpr auto kRecent = std::chrono::seconds(30);
}

void PreparationProgress::begin(std::uint64_t mailboxes, std::uint64_t itemsEach, MonoTime now)
{
    m_totals = {};
    m_totals.mailboxes = mailboxes;
    m_itemsEach = static_cast<double>(itemsEach);
    m_points.assign(1, { now, 0 });
}

void PreparationProgress::add(const PreparationTotals& counts, MonoTime now)
{
    for (const metrics::PreparationCounter& counter : metrics::kPreparationCounters)
        m_totals.*counter.total += counts.*counter.total;
    const auto done = static_cast<double>(m_totals.done + m_totals.failed);
    const std::uint64_t items =
        m_totals.appended + m_totals.found + m_totals.entriesMade + m_totals.entriesFound;
    const double filled = m_itemsEach > 0 ? static_cast<double>(items) / m_itemsEach : 0;
    m_points.push_back({ now, std::min(std::max(done, filled), static_cast<double>(m_totals.mailboxes)) });
    while (m_points.size() > 2 && now - m_points.front().at > kRecent)
        m_points.pop_front();
}

std::optional<Nanoseconds> PreparationProgress::left() const
{
    if (m_points.empty())
        return std::nullopt;
    const double work = m_points.back().work - m_points.front().work;
    if (work <= 0)
        return std::nullopt;
    const double rest = static_cast<double>(m_totals.mailboxes) - m_points.back().work;
    constexpr double kMost = 1e9; // seconds
    return Nanoseconds(static_cast<std::int64_t>(
        std::min(kMost, seconds(m_points.back().at - m_points.front().at) * rest / work) * 1e9));
}

} // namespace loadstone::mail
