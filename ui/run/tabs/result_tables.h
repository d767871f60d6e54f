// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/figure_column.h"
#include "tables/rows_model.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <string>
#include <vector>

namespace loadstone::ui {

// The columns of the page's tables; each a plain function, so that tests can look at them.

/// One row a mix, or a test of storage; after its name a column for each of the figures.
std::vector<Column<MixResult>> mixColumns(const std::vector<FigureKey>& figures, RunKind kind);
std::vector<Column<LatencyRow>> latencyColumns();
std::vector<Column<ErrorRow>> errorColumns();
/// A transcript without its text, which may be long: that stays where it is.
struct TranscriptRow {
    Nanoseconds at {};
    std::string where;
    FailureKind kind = FailureKind::none;
    std::size_t index = 0; ///< of the transcript among all
    bool operator==(const TranscriptRow&) const = default;
};
std::vector<Column<TranscriptRow>> transcriptColumns();
std::vector<Column<AuditException>> exceptionColumns();
/// "12,000 copies expected: all delivered once" or what else the audit has to say.
QString auditSentence(const AuditTotals& audit, RunState state);
/// The same for a status bar: "ok", "ok, 3 late", "2 lost, 1 damaged".
QString auditShort(const AuditTotals& audit);
/// No message lost, doubled or damaged; late ones and those of unknown origin are remarks.
bool auditClean(const AuditTotals& audit);

/// A line of the event log: the run's own or a mark that was set later.
struct LogRow {
    Nanoseconds at {};
    int severity = 0; ///< as Severity; -1: a mark
    std::string text;
    bool operator==(const LogRow&) const = default;
};
std::vector<Column<LogRow>> logColumns();

} // namespace loadstone::ui
