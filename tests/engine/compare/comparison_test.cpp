// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compared_columns.h"
#include "support/catch.h"

#include <loadstone/comparison.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace loadstone;
using namespace loadstone::test;

namespace {

/// The changes of a row from the baseline, as reports print them.
std::vector<std::string> changesOf(const Comparison& comparison, const std::string& name)
{
    std::vector<std::string> texts;
    const ComparisonRow& row = rowOf(comparison, name);
    for (std::size_t c = 0; c < row.cells.size(); ++c)
        if (c != comparison.options.baseline)
            texts.push_back(format(Number { row.cells[c].change, Unit::share, { Notation::difference } }));
    return texts;
}

using Texts = std::vector<std::string>;

/// "Baseline Performance for Mailbox Server (Using MAPI)", Microsoft, Exchange Server 2003 documentation: scenario 1.
std::vector<ComparedColumn> onlineColumns()
{
    struct Row {
        const char* name;
        std::array<const char*, 4> digits;
        Better better;
    };
    constexpr std::array kRows { Row { "% Processor Time", { "75", "76", "75", "57" }, Better::less },
        Row { "Context Switches/sec", { "8,300", "7,833", "10,183", "13,487" }, Better::neither },
        Row { "Network Usage", { "3,154", "1,594", "1,604", "1,613" }, Better::less },
        Row { "DB Disk Transfers/sec", { "2,088", "1,980", "1,929", "1,955" }, Better::less },
        Row { "Log Writes/sec", { "377", "314", "353", "398" }, Better::less },
        Row { "Disk Bytes/sec", { "19.9", "20.4", "18.9", "17.9" }, Better::less },
        Row { "RPC Operations/sec", { "950", "955", "940", "925" }, Better::neither },
        Row { "Client Latency", { "96", "100", "95", "105" }, Better::less } };
    constexpr std::array kNames { "Exchange 2000 SP3, Outlook 2000", "Exchange 2003, Outlook 2003",
        "Exchange 2003 on Windows 2003", "the same with Hyper-Threading" };
    std::vector<ComparedColumn> columns;
    for (std::size_t c = 0; c < kNames.size(); ++c) {
        std::vector<ComparedValue> values;
        for (const Row& row : kRows)
            values.push_back(printedValue(row.name, row.digits.at(c), row.better));
        ComparedRun run = reportOf(kNames.at(c), 8000, std::move(values));
        run.facts.set({ "client", "Client", "online" });
        run.facts.set({ "action.send", "Send Mail a user-day", "12" });
        run.facts.set({ "action.inbox", "Process Inbox a user-day", "12" });
        run.facts.set({ "action.browse", "Browse Mail a user-day", "20" });
        run.facts.set({ "action.free-busy", "Check Free/Busy a user-day", "1" });
        columns.push_back(columnOf(kNames.at(c), { std::move(run) }));
    }
    return columns;
}

/// Scenario 2 of the same, which prints no client latency.
std::vector<ComparedColumn> cachedColumns()
{
    struct Row {
        const char* name;
        std::array<const char*, 2> digits;
        Better better;
    };
    constexpr std::array kRows { Row { "% Processor Time", { "64", "57" }, Better::less },
        Row { "Context Switches/sec", { "7,981", "6,488" }, Better::neither },
        Row { "Network Usage", { "3,613", "1,765" }, Better::less },
        Row { "DB Disk Transfers/sec", { "1,496", "1,355" }, Better::less },
        Row { "Log Writes/sec", { "304", "315" }, Better::less },
        Row { "Disk Bytes/sec", { "17.7", "16.2" }, Better::less },
        Row { "RPC Operations/sec", { "1,205", "1,193" }, Better::neither } };
    std::vector<ComparedColumn> columns;
    for (std::size_t c = 0; c < 2; ++c) {
        std::vector<ComparedValue> values;
        for (const Row& row : kRows)
            values.push_back(printedValue(row.name, row.digits.at(c), row.better));
        ComparedRun run = reportOf(c == 0 ? "2000 cached" : "2003 cached", 8000, std::move(values));
        run.facts.set({ "client", "Client", "cached" });
        run.facts.set({ "action.send", "Send Mail a user-day", "7" });
        run.facts.set({ "action.inbox", "Process Inbox a user-day", "20" });
        run.facts.set({ "action.free-busy", "Check Free/Busy a user-day", "4" });
        run.facts.set({ "action.logoff", "Logoff a user-day", "3" });
        columns.push_back(columnOf(run.title, { run }));
    }
    return columns;
}

} // namespace

TEST_CASE("Four published columns give the changes that follow from their digits")
{
    const auto comparison = compareColumns(onlineColumns());
    REQUIRE(comparison);
    CHECK(comparison->comparable());
    CHECK(changesOf(*comparison, "% Processor Time") == Texts { "+1.3 %", "0.0 %", "-24.0 %" });
    CHECK(changesOf(*comparison, "Network Usage") == Texts { "-49.5 %", "-49.1 %", "-48.9 %" });
    CHECK(changesOf(*comparison, "DB Disk Transfers/sec") == Texts { "-5.2 %", "-7.6 %", "-6.4 %" });
    CHECK(changesOf(*comparison, "Log Writes/sec") == Texts { "-16.7 %", "-6.4 %", "+5.6 %" });
    CHECK(changesOf(*comparison, "Disk Bytes/sec") == Texts { "+2.5 %", "-5.0 %", "-10.1 %" });
    CHECK(changesOf(*comparison, "Client Latency") == Texts { "+4.2 %", "-1.0 %", "+9.4 %" });
    CompareOptions second;
    second.baseline = 1;
    const auto fromSecond = compareColumns(onlineColumns(), second);
    REQUIRE(fromSecond);
    CHECK(changesOf(*fromSecond, "% Processor Time").back() == "-25.0 %");

    const auto cached = compareColumns(cachedColumns());
    REQUIRE(cached);
    CHECK(changesOf(*cached, "% Processor Time") == Texts { "-10.9 %" });
    CHECK(changesOf(*cached, "Context Switches/sec") == Texts { "-18.7 %" });
    CHECK(changesOf(*cached, "Network Usage") == Texts { "-51.1 %" });
    CHECK(changesOf(*cached, "DB Disk Transfers/sec") == Texts { "-9.4 %" });
    CHECK(changesOf(*cached, "Log Writes/sec") == Texts { "+3.6 %" });
    CHECK(changesOf(*cached, "Disk Bytes/sec") == Texts { "-8.5 %" });
    CHECK(changesOf(*cached, "RPC Operations/sec") == Texts { "-1.0 %" });
    for (const ComparisonMix& mix : cached->mixes)
        CHECK(std::ranges::none_of(
            mix.rows, [](const ComparisonRow& row) { return row.key.name == "Client Latency"; }));
}

TEST_CASE("A difference within the rounding of printed numbers is none, and single reports carry no verdict")
{
    const auto comparison = compareColumns(onlineColumns());
    REQUIRE(comparison);
    const ComparisonRow& processor = rowOf(*comparison, "% Processor Time");
    CHECK(processor.cells[1].withinRounding); // 75 and 76
    CHECK(processor.cells[1].word == CompareWord::noDifferenceShown);
    CHECK(processor.cells[2].word == CompareWord::noDifferenceShown); // the same digits
    CHECK(processor.cells[3].word == CompareWord::cannotTell);
    CHECK_THAT(processor.cells[3].reason, ContainsSubstring("repeats"));
    CHECK(comparison->marked == 0);
    CHECK(comparison->looked == 0);
}

TEST_CASE("Online against cached is not comparable, and the client and the actions are named")
{
    std::vector<ComparedColumn> columns { onlineColumns()[1], cachedColumns()[1] };
    const auto comparison = compareColumns(columns);
    REQUIRE(comparison);
    CHECK_FALSE(comparison->comparable());
    const auto& reasons = comparison->status[1].notComparable;
    const auto has = [&](const char* text) { return std::ranges::find(reasons, text) != reasons.end(); };
    CHECK(has("Client: online against cached"));
    CHECK(has("Send Mail a user-day: 12 against 7"));
    CHECK(has("Process Inbox a user-day: 12 against 20"));
    CHECK(has("Browse Mail a user-day: 20 against none"));
    CHECK(has("Check Free/Busy a user-day: 1 against 4"));
    CHECK(has("Logoff a user-day: none against 3"));
    CHECK(reasons.size() == 6);
    const ComparedCell& cell = rowOf(*comparison, "% Processor Time").cells[1];
    CHECK(cell.value == 57);
    CHECK_FALSE(cell.change);
    CHECK(cell.word == CompareWord::cannotTell);
    CompareOptions allTheSame;
    allTheSame.evenIfNotComparable = true;
    const auto forced = compareColumns(columns, allTheSame);
    REQUIRE(forced);
    CHECK(rowOf(*forced, "% Processor Time").cells[1].change);
    CHECK_FALSE(forced->comparable()); // the reasons stay
}

TEST_CASE("Cases of a study of virtual machines give the ratios of their users")
{
    // "Microsoft Exchange Server 2003 Performance on VMware ESX Server 3", VMware and Dell: figures 2 and 3, table 6.
    struct Case {
        const char* name;
        const char* users;
        const char* processors;
    };
    constexpr std::array kCases { Case { "UP physical", "1,700", "1" }, Case { "SMP physical", "3,100", "2" },
        Case { "One UP VM", "1,300", "1" }, Case { "Two UP VMs", "2,400", "2" },
        Case { "Four UP VMs", "4,000", "4" }, Case { "One SMP VM", "2,200", "2" },
        Case { "Two SMP VMs", "4,000", "4" } };
    std::vector<ComparedColumn> columns;
    for (const Case& one : kCases) {
        ComparedRun run;
        run.title = one.name;
        run.external = true;
        run.wholeRun = { printedValue("Users", one.users, Better::more),
            printedValue("Processors", one.processors) };
        run.wholeRun[1].slack = 0; // counted
        columns.push_back(columnOf(one.name, { run }));
    }
    const auto ratio = [&](std::size_t baseline, std::size_t column) {
        CompareOptions options;
        options.baseline = baseline;
        const auto comparison = compareColumns(columns, options);
        REQUIRE(comparison);
        return fmt::format("{:.3f}", rowOf(*comparison, "Users").cells[column].ratio.value());
    };
    CHECK(ratio(0, 2) == "0.765");
    CHECK(ratio(1, 5) == "0.710");
    CHECK(ratio(2, 5) == "1.692");
    CHECK(ratio(2, 3) == "1.846");
    CHECK(ratio(2, 4) == "3.077");
    CHECK(ratio(5, 6) == "1.818");

    addQuotients(columns, "Users", "Processors");
    const auto comparison = compareColumns(columns);
    REQUIRE(comparison);
    const ComparisonRow& each = rowOf(*comparison, "Users / Processors");
    const std::array kEach { 1300, 1200, 1000, 1100, 1000 };
    for (std::size_t i = 0; i < kEach.size(); ++i)
        CHECK(each.cells[i + 2].value.value() == Approx(kEach.at(i)).margin(1e-9));

    const auto times = [](const char* physical, const char* virtualMachine, double users) {
        return std::vector<ComparedColumn> {
            columnOf("physical",
                { reportOf("physical", users, { printedValue("95 %", physical, Better::less, "ms") }) }),
            columnOf("virtual",
                { reportOf("virtual", users, { printedValue("95 %", virtualMachine, Better::less, "ms") }) })
        };
    };
    const auto one = compareColumns(times("292", "365", 1300)),
               two = compareColumns(times("260", "440", 2200));
    REQUIRE((one && two));
    CHECK(rowOf(*one, "95 %").cells[1].difference == 73);
    CHECK(fmt::format("{:+.0f} %", 100 * *rowOf(*one, "95 %").cells[1].change) == "+25 %");
    CHECK(rowOf(*two, "95 %").cells[1].difference == 180);
    CHECK(fmt::format("{:+.0f} %", 100 * *rowOf(*two, "95 %").cells[1].change) == "+69 %");
}

TEST_CASE("What keeps runs from being compared is named")
{
    const auto with = [](auto change) {
        std::vector<ComparedColumn> columns { columnOf(
                                                  "a", { runOf(1, { measuredValue("mail.sent-rate", 10) }) }),
            columnOf("b", { runOf(2, { measuredValue("mail.sent-rate", 12) }) }) };
        change(columns[1].runs[0]);
        const auto comparison = compareColumns(columns);
        REQUIRE(comparison);
        const ComparedCell& cell = rowOf(*comparison, "mail.sent-rate").cells[1];
        CHECK(cell.word == CompareWord::cannotTell);
        CHECK_FALSE(cell.change);
        std::string all = cell.reason;
        for (const std::string& reason : comparison->status[1].notComparable)
            all += "\n" + reason;
        return all;
    };
    CHECK_THAT(with([](ComparedRun& run) { run.mixes[0].measured = std::chrono::hours(1); }),
        ContainsSubstring("Length of the measurement: 10 min against 1 h"));
    CHECK_THAT(with([](ComparedRun& run) { run.mixes[0].warmUp = std::chrono::minutes(30); }),
        ContainsSubstring("Warm-up: 2 min against 30 min"));
    CHECK_THAT(with([](ComparedRun& run) {
        run.facts.set({ "kind", "Kind of test", "raw" });
    }),
        ContainsSubstring("Kind of test: mail against raw"));
    CHECK_THAT(with([](ComparedRun& run) {
        run.verdict = Verdict::invalid;
        run.invalidReasons = { "timer slip p99 12 ms" };
    }),
        ContainsSubstring("timer slip p99 12 ms"));
    CHECK_THAT(
        with([](ComparedRun& run) { run.verdict = Verdict::cutShort; }), ContainsSubstring("cut short"));
    CHECK_THAT(with([](ComparedRun& run) { run.live = true; }), ContainsSubstring("has not ended"));
    CHECK_THAT(with([](ComparedRun& run) { run.mixes[0].values[0].version = 2; }),
        ContainsSubstring("version 1 against 2"));
    CHECK_THAT(
        with([](ComparedRun& run) { run.mixes[0].values[0].unit = "KB/s"; }), ContainsSubstring("units"));

    std::vector<ComparedColumn> counted { columnOf(
                                              "a", { runOf(1, { measuredValue("mail.sent-rate", 10) }) }),
        columnOf("b", { runOf(2, { measuredValue("mail.sent-rate", 30) }) }) };
    counted[0].runs[0].mixes[0].values[0].counts = "per message";
    counted[1].runs[0].mixes[0].values[0].counts = "per recipient";
    const auto comparison = compareColumns(counted);
    REQUIRE(comparison);
    CHECK_THAT(rowOf(*comparison, "mail.sent-rate").cells[1].reason,
        ContainsSubstring("per message against per recipient"));
    CHECK_FALSE(rowOf(*comparison, "mail.sent-rate").cells[1].ratio);
}

TEST_CASE("A fact that one side does not state is unknown, and no reason")
{
    std::vector<ComparedColumn> columns { columnOf(
                                              "a", { runOf(1, { measuredValue("mail.sent-rate", 10) }) }),
        columnOf("b", { runOf(2, { measuredValue("mail.sent-rate", 12) }) }) };
    columns[0].runs[0].facts.set({ "profile", "Profile", "heavy" });
    const auto comparison = compareColumns(columns);
    REQUIRE(comparison);
    CHECK(comparison->comparable());
    CHECK(comparison->status[1].unknown == Texts { "Profile" });
    CHECK(rowOf(*comparison, "mail.sent-rate").cells[1].change);
}

TEST_CASE("Of a column with good runs the others are left out of the means, and named")
{
    ComparedRun bad = runOf(2, { measuredValue("mail.sent-rate", 1) });
    bad.verdict = Verdict::cutShort;
    const ComparedColumn column = columnOf("a", { runOf(1, { measuredValue("mail.sent-rate", 10) }), bad });
    const auto comparison =
        compareColumns({ column, columnOf("b", { runOf(3, { measuredValue("mail.sent-rate", 12) }) }) });
    REQUIRE(comparison);
    CHECK(comparison->comparable());
    CHECK(rowOf(*comparison, "mail.sent-rate").cells[0].value == 10);
    CHECK(countingRuns(column) == std::vector<bool> { true, false }); // the percentiles are of these, too
    const auto& dots = rowOf(*comparison, "mail.sent-rate").cells[0].dots;
    REQUIRE(dots.size() == 2);
    CHECK(dots[0].counts);
    CHECK_FALSE(dots[1].counts); // listed with its value, but no repeat of the mean
    REQUIRE(comparison->status[0].cautions.size() == 1);
    CHECK_THAT(comparison->status[0].cautions[0], ContainsSubstring("cut short"));
    CHECK(countingRuns(columnOf("c", { bad })) == std::vector<bool> { false });
}

TEST_CASE("Remarks on a run are to be known of its column")
{
    ComparedRun busy = runOf(1, { measuredValue("mail.sent-rate", 10) });
    busy.remarks = { "The processors were busy." };
    const auto comparison = compareColumns(
        { columnOf("a", { busy }), columnOf("b", { runOf(3, { measuredValue("mail.sent-rate", 12) }) }) });
    REQUIRE(comparison);
    CHECK(comparison->comparable());
    REQUIRE(comparison->status[0].cautions.size() == 1);
    CHECK_THAT(comparison->status[0].cautions[0], ContainsSubstring(": The processors were busy"));
    CHECK(comparison->status[1].cautions.empty());
}

TEST_CASE("Times and rates of several runs say that they are geometric means")
{
    const auto comparison = compareColumns({ columnOf("a",
                                                 { runOf(1, { measuredValue("mail.sent-rate", 10) }),
                                                     runOf(2, { measuredValue("mail.sent-rate", 40) }) }),
        columnOf("b", { runOf(3, { measuredValue("mail.sent-rate", 12) }) }) });
    REQUIRE(comparison);
    CHECK(rowOf(*comparison, "mail.sent-rate").geometric);
    CHECK(rowOf(*comparison, "mail.sent-rate").cells[0].value == Approx(20));
    const auto single = compareColumns({ columnOf("a", { runOf(1, { measuredValue("mail.sent-rate", 10) }) }),
        columnOf("b", { runOf(2, { measuredValue("mail.sent-rate", 12) }) }) });
    REQUIRE(single);
    CHECK_FALSE(rowOf(*single, "mail.sent-rate").geometric);
}

TEST_CASE("A column of several configurations is said to be no column of repeats")
{
    const auto of = [](const std::string& second) {
        const auto comparison =
            compareColumns({ columnOf("a",
                                 { runOf(1, { measuredValue("mail.sent-rate", 10) }, "one"),
                                     runOf(2, { measuredValue("mail.sent-rate", 11) }, second) }),
                columnOf("b", { runOf(3, { measuredValue("mail.sent-rate", 12) }) }) });
        REQUIRE(comparison);
        return comparison->status[0].cautions;
    };
    CHECK(of("one").empty());
    REQUIRE(of("two").size() == 1);
    CHECK_THAT(of("two")[0], ContainsSubstring("of 2 configurations"));
}

TEST_CASE("Columns beside the runs of the baseline are warned about, also where another one is between them")
{
    const auto run = [](int hour) {
        return runOf(hour, { measuredValue("mail.sent-rate", 10 + 0.01 * hour) });
    };
    const auto warnedOf = [](const std::vector<ComparedColumn>& columns, std::size_t baseline,
                              std::optional<std::size_t> control = {}) {
        CompareOptions options;
        options.baseline = baseline;
        options.control = control;
        std::string named;
        const auto comparison = compareColumns(columns, options);
        REQUIRE(comparison);
        for (const std::string& warning : comparison->warnings)
            if (const auto at = warning.find(" were made one column after the other");
                at != std::string::npos)
                named += warning.substr(0, at) + ";";
        return named;
    };
    const ComparedColumn a = columnOf("A", { run(1), run(2) }), b = columnOf("B", { run(3), run(5) }),
                         c = columnOf("C", { run(4) }), d = columnOf("D", { run(6), run(7) });
    CHECK(warnedOf({ a, b }, 1) == "All runs of B and all of A;");
    CHECK(warnedOf({ a, b, c }, 1) == "All runs of B and all of A;"); // C is between two runs of B
    CHECK(warnedOf({ a, b, c, d }, 1) == "All runs of B and all of A;All runs of B and all of D;");
    CHECK(warnedOf({ a, c, d }, 0, 2).empty());
}

TEST_CASE("Mixes are matched by users, by name or by their order")
{
    const auto runWith = [](int number, std::vector<std::pair<std::string, double>> mixes) {
        ComparedRun run = runOf(number, {});
        run.mixes.clear();
        for (const auto& [name, users] : mixes) {
            ComparedMix& mix = run.mixes.emplace_back();
            mix.name = name;
            mix.load = users;
            mix.loadUnit = "users";
            mix.values = { measuredValue("mail.sent-rate", users) };
        }
        return run;
    };
    const std::vector<ComparedColumn> columns { columnOf("a",
                                                    { runWith(1, { { "small", 100 }, { "big", 2000 } }) }),
        columnOf("b", { runWith(2, { { "big", 100 }, { "huge", 4000 } }) }) };
    const auto compared = [&](MixMatch match) {
        CompareOptions options;
        options.match = match;
        return compareColumns(columns, options).value();
    };
    const Comparison byUsers = compared(MixMatch::users);
    REQUIRE(byUsers.mixes.size() == 1);
    CHECK(byUsers.mixes[0].name == "100 users");
    CHECK(byUsers.unmatched == Texts { "a: 2,000 users", "b: 4,000 users" });
    CHECK(byUsers.status[1].cautions.empty());
    const Comparison byName = compared(MixMatch::name);
    REQUIRE(byName.status[1].cautions.size() == 1);
    CHECK_THAT(byName.status[1].cautions[0], ContainsSubstring("100 users against 2,000 users"));
    REQUIRE(byName.mixes.size() == 1);
    CHECK(byName.mixes[0].rows[0].cells[0].value == 2000);
    CHECK(byName.mixes[0].rows[0].cells[1].value == 100);
    const Comparison byOrder = compared(MixMatch::phase);
    REQUIRE(byOrder.mixes.size() == 2);
    CHECK(byOrder.mixes[0].name == "1: small / big"); // what stands beside each other is not the same
    CHECK(byOrder.mixes[1].name == "2: big / huge");
    const auto none = compareColumns({ columns[0], columnOf("c", { runWith(3, { { "c", 7 } }) }) });
    REQUIRE(none);
    CHECK(none->mixes.empty());
    REQUIRE(none->warnings.size() == 1);
    CHECK_THAT(none->warnings[0], ContainsSubstring("matched by users"));
}

TEST_CASE("Loads stand in headings with commas between thousands, and with their decimals")
{
    const auto headingOf = [](double load) {
        ComparedRun run = runOf(1, { measuredValue("mail.sent-rate", 1) });
        run.mixes[0].load = load;
        ComparedRun other = run;
        other.id = runOf(2, {}).id;
        return compareColumns({ columnOf("a", { run }), columnOf("b", { other }) }).value().mixes.at(0).name;
    };
    CHECK(headingOf(0) == "0 users");
    CHECK(headingOf(80) == "80 users");
    CHECK(headingOf(999) == "999 users");
    CHECK(headingOf(66640) == "66,640 users");
    CHECK(headingOf(8e9) == "8,000,000,000 users");
    CHECK(headingOf(17.9) == "17.9 users");
    CHECK(headingOf(1234.5) == "1234.5 users");
    CHECK(headingOf(1e15) == "1e+15 users");
}

TEST_CASE("A comparison of some figures has these alone, details among them")
{
    ComparedValue detail = measuredValue("mail.received-rate", 5);
    detail.detail = true;
    const std::vector<ComparedColumn> columns {
        columnOf("a", { runOf(1, { measuredValue("mail.sent-rate", 10), detail }) }),
        columnOf("b", { runOf(2, { measuredValue("mail.sent-rate", 11), detail }) })
    };
    CompareOptions options;
    options.figures = { "mail.received-rate", "mail.sent" };
    const auto some = compareColumns(columns, options);
    REQUIRE(some);
    REQUIRE(some->mixes.at(0).rows.size() == 1); // no part of a name is a name
    CHECK(some->mixes[0].rows[0].key.figure == "mail.received-rate");
    options.rows = { "sent" };
    CHECK(compareColumns(columns, options)->mixes.at(0).rows.empty());
}

TEST_CASE("A run compared with itself, and a run in two columns, carry no verdict")
{
    const ComparedRun run = runOf(1, { measuredValue("mail.sent-rate", 10) });
    const auto itself = compareColumns({ columnOf("a", { run }), columnOf("b", { run }) });
    REQUIRE(itself);
    CHECK(rowOf(*itself, "mail.sent-rate").cells[1].word == CompareWord::noDifferenceShown);
    CHECK_THAT(itself->status[1].cautions.at(0), ContainsSubstring("in the baseline, too"));
    RepeatPool pool;
    for (int i = 10; i < 40; ++i)
        pool.add(runOf(i, { measuredValue("mail.sent-rate", 10 + 0.01 * (i % 3)) }));
    const auto shared =
        compareColumns({ columnOf("a", { run, runOf(2, { measuredValue("mail.sent-rate", 11) }) }),
                           columnOf("b", { run, runOf(3, { measuredValue("mail.sent-rate", 20) }) }) },
            {}, std::move(pool));
    REQUIRE(shared);
    CHECK(rowOf(*shared, "mail.sent-rate").cells[1].word == CompareWord::cannotTell);
    CHECK_THAT(rowOf(*shared, "mail.sent-rate").cells[1].reason, ContainsSubstring("both columns"));
}

TEST_CASE("A bound is never better, and what is at least worse is worse")
{
    const auto cellOf = [](double base, bool baseBound, double value, bool bound, const char* figure) {
        RepeatPool pool;
        for (int i = 10; i < 40; ++i)
            pool.add(runOf(i, { measuredValue(figure, 10 * (1 + 0.01 * (i % 3))) }));
        ComparedRun one = runOf(1, { measuredValue(figure, base) }),
                    two = runOf(2, { measuredValue(figure, value) });
        one.mixes[0].values[0].flags.lowerBound = baseBound;
        two.mixes[0].values[0].flags.lowerBound = bound;
        return rowOf(
            compareColumns({ columnOf("a", { one }), columnOf("b", { two }) }, {}, std::move(pool)).value(),
            figure)
            .cells[1];
    };
    const auto wordOf = [&](double base, bool baseBound, double value, bool bound, const char* figure) {
        return cellOf(base, baseBound, value, bound, figure).word;
    };
    CHECK(wordOf(10, false, 20, false, "response.average") == CompareWord::worse);
    CHECK(wordOf(10, false, 5, false, "response.average") == CompareWord::better);
    CHECK(wordOf(10, false, 20, true, "response.average") == CompareWord::worse); // 20 or more
    CHECK(wordOf(10, false, 5, true, "response.average") == CompareWord::cannotTell);
    CHECK(wordOf(10, true, 5, false, "response.average") == CompareWord::cannotTell);
    CHECK(wordOf(10, false, 20, true, "mail.sent-rate") == CompareWord::cannotTell); // would be better
    const ComparedCell worse = cellOf(10, false, 20, true, "response.average");
    CHECK(worse.difference == 10); // or more
    CHECK(worse.flags.lowerBound);
    for (const ComparedCell& unknown :
        { cellOf(10, false, 5, true, "response.average"), cellOf(10, true, 5, false, "response.average"),
            cellOf(10, true, 20, true, "response.average") }) {
        CHECK_FALSE(unknown.difference.has_value());
        CHECK_FALSE(unknown.ratio.has_value());
        CHECK_FALSE(unknown.change.has_value());
    }
    CHECK(wordOf(10, false, 20, false, "mail.sent-rate") == CompareWord::better);
    CHECK(wordOf(10, false, 5, false, "mail.sent-rate") == CompareWord::worse);
}

TEST_CASE("A missing value is told and never good")
{
    ComparedRun two = runOf(2, { measuredValue("response.average", 1) });
    two.mixes[0].values[0].value.reset();
    const auto comparison = compareColumns(
        { columnOf("a", { runOf(1, { measuredValue("response.average", 1) }) }), columnOf("b", { two }) });
    REQUIRE(comparison);
    CHECK(rowOf(*comparison, "response.average").cells[1].word == CompareWord::cannotTell);
    CHECK(rowOf(*comparison, "response.average").cells[1].flags.missing);
}

TEST_CASE("Values that are no numbers, or 0 or below, upset nothing")
{
    constexpr double kInfinite = std::numeric_limits<double>::infinity(),
                     kNone = std::numeric_limits<double>::quiet_NaN();
    const std::array kOdd { 0.0, -3.0, kInfinite, -kInfinite, kNone, 1e300, -1e300, 1e-300, 5e-324 };
    for (const double one : kOdd)
        for (const double two : kOdd) {
            RepeatPool pool;
            for (int i = 10; i < 16; ++i)
                pool.add(runOf(i,
                    { measuredValue(
                        "response.average", kOdd.at(static_cast<std::size_t>(i) % kOdd.size())) }));
            const auto comparison =
                compareColumns({ columnOf("a", { runOf(1, { measuredValue("response.average", one) }) }),
                                   columnOf("b", { runOf(2, { measuredValue("response.average", two) }) }) },
                    {}, std::move(pool));
            REQUIRE(comparison);
            const ComparedCell& cell = rowOf(*comparison, "response.average").cells[1];
            for (const auto& number :
                { cell.value, cell.difference, cell.ratio, cell.change, cell.critical, cell.p })
                CHECK((!number || std::isfinite(*number)));
            CHECK_FALSE(isMarked(cell.word));
        }
}

TEST_CASE("A comparison has two to twelve columns, and each has a run")
{
    const ComparedColumn column = columnOf("a", { runOf(1, {}) });
    CHECK_FALSE(compareColumns({ column }));
    CHECK_FALSE(compareColumns(std::vector<ComparedColumn>(13, column)));
    CHECK(compareColumns(std::vector<ComparedColumn>(12, column)));
    CHECK_FALSE(compareColumns({ column, columnOf("b", {}) }));
    CompareOptions options;
    options.baseline = 2;
    CHECK_FALSE(compareColumns({ column, column }, options));
    options.baseline = 0;
    options.matters = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(compareColumns({ column, column }, options));
}

TEST_CASE("A run comes back from its bytes, and damaged ones are refused")
{
    ComparedRun run = runOf(1, { measuredValue("mail.sent-rate", 10), measuredValue("response.p95", 0.2) });
    run.mixes[0].values[1].flags.lowerBound = true;
    run.mixes[0].values[1].withinError = 0.01;
    run.mixes[0].values[0].key.counter = SeriesKey(Quantity::processorTime, Subject::ofDevice("0"));
    run.mixes[0].passed = false;
    run.mixes[0].clients = 20;
    run.wholeRun = { printedValue("Users", "1,300", Better::more) };
    run.described = { { RunDifference::Group::software, "Server", "Exchange" } };
    run.invalidReasons = { "one", "two" };
    run.remarks = { "three" };
    const std::string bytes = encodeCompared(run);
    const auto back = decodeCompared(bytes);
    REQUIRE(back);
    CHECK(*back == run);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(decodeCompared(std::string_view(bytes).substr(0, size)));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        (void)decodeCompared(damaged);
        RepeatPool pool;
        (void)pool.add(damaged);
    }
}
