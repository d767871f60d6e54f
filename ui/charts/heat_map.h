// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <QColor>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace loadstone::ui {

/// What ended in one stretch of time, by how long it took.
struct HeatMapColumn {
    Nanoseconds begin {}, end {}; ///< of the stretch, since the run's start
    std::uint64_t count = 0; ///< what ended in it; 0: nothing, and the column is blank
    std::vector<std::uint32_t> cells; ///< by row, from the quickest
    Nanoseconds p50 {}, p95 {}, p99 {}; ///< 0 where count is 0
    std::uint64_t aboveLimit = 0; ///< of count: what took longer than the map's limit
};

/// Latencies over time: columns of time with a row for each range of latency, which rise by the same factor.
struct HeatMap {
    QString name; ///< what is counted: "Read message, response time"
    std::vector<Nanoseconds>
        edges; ///< of the rows, rising: one more than there are rows; empty: nothing is in view
    std::vector<HeatMapColumn> columns; ///< in order of time
    std::optional<Nanoseconds> limit; ///< that a criterion of the plan sets

    [[nodiscard]] std::size_t rows() const { return edges.empty() ? 0 : edges.size() - 1; }
    /// The column that holds `at`; null: none does.
    [[nodiscard]] const HeatMapColumn* columnAt(Nanoseconds at) const;
};

/// A cell's colour from its share of its column (0 to 1), on a scale that is logarithmic from a thousandth on: on a light
/// ground the dense cells are dark, on a dark one bright. Transparent for a share of 0.
QColor heatColour(double share, bool darkGround);

} // namespace loadstone::ui
