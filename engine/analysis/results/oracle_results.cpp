// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/result_parts.h"

#include <algorithm>

namespace loadstone::analysis {

namespace {

/// The last that a counter of the oracle says; none where there is no such counter, or it says nothing.
Result<std::optional<std::uint64_t>> oracleCounter(const Recording& recording, Quantity quantity)
{
    const TimeWindow whole { Nanoseconds(0), recording.length() };
    const auto id = findSeries(recording.header().counters, quantity);
    if (!id)
        return std::optional<std::uint64_t>();
    const auto last = recording.counterStatistics(*id, whole);
    if (!last)
        return last.error();
    if (last->samples == 0 || !(last->last >= 0 && last->last < 1e15))
        return std::optional<std::uint64_t>();
    return std::optional(static_cast<std::uint64_t>(last->last));
}

} // namespace

Result<std::optional<OracleTotals>> oracleOf(
    const Recording& recording, const std::vector<AuditException>& exceptions)
{
    OracleTotals totals;
    const auto wrong = std::count_if(exceptions.begin(), exceptions.end(),
        [](const AuditException& exception) { return exception.kind == AuditFinding::wrong; });
    for (const auto& [quantity, figure] : { std::pair { Quantity::oracleUsers, &totals.users },
             std::pair { Quantity::oracleChecks, &totals.checks },
             std::pair { Quantity::oracleFindings, &totals.findings } }) {
        const auto told = oracleCounter(recording, quantity);
        if (!told)
            return told.error();
        if (!*told && wrong == 0)
            return std::optional<OracleTotals>();
        *figure = told->value_or(0); // it follows nobody, and the drain has found something
    }
    const auto compared = oracleCounter(recording, Quantity::oracleCompared);
    if (!compared)
        return compared.error();
    totals.compared = *compared;
    totals.findings = std::max(totals.findings, static_cast<std::uint64_t>(wrong));
    return std::optional(totals);
}

} // namespace loadstone::analysis
