// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compared_columns.h"
#include "support/catch.h"

#include <loadstone/load_curve.h>

#include <fmt/format.h>

#include <array>

using namespace loadstone;
using namespace loadstone::test;

TEST_CASE("Curves over load of two systems: gaps, an early end, and the ratio of the largest passing loads")
{
    // "Microsoft Exchange: Scalability Testing", eTesting Labs: figures 1, 2, 5, 6 and their text.
    struct Point {
        double users;
        const char* response;
        const char* sent;
        std::optional<bool> passed;
    };
    const auto systemOf = [](const char* name, const std::vector<Point>& points) {
        ComparedRun run;
        run.title = name;
        run.external = true;
        run.file = "scalability.toml";
        for (const Point& point : points) {
            ComparedMix& mix = run.mixes.emplace_back();
            mix.name = fmt::format("{} users", point.users);
            mix.load = point.users;
            mix.loadUnit = "users";
            mix.clients = point.users / 1666;
            mix.passed = point.passed;
            mix.values = { printedValue("Response time", point.response, Better::less, "s"),
                printedValue("Sent", point.sent, Better::more, "messages/s") };
        }
        return columnOf(name, { run });
    };
    const std::vector<ComparedColumn> columns {
        systemOf("Exchange 2000",
            { { 33'320, "", "", true }, { 49'980, "", "", true }, { 66'640, "0.232", "17.99", true },
                { 74'970, "", "", true }, { 83'300, "0.997", "", true } }),
        systemOf("Exchange 5.5",
            { { 33'320, "", "", true }, { 49'980, "", "", true }, { 53'312, "", "", false },
                { 56'644, "", "", false }, { 59'976, "", "", false }, { 66'640, "1.304", "12.61", false } }),
    };
    RowKey response;
    response.name = "Response time";
    const LoadCurves curves = loadCurves(columns, response);
    REQUIRE(curves.curves.size() == 2);
    CHECK(curves.axisUnit == "users");
    CHECK(curves.unit == "s");
    CHECK(curves.curves[0].endsAt == 83'300);
    CHECK(curves.curves[1].endsAt == 66'640);
    CHECK(curves.find(0, 66'640)->value == 0.232);
    CHECK(curves.find(1, 66'640)->value == 1.304);
    CHECK(curves.find(0, 83'300)->value == 0.997);
    CHECK(curves.find(1, 83'300) == nullptr); // it ends before
    REQUIRE(curves.find(0, 74'970) != nullptr);
    CHECK_FALSE(curves.find(0, 74'970)->value); // a gap: no line leads across it
    CHECK(curves.find(0, 53'312) != nullptr); // as where only the other system of the report has a point
    CHECK_FALSE(curves.find(0, 53'312)->value);
    CHECK(curves.curves[0].largestPassing == 83'300);
    CHECK(curves.curves[0].passedAll);
    CHECK(curves.curves[1].largestPassing == 49'980);
    CHECK_FALSE(curves.curves[1].passedAll);
    CHECK(fmt::format("{:.3f}", *curves.curves[0].largestPassing / *curves.curves[1].largestPassing)
        == "1.667");
    CHECK(loadCurves(columns, response, LoadAxis::clients).find(1, 40)->value == 1.304);
    const auto choices = curveChoices(columns);
    REQUIRE(choices.size() == 1); // the rate is printed at one load of each
    CHECK(choices.front().key == response);
}

TEST_CASE("The knee is where the response time rises and the rate levels out")
{
    const auto systemOf = [](const std::vector<std::array<double, 3>>& points) {
        ComparedRun run;
        run.title = "system";
        for (const auto& [users, rate, response] : points) {
            ComparedMix& mix = run.mixes.emplace_back();
            mix.load = users;
            mix.loadUnit = "users";
            mix.values = { measuredValue("mail.sent-rate", rate),
                measuredValue("response.average", response) };
        }
        return std::vector<ComparedColumn> { columnOf("system", { run }) };
    };
    RowKey response;
    response.figure = "response.average";
    const auto saturated = systemOf(
        { { 100, 10, 0.10 }, { 200, 20, 0.11 }, { 300, 30, 0.13 }, { 400, 33, 0.9 }, { 500, 33, 3.0 } });
    const LoadCurves curves = loadCurves(saturated, response);
    REQUIRE(curves.curves[0].knee);
    CHECK(curves.curves[0].knee->load == 300);
    CHECK(curves.curves[0].knee->rate == 30);
    // One that still scales has none, nor has one with three points.
    CHECK_FALSE(loadCurves(
        systemOf({ { 100, 10, 0.1 }, { 200, 20, 0.1 }, { 300, 30, 0.1 }, { 400, 40, 0.1 } }), response)
                    .curves[0]
                    .knee);
    CHECK_FALSE(loadCurves(systemOf({ { 100, 10, 0.1 }, { 200, 20, 0.1 }, { 300, 20, 1 } }), response)
                    .curves[0]
                    .knee);
}

TEST_CASE("Limits decide which loads pass, and a bound within its limit decides nothing")
{
    ComparedRun run;
    run.title = "system";
    for (const double users : { 100.0, 200.0, 300.0 }) {
        ComparedMix& mix = run.mixes.emplace_back();
        mix.load = users;
        mix.values = { measuredValue("response.p95", users / 400) };
    }
    RowKey p95;
    p95.figure = "response.p95";
    const LoadLimit limit { p95, 0.5, {} };
    PassingLoad found = largestPassing(columnOf("a", { run }), { limit });
    CHECK(found.load == 200);
    CHECK(found.failing == 300);
    CHECK(found.known);
    run.mixes[1].values[0].flags.lowerBound = true;
    found = largestPassing(columnOf("a", { run }), { limit });
    CHECK(found.load == 100);
    CHECK_FALSE(found.known);
}
