// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "engine/analysis/sample_storage.h"
#include "report/judgement_tables.h"
#include "report/model.h"
#include "report/result_tables.h"
#include "sample_suite.h"
#include "support/catch.h"
#include "support/program.h"
#include "support/typed_cells.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::report;
using namespace std::chrono_literals;

namespace {

/// The number of the report's tables, of which no cell is a text in the place of a number.
std::size_t checkReport(const Recording& recording)
{
    const Report report = buildReport(recording).value();
    CHECK(test::textsLikeNumbers(report) == std::vector<std::string>());
    std::size_t tables = 0;
    for (const Section& section : report.sections)
        tables += section.tables.size();
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
        CHECK(test::textsLikeNumbers(table) == std::vector<std::string>());
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
    // A value that is beyond its limit does not read as the limit.
    Criterion errors;
    errors.kind = Criterion::Kind::errorRate;
    errors.most = 0.02;
    errors.value = 17.0 / 842;
    CHECK(describe(errors).value == "2.02 %");
    errors.value = 0.0200001;
    CHECK(describe(errors).value == "2.00001 %");
    errors.value = 0.0317;
    CHECK(describe(errors).value == "3.2 %");
    latency.value = 0.0200004;
    latency.atLeast = false;
    CHECK(describe(latency).value == "20.0004 ms");
    latency.most = 2;
    latency.value = 2.3;
    CHECK(describe(latency).value == "2.30 s");
    between.value = 20.0004;
    CHECK(describe(between).value == "20.0004 %");
    Number mean { 14.1789, Unit::one, { Notation::significant, 4 } };
    mean.error = 0.1099;
    CHECK(format(mean) == "14.18 ± 0.11");
    CHECK(format(Number { 120, Unit::one, { Notation::change, 1 } }) == "+120.0");
    CHECK(format(Number { 0.0123, Unit::seconds, { Notation::milliseconds, 4 } }) == "12.30");
    Rounding difference { Notation::latency };
    difference.sign = true;
    CHECK(format(Number { 0.0123, Unit::seconds, difference }) == "+12.3 ms");
    CHECK(format(Number { -0.0123, Unit::seconds, difference }) == "-12.3 ms");
    FigureFlags bound;
    bound.lowerBound = true;
    CHECK(format(Number { 0.0123, Unit::seconds, difference, bound }) == "≥ +12.3 ms");
    difference = { Notation::plain, 2 };
    difference.sign = true;
    CHECK(format(Number { -0.001, Unit::one, difference })
        == "0.00"); // neither more nor less that could be seen
}
