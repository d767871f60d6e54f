// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using enum FigureTable;

/// Unit and direction are the counter's own.
constexpr FigureRow kReadingRows[] {
    { { .key = "counter.average",
          .table = readings,
          .column = "Average",
          .name = "Average of the counter",
          .rounding = { Notation::decimals, 3 },
          .statistic = Statistic::mean,
          .kinds = kStorage,
          .csv = { "host", "", "average" },
          .help = "The mean over the measurement, each tick with its length." },
        +[](const HostRow& r) { return Measured { r.average }; } },
    { { .key = "counter.minimum",
          .table = readings,
          .column = "Minimum",
          .name = "Minimum of the counter",
          .rounding = { Notation::decimals, 3 },
          .statistic = Statistic::minimum,
          .kinds = kStorage,
          .csv = { "host", "", "minimum" },
          .help = "The least of a tick." },
        +[](const HostRow& r) { return Measured { r.minimum }; } },
    { { .key = "counter.maximum",
          .table = readings,
          .column = "Maximum",
          .name = "Maximum of the counter",
          .rounding = { Notation::decimals, 3 },
          .statistic = Statistic::maximum,
          .kinds = kStorage,
          .csv = { "host", "", "maximum" },
          .help = "The most of a tick." },
        +[](const HostRow& r) { return Measured { r.maximum }; } },
};

} // namespace

std::span<const FigureRow> readingFigures()
{
    return kReadingRows;
}

} // namespace loadstone::analysis
