// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"

#include <loadstone/history.h>

namespace loadstone::ui {

enum HistoryColumn {
    HistoryStar,
    HistoryStarted,
    HistoryTitle,
    HistoryVerdict,
    HistoryTags,
    HistoryNote,
    HistoryKind,
    HistoryLength,
    HistoryPlan,
    HistorySent,
    HistoryReceived,
    HistoryRate,
    HistoryIos,
    HistoryP95,
    HistoryErrors,
    HistoryAudit,
    HistoryScore,
    HistoryComputer,
    HistorySize,
    HistoryFigures, ///< the first of all other figures, which are hidden until they are chosen
};

/// One row a run of the history's list.
std::vector<Column<RunSummary>> historyColumns();
bool isStarred(const RunSummary& run);

} // namespace loadstone::ui
