// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/history.h"
#include "loadstone/rehearsal.h"
#include "loadstone/score.h"

#include <filesystem>
#include <string>

namespace loadstone {

/// Writes a run as one self-contained HTML page with inline SVG charts and its result tables.
Result<void> writeHtmlReport(const Recording& recording, const std::filesystem::path& to);
/// Writes the counters (one row a tick, PerfMon paths in the header) as `<stem>-counters.csv` and the result
/// tables as `<stem>-results.csv`; `to` is `<stem>.csv`. Missing samples are empty cells.
Result<void> writeCsv(const Recording& recording, const std::filesystem::path& to);
/// Everything a program needs: header, phases, results, latency tables, events.
Result<void> writeJson(const Recording& recording, const std::filesystem::path& to);
/// What writeJson() writes, as one line.
Result<std::string> formatJson(const Recording& recording);
/// The results alone as one line of JSON.
std::string formatResultsJson(const RunResults& results);
/// The totals of an initialisation or clean-up, likewise.
std::string formatPreparationJson(const PreparationTotals& totals);
/// The results for a terminal, at most `width` columns wide: verdict, tables with the mixes as rows, audit, errors.
std::string formatResultTable(const RunResults& results, std::size_t width = 100);
/// What a run comes to, for a terminal: criteria, load, steady state, score; nothing of what the plan does not have.
Result<std::string> formatJudgement(const Recording& recording, std::size_t width = 100);
/// The same as one line of JSON.
Result<std::string> formatJudgementJson(const Recording& recording);
/// What a rehearsed plan asks of the server, for a terminal.
std::string formatRehearsal(const Rehearsal& rehearsal, std::size_t width = 100);
/// The same as one line of JSON.
std::string formatRehearsalJson(const Rehearsal& rehearsal);
/// A score with the table and the formula that it comes from, for a terminal.
std::string formatScore(const Score& score, std::size_t width = 100);
std::string formatScoreJson(const Score& score); ///< one line
} // namespace loadstone
