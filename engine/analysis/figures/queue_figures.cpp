// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"

namespace loadstone::analysis {

namespace {

using enum FigureTable;

constexpr std::string_view kScalabilityTesting =
    "Microsoft Exchange: Scalability Testing (eTesting Labs), figure 10";

/// Where it is not above the limit at the end, the whole of the search is what is known of it.
Measured timeUntil(const BuildUp& time, std::uint64_t samples)
{
    if (time.state == BuildUp::State::cannotTell)
        return {};
    return { seconds(time.after), samples, time.state == BuildUp::State::notWithinTest };
}

constexpr FigureRow kQueueRows[] {
    { { .key = "queue.above-normal",
          .table = queue,
          .column = "Above normal after",
          .name = "Time until the queue is above its normal limit for good",
          .unit = Unit::seconds,
          .rounding = { Notation::clock },
          .better = Better::more,
          .statistic = Statistic::level,
          .kinds = kMail,
          .csv = { "queue", "", "above normal after" },
          .help = "From the end of the ramp-up to the first sample above the plan's normal limit, 50 by "
                  "default, after which no sample until "
                  "the end of the ramp-down is at or below it. A lower bound: not within the test.",
          .source = kScalabilityTesting },
        +[](const QueueRow& r) { return timeUntil(r.aboveNormal, r.samples); } },
    { { .key = "queue.above-failing",
          .table = queue,
          .column = "Above failing after",
          .name = "Time until the queue is above its failing limit for good",
          .unit = Unit::seconds,
          .rounding = { Notation::clock },
          .better = Better::more,
          .statistic = Statistic::level,
          .kinds = kMail,
          .csv = { "queue", "", "above failing after" },
          .help = "From the end of the ramp-up to the first sample above the plan's failing limit, 1,000 by "
                  "default, after which no sample "
                  "until the end of the ramp-down is at or below it. A lower bound: not within the test.",
          .source = kScalabilityTesting },
        +[](const QueueRow& r) { return timeUntil(r.aboveFailing, r.samples); } },
    { { .key = "queue.normal-limit",
          .table = queue,
          .shown = false,
          .column = "Normal",
          .name = "Normal limit of the queue",
          .unit = Unit::messages,
          .rounding = kWhole,
          .statistic = Statistic::planned,
          .kinds = kMail,
          .csv = { "queue", "", "normal limit" },
          .help = "What a healthy server has under way at most, as the plan says.",
          .source = kScalabilityTesting },
        +[](const QueueRow& r) { return Measured { r.normal }; } },
    { { .key = "queue.failing-limit",
          .table = queue,
          .shown = false,
          .column = "Failing",
          .name = "Failing limit of the queue",
          .unit = Unit::messages,
          .rounding = kWhole,
          .statistic = Statistic::planned,
          .kinds = kMail,
          .csv = { "queue", "", "failing limit" },
          .help = "Above it the server falls behind, as the plan says.",
          .source = kScalabilityTesting },
        +[](const QueueRow& r) { return Measured { r.failing }; } },
};

} // namespace

std::span<const FigureRow> queueFigures()
{
    return kQueueRows;
}

} // namespace loadstone::analysis
