// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_views.h"

#include "engine/analysis/sample_storage.h"
#include "support/catch.h"

#include <loadstone/report.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace loadstone::ui {

using namespace std::chrono_literals;

namespace {

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

/// The cells of a line of the terminal's tables, which two blanks part.
std::vector<std::string> cellsOf(const std::string& line)
{
    static const std::regex gap(" {2,}");
    std::vector<std::string> cells;
    for (std::sregex_token_iterator cell(line.begin(), line.end(), gap, -1), end; cell != end; ++cell)
        if (cell->length() > 0)
            cells.push_back(*cell);
    return cells;
}

std::vector<std::string> matchesOf(const std::string& text, const std::regex& pattern)
{
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

std::vector<PrintedRow> rowsOfHtml(const std::string& html)
{
    static const std::regex head("<th[^>]*>([^<]*)</th>"), line("(<td.*)</tr>"),
        cell("<td[^>]*>([^<]*)</td>");
    std::vector<PrintedRow> rows;
    for (std::size_t at = html.find("<table>"); at != std::string::npos; at = html.find("<table>", at + 1)) {
        const std::string table = html.substr(at, html.find("</table>", at) - at);
        const std::vector<std::string> headings = matchesOf(table, head);
        for (const std::string& found : matchesOf(table, line)) {
            const std::vector<std::string> cells = matchesOf(found, cell);
            PrintedRow& row = rows.emplace_back();
            for (std::size_t i = 0; i < std::min(cells.size(), headings.size()); ++i)
                row.emplace_back(headings[i], cells[i]);
        }
    }
    return rows;
}

} // namespace

std::vector<PrintedRow> rowsOfText(const std::string& text)
{
    std::vector<PrintedRow> rows;
    std::istringstream lines(text);
    std::vector<std::string> headings;
    int line = 0;
    for (std::string one; std::getline(lines, one); ++line) {
        if (one.empty()) {
            line = -1;
            headings.clear();
            continue;
        }
        const std::vector<std::string> cells = cellsOf(one);
        if (line == 1)
            headings = cells;
        else if (line > 1 && cells.size() == headings.size()) {
            PrintedRow& row = rows.emplace_back();
            for (std::size_t i = 0; i < cells.size(); ++i)
                row.emplace_back(headings[i], cells[i]);
        }
    }
    return rows;
}

bool has(const std::vector<PrintedRow>& rows, const std::string& mix, std::string_view heading,
    const std::string& cell)
{
    return std::ranges::any_of(rows, [&](const PrintedRow& row) {
        return !row.empty() && row.front().second == mix
            && std::ranges::find(row, std::pair(std::string(heading), cell)) != row.end();
    });
}

Views viewsOf(const std::filesystem::path& file, const test::ScratchFolder& folder)
{
    Views views;
    const auto recording = Recording::open(file).value();
    views.results = computeResults(recording).value();
    views.terminal = rowsOfText(formatResultTable(views.results, verdictOf(recording).value(), 1000)
        + formatJudgement(recording, 1000).value());
    writeHtmlReport(recording, folder / "run.html").value();
    views.html = rowsOfHtml(contentOf(folder / "run.html"));
    writeCsv(recording, folder / "run.csv").value();
    views.csv = contentOf(folder / "run-results.csv");
    views.json = Json::parse(formatJson(recording).value());
    {
        auto history = History::open(folder / "history").value();
        history.importArchive(file).value();
        REQUIRE(history.list().value().size() == 1);
    }
    views.fromHistory = History::open(folder / "history").value().list().value().at(0);
    return views;
}

void writeStorageRun(const std::filesystem::path& file)
{
    using Sample = test::StorageSample;
    Sample sample(file, Sample::planText(), Sample::Has::everything);
    for (const Quantity quantity : { Quantity::transactionsDue, Quantity::transactionsBegun })
        sample.set(quantity, "Transaction", 5);
    sample.set(Quantity::transactionsGivenUp, "Transaction", 0);
    sample.phase(PhaseKind::measurement, 0);
    for (const char* group : { "one", "two" }) {
        sample.set(Quantity::transactions, group, 2);
        sample.set(Quantity::databaseReads, group, 60);
        sample.set(Quantity::databaseWrites, group, 40);
        sample.set(Quantity::logWrites, group, 20);
        sample.set(Quantity::logBytes, group, 133'180);
        sample.set(Quantity::pageFaultStalls, group, 0);
        sample.set(Quantity::cacheSize, group, 32 << 20);
        sample.set(Quantity::sessionsInUse, group, 8);
        sample.set(Quantity::databaseSize, group, 1'000'000'000);
    }
    sample.transactions(4, 30ms);
    std::uint64_t count = 100;
    for (std::size_t i = 0; i < kIoClasses; ++i, count += 10)
        sample.io(static_cast<IoClass>(i), count, count * 4096, 2ms + i * 1ms);
    sample.ticks(30);
    sample.finish();
}

} // namespace loadstone::ui
