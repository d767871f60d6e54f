// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Results from elsewhere, a line for each figure, as importResultCsv() reads them.
#include "report/csv_text.h"

#include <loadstone/external_result.h>
#include <loadstone/figure.h>
#include <loadstone/report.h>

#include <fmt/format.h>

namespace loadstone {

std::string formatResultCsv(const ExternalResult& result)
{
    std::string out = "system,figure,printed,unit,load,mix,statistic,as,source\n";
    for (const ResultValue& value : result.values) {
        if (!value.printed)
            continue;
        const ResultFigure& figure = result.figures[value.figure];
        const auto statistic = value.statistic ? value.statistic : figure.statistic;
        const std::string cells[] { result.systems[value.system].name, figure.name, value.printed->text,
            figure.unit, value.load ? fmt::format("{}", *value.load) : "", value.mix,
            statistic ? toString(*statistic) : "", toString(value.printed->how),
            value.source.empty() ? result.source : value.source };
        for (const std::string& cell : cells)
            out += (&cell == &cells[0] ? "" : ",") + report::csvText(plainText(cell));
        out += "\n";
    }
    return out;
}

} // namespace loadstone
