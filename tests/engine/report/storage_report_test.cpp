// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "engine/analysis/sample_storage.h"
#include "report/model.h"
#include "report/result_tables.h"
#include "report/storage_tables.h"
#include "report/wording.h"
#include "support/catch.h"
#include "support/program.h"
#include "support/table_rows.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

using namespace loadstone;
using namespace loadstone::report;
using namespace std::chrono_literals;

namespace {

using Row = std::vector<std::string>;

void reading(test::StorageSample& sample, const char* what, double pages)
{
    sample.set(Quantity::pagesSeen, what, pages);
    sample.set(Quantity::pageBytesSeen, what, pages * 8192);
    sample.set(Quantity::pageCheckTime, what, 1000);
}

/// The beginning of a programme: a load of 30 s.
void writeLoad(test::StorageSample& sample)
{
    sample.phase(PhaseKind::rampUp, 0);
    sample.event("the cache is filled to 90 %");
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
    sample.set(Quantity::processorTime, "_Total", 8.34);
    sample.transactions(4, 30ms);
    sample.ticks(4);
    sample.phase(PhaseKind::measurement, 0);
    sample.io(IoClass::logWrite, 40, 266'360, 2ms);
    sample.io(IoClass::databaseRead, 120, 120 * 8192, 5ms);
    sample.ticks(30);
}

/// A whole programme.
void writeProgramme(const std::filesystem::path& file)
{
    test::StorageSample sample(file);
    writeLoad(sample);
    sample.clear();
    sample.phase(PhaseKind::measurement, 1);
    sample.io(IoClass::backup, 100, 100 * 131'072, 4ms);
    for (const char* name : { "one-1", "one-2", "two-1" })
        reading(sample, name, 1280);
    sample.ticks(4);
    sample.clear();
    sample.phase(PhaseKind::rampUp, 2);
    sample.ticks(2);
    sample.phase(PhaseKind::measurement, 2);
    for (const char* group : { "one", "two" }) {
        sample.set(Quantity::logsReplayed, group, 25);
        sample.set(Quantity::recoveryTime, group, 1000);
    }
    sample.ticks(4);
    sample.clear();
    sample.phase(PhaseKind::measurement, 3);
    reading(sample, "one-1", 1280);
    sample.set(Quantity::badPages, "one-1", 1);
    sample.set(Quantity::logFilesSeen, "one log", 3);
    sample.ticks(2);
    sample.event("the plan's end");
    sample.finish();
}

Recording programme(const test::ScratchFolder& folder)
{
    writeProgramme(folder / "storage.loadstone");
    return Recording::open(folder / "storage.loadstone").value();
}

const Section* sectionOf(const Report& report, const std::string& heading)
{
    const auto found = std::find_if(report.sections.begin(), report.sections.end(),
        [&](const Section& section) { return section.heading == heading; });
    return found == report.sections.end() ? nullptr : &*found;
}

bool contains(const std::string& text, const std::string& what)
{
    return text.find(what) != std::string::npos;
}

std::string textOf(const Recording& recording)
{
    return formatResultTable(computeResults(recording).value(), verdictOf(recording).value());
}

} // namespace

TEST_CASE("the tables of a storage programme have what a disclosure has")
{
    const test::ScratchFolder folder;
    const RunResults results = computeResults(programme(folder)).value();
    REQUIRE(results.mixes.size() == 4);
    CHECK(sizingTable(results).rows
        == std::vector<Row> {
            { "Performance", "200.00", "300.00", "66.67 %", "2,000,000,000", "2,000,000,000", "3" } });
    CHECK(groupLoadTable(results).rows
        == std::vector<Row> { { "Performance", "one", "8", "2.00", "100.00", "50.00", "1.50", "5.00" },
            { "Performance", "two", "8", "2.00", "100.00", "50.00", "1.50", "5.00" },
            { "Performance", "(All)", "16", "4.00", "200.00", "50.00", "1.50", "5.00" } });
    REQUIRE(groupLogTable(results).rows.size() == 3);
    CHECK(groupLogTable(results).rows[0]
        == Row { "Performance", "one", "20.00", "6,659", "0", "0", "0", "32 MB" });
    CHECK(recordTable(results).rows.size() == 3);
    const Table disk = diskTable(results);
    REQUIRE(disk.rows.size() == 4);
    CHECK(disk.rows[0]
        == Row { "Performance", "vda", "Database read", "3,600", "5.00 ms", "5.00 ms", "120.00", "8,192",
            "960 KB", "0", "0" });
    CHECK(disk.rows[1][2] == "Log write"); // behind the databases
    CHECK(disk.rows[1][7] == "6,659");
    CHECK(disk.rows[2]
        == Row { "Performance", "(All)", "Reads and writes", "4,800", "-", "-", "160.00", "7,809", "1.2 MB",
            "0", "0" });
    CHECK(disk.rows[3][2] == "Backup");
    CHECK(ioTable(results).empty()); // these are a raw test's
    REQUIRE(hostPerformanceTable(results).rows.size() == 2);
    CHECK(hostPerformanceTable(results).rows[0]
        == Row { "Performance", "% Processor Time", "8.340", "8.340", "8.340" });
    const Table checksums = checksumTable(results);
    REQUIRE(checksums.rows.size() == 6);
    CHECK(
        checksums.rows[3] == Row { "Streaming backup", "(Sum)", "15,360", "0", "0", "0", "120.00", "12.00" });
    CHECK(checksums.rows[4] == Row { "Checksum", "one-1", "2,560", "2", "0", "0", "20.00", "2.00" });
    REQUIRE(logChecksumTable(results).rows.size() == 2);
    CHECK(
        logChecksumTable(results).rows[1] == Row { "Checksum", "(Sum)", "6", "0", "0", "0", "0.00", "0.00" });
    const Table backup = backupTable(results);
    REQUIRE(backup.rows.size() == 6);
    CHECK(backup.rows[2] == Row { "Streaming backup", "one", "(Sum)", "80.00", "4.00", "20.00" });
    CHECK(backup.rows[5] == Row { "Streaming backup", "(All)", "(Sum)", "120.00", "4.00", "30.00" });
    const Table recovery = recoveryTable(results);
    REQUIRE(recovery.rows.size() == 3);
    CHECK(recovery.rows[0] == Row { "Soft recovery", "one", "100", "4.00", "0.040", "0", "0" });
    CHECK(recovery.rows[2] == Row { "Soft recovery", "(All)", "200", "4.00", "0.020", "0", "0" });
    for (const Table& table :
        { sizingTable(results), groupLoadTable(results), groupLogTable(results), recordTable(results), disk,
            hostPerformanceTable(results), checksums, logChecksumTable(results), backup, recovery }) {
        INFO(table.title);
        CHECK_FALSE(contains(table.note, "*")); // all of them ran to their end
        for (const auto& row : table.rows)
            CHECK(row.size() == table.columns.size());
    }
}

TEST_CASE("tables of a storage run that has only begun, or of mail, invent nothing")
{
    const test::ScratchFolder folder;
    test::StorageSample sample(folder / "live.loadstone");
    sample.phase(PhaseKind::measurement, 0);
    const auto recording = Recording::open(folder / "live.loadstone");
    REQUIRE(recording);
    const RunResults live = computeResults(*recording).value();
    CHECK(sizingTable(live).rows
        == std::vector<Row> { { "Performance *", "-", "300.00", "-", "-", "-", "3" } });
    CHECK(sizingTable(live).note.find("* Test in progress: interim figures.") != std::string::npos);
    CHECK(groupLoadTable(live).rows[2] == Row { "Performance *", "(All)", "-", "-", "-", "-", "-", "-" });
    CHECK(diskTable(live).empty());
    CHECK(hostPerformanceTable(live).empty());
    CHECK(checksumTable(live).empty());
    CHECK_FALSE(contains(formatResultTable(live, verdictOf(*recording).value()), "audit"));
    RunResults audited = live; // as recordings of raw tests are that go on
    audited.audit = AuditTotals {};
    CHECK_FALSE(contains(formatResultTable(audited, verdictOf(*recording).value()), "audit"));
    const auto report = buildReport(*recording);
    REQUIRE(report);
    CHECK(sectionOf(*report, "System parameters") != nullptr);
    CHECK(writeCsv(*recording, folder / "live.csv"));
    CHECK(formatJson(*recording));

    RunResults mail;
    mail.mixes.resize(1);
    mail.mixes[0].mailboxes = 28;
    for (const Table& table : { sizingTable(mail), groupLoadTable(mail), groupLogTable(mail),
             recordTable(mail), diskTable(mail), hostPerformanceTable(mail), checksumTable(mail),
             logChecksumTable(mail), backupTable(mail), recoveryTable(mail) })
        CHECK(table.empty());
}

TEST_CASE("a storage report has the sections of a disclosure, in its order, and nothing of mail")
{
    const test::ScratchFolder folder;
    const Recording recording = programme(folder);
    const auto report = buildReport(recording);
    REQUIRE(report);
    std::vector<std::string> headings;
    for (const Section& section : report->sections)
        headings.push_back(section.heading);
    std::size_t next = 0;
    for (const char* heading : { "Database sizing and throughput", "System parameters",
             "Disk subsystem performance", "Host system performance", "Checksum", "Backup", "Recovery",
             "Response times of transactions", "Test log" }) {
        INFO(heading);
        const auto found = std::find(
            headings.begin() + static_cast<std::ptrdiff_t>(next), headings.end(), std::string(heading));
        REQUIRE(found != headings.end());
        next = static_cast<std::size_t>(found - headings.begin()) + 1;
    }
    const Section* parameters = sectionOf(*report, "System parameters");
    REQUIRE(parameters != nullptr);
    REQUIRE(parameters->tables.size() == 2);
    CHECK(parameters->tables[0].rows[0]
        == Row { "Performance", "performance", "30 s after a warm-up of at most 1 h, strict limits" });
    CHECK(parameters->tables[0].rows[1]
        == Row { "Streaming backup", "backup", "8 reads of 128 KB at once of each database, to nowhere" });
    CHECK(
        parameters->tables[0].rows[2] == Row { "Soft recovery", "recovery", "100 log files of each group" });
    CHECK(std::ranges::any_of(parameters->tables[1].rows,
        [](const auto& row) { return row[0] == "Maximum database cache" && row[1] == "64 MB"; }));
    const Section* log = sectionOf(*report, "Test log");
    REQUIRE(log != nullptr);
    const Table& events = log->tables.back();
    REQUIRE(events.rows.size() == 2);
    CHECK(
        events.rows[0] == Row { "2026-11-21T14:03:05.000Z", "00:00", "info", "the cache is filled to 90 %" });
    CHECK_FALSE(sectionOf(*report, "Disk subsystem performance")->charts.empty());
    CHECK_FALSE(sectionOf(*report, "Database sizing and throughput")->charts.empty());

    REQUIRE(writeHtmlReport(recording, folder / "report.html"));
    const std::string html = readFile(folder / "report.html").value();
    for (const char* text :
        { "Messages per second", "Messages over", "Mailboxes", "Delivery", "audit", "Recv:sent" })
        CHECK_FALSE(contains(html, text));
}

TEST_CASE("a storage programme's terminal tables fit their width and leave mail out")
{
    const test::ScratchFolder folder;
    const std::string text = textOf(programme(folder));
    for (const char* title : { "Database sizing and throughput", "Disk subsystem performance",
             "Host system performance", "Checksums of the databases", "Backup", "Recovery" })
        CHECK(contains(text, title));
    CHECK_FALSE(contains(text, "audit"));
    CHECK_FALSE(contains(text, "Messages"));
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        INFO(line);
        CHECK(textWidth(line) <= 100);
    }
}

TEST_CASE("the JSON and CSV of a storage programme hold its figures, unrounded")
{
    const test::ScratchFolder folder;
    const Recording recording = programme(folder);
    const RunResults results = computeResults(recording).value();
    const auto json = nlohmann::json::parse(formatResultsJson(results));
    const auto& load = json["mixes"][0]["storage"];
    CHECK(load["kind"] == "performance");
    CHECK(load["achieved"].get<double>() == Approx(200));
    CHECK(load["groups"][1]["name"] == "two");
    CHECK(load["groups"][1]["bytesPerLogWrite"] == 6659.0);
    CHECK(load["allGroups"]["name"].is_null());
    CHECK(load["allLogs"].is_null());
    CHECK(load["host"][0]["average"].get<double>() == Approx(8.34));
    CHECK(json["mixes"][0]["io"][1]["longestSample"].get<double>() == Approx(0.002));
    CHECK(json["mixes"][0]["iosPerSecond"].get<double>() == Approx(160)); // as report and history have it
    CHECK(json["mixes"][1]["readsPerSecond"].get<double>() == Approx(100)); // of a backup
    CHECK(json["mixes"][1]["writesPerSecond"] == 0.0);
    CHECK(json["mixes"][1]["storage"]["backup"][5]["group"].is_null());
    CHECK(json["mixes"][1]["storage"]["backup"][5]["bytes"] == 120 << 20);
    CHECK(json["mixes"][2]["storage"]["recovery"][2]["secondsPerLog"] == 0.02);
    CHECK(json["mixes"][3]["storage"]["allDatabases"]["bad"] == 2);
    CHECK(nlohmann::json::parse(formatJson(recording).value())["results"] == json);

    REQUIRE(writeCsv(recording, folder / "out.csv"));
    const std::string csv = readFile(folder / "out-results.csv").value();
    for (const char* row : { "database sizing and throughput,Performance,,achieved transfers,/s,",
             "storage group,Performance,one,bytes per log write,bytes,6659",
             "disk,Performance,vda: Database read,longest sample in the device,s,0.005",
             "time in the device,Performance,vda: Log write,average,s,0.002",
             "disk,Streaming backup,,reads,/s,100", "backup,Streaming backup,,read,bytes,125829120",
             "recovery,Soft recovery,,time per log file,s,0.02",
             "checksum of a database,Checksum,one-1,bad pages,,2",
             "host,Performance,% Processor Time,average,%,8.3" }) {
        INFO(row);
        CHECK(contains(csv, row));
    }
    const std::string together = "disk,Performance,,reads and writes,/s,"; // a sum of rates
    const std::size_t at = csv.find(together);
    REQUIRE(at != std::string::npos);
    CHECK(std::stod(csv.substr(at + together.size())) == Approx(160));
    CHECK_FALSE(contains(csv, "mailboxes"));
    CHECK_FALSE(contains(csv, "messages"));
}

TEST_CASE("a storage run that is stopped says which test did not run to its end")
{
    const test::ScratchFolder folder;
    test::StorageSample sample(folder / "stopped.loadstone");
    writeLoad(sample);
    sample.clear();
    sample.phase(PhaseKind::measurement, 1);
    reading(sample, "one-1", 1280);
    sample.ticks(1);
    sample.finish(RunState::stopped);
    const auto results = computeResults(Recording::open(folder / "stopped.loadstone").value()).value();
    CHECK(sizingTable(results).rows[0][0] == "Performance");
    CHECK(backupTable(results).rows[0][0] == "Streaming backup *");
    const RunVerdict verdict = verdictOf(Recording::open(folder / "stopped.loadstone").value()).value();
    CHECK(verdict.verdict == Verdict::cutShort);
    CHECK(std::ranges::any_of(verdict.reasons, [](const std::string& sentence) {
        return sentence == "The measurement of \"Streaming backup\" did not run to its end.";
    }));
}
