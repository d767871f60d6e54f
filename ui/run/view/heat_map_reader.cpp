// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/heat_map_reader.h"

#include "format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr double kLeastFactor = 1.04; // between rows: the histogram's own buckets are 1.6 % wide

QString nameOf(const HistogramInfo& info)
{
    const auto said = [](const char* source) { return QCoreApplication::translate("heat map", source); };
    switch (info.clock) {
    case LatencyClock::response:
        return said("%1, response time").arg(text(info.name));
    case LatencyClock::service:
        return said("%1, service time").arg(text(info.name));
    default:
        return text(info.name);
    }
}

} // namespace

Nanoseconds heatMapStretch(TimeWindow window, std::size_t columns)
{
    constexpr int kSteps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200 };
    const auto least =
        (window.end - window.begin) / static_cast<std::int64_t>(std::max<std::size_t>(columns, 1));
    for (const int s : kSteps)
        if (std::chrono::seconds(s) >= least)
            return std::chrono::seconds(s);
    return std::chrono::ceil<std::chrono::hours>(least);
}

std::vector<Nanoseconds> heatMapEdges(const Histogram& latencies, std::size_t mostRows)
{
    if (latencies.empty())
        return {};
    const double low = std::max(1.0, static_cast<double>(latencies.percentile(0.1).count()));
    // The edge above the longest one, so that it lies within.
    const double high = std::max(static_cast<double>(latencies.maximum().count()) + 1, low * kLeastFactor);
    const double rows = std::clamp(std::floor(std::log(high / low) / std::log(kLeastFactor)), 1.0,
        static_cast<double>(std::max<std::size_t>(mostRows, 1)));
    std::vector<Nanoseconds> edges;
    for (double row = 0; row <= rows; ++row) {
        const Nanoseconds edge(std::llround(low * std::pow(high / low, row / rows)));
        if (edges.empty() || edge > edges.back()) // a few ns have no edges between them
            edges.push_back(edge);
    }
    if (edges.size() == 1)
        edges.push_back(edges.front() + Nanoseconds(1));
    return edges;
}

HeatMapColumn heatMapColumn(TimeWindow window, const Histogram& latencies,
    const std::vector<Nanoseconds>& edges, std::optional<Nanoseconds> limit)
{
    HeatMapColumn column { window.begin, window.end, latencies.count(), {}, {}, {}, {}, 0 };
    if (latencies.empty() || edges.size() < 2)
        return column;
    column.cells.resize(edges.size() - 1);
    latencies.eachBucket([&](Nanoseconds highest, std::uint64_t n) {
        // A bucket counts where its longest latency lies, as it does for a criterion's limit.
        const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, highest);
        column.cells[static_cast<std::size_t>(above - edges.begin()) - 1] += static_cast<std::uint32_t>(n);
        if (limit && highest > *limit)
            column.aboveLimit += n;
    });
    column.p50 = latencies.percentile(50);
    column.p95 = latencies.percentile(95);
    column.p99 = latencies.percentile(99);
    return column;
}

void HeatMapReader::clear()
{
    m_id.reset();
    m_columns.clear();
}

Result<void> HeatMapReader::load(
    const Recording& recording, std::uint32_t id, Nanoseconds begin, Nanoseconds end)
{
    if (end <= begin)
        return {};
    std::vector<Column> fresh;
    const auto done =
        recording.eachStretch(id, { begin, end }, m_stretch, [&](TimeWindow window, const Histogram& h) {
            const Nanoseconds planned = (window.end - Nanoseconds(1)) / m_stretch * m_stretch;
            fresh.push_back({ window, planned, planned + m_stretch <= end, h });
        });
    if (!done)
        return done.error();
    m_columns.insert(
        m_columns.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    std::sort(m_columns.begin(), m_columns.end(),
        [](const Column& a, const Column& b) { return a.planned < b.planned; });
    return {};
}

Result<std::shared_ptr<const HeatMap>> HeatMapReader::read(
    const Recording& recording, const HeatMapQuery& query, TimeWindow visible, std::size_t columns)
{
    const auto id = findSeries(recording.header().histograms, query.series);
    if (!id)
        return std::shared_ptr<const HeatMap>();
    const Nanoseconds stretch = heatMapStretch(visible, std::clamp<std::size_t>(columns, 1, kMostColumns));
    if (m_id != *id || m_stretch != stretch) {
        clear();
        m_id = *id;
        m_stretch = stretch;
    }
    // Columns begin at multiples of their length, and the last one ends with what is visible.
    const Nanoseconds begin = visible.begin / stretch * stretch;
    std::erase_if(m_columns,
        [&](const Column& c) { return !c.whole || c.planned < begin || c.planned + stretch > visible.end; });
    m_id.reset(); // a failure on the way leaves nothing that could be taken for known
    if (m_columns.empty()) {
        if (const auto done = load(recording, *id, begin, visible.end); !done)
            return done.error();
    } else {
        const Nanoseconds first = m_columns.front().planned, last = m_columns.back().planned + stretch;
        if (const auto done = load(recording, *id, begin, first); !done)
            return done.error();
        if (const auto done = load(recording, *id, last, visible.end); !done)
            return done.error();
    }
    m_id = *id;

    auto map = std::make_shared<HeatMap>();
    map->name = nameOf(recording.header().histograms[*id]);
    map->limit = query.limit;
    Histogram all;
    for (const Column& column : m_columns)
        all.merge(column.latencies);
    map->edges = heatMapEdges(all, kMostRows);
    for (const Column& column : m_columns)
        map->columns.push_back(heatMapColumn(column.window, column.latencies, map->edges, query.limit));
    return std::shared_ptr<const HeatMap>(std::move(map));
}

} // namespace loadstone::ui
