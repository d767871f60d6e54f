// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long a comparison takes: of twelve runs in a history of many, and of twelve columns with 100 mixes of 300 rows each.
// Usage: compare_bench [RUNS]
#include "engine/history/sample_run.h"

#include <loadstone/comparison.h>
#include <loadstone/comparison_report.h>
#include <loadstone/history.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace loadstone;
using namespace loadstone::test;

namespace {

double secondsSince(MonoTime begin)
{
    return seconds(monoNow() - begin);
}

RunId idOf(int number)
{
    return RunId::parse(fmt::format("2026{:02}{:02}-{:02}{:02}00-{:04x}", 1 + number / 1440 / 28,
                            1 + number / 1440 % 28, number / 60 % 24, number % 60, number % 65536))
        .value();
}

int history(int runs)
{
    const TemporaryFolder folder;
    auto made = History::open(folder.path("history")).value();
    MonoTime begin = monoNow();
    for (int i = 0; i < runs; ++i)
        writeSample(made.fileOf(idOf(i)), 20, idOf(i));
    fmt::print("{} runs written in {:.1f} s\n", runs, secondsSince(begin));
    begin = monoNow();
    if (!made.list())
        return 1;
    fmt::print("listed for the first time in {:.1f} s\n", secondsSince(begin));
    double worst = 0;
    for (int round = 0; round < 3; ++round) {
        begin = monoNow();
        auto again = History::open(folder.path("history")).value();
        std::vector<ComparedColumn> columns;
        for (int i = 0; i < 12; ++i)
            columns.push_back(
                { fmt::format("{}", i), { again.compared(idOf(i * (runs / 12))).value() }, {} });
        const double read = secondsSince(begin);
        auto pool = again.repeats({ columns[0].runs[0].facts.poolingKey() }).value();
        const double pooled = secondsSince(begin);
        const auto comparison = compareColumns(columns, {}, std::move(pool)).value();
        const double compared = secondsSince(begin);
        const auto rows = configurationRows(columns).value();
        const double all = secondsSince(begin);
        worst = std::max(worst, all);
        fmt::print("twelve read {:.3f} s, repeats of the history {:.3f} s, compared {:.3f} s, configurations "
                   "{:.3f} s: {:.3f} s in total, {} looked at\n",
            read, pooled - read, compared - pooled, all - compared, all, comparison.looked);
    }
    return worst < 1 ? 0 : 1;
}

/// Twelve columns of 100 mixes with 300 rows.
int wide()
{
    std::vector<ComparedColumn> columns;
    for (int c = 0; c < 12; ++c) {
        ComparedRun run;
        run.id = idOf(c);
        run.started = WallTime(std::chrono::hours(c));
        run.configuration = fmt::format("{}", c);
        for (int m = 0; m < 100; ++m) {
            ComparedMix& mix = run.mixes.emplace_back();
            mix.load = m + 1;
            mix.loadUnit = "users";
            mix.measured = std::chrono::minutes(10);
            for (int r = 0; r < 300; ++r) {
                ComparedValue value;
                value.key.figure = "response.average";
                value.key.subject.script = fmt::format("{}", r);
                value.label = value.key.subject.script;
                value.unit = "s";
                value.value = 1 + 0.01 * ((c * 7 + m * 3 + r) % 11);
                mix.values.push_back(std::move(value));
            }
        }
        columns.push_back({ run.title, { run }, {} });
    }
    RepeatPool pool;
    for (int i = 0; i < 40; ++i) {
        ComparedRun run = columns[static_cast<std::size_t>(i % 12)].runs[0];
        run.id = idOf(100 + i);
        run.started = WallTime(std::chrono::hours(100 + i));
        pool.add(run);
    }
    MonoTime begin = monoNow();
    const auto comparison = compareColumns(columns, {}, std::move(pool)).value();
    fmt::print("12 x 100 x 300: compared in {:.2f} s, {} differences looked at\n", secondsSince(begin),
        comparison.looked);
    ComparisonReport report;
    report.title = "wide";
    report.comparison = comparison;
    begin = monoNow();
    const auto html = formatComparison(report, ComparisonFormat::html).value();
    fmt::print("HTML of {} MB in {:.2f} s\n", html.size() >> 20U, secondsSince(begin));
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const int runs = argc > 1 ? std::atoi(argv[1]) : 5000;
    return history(runs) + wide();
}
