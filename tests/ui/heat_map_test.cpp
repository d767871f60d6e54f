// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_samples.h"
#include "charts/heat_map_picture.h"
#include "run/view/run_reader.h"
#include "support/catch.h"
#include "support/demo_recording.h"
#include "support/program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;
using Milliseconds = std::chrono::milliseconds;

namespace {

std::filesystem::path finishedRun()
{
    static const test::ScratchFolder folder;
    static const auto id = [] {
        test::DemoRecording demo;
        demo.mixes = 2;
        demo.measurementSeconds = 24;
        return demo.write(folder.path());
    }();
    REQUIRE(id.has_value());
    return folder.path() / (id->text() + ".loadstone");
}

const SeriesKey kSend { Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage),
    LatencyClock::response };

bool alike(const HeatMap& a, const HeatMap& b)
{
    return a.edges == b.edges && a.columns.size() == b.columns.size()
        && std::equal(
            a.columns.begin(), a.columns.end(), b.columns.begin(), [](const auto& x, const auto& y) {
                return x.begin == y.begin && x.end == y.end && x.count == y.count && x.cells == y.cells
                    && x.p95 == y.p95 && x.aboveLimit == y.aboveLimit;
            });
}

} // namespace

TEST_CASE("a heat map's rows reach from the data's 0.1 % to its longest latency, by the same factor")
{
    Histogram latencies;
    latencies.record(Milliseconds(2), 10'000);
    latencies.record(Milliseconds(15), 1'000);
    latencies.record(std::chrono::microseconds(1)); // a single one makes no row for itself
    const auto edges = heatMapEdges(latencies, 48);
    REQUIRE(edges.size() >= 3);
    REQUIRE(edges.size() <= 49);
    CHECK(edges.front() > Milliseconds(1));
    CHECK(edges.front() < std::chrono::microseconds(2020)); // within a bucket of it
    CHECK(edges.back() > Milliseconds(15)); // not stretched to what never occurred
    CHECK(edges.back() < Milliseconds(16));
    const double first = seconds(edges[1]) / seconds(edges[0]);
    for (std::size_t i = 2; i < edges.size(); ++i)
        CHECK(seconds(edges[i]) / seconds(edges[i - 1]) == Approx(first).epsilon(0.001));
    CHECK(heatMapEdges(Histogram(), 48).empty());
    Histogram same;
    same.record(Milliseconds(5), 3);
    CHECK(heatMapEdges(same, 48).size() == 2);
    Histogram zero;
    zero.record(Nanoseconds(0), 3);
    CHECK(heatMapEdges(zero, 48).size() == 2);
}

TEST_CASE("every action of a column is in one of its cells, and the share above the limit is counted")
{
    Histogram latencies;
    latencies.record(Milliseconds(10), 90);
    latencies.record(Milliseconds(100), 9);
    latencies.record(Milliseconds(1000), 1);
    const std::vector<Nanoseconds> edges { Milliseconds(5), Milliseconds(50), Milliseconds(500),
        Milliseconds(800) };
    const HeatMapColumn column =
        heatMapColumn({ Seconds(3), Seconds(4) }, latencies, edges, Milliseconds(50));
    CHECK(column.count == 100);
    CHECK(column.cells == std::vector<std::uint32_t> { 90, 9, 1 }); // the slowest is above all edges
    CHECK(column.aboveLimit == 10);
    CHECK(column.p50 == latencies.percentile(50));
    const HeatMapColumn empty =
        heatMapColumn({ Seconds(4), Seconds(5) }, Histogram(), edges, Milliseconds(50));
    CHECK(empty.count == 0);
    CHECK(empty.cells.empty());
}

TEST_CASE("a cell's colour shows its share of the column, on a scale in which a thousandth is seen")
{
    CHECK(heatColour(0, false).alpha() == 0);
    for (const bool dark : { false, true }) {
        int before = -1;
        for (const double share : { 0.001, 0.004, 0.02, 0.1, 0.5, 1.0 }) {
            const int lightness = heatColour(share, dark).lightness();
            const int contrast = dark ? lightness : 255 - lightness;
            CHECK(contrast > before);
            before = contrast;
        }
        CHECK(heatColour(1e-9, dark) == heatColour(0.001, dark));
    }
}

TEST_CASE("a heat map's columns are the recording's own histograms")
{
    RunReader reader;
    REQUIRE(reader.open(finishedRun()));
    RunQuery query;
    query.heatMap = HeatMapQuery { kSend, Milliseconds(100) };
    query.visible = { Seconds(10), Seconds(70) };
    query.bands = 15;
    const auto view = reader.read(query);
    REQUIRE(view);
    REQUIRE((*view)->heatMap);
    const HeatMap& map = *(*view)->heatMap;
    const auto recording = Recording::open(finishedRun()).value();
    const auto id = findSeries(recording.header().histograms, kSend);
    REQUIRE(id.has_value());
    REQUIRE(map.columns.size() == 12); // of 5 s
    for (const HeatMapColumn& column : map.columns) {
        const Histogram own = recording.histogram(*id, { column.begin, column.end }).value();
        CHECK(column.count == own.count());
        CHECK(std::accumulate(column.cells.begin(), column.cells.end(), std::uint64_t { 0 }) == own.count());
        CHECK(column.p99 == own.percentile(99));
        std::uint64_t above = 0;
        own.eachBucket(
            [&](Nanoseconds highest, std::uint64_t n) { above += highest > Milliseconds(100) ? n : 0; });
        CHECK(column.aboveLimit == above);
    }
}

TEST_CASE("a heat map made from what was known is the one that is read anew, panned, zoomed and growing")
{
    const auto recording = Recording::open(finishedRun()).value();
    const HeatMapQuery query { kSend, std::nullopt };
    HeatMapReader kept;
    const TimeWindow windows[] = { { Seconds(0), Seconds(20) }, { Seconds(0), Seconds(23) },
        { Seconds(0), Seconds(41) }, { Seconds(13), Seconds(54) }, { Seconds(7), Seconds(48) },
        { Seconds(60), Seconds(87) }, { Seconds(0), Seconds(30) }, { Seconds(0), Seconds(87) } };
    for (const std::size_t columns : { 10U, 60U })
        for (const TimeWindow window : windows) {
            INFO(seconds(window.begin) << " to " << seconds(window.end) << " in " << columns);
            HeatMapReader fresh;
            const auto expected = fresh.read(recording, query, window, columns);
            const auto found = kept.read(recording, query, window, columns);
            REQUIRE(expected);
            REQUIRE(found);
            CHECK(alike(**found, **expected));
        }
    const auto none = kept.read(recording, { Quantity::messagesSent, std::nullopt }, windows[0], 10);
    REQUIRE(none);
    CHECK(*none == nullptr);
}

TEST_CASE("on the picture of a heat map dense cells are dark, missing columns are blank, and the pointer "
          "tells the share")
{
    auto map = std::make_shared<HeatMap>();
    map->name = QStringLiteral("Send message");
    map->edges = { Milliseconds(1), Milliseconds(10), Milliseconds(100) };
    map->limit = Milliseconds(50);
    for (int second = 0; second < 100; ++second)
        if (second < 40 || second >= 60)
            map->columns.push_back({ Seconds(second), Seconds(second + 1), 1000, { 990, 10 }, Milliseconds(2),
                Milliseconds(3), Milliseconds(4), 10 });
    PerformanceChart chart;
    shownChart(chart);
    chart.setHeatMap(map);
    const QImage image = pictureOf(chart);
    const QRectF plot = chart.plots().at(0);
    const auto at = [&](double second, double share) {
        return image.pixelColor(static_cast<int>(plot.left() + second / 100 * plot.width()),
            static_cast<int>(plot.top() + share * plot.height()));
    };
    CHECK(at(20.5, 0.85) == heatColour(0.99, false)); // below 10 ms
    CHECK(at(20.5, 0.08) == heatColour(0.01, false));
    CHECK(at(50.5, 0.85) == chart.palette().color(QPalette::Base));
    const QStringList facts =
        heatMapFacts(*map, plot, Milliseconds(20'500), plot.top() + 0.1 * plot.height());
    REQUIRE(facts.size() == 3);
    CHECK(facts[0] == QStringLiteral("10 ms to 100 ms: 10 of 1,000, 1.00 %"));
    CHECK(facts[2].startsWith(QStringLiteral("above 50 ms: 1")));
    CHECK(heatMapFacts(*map, plot, Seconds(50), std::nullopt).size() == 1);
    chart.setHeatMap(nullptr);
    CHECK(countOf(pictureOf(chart), heatColour(0.99, false)) == 0);
}
