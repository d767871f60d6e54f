// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/axis.h"
#include "report/svg.h"
#include "support/catch.h"

#include <cmath>

using namespace loadstone::report;

namespace {

std::vector<std::string> labels(const Axis& axis)
{
    std::vector<std::string> all;
    for (const AxisTick& tick : axis.ticks)
        all.push_back(tick.label);
    return all;
}

} // namespace

TEST_CASE("a linear axis has round numbers and reaches over the largest value")
{
    using Labels = std::vector<std::string>;
    CHECK(labels(linearAxis(95.4, AxisUnit::number)) == Labels { "0", "20", "40", "60", "80", "100" });
    CHECK(labels(linearAxis(100, AxisUnit::percent))
        == Labels { "0 %", "20 %", "40 %", "60 %", "80 %", "100 %" });
    CHECK(labels(linearAxis(0.0113, AxisUnit::seconds))
        == Labels { "0 ms", "2.5 ms", "5.0 ms", "7.5 ms", "10.0 ms", "12.5 ms" });
    CHECK(labels(linearAxis(3 * 1048576.0, AxisUnit::bytesPerSecond))
        == Labels { "0 MB/s", "1 MB/s", "2 MB/s", "3 MB/s" });
    CHECK(labels(linearAxis(6200, AxisUnit::number)) == Labels { "0", "2,000", "4,000", "6,000", "8,000" });
    CHECK(labels(linearAxis(0, AxisUnit::number)) == Labels { "0", "0.2", "0.4", "0.6", "0.8", "1.0" });
    CHECK(linearAxis(std::nan(""), AxisUnit::number).high == 1);
}

TEST_CASE("any largest value gives a handful of ticks that enclose it")
{
    for (double most = 1e-9; most < 1e12; most *= 1.37)
        for (const AxisUnit quantity : { AxisUnit::number, AxisUnit::seconds, AxisUnit::bytesPerSecond }) {
            INFO(most);
            const Axis axis = linearAxis(most, quantity);
            CHECK(axis.high >= most * (1 - 1e-9));
            CHECK(axis.high <= most * 2.01);
            CHECK(axis.ticks.size() >= 2);
            CHECK(axis.ticks.size() <= 7);
        }
}

TEST_CASE("a logarithmic axis has ticks at 1, 2 and 5 that enclose the values")
{
    const Axis axis = logarithmicAxis(0.0032, 1.4, AxisUnit::seconds);
    CHECK(labels(axis)
        == std::vector<std::string> {
            "2 ms", "5 ms", "10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s", "2 s" });
    CHECK(axis.position(0.002) == Approx(0));
    CHECK(axis.position(2) == Approx(1));
    CHECK(axis.position(0.0632) == Approx(0.5).margin(0.001));
    CHECK(axis.position(0) == 0); // below the axis
    CHECK(labels(logarithmicAxis(1e-6, 10, AxisUnit::seconds)).size() == 8); // powers of ten only
}

TEST_CASE("a time axis labels at most eleven round times")
{
    CHECK(labels(timeAxis(60))
        == std::vector<std::string> { "00:00", "00:10", "00:20", "00:30", "00:40", "00:50", "01:00" });
    CHECK(labels(timeAxis(7 * 3600)).back() == "7:00:00");
    for (double most = 0.5; most < 4e6; most *= 1.7) {
        const Axis axis = timeAxis(most);
        CHECK(axis.high == most);
        CHECK(axis.ticks.size() <= 11);
        CHECK(axis.ticks.back().value <= most);
    }
}

TEST_CASE("A burst of the drain does not flatten the measurement in a report's chart")
{
    using namespace loadstone;
    report::Chart chart;
    chart.title = "Messages per second";
    chart.bands = { { 0, 60, PhaseKind::measurement, "", "" }, { 60, 80, PhaseKind::drain, "", "" } };
    chart.curves = { { "Received", { { 10, 4 }, { 50, 5 }, { 70, 345 } } } };
    const std::string burst = report::chartFigure(chart);
    CHECK(burst.find(">5</text>") != std::string::npos); // the top of the axis
    CHECK(burst.find("up to 345") != std::string::npos);
    chart.curves.front().points.back().y = 9;
    const std::string flat = report::chartFigure(chart);
    CHECK(flat.find("cut off") == std::string::npos);
    CHECK(flat.find(">10</text>") != std::string::npos);
    // Where nothing else has values the drain is the chart.
    chart.curves = { { "Received", { { 70, 345 } } } };
    CHECK(report::chartFigure(chart).find("cut off") == std::string::npos);
}
