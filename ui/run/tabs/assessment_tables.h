// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/figure_column.h"
#include "tables/rows_model.h"

#include <loadstone/report.h>

namespace loadstone::ui {

/// One criterion of one mix, or of the whole run.
struct CriterionRow {
    std::string mix;
    CriterionText text;
    bool met = false;
    bool isOpen = false; ///< the run goes on, and nothing was measured yet that could be judged
    bool isUnknown = false; ///< neither met nor failed: it cannot be told
    bool ofWholeRun = false;
    bool operator==(const CriterionRow&) const = default;
};
/// `running`: what is not met may be so because it has not been measured yet.
std::vector<CriterionRow> criterionRows(const Judgement& judgement, bool running = false);
/// How the criteria of a run in progress stand.
struct CriteriaSoFar {
    std::ptrdiff_t met = 0, failed = 0, open = 0;
    bool isMeasured =
        false; ///< some criterion of a mix can be judged; until then those of the whole run say little
    const CriterionRow* first = nullptr; ///< the first that failed; of the rows
};
CriteriaSoFar countSoFar(const std::vector<CriterionRow>& rows);
/// Of a run in progress of which nothing is judged: why, "no measurement yet".
QString whyNotJudged(const std::vector<CriterionRow>& rows);
/// Of a run in progress: "The plan's criteria so far: 1 NOT met, 2 met, 1 cannot be judged yet."
QString sentenceSoFar(const std::vector<CriterionRow>& rows);
std::vector<Column<CriterionRow>> criterionColumns(RunKind kind);
/// The actions of a score.
std::vector<FiguresRow> scoreRows(const Score& score);
/// LsLog's columns, times in milliseconds.
std::vector<Column<FiguresRow>> scoreColumns(double percentile);
/// "95 %", "99.9 %"
QString formatPercentile(double percentile);

/// A table of the reports as it is, with numbers set to the right.
using TextRow = std::vector<Cell>;
std::vector<Column<TextRow>> textColumns(const ReportTable& table);

} // namespace loadstone::ui
