// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/history.h"
#include "loadstone/judgement.h"
#include "loadstone/rehearsal.h"
#include "loadstone/run_header.h"
#include "loadstone/score.h"
#include "loadstone/table.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// A text that is safe for a terminal or a plain file, on one line: characters that would move a cursor, change a terminal or the
/// direction of letters (C0, DEL, C1, controls of direction, line separators) become an escape (\u001b), and bytes that are not
/// UTF-8 become \xff. For texts of plans, servers and recordings.
std::string plainText(std::string_view text);
/// The same, but keeps line breaks and tabs.
std::string plainLines(std::string_view text);
/// Behind the length of a run: " of 01:00 planned", of a storage test, of which only the load has a planned length,
/// " with 01:00 of load planned"; nothing where no length was planned.
std::string plannedText(const RunHeader& header);

/// Texts are UTF-8, in English; numbers have a decimal point, whatever the locale. All functions may be called on any thread; a
/// recording by one thread at a time. An Error when the recording cannot be read or `to` not be written, which is named.
///
/// A `window` is a chosen one, as computeResults() takes it: results, criteria, load, score, counters and errors are then of that
/// window, and headings say so. The verdict, audit, oracle, steady states and charts are those of the whole run all the same.
///
/// Writes a run as one self-contained HTML page with inline SVG charts and its result tables.
Result<void> writeHtmlReport(const Recording& recording, const std::filesystem::path& to,
    const std::optional<TimeWindow>& window = {});
/// Writes the counters (one row a tick, PerfMon paths in the header) as `<stem>-counters.csv` and the result
/// tables as `<stem>-results.csv`; `to` is `<stem>.csv`. Missing samples are empty cells.
Result<void> writeCsv(const Recording& recording, const std::filesystem::path& to,
    const std::optional<TimeWindow>& window = {});
/// Writes the tables and charts of the report as a workbook; see formatTablesXlsx().
Result<void> writeXlsx(const Recording& recording, const std::filesystem::path& to,
    const std::optional<TimeWindow>& window = {});
/// Everything a program needs: header, phases, results, latency tables, events.
Result<void> writeJson(const Recording& recording, const std::filesystem::path& to,
    const std::optional<TimeWindow>& window = {});
/// What writeJson() writes, as one line.
Result<std::string> formatJson(const Recording& recording, const std::optional<TimeWindow>& window = {});
/// The results alone as one line of JSON.
std::string formatResultsJson(const RunResults& results);
/// The totals of an initialisation or clean-up as one line of JSON.
std::string formatPreparationJson(const PreparationTotals& totals);
/// The results for a terminal, at most `width` columns wide: verdict, tables with the mixes as rows, audit, errors.
std::string formatResultTable(const RunResults& results, const RunVerdict& verdict, std::size_t width = 100);
/// The judgement of a run, for a terminal: criteria, load, steady state, score, as far as the plan has them.
Result<std::string> formatJudgement(
    const Recording& recording, std::size_t width = 100, const std::optional<TimeWindow>& window = {});
/// The same as one line of JSON.
Result<std::string> formatJudgementJson(
    const Recording& recording, const std::optional<TimeWindow>& window = {});
/// For a run on several targets the results and criteria of each, for a terminal; empty for one target.
Result<std::string> formatTargets(
    const Recording& recording, std::size_t width = 100, const std::optional<TimeWindow>& window = {});
/// The same as one line of JSON, a list with name, results and judgement of each.
Result<std::string> formatTargetsJson(
    const Recording& recording, const std::optional<TimeWindow>& window = {});
/// Average, minimum and maximum of counters over each measurement, for a terminal: a table for each computer, the system under test
/// first. `all`: of every counter; else the usual ones of the other computers, or nothing where there are none.
Result<std::string> formatReadings(const Recording& recording, bool all, std::size_t width = 100,
    const std::optional<TimeWindow>& window = {});
/// What a rehearsed plan asks of the server, for a terminal.
std::string formatRehearsal(const Rehearsal& rehearsal, std::size_t width = 100);
/// The same as one line of JSON.
std::string formatRehearsalJson(const Rehearsal& rehearsal);
/// A score with its table and formula, for a terminal.
std::string formatScore(const Score& score, std::size_t width = 100);
std::string formatScoreJson(const Score& score); ///< one line

/// The transaction load in the terms of the published disclosures, with the mixes as columns. No rows without a mix.
ReportTable loadTable(const std::vector<Load>& loads);
/// The actions of a user-day beside those of its profile. No rows without a profile.
ReportTable userDayTable(const std::vector<Load>& loads);

/// The counters that the plan derives, and those of these definitions (loadstone/derived.h), over each measurement, or over its part
/// in a chosen window, for a terminal; empty where there are none. An Error says what is wrong with a definition.
Result<std::string> formatDerived(const Recording& recording,
    const std::vector<std::string>& definitions = {}, std::size_t width = 100,
    const std::optional<TimeWindow>& window = {});
/// The time until the queues of each mix build up. No rows without a queue.
ReportTable queueTable(const RunResults& results);

/// The results of a storage plan's tests: sizing, load, disks, host, checksums, backup, recovery; only tables with
/// rows.
std::vector<ReportTable> storageTables(const RunResults& results);

/// A criterion as in the reports' table.
struct CriterionText {
    std::string what; ///< "Send message, 95 %"
    Cell limit, value; ///< "<= 20 ms", "12.3 ms"; value: "-" where there is nothing to judge
    std::string explanation; ///< what was found, since when it fails, or why nothing is judged; or empty
    bool operator==(const CriterionText&) const = default;
};
/// A criterion in words, with the rounding of the reports.
CriterionText describe(const Criterion& criterion);
/// "All 6 criteria of the plan are met." or how many are not; empty if the plan has none.
std::string criteriaSentence(const Judgement& judgement);
/// What of a chosen window was judged: what of it lies in measurements, from the first of them to the last.
TimeWindow judgedWindow(const Judgement& judgement);
/// The window of a mix's steady state, or why there is none.
std::string steadyStateSentence(const SteadyState& state);
/// The result of the mailbox oracle; for a run that has ended, also whether it compared the mailboxes at the end.
std::string oracleSentence(const OracleTotals& oracle, RunState state);

} // namespace loadstone
