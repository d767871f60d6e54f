// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/heat_map.h"

#include <loadstone/recording.h>

#include <memory>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// A heat map that is asked for.
struct HeatMapQuery {
    SeriesKey series; ///< of latencies
    std::optional<Nanoseconds> limit;
    bool operator==(const HeatMapQuery&) const = default;
};

/// Makes heat maps of one recording. The histograms of the last map's columns are kept, for those of stretches that have ended do not
/// change: panned, or with a run that grows, only what is new is read. Memory is bounded: at most kMostColumns
/// histograms. Not thread-safe.
class HeatMapReader {
public:
    static constexpr std::size_t kMostColumns = 400;
    static constexpr std::size_t kMostRows = 48;

    /// Of what ended within `visible`, in columns as long as `columns` of them need, at most kMostColumns. A null pointer: the
    /// recording has no such series.
    Result<std::shared_ptr<const HeatMap>> read(
        const Recording& recording, const HeatMapQuery& query, TimeWindow visible, std::size_t columns);
    void clear();

private:
    struct Column {
        TimeWindow window; // of the column's ticks
        Nanoseconds planned {}; // where its stretch begins
        bool whole = false; // its stretch was over when it was read
        Histogram latencies;
    };
    Result<void> load(const Recording& recording, std::uint32_t id, Nanoseconds begin, Nanoseconds end);

    std::optional<std::uint32_t> m_id;
    Nanoseconds m_stretch {};
    std::vector<Column> m_columns; // in order of time, of whole stretches but for the last one
};

/// How long a heat map's columns last when `window` is drawn in at most `columns` of them; a tick or more.
Nanoseconds heatMapStretch(TimeWindow window, std::size_t columns);
/// The edges of rows that rise by the same factor, from the latency that 0.1 % are below to the longest; none for an empty
/// histogram.
std::vector<Nanoseconds> heatMapEdges(const Histogram& latencies, std::size_t mostRows);
/// One column by those edges; what is below the first or above the last counts in the first or last row.
HeatMapColumn heatMapColumn(TimeWindow window, const Histogram& latencies,
    const std::vector<Nanoseconds>& edges, std::optional<Nanoseconds> limit);

} // namespace loadstone::ui
