// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/compared.h>
#include <loadstone/external_result.h>
#include <loadstone/history.h>
#include <loadstone/number.h>
#include <loadstone/study.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace loadstone;

namespace {

Study readText(const std::string& text)
{
    CheckedStudy checked = readStudy(Document(text, "made.toml"));
    for (const Problem& problem : checked.problems)
        FAIL_CHECK(problem.format("made.toml"));
    return std::move(checked.study);
}

/// "AbA": the case's letter for each step, small from the second repeat on by number.
std::string orderOf(const Study& study)
{
    std::string text;
    for (const StudyStep& step : stepsOf(study))
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", study.cases[step.caseIndex].id, step.repeat);
    return text;
}

Study withOrder(const std::string& order, int repeatsOfB = 2)
{
    return readText("kind = \"study\"\nname = \"s\"\nbaseline = \"A\"\norder = \"" + order
        + "\"\n[[case]]\nid = \"B\"\nplan = \"first-run\"\nrepeats = " + std::to_string(repeatsOfB)
        + "\n[[case]]\nid = \"A\"\nplan = \"first-run\"\nrepeats = 2\n");
}

std::vector<ComparedColumn> columnsOfShipped(const std::string& name, const std::filesystem::path& folder)
{
    auto checked = checkStudy(findStudy(name));
    REQUIRE(checked);
    REQUIRE(checked->usable());
    auto history = History::open(folder);
    REQUIRE(history);
    auto columns = columnsOf(checked->study, *history);
    REQUIRE(columns);
    return *std::move(columns);
}

const ComparedValue& valueOf(const ComparedColumn& column, const std::string& name)
{
    INFO(column.name << ": " << name);
    const auto& values = column.runs.at(0).wholeRun;
    const auto found =
        std::ranges::find_if(values, [&](const ComparedValue& value) { return value.key.name == name; });
    REQUIRE(found != values.end());
    return *found;
}

} // namespace

TEST_CASE("a study proposes the order of its runs")
{
    CHECK(orderOf(withOrder("as given")) == "B1 B2 A1 A2");
    CHECK(orderOf(withOrder("A B A B")) == "B1 A1 B2 A2");
    CHECK(orderOf(withOrder("A B B A")) == "B1 A1 A2 B2");
    CHECK(orderOf(withOrder("A B B A", 3)) == "B1 A1 A2 B2 B3");
    CHECK(orderOf(withOrder("A B A")) == "A1 B1 A2 B2 A3");
}

TEST_CASE("an absent key of a study has its default")
{
    const Study study =
        readText("kind = \"study\"\nname = \"s\"\n[[case]]\nid = \"a\"\nplan = \"first-run\"\n");
    CHECK(study.baseline == "a");
    CHECK(study.matters == 0.02);
    CHECK(study.confidence == 0.95);
    CHECK(study.order == StudyOrder::mirrored);
    CHECK(study.cases[0].repeats == 3);
    CHECK(study.cases[0].label() == "a");
    CHECK(agreementsOf(study).empty());
}

TEST_CASE("the commands of a study are what its users agree to, each once")
{
    const Study study =
        readText("kind = \"study\"\nname = \"s\"\n[[case]]\nid = \"a\"\nplan = \"first-run\"\n"
                 "[[command]]\nwhen = \"before run\"\nrun = \"systemctl restart x\"\n"
                 "[[command]]\nwhen = \"after mix\"\nrun = \"systemctl restart x\"\ntime_limit = \"5 s\"\n"
                 "[[command]]\nwhen = \"after run\"\nrun = \"true\"\ngo_on = true\n");
    CHECK(agreementsOf(study) == std::vector<std::string> { "systemctl restart x", "true" });
    CHECK(study.commands[1].timeLimit == std::chrono::seconds(5));
    CHECK(study.commands[2].goOn);
}

TEST_CASE("twelve hosts as one have the totals that their report prints, and their common window")
{
    const test::ScratchFolder folder;
    const auto columns = columnsOfShipped("dell-equallogic-90000", folder / "history");
    REQUIRE(columns.size() == 14); // twelve hosts, what is printed, and all
    const ComparedColumn& all = columns.back();
    const ComparedColumn& printed = columns[12];
    CHECK(all.id == "all");
    const auto two = [](double value) { return std::round(value * 100) / 100; };
    CHECK(two(*valueOf(all, "Average Database Disk Transfers/sec").value) == 36589.88);
    CHECK(two(*valueOf(all, "Average Database Disk Reads/sec").value) == 19539.84);
    CHECK(two(*valueOf(all, "Average Database Disk Writes/sec").value) == 17050.04);
    CHECK(two(*valueOf(all, "Average Log Disk Writes/sec").value) == 7017.48);
    CHECK(*valueOf(printed, "Average Log Disk Writes/sec").value == 7027.48);
    for (const char* name : { "Average Database Disk Read Latency (ms)",
             "Average Database Disk Write Latency (ms)", "Average Log Disk Write Latency (ms)" }) {
        CHECK(valueOf(all, name).unit == "ms");
        CHECK(std::round(*valueOf(all, name).value) == *valueOf(printed, name).value);
    }
    CHECK_THAT(all.note,
        ContainsSubstring(
            "the windows of the hosts overlap for 5:39:24, from 2008-11-11 17:59:14 to 2008-11-11 23:38:38"));
    // The hosts' own latencies are the means of two volumes, half rounded up.
    const auto tables = checkResult(findResult("dell-equallogic-90000-summary"));
    const auto summary = comparedRuns(tables->result);
    int latencies = 0;
    for (std::size_t host = 0; host < 12; ++host)
        for (const char* name : { "Average Database Disk Read Latency (ms)",
                 "Average Database Disk Write Latency (ms)", "Average Log Disk Write Latency (ms)" }) {
            const ComparedValue* table = findValue(summary[host].wholeRun, valueOf(columns[host], name).key);
            REQUIRE(table != nullptr);
            INFO(columns[host].name << ": " << name);
            CHECK(columns[host].name == summary[host].title);
            CHECK(*valueOf(columns[host], name).value == *table->value);
            ++latencies;
        }
    CHECK(latencies == 36);
}

TEST_CASE("the cases of the virtualisation study give the ratios that its report states")
{
    const test::ScratchFolder folder;
    const auto columns = columnsOfShipped("vmware-dell-exchange2003", folder / "history");
    REQUIRE(columns.size() == 7);
    const auto checked = checkStudy(findStudy("vmware-dell-exchange2003"));
    std::vector<std::string> ratios;
    for (const StudyComparison& comparison : checked->study.comparisons) {
        const auto pair = columnsOf(comparison, columns);
        REQUIRE(pair.size() == 2);
        ratios.push_back(fmt::format("{:.3f}",
            *valueOf(pair[1], "Users supported").value / *valueOf(pair[0], "Users supported").value));
    }
    CHECK(ratios == std::vector<std::string> { "0.765", "0.710", "1.692", "1.846", "3.077", "1.818" });
    std::vector<double> each;
    for (const ComparedColumn& column : columns)
        each.push_back(*valueOf(column, "Users a processor").value);
    CHECK(each == std::vector<double> { 1700, 1550, 1300, 1200, 1000, 1100, 1000 });
    CHECK(baselineColumn(checked->study, columns) == 0);
}

namespace {

ComparedColumn hostOf(const std::string& name,
    std::vector<std::pair<std::string, std::optional<double>>> values, int begins = 0)
{
    ComparedColumn host { name, {}, {}, name };
    ComparedRun& run = host.runs.emplace_back();
    run.started = WallTime(std::chrono::seconds(1'000'000'000 + begins));
    ComparedMix& mix = run.mixes.emplace_back();
    mix.name = "load";
    mix.load = 100;
    mix.loadUnit = "users";
    mix.window = { std::chrono::seconds(10), std::chrono::seconds(70) };
    for (auto& [label, number] : values) {
        ComparedValue value;
        value.key.name = label;
        value.label = label;
        value.value = number;
        value.slack = 0.5;
        value.unit = label == "rate" ? "/s" : "ms";
        value.statistic = label == "rate" ? Statistic::rate : Statistic::mean;
        mix.values.push_back(value);
    }
    return host;
}

HostSet ofTwo()
{
    HostSet set;
    set.id = "all";
    set.hosts = { "a", "b" };
    return set;
}

std::optional<double> of(const ComparedColumn& column, const std::string& name)
{
    for (const ComparedValue& value : column.runs.at(0).mixes.at(0).values)
        if (value.key.name == name)
            return value.value;
    return std::nullopt;
}

bool has(const ComparedColumn& column, const std::string& name)
{
    return std::ranges::any_of(column.runs.at(0).mixes.at(0).values,
        [&](const ComparedValue& value) { return value.key.name == name; });
}

} // namespace

TEST_CASE("each rule of a set puts the values of its hosts together")
{
    HostSet set = ofTwo();
    const std::vector<ComparedColumn> hosts { hostOf("a", { { "rate", 100 }, { "latency", 10 } }),
        hostOf("b", { { "rate", 300 }, { "latency", 20 } }) };
    const auto with = [&](Aggregation rule, std::vector<std::string> weights = {}) {
        AggregationRow row;
        row.figure = "latency";
        row.rule = rule;
        row.weights = std::move(weights);
        set.rows = { row };
        return columnOfHosts(set, hosts);
    };
    CHECK(of(with(Aggregation::sum), "latency") == 30);
    CHECK(of(with(Aggregation::mean), "latency") == 15);
    CHECK(of(with(Aggregation::largest), "latency") == 20);
    CHECK(of(with(Aggregation::smallest), "latency") == 10);
    CHECK(of(with(Aggregation::weightedMean, { "rate" }), "latency") == 17.5);
    CHECK_FALSE(of(with(Aggregation::weightedMean, { "nothing" }), "latency"));
    CHECK_FALSE(has(with(Aggregation::none), "latency"));
    // Without a rule rates are added up and means are left out; so are the loads.
    set.rows.clear();
    const ComparedColumn column = columnOfHosts(set, hosts);
    CHECK(of(column, "rate") == 400);
    CHECK_FALSE(has(column, "latency"));
    CHECK(column.runs[0].mixes[0].load == 200);
    CHECK(column.runs[0].mixes[0].values[0].slack == 1);
}

TEST_CASE("where a host has no value the set has none, and says so")
{
    const HostSet set = ofTwo();
    const ComparedColumn column =
        columnOfHosts(set, { hostOf("a", { { "rate", 100 } }), hostOf("b", { { "rate", std::nullopt } }) });
    CHECK(has(column, "rate"));
    CHECK_FALSE(of(column, "rate"));
    CHECK_THAT(column.note, ContainsSubstring("b has no rate"));
    // A host without runs makes no set at all.
    CHECK(columnOfHosts(set, { hostOf("a", {}), ComparedColumn {} }).runs.empty());
    CHECK(columnOfHosts(set, {}).runs.empty());
}

TEST_CASE("windows that overlap in part, or not at all, are told")
{
    const HostSet set = ofTwo();
    const auto noteOf = [&](int later) {
        return columnOfHosts(set, { hostOf("a", { { "rate", 1 } }), hostOf("b", { { "rate", 1 } }, later) })
            .note;
    };
    CHECK_THAT(noteOf(30), ContainsSubstring("the windows of the hosts overlap for 00:30"));
    CHECK_THAT(noteOf(90), ContainsSubstring("do not overlap"));
}

TEST_CASE("volumes of a host are put together before hosts are, and its own value is rounded half up")
{
    HostSet set = ofTwo();
    set.keepHosts = true;
    AggregationRow row;
    row.figure = "both";
    row.rule = Aggregation::mean;
    row.of = { "r", "s" };
    row.decimals = 0;
    set.rows = { row };
    const ComparedColumn column = columnOfHosts(
        set, { hostOf("a", { { "r", 19 }, { "s", 18 } }), hostOf("b", { { "r", 17 }, { "s", 17 } }) });
    CHECK(of(column, "both") == 17.75);
}
