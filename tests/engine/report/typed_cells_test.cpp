// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A number in a table is a number, which writers, comparisons and sums can read; not a text that looks like one.
#include "base/posix_file.h"
#include "engine/analysis/sample_storage.h"
#include "report/judgement_tables.h"
#include "report/model.h"
#include "report/result_tables.h"
#include "sample_suite.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>

using namespace loadstone;
using namespace loadstone::report;
using namespace std::chrono_literals;

namespace {

/// Columns whose texts may begin with digits. Empty: of every table, or every column.
struct Exception {
    const char* table;
    const char* column;
    const char* reason;
};
constexpr Exception kExceptions[] {
    { "", "Mix", "a plan gives mixes names such as \"840 users\"" },
    { "", "Test", "likewise" },
    { "Test suite definition", "Value",
        "as published tables have it: all mixes in a cell; a seed is a name" },
    { "System parameters", "Value", "in the words of the plan; a seed is a name" },
    { "Programme", "What it does", "a sentence" },
    { "Versions", "Version", "numbers with two points are none" },
    { "Test log", "Time (UTC)", "a moment" },
    { "Remarks", "Made", "a moment" },
    { "Criteria", "Explanation", "a sentence" },
    { "", "Most frequent words", "what a server said" },
    { "", "Event", "a sentence" },
    { "", "Text", "somebody's words" },
    { "", "Token", "a name" },
    { "", "Mailbox", "a name" },
};

bool isExcepted(const std::string& table, const std::string& column)
{
    return std::ranges::any_of(kExceptions, [&](const Exception& one) {
        return (*one.table == '\0' || table == one.table) && column == one.column;
    });
}

/// "12", "≥ 12.3 ms", "<= 1,024", "+7.9 %", "01:00 to 05:00", "20, 30".
bool looksLikeNumber(const std::string& text)
{
    static const std::regex number("^(≥|<=|>=|<|>|\\+|-|±| )*[0-9].*");
    return std::regex_match(text, number);
}

void check(const ReportTable& table)
{
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            INFO(table.title << ", " << table.columns.at(i).heading << ": " << row[i].text());
            if (!row[i].number() && !isExcepted(table.title, table.columns[i].heading))
                CHECK_FALSE(looksLikeNumber(row[i].text()));
        }
}

/// All tables of a report; the number of those that have rows.
std::size_t checkReport(const Recording& recording)
{
    std::size_t tables = 0;
    const Report report = buildReport(recording).value();
    for (const Section& section : report.sections)
        for (const ReportTable& table : section.tables) {
            check(table);
            tables += table.empty() ? 0 : 1;
        }
    return tables;
}

/// A storage plan's run with a load, a backup, a recovery and a checksum.
void writeStorage(const std::filesystem::path& file)
{
    test::StorageSample sample(file);
    sample.phase(PhaseKind::measurement, 0);
    for (const char* group : { "one", "two" }) {
        sample.set(Quantity::transactions, group, 2);
        sample.set(Quantity::databaseReads, group, 60);
        sample.set(Quantity::databaseWrites, group, 40);
        sample.set(Quantity::databaseSize, group, 1'000'000'000);
        sample.set(Quantity::pageFaultStalls, group, 0);
    }
    sample.set(Quantity::processorTime, "_Total", 8.34);
    sample.transactions(4, 30ms);
    sample.io(IoClass::databaseRead, 120, 120 * 8192, 5ms);
    sample.event("5 pages were read");
    sample.ticks(30);
    sample.clear();
    sample.phase(PhaseKind::measurement, 1);
    sample.io(IoClass::backup, 100, 100 * 131'072, 4ms);
    sample.set(Quantity::pagesSeen, "one-1", 1280);
    sample.set(Quantity::pageBytesSeen, "one-1", 1280 * 8192);
    sample.set(Quantity::pageCheckTime, "one-1", 1000);
    sample.ticks(4);
    sample.clear();
    sample.phase(PhaseKind::measurement, 2);
    sample.set(Quantity::logsReplayed, "one", 25);
    sample.set(Quantity::recoveryTime, "one", 1000);
    sample.ticks(4);
    sample.clear();
    sample.phase(PhaseKind::measurement, 3);
    sample.set(Quantity::pagesSeen, "one-1", 1280);
    sample.set(Quantity::logFilesSeen, "one log", 3);
    sample.ticks(2);
    sample.finish();
}

/// Of a raw test, by hand.
RunResults rawResults()
{
    RunResults results;
    results.kind = RunKind::raw;
    results.state = RunState::finished;
    MixResult& mix = results.mixes.emplace_back();
    mix.name = "reads";
    mix.complete = true;
    IoRow& row = mix.io.emplace_back();
    row.volume = "vda";
    row.ioClass = IoClass::databaseRead;
    row.count = row.device.count = row.queued.count = 300;
    row.perSecond = 30;
    row.bytes = 300 * 8192;
    row.bytesPerSecond = 30 * 8192;
    row.device.mean = 4ms;
    mix.figures = figuresOf({ mix, RunKind::raw });
    return results;
}

void checkKeys(const std::vector<Figure>& figures, const std::string& csv, const std::string& json)
{
    for (const Figure& figure : figures) {
        const FigureInfo& info = infoOf(figure.id);
        INFO(info.key);
        CHECK(json.find("\"" + std::string(info.key) + "\"") != std::string::npos);
        if (figure.value)
            CHECK(csv.find("," + std::string(info.key) + "\n") != std::string::npos);
    }
}

/// Each figure has its key in JSON and CSV.
void checkKeys(const Recording& recording, const test::ScratchFolder& folder)
{
    REQUIRE(writeCsv(recording, folder / "keys.csv"));
    const std::string csv = readFile(folder / "keys-results.csv").value();
    const std::string json = formatJson(recording).value();
    const RunResults results = computeResults(recording).value();
    checkKeys(results.figures, csv, json);
    for (const MixResult& mix : results.mixes)
        checkKeys(mix.figures, csv, json);
}

} // namespace

TEST_CASE(
    "no table of a run of mail has a text in the place of a number, and each figure has its key in exports")
{
    const test::ScratchFolder folder;
    test::SampleSuite suite;
    suite.audit = { 100, 300, 294, 2, 1, 1, 1, 1, 3 };
    test::writeSampleSuite(folder / "mail.loadstone", suite);
    const Recording recording = Recording::open(folder / "mail.loadstone").value();
    CHECK(checkReport(recording) > 10);
    checkKeys(recording, folder);
}

TEST_CASE("no table of a storage programme has a text in the place of a number, and each figure has its key "
          "in exports")
{
    const test::ScratchFolder folder;
    writeStorage(folder / "storage.loadstone");
    const Recording recording = Recording::open(folder / "storage.loadstone").value();
    CHECK(checkReport(recording) > 10);
    checkKeys(recording, folder);
}

TEST_CASE("no table of a raw test has a text in the place of a number")
{
    const RunResults results = rawResults();
    for (const Table& table :
        { testTable(results), ioTable(results), deviceTable(results), queuedTable(results) }) {
        check(table);
        CHECK((table.empty() || std::ranges::any_of(table.rows.front(), [](const Cell& cell) {
            return cell.number().has_value();
        })));
    }
}

TEST_CASE("limits, ranges and errors are numbers of their own, which print as people write them")
{
    Criterion between;
    between.kind = Criterion::Kind::counter;
    between.unit = Unit::percent;
    between.least = 10;
    between.most = 20;
    between.value = 12.3456;
    const CriterionText text = describe(between);
    REQUIRE(text.limit.number());
    CHECK(text.limit.number()->from == 10.0);
    CHECK(text.limit.number()->value == 20.0);
    CHECK(text.limit == "10 to 20 %");
    CHECK(text.value == "12.35 %");
    Criterion latency;
    latency.kind = Criterion::Kind::responseTime;
    latency.most = 0.02;
    latency.value = 0.0305;
    latency.atLeast = true;
    CHECK(describe(latency).limit == "<= 20 ms");
    CHECK(describe(latency).limit.number()->limit == Limit::most);
    CHECK(describe(latency).value == "≥ 30.5 ms");
    CHECK(describe(latency).value.number()->unit == Unit::seconds);
    Number mean { 14.1789, Unit::one, { Notation::significant, 4 } };
    mean.error = 0.1099;
    CHECK(format(mean) == "14.18 ± 0.11");
    CHECK(format(Number { 120, Unit::one, { Notation::change, 1 } }) == "+120.0");
    CHECK(format(Number { 0.0123, Unit::seconds, { Notation::milliseconds, 4 } }) == "12.30");
}
