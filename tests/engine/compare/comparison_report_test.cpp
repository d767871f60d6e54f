// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compared_columns.h"
#include "support/catch.h"

#include <loadstone/comparison_report.h>
#include <loadstone/table_formats.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::test;

namespace {

std::vector<ComparedColumn> measuredColumns(double factor)
{
    const auto valuesOf = [](double times) {
        return std::vector { measuredValue("mail.sent-rate", 10 / times),
            measuredValue("response.average", 0.1 * times) };
    };
    return { columnOf("with fsync", { runOf(1, valuesOf(1)), runOf(4, valuesOf(1.01)) }),
        columnOf("without", { runOf(2, valuesOf(factor)), runOf(3, valuesOf(factor * 1.01)) }) };
}

RepeatPool measuredPool()
{
    RepeatPool pool;
    for (int i = 100; i < 121; ++i)
        pool.add(runOf(i,
            { measuredValue("mail.sent-rate", 10 + 0.05 * (i % 3)),
                measuredValue("response.average", 0.1 + 0.001 * (i % 3)) },
            "x"));
    return pool;
}

ComparisonReport reportOfColumns(const std::vector<ComparedColumn>& columns)
{
    ComparisonReport report;
    report.title = "A comparison";
    report.comparison = compareColumns(columns, {}, measuredPool()).value();
    return report;
}

} // namespace

TEST_CASE("Two columns stand with difference, what is needed, the word and what would tell")
{
    const ComparisonReport report = reportOfColumns(measuredColumns(0.5));
    const auto tables = comparisonTables(report.comparison);
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].title == "1,000 users");
    std::vector<std::string> headings;
    for (const ReportColumn& column : tables[0].columns)
        headings.push_back(column.heading);
    CHECK(headings
        == std::vector<std::string> { "Group", "Figure", "Unit", "with fsync", "without", "Difference",
            "Ratio", "Change", "Needed", "Found", "Control moved", "Why, and what would tell" });
    const auto& row = tables[0].rows.at(1);
    CHECK(row[1] == "Response time, average");
    CHECK(row[3] == "100 ms");
    CHECK(row[5] == "-50.2 ms");
    CHECK(row[6] == "0.500");
    CHECK(row[7] == "-50.0 %");
    CHECK(row[9] == "better");
    CHECK_THAT(tables[0].note, ContainsSubstring("2 of 2 differences are shown, by Holm's procedure"));
    const ComparisonRow& response = rowOf(report.comparison, "response.average");
    const auto sentences = explain(report.comparison, response, 1);
    REQUIRE(sentences.size() >= 3);
    CHECK(sentences[0] == "without: better.");
    CHECK_THAT(sentences[1], ContainsSubstring("It changes by -50.0 %, and "));
    CHECK_THAT(sentences[2], ContainsSubstring("from 23 runs in 2 groups"));
    CHECK(explain(report.comparison, response, 0).empty());
}

TEST_CASE("What is at least worse has a difference, a ratio and a change that are lower bounds")
{
    auto columns = measuredColumns(2);
    for (ComparedRun& run : columns[1].runs)
        for (ComparedMix& mix : run.mixes)
            for (ComparedValue& value : mix.values)
                if (value.key.figure == "response.average")
                    value.flags.lowerBound = true;
    const ComparisonReport report = reportOfColumns(columns);
    const auto tables = comparisonTables(report.comparison);
    const auto& row = tables.at(0).rows.at(1);
    CHECK(row[4].text().starts_with("≥ 2"));
    CHECK(row[5].text().starts_with("≥ +1"));
    REQUIRE(row[5].number().has_value()); // a number in a spreadsheet as well
    CHECK(row[6] == "≥ 2.000");
    CHECK(row[7] == "≥ +100.0 %");
    CHECK_THAT(explain(report.comparison, rowOf(report.comparison, "response.average"), 1).at(1),
        ContainsSubstring("It changes by at least +100.0 %, and "));
}

TEST_CASE("Whether a row is marked does not hang on which column is the baseline, also beside a bound")
{
    const auto words = [](double sent, std::size_t baseline) {
        const auto of = [](int number, double rate, double response, bool bound) {
            ComparedRun run = runOf(number,
                { measuredValue("mail.sent-rate", rate), measuredValue("response.average", response) });
            run.mixes[0].values[1].flags.lowerBound = bound;
            return run;
        };
        CompareOptions options;
        options.baseline = baseline;
        const Comparison comparison = compareColumns(
            { columnOf("a", { of(1, 10, 0.1, false) }), columnOf("b", { of(2, sent, 0.1001, true) }) },
            options, measuredPool())
                                          .value();
        const ComparedCell& bound = rowOf(comparison, "response.average").cells[1 - baseline];
        CHECK(bound.word == CompareWord::cannotTell); // hardly more than the other, at least
        return rowOf(comparison, "mail.sent-rate").cells[1 - baseline];
    };
    bool between = false; // shown for one row, and not for one of two
    for (double sent = 10; sent < 11; sent += 0.01) {
        const ComparedCell one = words(sent, 0), two = words(sent, 1);
        CHECK((one.word == CompareWord::better) == (two.word == CompareWord::worse));
        between = between || (one.p && *one.p <= 0.05 && *one.p > 0.025);
    }
    CHECK(between);
}

TEST_CASE("A mean of some runs of a column is not compared with that of the others")
{
    std::vector<ComparedColumn> columns;
    for (const bool all : { true, false }) {
        std::vector<ComparedRun> runs;
        for (int i = 0; i < 3; ++i) {
            std::vector<ComparedValue> values { measuredValue("mail.received-rate", 100 + i) };
            if (all || i > 0)
                values.push_back(measuredValue("mail.sent-rate", (all ? 30 : 50) + i));
            runs.push_back(runOf((all ? 0 : 10) + i, std::move(values)));
        }
        columns.push_back(columnOf(all ? "all" : "some", std::move(runs)));
    }
    for (const std::size_t baseline : { 0U, 1U }) {
        CompareOptions options;
        options.baseline = baseline;
        const Comparison comparison = compareColumns(columns, options).value();
        const ComparisonRow& row = rowOf(comparison, "mail.sent-rate");
        const ComparedCell& cell = row.cells[1 - baseline];
        CHECK(row.cells[1].missingRuns == 1);
        CHECK(cell.word == CompareWord::cannotTell);
        CHECK(cell.reason.find("only 2 of 3 runs") == 0);
        CHECK_FALSE(cell.change);
        CHECK(rowOf(comparison, "mail.received-rate").cells[1].missingRuns == 0);
        const ReportTable table = comparisonTables(comparison).front(); // and says so in each format
        const auto from = std::ranges::find(table.columns, "Only from", &ReportColumn::heading);
        REQUIRE(from != table.columns.end());
        const auto at = static_cast<std::size_t>(from - table.columns.begin());
        REQUIRE(table.rows.size() == 2);
        for (const auto& cells : table.rows)
            CHECK(cells[at].text() == (cells[1] == row.label ? "some, 2 of 3 runs" : ""));
    }
}

TEST_CASE("More columns have a table of what is shown behind their figures")
{
    auto columns = measuredColumns(0.5);
    columns.push_back(columnOf("third",
        { runOf(5, { measuredValue("mail.sent-rate", 10), measuredValue("response.average", 0.1) }) }));
    const ComparisonReport report = reportOfColumns(columns);
    const auto tables = comparisonTables(report.comparison);
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].rows.front().size() == tables[0].columns.size());
    CHECK(tables[1].title == "Differences that are shown");
    CHECK(tables[1].rows.size() == 2);
    CHECK(tables[1].rows[0][0] == "without");
}

TEST_CASE("A comparison reads the same in all formats")
{
    ComparisonReport report = reportOfColumns(measuredColumns(0.5));
    report.configuration = { { RunDifference::Group::software, "Dovecot: version", { "2.3.19", "2.3.21" },
                                 false },
        { RunDifference::Group::plan, "format", { "1", "1" }, true },
        { RunDifference::Group::study, "Study and case", { "fsync: with", "fsync: without" }, false } };
    const auto text = formatComparison(report, ComparisonFormat::text).value();
    CHECK_THAT(text, ContainsSubstring("-50.0 %"));
    CHECK_THAT(text, ContainsSubstring("1 more values are the same"));
    CHECK_THAT(text, ContainsSubstring("2.3.21"));
    CHECK_THAT(text, ContainsSubstring("fsync: without"));
    const auto markdown = formatComparison(report, ComparisonFormat::markdown).value();
    CHECK_THAT(markdown, ContainsSubstring("### 1,000 users"));
    CHECK_THAT(markdown, ContainsSubstring("| -50.0 % |"));
    CHECK_THAT(formatComparison(report, ComparisonFormat::csv).value(), ContainsSubstring("-50.0 %"));
    const auto html = formatComparison(report, ComparisonFormat::html).value();
    CHECK_THAT(html, ContainsSubstring("<circle"));
    CHECK_THAT(html, ContainsSubstring("<details><summary>What is the same"));
    CHECK_THAT(html, ContainsSubstring("</html>"));
    const auto json = nlohmann::json::parse(formatComparison(report, ComparisonFormat::json).value());
    const auto& cell = json["mixes"][0]["rows"][1]["columns"][1];
    CHECK(cell["found"] == "better");
    CHECK(cell["change"].get<double>() == Approx(-0.5));
    CHECK(cell["runs"].size() == 2);
    CHECK(json["mixes"][0]["rows"][1]["repeatability"]["runs"] == 23);
    CHECK(json["configuration"].size() == 3);
}

TEST_CASE("The picture of all runs has its axis and its band where figures can be")
{
    // Half: what is compared by logarithms doubles as easily, and nothing falls by more than all.
    const auto html = formatComparison(reportOfColumns(measuredColumns(3)), ComparisonFormat::html).value();
    const auto picture = html.substr(html.find("Runs against the mean of with fsync"));
    CHECK_THAT(picture, ContainsSubstring(">-100 %</text>"));
    CHECK_THAT(picture, !ContainsSubstring(">-150 %</text>"));
    CHECK_THAT(picture, ContainsSubstring(">+200 %</text>"));
    const auto report = reportOfColumns(measuredColumns(3));
    const ComparisonRow& response = rowOf(report.comparison, "response.average");
    REQUIRE(response.spread->logarithmic);
    const double up = *response.cells[1].criticalChange; // of a difference above 0
    CHECK_THAT(picture,
        ContainsSubstring(fmt::format("needed: {:+.1f} % or {:+.1f} %", 100 * (1 / (1 + up) - 1), 100 * up)));
}

TEST_CASE("Cells of Markdown hold no markup, and numbers stay as they are")
{
    const ReportTable table { "a|b *c*", "note <b>", { { "A_B", false }, { "N" } },
        { { "x|y `z` [l](u)\nnext", Number { -1.5, Unit::one, { Notation::plain, 1 } } } } };
    CHECK(formatTablesMarkdown({ table, { "empty", "", {}, {} } })
        == "### a\\|b \\*c\\*\n\n| A\\_B | N |\n| --- | ---: |\n| x\\|y \\`z\\` \\[l\\]\\(u\\) next | -1.5 "
           "|\n\nnote "
           "\\<b\\>\n\n");
}

TEST_CASE("The control that is found by itself was measured after all others")
{
    const auto controlOf =
        [](const std::string& order) { // the configuration of each run, one column for each
            std::vector<ComparedColumn> columns;
            for (const char configuration : order) {
                const auto number = static_cast<int>(columns.size());
                columns.push_back(columnOf(std::to_string(number),
                    { runOf(
                        number, { measuredValue("mail.sent-rate", 10) }, std::string(1, configuration)) }));
            }
            std::string found;
            const Comparison comparison = compareColumns(columns).value();
            for (std::size_t c = 0; c < columns.size(); ++c)
                if (comparison.status[c].control)
                    found += std::to_string(c);
            return found;
        };
    CHECK(controlOf("aba") == "2");
    CHECK(controlOf("ababa") == "4");
    CHECK(controlOf("abab").empty());
    CHECK(controlOf("aab").empty());
}

TEST_CASE("A mean of counts that is no whole number has decimals: one lost of two runs is not 0")
{
    const auto lost = [](double first, double second) {
        return std::vector { runOf(first > 0 ? 1 : 3, { measuredValue("audit.lost", first) }),
            runOf(first > 0 ? 2 : 4, { measuredValue("audit.lost", second) }) };
    };
    const auto rowsOf = [&](double first) {
        ComparisonReport report;
        report.comparison =
            compareColumns({ columnOf("a", lost(first, 0)), columnOf("b", lost(0, 0)) }, {}, {}).value();
        return comparisonTables(report.comparison).at(0).rows.at(0);
    };
    CHECK(rowsOf(1)[3] == "0.50");
    CHECK(rowsOf(1)[4] == "0.00");
    CHECK(rowsOf(2)[3] == "1");
    CHECK(rowsOf(20'003)[3] == "10,002");
}

TEST_CASE("Curves stand as a table of points with their knees, and trends with their questions")
{
    std::vector<ComparedColumn> columns;
    for (const double factor : { 1.0, 2.0 }) {
        ComparedRun run;
        run.title = "system";
        for (const double users : { 100.0, 200.0, 300.0, 400.0 }) {
            ComparedMix& mix = run.mixes.emplace_back();
            mix.load = users;
            mix.loadUnit = "users";
            mix.passed = users < 300 * factor;
            mix.values = { measuredValue("mail.sent-rate", std::min(users / 10, 20 * factor)),
                measuredValue("response.average", users > 200 * factor ? 2 : 0.1) };
        }
        columns.push_back(columnOf(factor > 1 ? "twice" : "once", { run }));
    }
    columns[1].runs[0].mixes[1].values[1].value.reset();
    RowKey response;
    response.figure = "response.average";
    const ReportTable table = curveTable(loadCurves(columns, response));
    CHECK(table.title == "Response time, average over users");
    REQUIRE(table.rows.size() == 4);
    CHECK(table.rows[1][0] == "200");
    CHECK(table.rows[1][1] == "100 ms");
    CHECK(table.rows[1][2] == "-");
    CHECK_THAT(table.note, ContainsSubstring("once: the knee is at 200 users"));
    CHECK_THAT(table.note, ContainsSubstring("once: the largest passing load is 200 users."));
    CHECK_THAT(table.note, ContainsSubstring("twice: the largest passing load is at least 400 users."));
    CHECK_THAT(table.note, ContainsSubstring("That is at least 2.000 times that of once."));
    // A bound is not what something is a multiple of, and other limits do not tell how loads relate.
    std::swap(columns[0], columns[1]);
    CHECK_THAT(curveTable(loadCurves(columns, response)).note, !ContainsSubstring("times that"));
    std::swap(columns[0], columns[1]);
    auto limited = columns;
    limited[0].runs[0].facts.set({ "limit", "Limit of the criteria", "150 ms", FactScope::passing });
    limited[1].runs[0].facts.set({ "limit", "Limit of the criteria", "600 ms", FactScope::passing });
    CHECK_THAT(curveTable(loadCurves(limited, response)).note, !ContainsSubstring("times that"));
    CHECK_THAT(table.note, !ContainsSubstring("runs at"));
    // A mean of some repeats alone is said to be one.
    columns[0].runs.push_back(columns[0].runs[0]);
    columns[0].runs[1].mixes[2].values[1].value.reset();
    CHECK_THAT(curveTable(loadCurves(columns, response)).note,
        ContainsSubstring("once: the mean is only of 1 of 2 runs at 300 users."));

    std::vector<ComparedRun> runs;
    for (int i = 0; i < 20; ++i)
        runs.push_back(
            runOf(i * 24, { measuredValue("response.average", (i < 10 ? 0.1 : 0.2) + 0.001 * (i % 3)) }));
    const PlanTrend trend = planTrend(runs, response, "1000 users");
    REQUIRE(trend.changes.size() == 1);
    CHECK(questionOf(trend, trend.changes[0])
        == "Has it been 201 ms since " + formatIso8601(runs[10].started).substr(0, 10)
            + ", and 101 ms before? (+99.2 %)");
    CHECK(trendTables(trend).size() == 2);
}
