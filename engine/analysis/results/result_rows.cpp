// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/result_parts.h"
#include "history/recording_reader.h"

#include <algorithm>

namespace loadstone::analysis {

std::vector<LatencyRow> latencyRows(const RunHeader& header, const MixSums& sums, LatencyScope scope)
{
    std::vector<LatencyRow> rows;
    for (const HistogramInfo& info : header.histograms) {
        if (info.scope != scope)
            continue;
        SeriesKey key = info.key;
        key.clock.reset();
        auto row = std::ranges::find(rows, key, &LatencyRow::key);
        if (row == rows.end()) {
            LatencyRow fresh;
            fresh.key = key;
            fresh.name = info.name;
            fresh.scope = scope;
            row = rows.insert(rows.end(), std::move(fresh));
        }
        if (info.clock == LatencyClock::response)
            row->response = sums.histograms[info.id].summary();
        else if (info.clock == LatencyClock::service)
            row->service = sums.histograms[info.id].summary();
    }
    return rows;
}

void leaveOutIdle(std::vector<LatencyRow>& rows)
{
    std::erase_if(rows, [](const LatencyRow& row) {
        return row.service.count == 0 && (!row.response || row.response->empty())
            && (!row.counts || *row.counts == ActionCounts());
    });
}

std::vector<ErrorRow> errorRows(const MixSums& sums)
{
    std::vector<ErrorRow> errors;
    for (const auto& [what, count] : sums.errors) {
        const auto& [target, where, kind, code, text] = what;
        errors.push_back({ where, kind, code, count, text, target });
    }
    errors = history::withoutWordings(errors);
    std::stable_sort(
        errors.begin(), errors.end(), [](const ErrorRow& a, const ErrorRow& b) { return a.count > b.count; });
    return errors;
}

} // namespace loadstone::analysis
