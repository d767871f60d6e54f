// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "engine/compare/compared_columns.h"
#include "support/catch.h"

#include <loadstone/comparison.h>
#include <loadstone/plan_trend.h>
#include <loadstone/quantile_shift.h>

#include <boost/math/distributions/non_central_t.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace loadstone;
using namespace loadstone::test;

namespace {

/// A laboratory whose runs scatter by a known share; each row by itself.
class Laboratory {
public:
    Laboratory(std::size_t rows, double deviation, std::uint64_t seed)
        : m_random(seed)
        , m_deviation(deviation)
    {
        for (std::size_t row = 0; row < rows; ++row) {
            m_values.push_back(measuredValue("mail.sent-rate", 1));
            m_values.back().key.subject.script = fmt::format("{}", row);
        }
    }
    /// One run of a configuration; `shift`: of every row, in standard deviations.
    ComparedRun run(const std::string& configuration, double shift = 0)
    {
        std::vector<ComparedValue> values = m_values;
        for (ComparedValue& value : values)
            value.value = std::exp(m_deviation * (m_random.normal() + shift));
        return runOf(m_number++, std::move(values), configuration);
    }
    RepeatPool history(int groups, int runs)
    {
        RepeatPool pool;
        for (int group = 0; group < groups; ++group) {
            const double level = 3 * m_random.normal(); // configurations differ, and that is no spread
            for (int i = 0; i < runs; ++i)
                pool.add(run(fmt::format("group {}", group), level));
        }
        return pool;
    }
    ComparedColumn column(const std::string& name, int runs, double shift = 0)
    {
        ComparedColumn made { name, {}, {} };
        for (int i = 0; i < runs; ++i)
            made.runs.push_back(run(name, shift));
        return made;
    }

private:
    Random m_random;
    std::vector<ComparedValue> m_values;
    double m_deviation;
    int m_number = 0;
};

/// The share of rows whose difference is beyond its own critical one.
double beyond(const Comparison& comparison)
{
    std::size_t found = 0, all = 0, agree = 0;
    for (const ComparisonRow& row : comparison.mixes.front().rows) {
        const ComparedCell& cell = row.cells[1];
        const bool isBeyond = std::abs(*cell.difference) > cell.critical.value();
        ++all;
        found += isBeyond ? 1 : 0;
        agree += isBeyond == (*cell.p < 0.05) ? 1 : 0;
    }
    CHECK(agree == all);
    return static_cast<double>(found) / static_cast<double>(all);
}

} // namespace

TEST_CASE("Critical differences are those of Student's t")
{
    CHECK(studentQuantile(0.05, 20) == Approx(2.086).margin(0.0005)); // NIST/SEMATECH e-Handbook, 1.3.6.7.2
    CHECK(studentQuantile(0.05, 1) == Approx(12.706).margin(0.0005));
    CHECK(studentQuantile(0.01, 10) == Approx(3.169).margin(0.0005));
    const Repeatability spread { 1, false, 20, 25, 5, false };
    // What few repeats can say with a deviation pooled over 20 degrees.
    CHECK(criticalDifference(spread, 0.05, 1, 1) == Approx(2.95).margin(0.005));
    CHECK(criticalDifference(spread, 0.05, 2, 2) == Approx(2.09).margin(0.005));
    CHECK(criticalDifference(spread, 0.05, 3, 3) == Approx(1.70).margin(0.005));
    CHECK(criticalDifference(spread, 0.05, 6, 6) == Approx(1.20).margin(0.005));
    // and with the own spread of both alone
    CHECK(criticalDifference({ 1, false, 2, 4, 2, true }, 0.05, 2, 2) == Approx(4.30).margin(0.005));
    CHECK(criticalDifference({ 1, false, 4, 6, 2, true }, 0.05, 3, 3) == Approx(2.27).margin(0.005));
    CHECK(pairP(spread, criticalDifference(spread, 0.05, 2, 3), 2, 3) == Approx(0.05).margin(1e-9));
}

TEST_CASE("Holm's procedure marks only what stands among all")
{
    CHECK(holm(std::vector { 0.01, 0.04, 0.03 }, 0.05) == std::vector { true, false, false });
    CHECK(holm(std::vector { 0.01, 0.02, 0.03 }, 0.05) == std::vector { true, true, true });
    CHECK(holm(std::vector { 0.04 }, 0.05) == std::vector { true });
    CHECK(holm(std::vector { 0.03, 0.03 }, 0.05) == std::vector { false, false });
    CHECK(holm({}, 0.05).empty());
}

TEST_CASE("Spread is pooled over groups of repeats with the same pooling key")
{
    const auto value = [](double rate) { return std::vector { measuredValue("mail.sent-rate", rate) }; };
    RepeatPool pool;
    pool.add(runOf(1, value(10), "a"));
    pool.add(runOf(2, value(11), "a"));
    pool.add(runOf(3, value(100), "b"));
    pool.add(runOf(4, value(110), "b"));
    pool.add(runOf(5, value(121), "b"));
    pool.add(runOf(6, value(7), "alone"));
    pool.add(runOf(1000, value(12), "a")); // a month later: no repeat of the others
    ComparedRun external = runOf(7, value(50), "a");
    external.external = true;
    pool.add(external);
    ComparedRun spoilt = runOf(8, value(50), "a");
    spoilt.verdict = Verdict::invalid;
    pool.add(spoilt);
    ComparedRun other = runOf(9, value(50), "a");
    other.facts.set({ "profile", "Profile", "another" });
    pool.add(other);
    ComparedRun bound = runOf(10, value(50), "a");
    bound.mixes[0].values[0].flags.lowerBound = true;
    pool.add(bound);
    const ComparedRun like = runOf(1, value(10));
    const auto spread = pool.of(like.facts.poolingKey(), &like.mixes[0], like.mixes[0].values[0]);
    REQUIRE(spread);
    CHECK(spread->runs == 5);
    CHECK(spread->groups == 2);
    CHECK(spread->degrees == 3);
    CHECK(spread->logarithmic);
    CHECK_FALSE(spread->ownSpread);
    const double step = std::log(1.1);
    CHECK(spread->deviation == Approx(std::sqrt((step * step / 2 + 2 * step * step) / 3)).margin(1e-12));

    // The same from bytes.
    RepeatPool fromBytes;
    for (const ComparedRun& run : { runOf(1, value(10), "a"), runOf(2, value(11), "a"), spoilt })
        REQUIRE(fromBytes.add(encodeCompared(run)));
    const auto same = fromBytes.of(like.facts.poolingKey(), &like.mixes[0], like.mixes[0].values[0]);
    REQUIRE(same);
    CHECK(same->runs == 2);

    // Nothing is known of other loads, other lengths and other definitions.
    ComparedMix mix = like.mixes[0];
    mix.load = 10'000;
    CHECK_FALSE(pool.of(like.facts.poolingKey(), &mix, mix.values[0]));
    mix = like.mixes[0];
    mix.measured = std::chrono::hours(3);
    CHECK_FALSE(pool.of(like.facts.poolingKey(), &mix, mix.values[0]));
    mix = like.mixes[0];
    mix.values[0].version = 2;
    CHECK_FALSE(pool.of(like.facts.poolingKey(), &mix, mix.values[0]));
    mix = like.mixes[0];
    mix.load = 1500; // near enough
    CHECK(pool.of(like.facts.poolingKey(), &mix, mix.values[0]));
}

TEST_CASE("Rows of whole runs are pooled over runs with loads like theirs, and no others")
{
    const auto run = [](int number, double value, const char* configuration, std::vector<double> loads) {
        ComparedRun made = runOf(number, {}, configuration);
        const ComparedMix mix = made.mixes[0];
        made.mixes.clear();
        for (const double load : loads) {
            made.mixes.push_back(mix);
            made.mixes.back().load = load;
        }
        made.wholeRun = { measuredValue("mail.sent-rate", value) };
        return made;
    };
    RepeatPool pool;
    pool.add(run(1, 10, "a", { 40 }));
    pool.add(run(2, 11, "a", { 40 }));
    pool.add(run(3, 20, "b", { 80 })); // twice as much
    pool.add(run(4, 21, "b", { 80 }));
    pool.add(run(5, 50, "c", { 120 })); // three times as much
    pool.add(run(6, 99, "c", { 120 }));
    pool.add(run(7, 50, "d", { 40, 80 })); // more than one load
    pool.add(run(8, 99, "d", { 40, 80 }));
    const auto spreadOf = [&](const std::vector<double>& loads) {
        const ComparedRun like = run(9, 10, "e", loads);
        return pool.of(like.facts.poolingKey(), nullptr, like.wholeRun[0], true, &like);
    };
    REQUIRE(spreadOf({ 40 }));
    CHECK(spreadOf({ 40 })->runs == 4);
    CHECK(spreadOf({ 40 })->groups == 2);
    REQUIRE(spreadOf({ 120 }));
    CHECK(spreadOf({ 120 })->runs == 4); // of 80 and 120
    CHECK(spreadOf({ 40, 80 })->runs == 2);
    CHECK_FALSE(spreadOf({ 500 }));
    CHECK_FALSE(spreadOf({ 40, 40, 40 }));
}

TEST_CASE("Of 10,000 comparisons without a difference one in twenty is beyond its critical difference")
{
    constexpr int kTables = 40;
    constexpr std::size_t kRows = 250;
    double found = 0;
    for (int table = 0; table < kTables; ++table) {
        Laboratory laboratory(kRows, 0.05, 1000 + static_cast<std::uint64_t>(table));
        RepeatPool history = laboratory.history(2, 10);
        const auto comparison =
            compareColumns({ laboratory.column("a", 2), laboratory.column("b", 2) }, {}, std::move(history));
        REQUIRE(comparison);
        CHECK(comparison->looked == kRows);
        const auto& spread = comparison->mixes[0].rows[0].spread;
        REQUIRE(spread);
        CHECK(spread->degrees == 20);
        CHECK(spread->runs == 24);
        CHECK(spread->groups == 4);
        found += beyond(*comparison) / kTables;
    }
    CHECK(found == Approx(0.05).margin(0.005));
}

TEST_CASE("A difference of 2.1 standard deviations is found as often as theory says")
{
    constexpr int kTables = 40;
    constexpr std::size_t kRows = 250;
    double found = 0;
    for (int table = 0; table < kTables; ++table) {
        Laboratory laboratory(kRows, 0.05, 2000 + static_cast<std::uint64_t>(table));
        RepeatPool history = laboratory.history(2, 10);
        const auto comparison = compareColumns(
            { laboratory.column("a", 2), laboratory.column("b", 2, 2.1) }, {}, std::move(history));
        REQUIRE(comparison);
        found += beyond(*comparison) / kTables;
    }
    // 20 degrees of freedom; the means of two and two differ with a deviation of one.
    const boost::math::non_central_t theory(20, 2.1);
    const double critical = studentQuantile(0.05, 20);
    const double power = cdf(complement(theory, critical)) + cdf(theory, -critical);
    CHECK(found == Approx(power).margin(0.015));
}

TEST_CASE("A whole table without a difference has a marked row once in twenty times")
{
    constexpr int kTables = 2000;
    int marked = 0;
    for (int table = 0; table < kTables; ++table) {
        Laboratory laboratory(8, 0.05, 10'000 + static_cast<std::uint64_t>(table));
        RepeatPool history = laboratory.history(3, 3);
        const auto comparison =
            compareColumns({ laboratory.column("a", 2), laboratory.column("b", 2) }, {}, std::move(history));
        REQUIRE(comparison);
        marked += comparison->marked > 0 ? 1 : 0;
    }
    CHECK(marked <= kTables * 55 / 1000);
    CHECK(marked >= kTables * 30 / 1000); // and it is no procedure that marks nothing
}

TEST_CASE("A control that drifted makes the comparison void, and one that did not does not")
{
    constexpr std::size_t kRows = 40;
    Laboratory laboratory(kRows, 0.02, 5);
    const ComparedColumn a = laboratory.column("a", 2), b = laboratory.column("b", 2, 12);
    ComparedColumn drifted = laboratory.column("a", 2, 8), steady = laboratory.column("a", 2);
    const auto voided = compareColumns({ a, b, drifted }, {}, laboratory.history(9, 3));
    REQUIRE(voided);
    CHECK(voided->status[2].control);
    CHECK(voided->marked == 0);
    for (const ComparisonRow& row : voided->mixes[0].rows) {
        REQUIRE(row.drift);
        CHECK(row.drift->beyond);
        CHECK(row.cells[1].voided);
        CHECK(row.cells[1].word == CompareWord::cannotTell);
        CHECK_THAT(row.cells[1].reason, ContainsSubstring("control moved by +"));
        CHECK(row.cells[2].word == CompareWord::none);
    }
    REQUIRE_FALSE(voided->warnings.empty());
    CHECK_THAT(voided->warnings[0], ContainsSubstring("40 rows"));

    ComparedColumn bounded = drifted; // "675 ms or more": how far it moved is not known
    bounded.runs[0].mixes[0].values[0].flags.lowerBound = true;
    const auto unknown = compareColumns({ a, b, bounded }, {}, laboratory.history(9, 3));
    REQUIRE(unknown);
    CHECK(std::ranges::count_if(unknown->mixes[0].rows, [](const ComparisonRow& row) {
        return row.drift.has_value();
    }) == static_cast<std::ptrdiff_t>(kRows) - 1);

    const auto kept = compareColumns({ a, b, steady }, {}, laboratory.history(9, 3));
    REQUIRE(kept);
    CHECK(kept->marked > kRows * 8 / 10); // but for the few whose control moved by chance
    // The same within one column: A B B A.
    ComparedColumn around = a;
    Laboratory later(kRows, 0.02, 6);
    for (ComparedRun run : drifted.runs)
        around.runs.push_back(std::move(run));
    const auto inOne = compareColumns({ around, b }, {}, laboratory.history(9, 3));
    REQUIRE(inOne);
    CHECK(inOne->marked == 0);
    CHECK(inOne->mixes[0].rows[0].drift);
}

TEST_CASE("A baseline that drifts is seen in every order that has runs of others between its own")
{
    constexpr std::size_t kRows = 40;
    // Which share of the rows is void, and whether the table has the column.
    const auto voided = [](const std::string& order, double drift) {
        Laboratory laboratory(kRows, 0.02, 8);
        std::vector<ComparedColumn> columns { columnOf("A", {}), columnOf("B", {}) };
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::string name(1, order[i]);
            columns[order[i] == 'A' ? 0 : 1].runs.push_back(
                laboratory.run(name, drift * static_cast<double>(i) + (order[i] == 'A' ? 0 : 6)));
        }
        const auto comparison = compareColumns(columns, {}, laboratory.history(9, 3));
        REQUIRE(comparison);
        std::ptrdiff_t beyond = 0, drifts = 0;
        for (const ComparisonRow& row : comparison->mixes[0].rows) {
            drifts += row.drift.has_value() ? 1 : 0;
            beyond += row.cells[1].voided ? 1 : 0;
            CHECK(row.cells[1].voided == (row.drift && row.drift->beyond));
        }
        CHECK((drifts == 0 || drifts == std::ptrdiff_t { kRows }));
        return std::pair(drifts > 0, static_cast<double>(beyond) / kRows);
    };
    for (const char* order : { "ABBAAB", "BAABBA", "ABABAB", "ABBA", "AABA" }) {
        INFO(order);
        const auto drifted = voided(order, 3), steady = voided(order, 0);
        CHECK(drifted.first);
        CHECK(drifted.second > 0.9);
        CHECK(steady.first);
        CHECK(steady.second < 0.2);
    }
    for (const char* order : { "AABB", "BAAB", "BBAA", "BAB" }) {
        INFO(order);
        CHECK_FALSE(voided(order, 3).first); // nothing that could show it
    }
    // A B B A A B: the first run against the fourth and fifth.
    Laboratory laboratory(1, 0.02, 9);
    std::vector<ComparedColumn> columns { columnOf("A", {}), columnOf("B", {}) };
    for (const char name : std::string("ABBAAB"))
        columns[name == 'A' ? 0 : 1].runs.push_back(laboratory.run({ name }));
    const std::vector<double> values { 1, 1.1, 1.21 };
    for (std::size_t i = 0; i < values.size(); ++i)
        columns[0].runs[i].mixes[0].values[0].value = values[i];
    const auto comparison = compareColumns(columns);
    REQUIRE(comparison);
    CHECK(comparison->mixes[0].rows[0].drift->change == Approx(std::sqrt(1.1 * 1.21) - 1));
    CHECK(comparison->mixes[0].rows[0].spread->degrees == 4); // and all of them are repeats
}

TEST_CASE("Columns of loads far apart need five runs of each, and say how many are missing")
{
    const auto cellOf = [](int runs) {
        Laboratory laboratory(1, 0.01, 77);
        std::vector<ComparedColumn> columns { laboratory.column("a", runs),
            laboratory.column("b", runs, 20) };
        for (ComparedRun& run : columns[1].runs)
            run.mixes[0].load = 3 * *run.mixes[0].load;
        CompareOptions options;
        options.match = MixMatch::phase;
        return compareColumns(columns, options).value().mixes[0].rows[0].cells[1];
    };
    CHECK_THAT(cellOf(3).wouldTell, ContainsSubstring("2 more repeats of each would tell"));
    CHECK_THAT(cellOf(4).wouldTell, ContainsSubstring("1 more repeat of each would tell"));
    CHECK(cellOf(5).word == CompareWord::better);
}

TEST_CASE("Without a history three runs of each tell, and fewer say how many would")
{
    const auto wordsOf = [](int runs) {
        Laboratory laboratory(1, 0.01, 77);
        return compareColumns({ laboratory.column("a", runs), laboratory.column("b", runs, 20) }).value();
    };
    const auto cellOf = [](const Comparison& comparison) { return comparison.mixes[0].rows[0].cells[1]; };
    const ComparedCell one = cellOf(wordsOf(1)), two = cellOf(wordsOf(2)), three = cellOf(wordsOf(3));
    CHECK(one.word == CompareWord::cannotTell);
    CHECK(one.wouldTell == "2 more repeats of each would tell");
    CHECK(two.word == CompareWord::cannotTell);
    CHECK_THAT(two.wouldTell, ContainsSubstring("1 more repeat of each would tell differences of about "));
    CHECK(two.ratios.first > 1);
    CHECK(two.ratios.second >= two.ratios.first);
    CHECK(three.word == CompareWord::better);
    CHECK(three.matters);
    const Comparison own = wordsOf(3);
    CHECK(own.mixes[0].rows[0].spread->ownSpread);
}

TEST_CASE("Three runs of each are enough in the order A B A, too, whichever column is the baseline")
{
    for (const std::string order : { "AABBBA", "ABBBAA", "AAABBB" })
        for (const std::size_t baseline : { 0U, 1U }) {
            INFO(order << ' ' << baseline);
            Laboratory laboratory(1, 0.01, 77);
            std::vector<ComparedColumn> columns { columnOf("A", {}), columnOf("B", {}) };
            for (const char name : order)
                columns[name == 'A' ? 0 : 1].runs.push_back(laboratory.run({ name }, name == 'A' ? 0 : 20));
            CompareOptions options;
            options.baseline = baseline;
            const Comparison comparison = compareColumns(columns, options).value();
            const ComparisonRow& row = comparison.mixes[0].rows[0];
            CHECK(row.cells[1 - baseline].word == (baseline == 0 ? CompareWord::better : CompareWord::worse));
            REQUIRE(row.spread);
            CHECK(row.spread->parted == (baseline == 0 && order.back() == 'A'));
            CHECK(row.spread->degrees == (row.spread->parted ? 3 : 4));
        }
}

TEST_CASE("Repeats that differ by the rounding of a quotient alone have no spread, and show no difference")
{
    std::vector<ComparedColumn> columns;
    for (const double value : { 514.0 / 30, 543.0 / 30 }) {
        std::vector<ComparedRun> runs;
        for (int i = 0; i < 3; ++i) // as of the same counts over lengths that differ by nanoseconds
            runs.push_back(runOf(static_cast<int>(10 * columns.size()) + i,
                { measuredValue("mail.sent-rate", value * (1 + 1e-13 * i)) }));
        columns.push_back(columnOf(std::to_string(columns.size()), std::move(runs)));
    }
    const Comparison comparison = compareColumns(columns).value();
    const ComparisonRow& row = rowOf(comparison, "mail.sent-rate");
    CHECK(row.cells[1].word == CompareWord::cannotTell);
    CHECK(row.cells[1].reason.find("the repeats that count all have the same value") == 0);
}

TEST_CASE("What more repeats would show is said where a difference is not shown")
{
    Laboratory laboratory(1, 0.04, 78);
    RepeatPool history = laboratory.history(10, 3);
    const auto comparison =
        compareColumns({ laboratory.column("a", 1), laboratory.column("b", 1) }, {}, std::move(history));
    REQUIRE(comparison);
    const ComparedCell& cell = comparison->mixes[0].rows[0].cells[1];
    CHECK(cell.word == CompareWord::noDifferenceShown);
    CHECK_THAT(cell.wouldTell, ContainsSubstring("of each would show"));
    const Repeatability spread { 0.04, true, 20, 30, 10, false };
    const MoreRepeats few = repeatsToShow(spread, 0.06, 0.05, 2, 2),
                      never = repeatsToShow(spread, 0.001, 0.05, 2, 2);
    CHECK(few.more == 2);
    CHECK(few.shows <= 0.06);
    CHECK(never.more == 8);
    CHECK(never.shows > 0.001);
}

TEST_CASE("A significant difference below what matters is marked, and does not matter")
{
    Laboratory laboratory(1, 0.001, 79);
    RepeatPool history = laboratory.history(10, 3);
    const auto comparison =
        compareColumns({ laboratory.column("a", 3), laboratory.column("b", 3, 10) }, {}, std::move(history));
    REQUIRE(comparison);
    const ComparedCell& cell = comparison->mixes[0].rows[0].cells[1];
    CHECK(cell.word == CompareWord::better); // about 1 %
    CHECK_FALSE(cell.matters);
}

TEST_CASE("Rows that all point one way in unrelated groups are an alarm")
{
    const auto valuesOf = [](double times) {
        std::vector<ComparedValue> values;
        for (const char* figure : { "mail.sent-rate", "mail.received-rate", "response.average",
                 "service.average", "delivery.average", "actions.error-rate" })
            values.push_back(measuredValue(
                figure, infoOf(*findFigure(figure)).better == Better::more ? 10 / times : times));
        return values;
    };
    RepeatPool pool;
    for (int i = 100; i < 130; ++i)
        pool.add(runOf(i, valuesOf(1 + 0.001 * (i % 4)), "x"));
    const auto comparison =
        compareColumns({ columnOf("a", { runOf(1, valuesOf(1)), runOf(2, valuesOf(1.001)) }),
                           columnOf("b", { runOf(3, valuesOf(1.5)), runOf(4, valuesOf(1.501)) }) },
            {}, std::move(pool));
    REQUIRE(comparison);
    CHECK(comparison->marked == 6);
    CHECK(std::ranges::any_of(comparison->warnings,
        [](const std::string& warning) { return warning.find("are worse") != std::string::npos; }));
    // A A B B shows no drift.
    CHECK(std::ranges::any_of(comparison->warnings,
        [](const std::string& warning) { return warning.find("A B B A") != std::string::npos; }));
}

TEST_CASE("Percentiles are compared by their histograms, stretch by stretch")
{
    const auto stretchesOf = [](std::uint64_t seed, double factor, double tail) {
        Random random(seed);
        LatencyStretches stretches(40);
        for (Histogram& one : stretches)
            for (int i = 0; i < 200; ++i) {
                const double slow = random.uniform() < 0.02 ? tail : 1;
                one.record(
                    Nanoseconds(static_cast<std::int64_t>(factor * slow * (5e6 + random.exponential(1e7)))));
            }
        return stretches;
    };
    const auto same = quantileShifts(stretchesOf(1, 1, 1), stretchesOf(2, 1, 1));
    REQUIRE(same.size() == 3);
    for (const QuantileShift& shift : same) {
        CHECK(shift.low <= 0);
        CHECK(shift.high >= 0);
    }
    const auto slower = quantileShifts(stretchesOf(1, 1, 1), stretchesOf(2, 1.5, 1));
    for (const QuantileShift& shift : slower)
        CHECK(shift.low > 0);
    // Only the tail has changed: the curve says where.
    const auto curve = quantileCurve(stretchesOf(1, 1, 1), stretchesOf(2, 1, 20));
    REQUIRE(curve.size() == 15);
    CHECK(curve.front().percentile == 1);
    CHECK(curve.back().percentile == 99.9);
    CHECK(curve[6].low <= 0.0005); // the median
    CHECK(curve.back().low > 0.05);
    CHECK(quantileShifts({}, stretchesOf(2, 1, 1)).empty());
    CHECK(quantileShifts(LatencyStretches(40), stretchesOf(2, 1, 1)).empty());
}

TEST_CASE("A plan's history without a change is asked about once in a hundred times")
{
    constexpr int kHistories = 200;
    int asked = 0;
    RowKey row;
    row.figure = "response.average";
    for (int history = 0; history < kHistories; ++history) {
        Random random(static_cast<std::uint64_t>(history) + 1000);
        std::vector<ComparedRun> runs;
        for (int i = 0; i < 14; ++i)
            runs.push_back(runOf(i, { measuredValue("response.average", 1 + 0.02 * random.normal()) }));
        asked += planTrend(runs, row, "1000 users").changes.empty() ? 0 : 1;
    }
    CHECK(asked <= 8); // 2 are expected; more than 8 come once in ten thousand times
}

TEST_CASE("repeats of a test without a load are those of the test of its name")
{
    RepeatPool pool;
    for (int i = 0; i < 6; ++i) {
        ComparedRun run = runOf(i, { measuredValue("mail.sent-rate", 100 + i % 2) }, "one");
        run.mixes[0].load.reset();
        run.mixes[0].measured = {};
        run.mixes[0].name = "Streaming backup";
        ComparedMix& checksum = run.mixes.emplace_back(run.mixes[0]);
        checksum.name = "Checksum";
        checksum.values[0].value = 100 + 40 * (i % 2);
        pool.add(run);
    }
    ComparedMix like;
    const auto spreadOf = [&](const char* name) {
        like.name = name;
        like.loadUnit = "users";
        const auto spread =
            pool.of(runOf(9, {}).facts.poolingKey(), &like, measuredValue("mail.sent-rate", 1), false);
        REQUIRE(spread);
        return spread->deviation;
    };
    CHECK(spreadOf("Streaming backup") < 1);
    CHECK(spreadOf("Checksum") > 20);
    like.name = "Soft recovery";
    CHECK_FALSE(pool.of(runOf(9, {}).facts.poolingKey(), &like, measuredValue("mail.sent-rate", 1), false));
}

TEST_CASE("Changes in a plan's history are asked about from ten runs on")
{
    Random random(5);
    std::vector<ComparedRun> runs;
    RowKey row;
    row.figure = "response.average";
    const auto add = [&](double level) {
        runs.push_back(runOf(static_cast<int>(runs.size()),
            { measuredValue("response.average", level * (1 + 0.02 * random.normal())) }));
    };
    for (int i = 0; i < 9; ++i)
        add(1);
    PlanTrend trend = planTrend(runs, row, "1000 users");
    CHECK(trend.points.size() == 9);
    CHECK(trend.changes.empty());
    CHECK_THAT(trend.note, ContainsSubstring("10 runs"));
    for (int i = 0; i < 11; ++i)
        add(1);
    CHECK(planTrend(runs, row, "1000 users").changes.empty());
    for (int i = 0; i < 8; ++i)
        add(1.2);
    runs[3].verdict = Verdict::invalid; // drawn, and left out of the search
    trend = planTrend(runs, row, "1000 users");
    REQUIRE(trend.changes.size() == 1);
    CHECK(trend.changes[0].run == 20);
    CHECK(*trend.changes[0].change == Approx(0.2).margin(0.03));
    CHECK_FALSE(trend.points[3].counts);
    CHECK(trend.points[3].value);
    // One spike is no change.
    std::vector<ComparedRun> spike(runs.begin(), runs.begin() + 20);
    spike[10].mixes[0].values[0].value = 5;
    CHECK(planTrend(spike, row, "1000 users").changes.empty());
    CHECK(trendChoices(runs).size() == 1);
}
