// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/recorder.h"

#include <algorithm>

namespace loadstone::metrics {

Slab Slab::of(const series::SeriesList& list)
{
    return { std::vector<Histogram>(list.histograms().size()), std::vector<std::uint64_t>(list.counts()) };
}

void Slab::clear() noexcept
{
    for (Histogram& histogram : histograms)
        histogram.clear();
    std::fill(counts.begin(), counts.end(), 0);
}

void Slab::mergeInto(Slab& other) const
{
    if (other.histograms.size() < histograms.size())
        other.histograms.resize(histograms.size());
    if (other.counts.size() < counts.size())
        other.counts.resize(counts.size());
    for (std::size_t i = 0; i < histograms.size(); ++i)
        other.histograms[i].merge(histograms[i]);
    for (std::size_t i = 0; i < counts.size(); ++i)
        other.counts[i] += counts[i];
}

Recorder::Recorder(std::size_t histograms, std::size_t counts)
    : m_slabs(Slab { std::vector<Histogram>(histograms), std::vector<std::uint64_t>(counts) })
{
}

Recorder::Recorder(const series::SeriesList& list)
    : m_slabs(Slab::of(list))
{
}

void Recorder::collect(Slab& into)
{
    empty(switchOver(), into);
}

void Recorder::empty(Slab& full, Slab& into)
{
    full.mergeInto(into);
    full.clear();
}

} // namespace loadstone::metrics
