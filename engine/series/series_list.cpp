// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/series_list.h"

#include <stdexcept>
#include <utility>

namespace loadstone::series {

void SeriesList::declare(const SeriesKey& key)
{
    if (!m_declared.insert(key).second)
        throw std::logic_error("a series is declared twice: " + pathOf(key));
}

CounterHandle SeriesList::addCounter(SeriesKey key)
{
    declare(key);
    const CounterHandle handle(static_cast<std::uint32_t>(m_counters.size()));
    m_counters.push_back(counterOf(std::move(key)));
    m_counters.back().id = handle.id();
    return handle;
}

CountHandle SeriesList::addCount(SeriesKey key)
{
    const CounterHandle counter = addCounter(std::move(key));
    const CountHandle count = addSum();
    m_shown.push_back({ count.id(), counter.id() });
    return count;
}

HistogramHandle SeriesList::addHistogram(SeriesKey key, LatencyScope scope)
{
    declare(key);
    const HistogramHandle handle(static_cast<std::uint32_t>(m_histograms.size()));
    m_histograms.push_back(histogramOf(std::move(key), scope));
    m_histograms.back().id = handle.id();
    return handle;
}

void SeriesList::showCounts(std::span<const std::uint64_t> counts, std::span<double> values) const
{
    for (const Shown& one : m_shown)
        values[one.counter] = static_cast<double>(counts[one.count]);
}

} // namespace loadstone::series
