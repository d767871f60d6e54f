// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/sample_storage.h"
#include "engine/history/sample_run.h"
#include "history/catalogue.h"
#include "support/catch.h"

#include <loadstone/comparison.h>
#include <loadstone/comparison_report.h>
#include <loadstone/history.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
title = "Compared"
[target]
password = "secret"
[target.smtp]
port = 2525
[target.pop3]
port = 2110
[workload]
steps = [ { action = "send message", size = "10 KB" }, { action = "empty mailbox" } ]
[mix]
ramp_up = "10 s"
[[mixes]]
name = "20 clients"
clients = 20
mailboxes_per_client = 1
threads_per_client = 1
think_time = "1 s"
measurement = "30 s"
)";

const std::string kLab = R"(kind = "lab"
title = "Two boxes"
[[item]]
id = "srv"
kind = "machine"
name = "Mail server"
role = "system under test"
memory = "64 GB"
[[item]]
id = "srv.imap"
kind = "software"
in = "srv"
name = "Dovecot"
version = "2.3.19"
)";

std::string with(std::string text, const std::string& old, const std::string& fresh)
{
    const auto at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), fresh);
}

/// A finished run that measured everything in its plan; `sent`: messages more a second.
void writeRun(const std::filesystem::path& file, const RunId& id, double sent,
    const std::string& plan = kPlan, const RunLab& lab = {})
{
    RunHeader header = sampleHeader(id);
    header.planText = plan;
    header.lab = lab;
    header.started += std::chrono::hours(std::stoi(id.text().substr(9, 2)));
    header.hostJson = R"({"logicalCpus": 4, "memoryBytes": 8000000000, "cpuModel": "x"})";
    history::ResultSeries series = sampleSeries();
    series.mixes = { { "20 clients", 20, 20, 1.0, 30s } };
    auto writer = history::RecordingWriter::create(file, header, series).value();
    Phase ramp { 0, 0, "20 clients", PhaseKind::rampUp, 0s, 10s, false };
    Phase phase { 1, 0, "20 clients", PhaseKind::measurement, 10s, 40s, false };
    writer.putPhase(ramp).value();
    writer.putPhase(phase).value();
    for (std::uint64_t number = 0; number < 40; ++number) {
        metrics::Tick tick = sampleTick(number, number < 10 ? 0 : 1);
        tick.values[0] += sent;
        tick.errors.clear();
        tick.values[3] = 0;
        writer.append(tick).value();
    }
    writer.finish({}).value();
}

RunId idOf(int hour, int number)
{
    return RunId::parse(fmt::format("20261121-{:02}0000-{:04x}", hour, number)).value();
}

} // namespace

TEST_CASE("a run is compared from the catalogue as from its recording", "[compare]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const RunId id = idOf(1, 1);
    writeRun(history.fileOf(id), id, 0);
    const auto direct = comparedRun(history.openRun(id).value());
    REQUIRE(direct);
    CHECK(history.compared(id).value() == *direct); // not in the catalogue yet
    REQUIRE(history.list());
    CHECK(history.compared(id).value() == *direct);
    CHECK_FALSE(history.compared(idOf(2, 2)));

    REQUIRE(direct->mixes.size() == 1);
    const ComparedMix& mix = direct->mixes[0];
    CHECK(mix.load == 20);
    CHECK(mix.loadUnit == "users");
    CHECK(mix.measured == 30s);
    CHECK(mix.warmUp == 10s);
    CHECK(mix.complete);
    RowKey rate;
    rate.figure = "mail.sent-rate";
    const ComparedValue* sent = findValue(mix.values, rate);
    REQUIRE(sent != nullptr);
    CHECK(*sent->value == Approx(11));
    CHECK(sent->withinError);
    CHECK(sent->unit == "messages/s");
    CHECK(sent->better == Better::more);
    CHECK_FALSE(sent->detail);
    CHECK(direct->facts.find(fact::pacing)->value == "threads with think time");
    CHECK(direct->facts.find(fact::protocol)->value == "SMTP, POP3");
    CHECK(direct->facts.find(fact::machine)->value == "4 processors, 8 GB");
    // Keys are unique within a mix: rows are found by them.
    std::vector<RowKey> keys;
    for (const ComparedValue& value : mix.values)
        keys.push_back(value.key);
    std::ranges::sort(keys);
    CHECK(std::ranges::adjacent_find(keys) == keys.end());
}

TEST_CASE("repeats of the history tell the spread of a comparison", "[compare]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    int number = 0;
    const auto add = [&](double sent, const std::string& plan) {
        const RunId id = idOf(number, number);
        writeRun(history.fileOf(id), id, sent, plan);
        ++number;
        return id;
    };
    const std::string other = with(kPlan, "10 KB", "20 KB"), deep = with(kPlan, "port = 2110", "port = 2111");
    for (const double sent : { 0.0, 0.1, 0.2001 }) // 330, 333 and 336 messages: fractions are not counted
        add(sent, kPlan);
    for (const double sent : { 3.0, 3.1 })
        add(sent, deep); // another configuration of the same kind
    for (const double sent : { 9.0, 5.0 })
        add(sent, other); // of another kind
    const RunId a = add(0.1, with(kPlan, "port = 2110", "port = 2112")),
                b = add(6, with(kPlan, "port = 2110", "port = 2113"));
    const std::vector<ComparedColumn> columns { { "a", { history.compared(a).value() }, {} },
        { "b", { history.compared(b).value() }, {} } };
    auto pool = history.repeats({ columns[0].runs[0].facts.poolingKey() });
    REQUIRE(pool);
    const auto comparison = compareColumns(columns, {}, *std::move(pool));
    REQUIRE(comparison);
    for (const ComparisonRow& row : comparison->mixes.at(0).rows)
        if (row.key.figure == "mail.sent-rate") {
            REQUIRE(row.spread);
            CHECK(row.spread->runs == 5);
            CHECK(row.spread->groups == 2);
            CHECK_FALSE(row.spread->ownSpread);
            CHECK(row.cells[1].word == CompareWord::better);
            CHECK(describe(*row.spread, row) == "0.8 % from 5 runs in 2 groups");
        }
    for (const ComparisonFormat format :
        { ComparisonFormat::text, ComparisonFormat::csv, ComparisonFormat::json, ComparisonFormat::html }) {
        const std::string text = formatComparison({ "Two", *comparison, {}, {}, {}, {} }, format).value();
        INFO(toString(format));
        for (const RunId& id : { a, b }) // each figure can be traced to its runs
            CHECK_THAT(text, Contains(id.text()));
        CHECK_THAT(text, Contains(formatIso8601(columns[0].runs[0].started)) && Contains("measured"));
    }
    CHECK(history.comparedOfPlan("sample.toml").value().size() == 9);
    CHECK(history.comparedOfPlan("other.toml").value().empty());
}

TEST_CASE("names, titles, comments and seeds make no other configuration", "[compare]")
{
    const TemporaryFolder folder;
    const auto configurationOf = [&](const char* name, const std::string& plan, const RunLab& lab = {}) {
        writeRun(folder.path(name), idOf(1, 1), 0, plan, lab);
        return comparedRun(Recording::open(folder.path(name)).value()).value().configuration;
    };
    const std::string base = configurationOf("a", kPlan);
    CHECK(base.size() == 16);
    CHECK(configurationOf("b", "seed = 7 # another\n" + with(kPlan, "Compared", "Again")) == base);
    CHECK(configurationOf("c", with(kPlan, "clients = 20", "clients = 21")) != base);
    const std::string lab = configurationOf("d", kPlan, { "a.toml", "", kLab });
    CHECK(lab != base);
    CHECK(configurationOf("e", kPlan, { "b.toml", "", "# comment\n" + with(kLab, "Two boxes", "Boxes") })
        == lab);
    CHECK(configurationOf("f", kPlan, { "a.toml", "", with(kLab, "2.3.19", "2.3.21") }) != lab);
}

TEST_CASE("the configuration of a column has what its runs differ in", "[compare]")
{
    const TemporaryFolder folder;
    writeRun(folder.path("a"), idOf(1, 1), 0, kPlan);
    writeRun(folder.path("b"), idOf(1, 2), 0, with(kPlan, "port = 2110", "port = 2111"));
    const auto columnOf = [&](std::initializer_list<const char*> names) {
        ComparedColumn column { *names.begin(), {}, {} };
        for (const char* name : names)
            column.runs.push_back(comparedRun(Recording::open(folder.path(name)).value()).value());
        return column;
    };
    const auto portIn = [&](const std::vector<ComparedColumn>& columns) {
        const auto rows = configurationRows(columns).value();
        const auto row = std::ranges::find(rows, "target.pop3.port", &ConfigurationRow::label);
        REQUIRE(row != rows.end());
        return fmt::format("{}{}", fmt::join(row->values, " | "), row->same ? ", same" : "");
    };
    CHECK(portIn({ columnOf({ "a", "b" }), columnOf({ "a" }) }) == "2110, 2111 | 2110");
    CHECK(portIn({ columnOf({ "a" }), columnOf({ "a", "b" }) }) == "2110 | 2110, 2111");
    CHECK(portIn({ columnOf({ "a", "b" }), columnOf({ "b", "a" }) }) == "2110, 2111 | 2111, 2110, same");
    CHECK(portIn({ columnOf({ "a", "a" }), columnOf({ "a" }) }) == "2110 | 2110, same");
}

TEST_CASE("columns have no defaults of mixes that their plans do not have", "[compare]")
{
    const TemporaryFolder folder;
    const std::string head = "format = 1\nkind = \"mail\"\n";
    writeRun(folder.path("a"), idOf(1, 1), 0, head + "[[mixes]]\nname = \"few\"\nclients = 2\n");
    writeRun(folder.path("b"), idOf(1, 2), 0,
        head + "[[mixes]]\nname = \"few\"\nclients = 2\nramp_up = \"5 s\"\n"
               "[[mixes]]\nname = \"many\"\nclients = 9\nramp_up = \"5 s\"\n");
    std::vector<ComparedColumn> columns;
    for (const char* name : { "a", "b" })
        columns.push_back({ name, { comparedRun(Recording::open(folder.path(name)).value()).value() }, {} });
    const auto rows = configurationRows(columns).value();
    const auto valuesOf = [&](const std::string& label) {
        const auto row = std::ranges::find(rows, label, &ConfigurationRow::label);
        REQUIRE(row != rows.end());
        return row->values;
    };
    CHECK(valuesOf("mixes[few].ramp_up") == std::vector<std::string> { "0 s", "5 s" });
    CHECK(valuesOf("mixes[many].ramp_up") == std::vector<std::string> { "", "5 s" });
}

TEST_CASE(
    "runs that differ in three keys, one field and one version differ in exactly these five", "[compare]")
{
    const TemporaryFolder folder;
    const std::string plan = with(with(with(kPlan, "10 KB", "20 KB"), "port = 2110", "port = 2111"),
        "ramp_up = \"10 s\"", "ramp_up = \"15 s\"");
    writeRun(folder.path("a"), idOf(1, 1), 0, kPlan, { "a.toml", "", kLab });
    writeRun(folder.path("b"), idOf(1, 2), 0, plan,
        { "b.toml", "", with(with(kLab, "64 GB", "128 GB"), "2.3.19", "2.3.21") });
    const auto columnOf = [&](const char* name) {
        return ComparedColumn { name, { comparedRun(Recording::open(folder.path(name)).value()).value() },
            {} };
    };
    const std::vector<ComparedColumn> columns { columnOf("a"), columnOf("b"), columnOf("a") };
    const auto rows = configurationRows(columns);
    REQUIRE(rows);
    std::vector<std::string> different;
    for (const ConfigurationRow& row : *rows)
        if (!row.same)
            different.push_back(fmt::format("{}: {}", row.label, fmt::join(row.values, " | ")));
    CHECK(different
        == std::vector<std::string> { "Mail server: memory: 64 GB | 128 GB | 64 GB",
            "Dovecot: version: 2.3.19 | 2.3.21 | 2.3.19", "target.pop3.port: 2110 | 2111 | 2110",
            "workload.steps[1].size: 10 KB | 20 KB | 10 KB", "mix.ramp_up: 10 s | 15 s | 10 s" });
    CHECK(std::ranges::count_if(*rows, &ConfigurationRow::same) > 5);
    // The same from the second column's side, and as tables: what is the same is folded.
    CHECK(std::ranges::count_if(*configurationRows(columns, 1), [](const auto& row) { return !row.same; })
        == 5);
    const auto tables = configurationTables(*rows, { "a", "b", "c" });
    REQUIRE(tables.size() == 4);
    CHECK(tables.back().folded);
    CHECK(tables.front().rows.size() == 1);
}

TEST_CASE(
    "storage runs compare whatever time their caches take to fill and their checksums last", "[compare]")
{
    const TemporaryFolder folder;
    const auto columnOf = [&](const char* name, int slow, const char* warmUp = "1 h") {
        StorageSample sample(folder.path(name),
            with(StorageSample::planText(), "duration = \"30 s\"",
                fmt::format("duration = \"30 s\"\nwarm_up = \"{}\"", warmUp)));
        sample.phase(PhaseKind::rampUp, 0);
        sample.ticks(2 * slow);
        sample.phase(PhaseKind::measurement, 0);
        sample.io(IoClass::databaseRead, 300 / slow, 8192, slow * 1ms);
        sample.ticks(30);
        sample.clear();
        sample.phase(PhaseKind::measurement, 3);
        sample.io(IoClass::checksum, 300 / slow, 65536, slow * 1ms);
        sample.ticks(5 * slow);
        sample.finish();
        return ComparedColumn { name, { comparedRun(Recording::open(folder.path(name)).value()).value() },
            {} };
    };
    const std::vector<ComparedColumn> columns { columnOf("a", 1), columnOf("b", 3) };
    const auto comparison = compareColumns(columns).value();
    REQUIRE(comparison.status.size() == 2);
    CHECK(comparison.status[1].notComparable.empty());
    REQUIRE(comparison.mixes.size() >= 2);
    for (const ComparisonMix& mix : comparison.mixes)
        for (const ComparisonRow& row : mix.rows)
            CHECK_THAT(row.cells[1].reason, !Catch::Contains("Warm-up") && !Catch::Contains("Length"));
    CHECK(columns[0].runs[0].mixes[0].measured == 30s); // under load its length is a condition
    // One whose warm-up ran out is not compared with one that was warm, also when both are read from bytes.
    ComparedColumn cold = columnOf("c", 3, "6 s");
    cold.runs[0] = decodeCompared(encodeCompared(cold.runs[0])).value();
    const auto apart = compareColumns({ columns[0], cold }).value();
    CHECK(apart.status[1].notComparable
        == std::vector<std::string> { "Warm-up: complete against cut short by its limit" });
    CHECK(compareColumns({ cold, cold }).value().status[1].notComparable.empty());
}

TEST_CASE("a catalogue with contents of others still compares", "[compare]")
{
    const TemporaryFolder folder;
    const RunId id = idOf(1, 1);
    std::string pool;
    {
        auto history = History::open(folder.path("history")).value();
        writeRun(history.fileOf(id), id, 0);
        REQUIRE(history.list());
        pool = history.compared(id).value().facts.poolingKey();
    }
    {
        auto database =
            history::Database::open(folder.path("history") / "catalogue.db", history::Database::Access::write)
                .value();
        REQUIRE(database.execute("UPDATE comparison SET content = x'0102030405'"));
    }
    auto history = History::open(folder.path("history")).value();
    const auto run = history.compared(id);
    REQUIRE(run);
    CHECK(run->id == id);
    CHECK(history.repeats({ pool, "kind=other" }));
    CHECK(history.comparedOfPlan("sample.toml").value().empty());
}

TEST_CASE("a comparison is the same in every format, and hostile texts do nothing", "[compare]")
{
    const TemporaryFolder folder;
    const std::string evil = "<script>alert(1)</script>|=cmd()|`a`\x1b[31m\n\"'&";
    const auto columnOf = [&](const char* name, double sent) {
        writeRun(folder.path(name), idOf(1, static_cast<int>(sent)), sent);
        return ComparedColumn { evil + name,
            { comparedRun(Recording::open(folder.path(name)).value()).value() }, {} };
    };
    std::vector<ComparedColumn> columns { columnOf("a", 0), columnOf("b", 5) };
    columns[1].runs[0].facts.set({ "profile", evil, evil });
    columns[0].runs[0].facts.set({ "profile", evil, "x" });
    for (ComparedColumn& column : columns)
        for (ComparedValue& value : column.runs[0].mixes[0].values)
            value.label += evil;
    CompareOptions options;
    options.evenIfNotComparable = true;
    ComparisonReport report;
    report.title = evil;
    report.comparison = compareColumns(columns, options).value();
    report.configuration = configurationRows(columns).value();
    report.curves.push_back(loadCurves(columns, report.comparison.mixes[0].rows[0].key));
    for (const ComparisonFormat format :
        { ComparisonFormat::text, ComparisonFormat::markdown, ComparisonFormat::csv, ComparisonFormat::json,
            ComparisonFormat::html, ComparisonFormat::xlsx }) {
        const auto text = formatComparison(report, format);
        REQUIRE(text);
        INFO(toString(format));
        CHECK(text->size() > 500);
        CHECK((format == ComparisonFormat::xlsx || text->find('\x1b') == std::string::npos));
        if (format == ComparisonFormat::html || format == ComparisonFormat::markdown)
            CHECK(text->find("<script>") == std::string::npos);
        CHECK(parseComparisonFormat(toString(format)).value() == format);
    }
    CHECK_FALSE(parseComparisonFormat("pdf"));
    const auto markdown = formatComparison(report, ComparisonFormat::markdown).value();
    CHECK(markdown.find("\\|=cmd") != std::string::npos); // the cell does not end there
    REQUIRE(writeComparison(report, ComparisonFormat::json, folder.path("out.json")));
    CHECK_FALSE(writeComparison(report, ComparisonFormat::json, folder.path("no") / "out.json"));
}
