// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/cells.h"
#include "report/result_tables.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::report {

namespace {

/// "4:15:00", "not within the test", "cannot tell".
Cell buildUpCell(const BuildUp& time)
{
    return time.state == BuildUp::State::builtUp ? clockCell(time.after) : Cell(toString(time.state));
}

constexpr std::size_t kMostReasons = 3;

} // namespace

Table queueTable(const RunResults& results)
{
    Table table { "Time until a queue builds up",
        "Counted from the end of the ramp-up: from then on the queue is above the limit, and not at or below "
        "it again until the end "
        "of the ramp-down. A peak from which it recovers does not count.",
        { { "Mix", false }, { "Queue", false } }, {} };
    std::vector<std::string> reasons;
    for (const MixResult& mix : results.mixes)
        for (const QueueRow& row : mix.queues) {
            if (table.columns.size() == 2)
                for (const double limit : { row.normal, row.failing })
                    table.columns.push_back({ "Above " + format(Number { limit }) + " after" });
            table.rows.push_back({ mix.complete ? mix.name : mix.name + " *", row.name,
                buildUpCell(row.aboveNormal), buildUpCell(row.aboveFailing) });
            for (const BuildUp* time : { &row.aboveNormal, &row.aboveFailing })
                if (!time->reason.empty() && std::ranges::find(reasons, time->reason) == reasons.end())
                    reasons.push_back(time->reason);
        }
    for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i)
        table.note += fmt::format("{}{}", i == 0 ? " It cannot be told where " : ", or where ", reasons[i]);
    if (!reasons.empty())
        table.note += reasons.size() > kMostReasons ? ", or for more such reasons." : ".";
    return table;
}

} // namespace loadstone::report

namespace loadstone {

ReportTable queueTable(const RunResults& results)
{
    return report::queueTable(results);
}

} // namespace loadstone
