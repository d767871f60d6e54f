// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/jetstress/jetstress.h"
#include "plan/model/plan.h"
#include "support/catch.h"
#include "support/program.h"

#include <fstream>

using namespace loadstone;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::filesystem::path kSamples = std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/plans/jetstress";

/// A configuration with this inside.
std::string configuration(const std::string& inside)
{
    return "<configuration>\n<TestDesignInfo><Type>Performance</Type></TestDesignInfo>\n" + inside
        + "\n</configuration>\n";
}

std::string errorOf(const std::string& xml)
{
    const auto read = plan::readJetstress(xml);
    return read ? "none" : read.error().message;
}

/// Fields of the errors that are left when it is checked.
std::vector<std::string> errorsOf(const plan::LoadedPlan& loaded)
{
    std::vector<std::string> fields;
    for (const Problem& problem : loaded.problems)
        if (problem.severity == ProblemSeverity::error)
            fields.push_back(problem.field);
    return fields;
}

} // namespace

TEST_CASE("a Jetstress 2013 configuration becomes a plan that says the same")
{
    const auto text = importJetstress(kSamples / "2013.xml",
        { { "C:\\ExchangeVols", "/mnt" }, { "E:", "/mnt/e/" }, { "C:\\", "/c" }, { "f:\\", "/logs" } });
    REQUIRE(text);
    INFO(*text);
    const plan::LoadedPlan loaded = plan::parsePlan(*text, "imported.toml");
    for (const Problem& problem : loaded.problems)
        UNSCOPED_INFO(problem.format("imported.toml"));
    REQUIRE(loaded.problems.empty());
    REQUIRE(loaded.plan.storage() != nullptr);
    const plan::StorageTest& test = loaded.plan.storage()->test;
    CHECK(loaded.plan.head().description == "Array \"B\",\nsecond shelf");
    CHECK(test.preset == plan::StoragePreset::exchange2013);
    CHECK(test.database.pageSize == 32768);
    CHECK(test.database.logFile == 2 << 20);
    CHECK(test.database.shortPad == 150);
    CHECK(test.database.longPad == 1800);
    CHECK(test.database.growthReserve == Approx(0.2));
    CHECK(test.load.pacing == plan::StoragePacing::threads);
    CHECK(test.load.threads == 24);
    CHECK(test.load.threadsOfHost);
    CHECK(test.load.targetIops == Approx(600));
    CHECK(test.load.insert == 45);
    CHECK(test.load.erase == 25);
    CHECK(test.load.replace == 4);
    CHECK(test.load.lazyCommits == 60);
    CHECK(test.maintenance.enabled);
    CHECK(test.maintenance.interval == 200ms);
    CHECK(test.logReaders() == 2);
    CHECK(test.limits.strict == plan::LatencyLimits { 18ms, 9500us, 90ms, 80ms });
    CHECK(test.limits.lenient == plan::LatencyLimits { 18ms, 9500us, 150ms, 160ms });
    CHECK(test.limits.latencyErrors == 3);
    CHECK(test.limits.margin == Approx(0.04));
    REQUIRE(test.groups.size() == 2);
    // The file of a database stands for its folder; the longest mapping that fits counts.
    CHECK(test.groups[0].databases == std::vector<std::string> { "/mnt/Vol1/DB1", "/mnt/Vol2/DB2" });
    CHECK(test.groups[0].log == "/mnt/Vol1/Log1");
    CHECK(test.groups[1].databases == std::vector<std::string> { "/mnt/e/DB3", "/c/ExchangeVolsOld/DB4" });
    CHECK(test.groups[1].log == "/logs");
    CHECK(test.groups[1].databaseSize == 4000ULL * (256U << 20) / 4);
    REQUIRE(test.tests.size() == 2);
    CHECK(test.tests[0].duration == 150min);
    CHECK(test.tests[1].kind == plan::StorageTestKind::checksum);
}

TEST_CASE("what an import leaves out stands in the plan, with its line and the reason")
{
    const std::string text = importJetstress(kSamples / "2013.xml", {}).value();
    CHECK_THAT(text, Contains("#   line 18: SluggishSessions = 2: write pacing = \"rate\""));
    CHECK_THAT(text, Contains("#   line 53: IopsBias = 2: all groups have the same load"));
    CHECK_THAT(text, Contains("#   line 68: NobodyKnows = 7: it has no counterpart here"));
    CHECK_THAT(text, Contains("LogFilesToReplay = 500: the test is not a recovery test"));
    CHECK_THAT(text, !Contains("Thresholds"));
}

TEST_CASE("folders that no mapping fits are left to be named, and the check says where")
{
    const plan::LoadedPlan loaded = plan::parsePlan(
        importJetstress(kSamples / "2013.xml", { { "c:/exchangevols/", "/mnt" } }).value(), "x.toml");
    CHECK(errorsOf(loaded)
        == std::vector<std::string> { "groups[1].databases[0]", "groups[1].databases[1]", "groups[1].log" });
    CHECK_THAT(loaded.problems.front().message, Contains("is a placeholder for a folder"));
    CHECK(loaded.plan.storage()->test.groups[1].databases[1] == "/CHANGE-ME/C/ExchangeVolsOld/DB4");
}

TEST_CASE("a configuration of 2007 has its limits, and mailboxes without threads pace the load")
{
    const plan::LoadedPlan loaded = plan::parsePlan(
        importJetstress(kSamples / "2007-recovery.xml", { { "D:", "/d" }, { "L:", "/l" } }).value(),
        "x.toml");
    REQUIRE(loaded.problems.empty());
    const plan::StorageTest& test = loaded.plan.storage()->test;
    CHECK(test.preset == plan::StoragePreset::exchange2007);
    CHECK(test.limits.strict.maximumDatabaseRead == 50ms);
    CHECK(test.load.pacing == plan::StoragePacing::mailboxes);
    CHECK(test.load.targetIops == Approx(500));
    CHECK(test.groups[0].databaseSize == 1000ULL * (250U << 20));
    REQUIRE(test.tests.size() == 1);
    CHECK(test.tests[0].kind == plan::StorageTestKind::recovery);
    CHECK(test.tests[0].logs == 250);
}

TEST_CASE("an import that says too little is a plan whose check names what is missing")
{
    const plan::LoadedPlan loaded =
        plan::parsePlan(importJetstress(kSamples / "empty-values.xml", {}).value(), "x.toml");
    CHECK(errorsOf(loaded)
        == std::vector<std::string> {
            "load.threads", "groups[0].database_size", "groups[0].databases[0]", "groups[0].log" });
}

TEST_CASE("a backup to disk is imported with its folder")
{
    const auto read = plan::readJetstress(
        "<configuration><TestDesignInfo><Type>DatabaseBackup</Type><BackupToDisk>true</BackupToDisk>"
        "</TestDesignInfo><ExchangeProfile><EseInstances><EseInstance><DatabaseBackupPath>B:\\backup"
        "</DatabaseBackupPath></EseInstance></EseInstances></ExchangeProfile></configuration>");
    REQUIRE(read);
    CHECK_THAT(plan::writePlan(*read, "x.xml", { { "b:", "/b" } }), Contains("to = \"/b/backup\""));
}

TEST_CASE("what is wrong with a configuration is told with its line")
{
    CHECK_THAT(errorOf(""), Contains("is not well-formed XML"));
    CHECK_THAT(errorOf("<configuration>\n<a></b>"),
        StartsWith("2: the configuration is not well-formed XML: mismatched tag"));
    CHECK_THAT(errorOf("\n<report/>"), StartsWith("2: is <report>, must be the <configuration>"));
    CHECK_THAT(errorOf("<configuration/>"), Contains("neither TestDesignInfo nor ExchangeProfile"));
    CHECK_THAT(errorOf(configuration("<ExchangeProfile>\n<ThreadCount>many</ThreadCount></ExchangeProfile>")),
        StartsWith("4: ThreadCount: \"many\" is not a number from 0 to 10000"));
    CHECK_THAT(errorOf(configuration("<ExchangeProfile><ThreadCount>1.5</ThreadCount></ExchangeProfile>")),
        StartsWith("3: ThreadCount: \"1.5\" is not a whole number"));
    CHECK_THAT(errorOf(configuration("<ExchangeProfile><MailboxIops>nan</MailboxIops></ExchangeProfile>")),
        StartsWith("3: MailboxIops"));
    CHECK_THAT(errorOf(configuration(
                   "<JetSystemParams><DatabasePageSize>5000</DatabasePageSize></JetSystemParams>")),
        StartsWith("3: DatabasePageSize: 5000 is not 4096"));
    for (const char* time : { "2 h", "P", "PT", "P1H", "PT1X", "PT-1H", "PT0S", "P40D", "PT1e9H", "P1DT" }) {
        INFO(time);
        const std::string error = errorOf(std::string("<configuration><TestDesignInfo><Duration>") + time
            + "</Duration></TestDesignInfo></configuration>");
        if (std::string(time) == "P1DT")
            CHECK(error == "none"); // odd, and clear
        else
            CHECK_THAT(error, StartsWith("1: Duration"));
    }
    CHECK_THAT(errorOf("<configuration><TestDesignInfo><VerifyChecksum>yes</VerifyChecksum></TestDesignInfo>"
                       "</configuration>"),
        StartsWith("1: VerifyChecksum: \"yes\" is neither true nor false"));
    const auto missing = importJetstress("/no/such/file.xml", {});
    REQUIRE_FALSE(missing);
    const test::ScratchFolder folder;
    const auto file = folder.path() / "mine.xml";
    std::ofstream(file) << "<configuration>\n\n<";
    CHECK_THAT(importJetstress(file, {}).error().message,
        StartsWith(file.string() + ":3: the configuration is not well-formed XML"));
}

TEST_CASE("documents that are made to grow are refused")
{
    CHECK_THAT(errorOf("<!DOCTYPE x [<!ENTITY a \"b\">]><configuration>&a;</configuration>"),
        StartsWith("1: the configuration has a document type declaration"));
    std::string deep;
    for (int i = 0; i < 1000; ++i)
        deep += "<a>";
    CHECK_THAT(errorOf(deep), Contains("elements nested more than 32 deep"));
    std::string many = "<configuration>";
    for (int i = 0; i < 20'000; ++i)
        many += "<a/>";
    CHECK_THAT(errorOf(many + "</configuration>"), Contains("more than 10000 elements"));
    CHECK_THAT(errorOf(std::string((1U << 20) + 1, ' ')), Contains("larger than 1 MB"));
}
