// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/recorder.h"

#include <thread>

namespace loadstone::metrics {

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
{
    for (Slab& slab : m_slabs) {
        slab.histograms.resize(histograms);
        slab.counts.resize(counts);
    }
}

void Recorder::collect(Slab& into)
{
    const unsigned full = m_active.load(std::memory_order_relaxed);
    m_active.store(1 - full, std::memory_order_seq_cst);
    while (m_writing.load(std::memory_order_seq_cst))
        std::this_thread::yield();
    m_slabs[full].mergeInto(into);
    m_slabs[full].clear();
}

} // namespace loadstone::metrics
