// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_samples.h"
#include "charts/chart_lanes.h"
#include "charts/chart_scene.h"
#include "charts/line_room.h"
#include "support/catch.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPalette>

#include <cmath>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;

namespace {

ChartLine constant(const char* name, const char* unit, double value)
{
    return lineOf(QString::fromLatin1(name), QString::fromLatin1(unit), Qt::red,
        secondsOf(0, std::vector<double>(100, value)));
}

} // namespace

TEST_CASE("lanes are as many as there are units and families, and hidden lines have none")
{
    std::vector<ChartLine> lines { constant("Sent", "messages/s", 3), constant("Processor", "%", 50),
        constant("Received", "messages/s", 9), constant("Sessions", "", 20), constant("Queue", "", 20) };
    lines[4].family = QStringLiteral("Audit");
    lines[1].shown = false;
    const auto lanes = lanesOf(lines, ValueRange::global);
    REQUIRE(lanes.size() == 3);
    CHECK(lanes[0].lines == std::vector<std::size_t> { 0, 2 });
    CHECK(lanes[1].lines == std::vector<std::size_t> { 3 });
    CHECK(lanes[2].lines == std::vector<std::size_t> { 4 });
}

TEST_CASE("a percentage reaches from 0 to a little above 100 unless it is fitted")
{
    const auto low = lanesOf({ constant("Processor", "%", 7) }, ValueRange::global).at(0);
    CHECK(low.low == 0);
    CHECK(low.high > 102);
    CHECK(low.high < 106);
    const auto four =
        lanesOf({ constant("Processor", "%", 390) }, ValueRange::global).at(0); // of four processors
    CHECK(four.high > 390);
    const auto fit = lanesOf({ constant("Processor", "%", 7) }, ValueRange::fit).at(0);
    CHECK(fit.low > 6);
    CHECK(fit.high < 8);
}

TEST_CASE("logarithmic axes reach over whole decades, and values of 0 and below are gaps")
{
    const ChartLine line = lineOf(QStringLiteral("Queue"), QStringLiteral("messages"), Qt::red,
        secondsOf(0, { 0.3, 0, -5, 20, 4000, 4000, 0 }));
    const Lane lane = lanesOf({ line }, ValueRange::global, true).at(0);
    CHECK(lane.low == Approx(0.1));
    CHECK(lane.high == Approx(10'000));
    CHECK(decadeTicks(lane.low, lane.high, 20).size() == 6);
    CHECK(decadeTicks(lane.low, lane.high, 3).size() == 3);
    CHECK(
        decadeTicks(30, 400, 20) == std::vector<double> { 50, 100, 200 }); // one decade alone says too little
    const ChartMapping map { { 0, 0, 100, 500 }, {}, lane.low, lane.high, true };
    CHECK(map.y(0.1) == Approx(500));
    CHECK(map.y(1) == Approx(400));
    CHECK(map.y(1000) == Approx(100));
    CHECK(map.y(0) == 500);
    CHECK(map.y(-5) == 500);
    CHECK(map.valueAt(200) == Approx(100));

    const auto pieces = linePieces(line.bands, 1, true);
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0].size() == 1);
    CHECK(pieces[1].size() == 3);
    CHECK(linePieces(line.bands, 1).size() == 1);

    // Values hold their place times their scale, and without any above 0 there is an axis all the same.
    ChartLine scaled = line;
    scaled.scale = 0.01;
    CHECK(overlayOf({ scaled }, ValueRange::fit, true).low == Approx(0.001));
    CHECK(overlayOf({ scaled }, ValueRange::global, true).high == Approx(100));
    const Lane none = lanesOf({ constant("Errors", "", 0) }, ValueRange::global, true).at(0);
    CHECK(none.low > 0);
    CHECK(none.high > none.low);
    const Lane huge = lanesOf({ lineOf(QStringLiteral("x"), {}, Qt::red, secondsOf(0, { 1e-200, 1e200 })) },
        ValueRange::global, true)
                          .at(0);
    CHECK(huge.low > 0);
    CHECK(std::log10(huge.high / huge.low) <= 12.1);
}

TEST_CASE("the range of the whole run stays where only a part is in view, a fitted one follows it")
{
    ChartLine line = constant("Sent", "messages/s", 40);
    line.whole = ValueExtent { 0, 730 };
    const auto global = lanesOf({ line }, ValueRange::global).at(0);
    CHECK(global.low == 0);
    CHECK(global.high > 730);
    CHECK(lanesOf({ line }, ValueRange::fit).at(0).high < 50);
    line.bands = secondsOf(50, { 1, 2 });
    const auto panned = lanesOf({ line }, ValueRange::global).at(0);
    CHECK(panned.high == global.high);
}

TEST_CASE("a shared range is the same for all lanes of one unit")
{
    std::vector<ChartLine> lines { constant("Read", "ms", 3), constant("Write", "ms", 800),
        constant("Sent", "1/s", 5) };
    lines[1].family = QStringLiteral("Disk");
    const auto own = lanesOf(lines, ValueRange::global), shared = lanesOf(lines, ValueRange::shared);
    REQUIRE(shared.size() == 3);
    CHECK(own[0].high < 5);
    CHECK(shared[0].high == own[1].high);
    CHECK(shared[1].high == own[1].high);
    CHECK(shared[2].high == own[2].high);
}

TEST_CASE("a value axis has round labels, no more than fit")
{
    for (const double high : { 0.0003, 1.04, 104.0, 730.0, 12'345'678.0 })
        for (const int most : { 1, 2, 5, 10 }) {
            const double step = valueStep(0, high, most);
            CHECK(high / step <= most + 1e-6);
            const double first = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
            CHECK((first == Approx(1) || first == Approx(2) || first == Approx(5)));
        }
    CHECK(valueStep(3, 3, 5) == 1);
}

TEST_CASE("the plots of lanes are equally wide and begin at one place, whatever their labels")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines({ constant("Bytes", "bytes/s", 123'456'789), constant("Share", "%", 3),
        constant("Time", "s", 0.0004) });
    chart.setLayout(ChartLayout::lanes);
    pictureOf(chart);
    const auto plots = chart.plots();
    REQUIRE(plots.size() == 3);
    for (const QRectF& plot : plots) {
        CHECK(plot.left() == plots[0].left());
        CHECK(plot.width() == plots[0].width());
        CHECK(plot.height() == Approx(plots[0].height()));
        CHECK(plot.height() > 60);
    }
    CHECK(plots[0].bottom() < plots[1].top());
    CHECK(plots[0].left() > 60); // the widest label has room
    chart.setLayout(ChartLayout::overlay);
    pictureOf(chart);
    CHECK(chart.plots().size() == 1);
}

TEST_CASE("B9: a line at 100 % is as wide as one at 50 %, below the upper edge, overlaid and in its lane")
{
    PerformanceChart chart;
    shownChart(chart);
    for (const ChartLayout layout : { ChartLayout::overlay, ChartLayout::lanes }) {
        chart.setLayout(layout);
        const auto rows = [&](double value) {
            ChartLine line = constant("Processor", "%", value);
            line.width = 3;
            chart.setLines({ line });
            const QImage image = pictureOf(chart);
            const int x = static_cast<int>(chart.plots().at(0).center().x());
            std::vector<int> red;
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y) == QColor(Qt::red))
                    red.push_back(y);
            return red;
        };
        const auto middle = rows(50), top = rows(100);
        REQUIRE_FALSE(top.empty());
        CHECK(top.size() + 1 >= middle.size());
        CHECK(top.front() > chart.plots().at(0).top() + 3);
    }
}

TEST_CASE("M1: lines of one unit and family get one scale, so that what is drawn higher is more")
{
    const QString unit = QStringLiteral("messages/s"), family = QStringLiteral("Mail");
    const auto scales =
        automaticScales({ { unit, family, ValueExtent { 0, 29 } }, { unit, family, ValueExtent { 0, 870 } },
            { unit, QStringLiteral("Other"), ValueExtent { 0, 29 } }, { unit, family, std::nullopt } });
    REQUIRE(scales.size() == 4);
    CHECK(*scales[0] == Approx(0.1));
    CHECK(*scales[1] == Approx(0.1));
    CHECK(*scales[2] == Approx(1));
    CHECK_FALSE(scales[3].has_value());
}

TEST_CASE("the words of limits keep clear of each other, also where two limits are the same")
{
    QImage picture(900, 200, QImage::Format_RGB32);
    QPainter painter(&picture);
    const ChartMapping map { QRectF(50, 10, 800, 180), { Seconds(0), Seconds(100) }, 0, 104 };
    std::vector<QRectF> taken;
    for (const char* name : { "Send message: response time", "Empty mailbox: response time" }) {
        ChartLine line = constant(name, "ms", 20);
        line.limits = { { 170, QStringLiteral("at most 170 ms") } };
        LineStroke stroke;
        stroke.scale = 0.1;
        paintLimits(painter, map, stroke, line, LineRoom(map, {}, 0), taken, QPalette());
    }
    REQUIRE(taken.size() == 2);
    CHECK_FALSE(taken[0].intersects(taken[1]));
    for (const QRectF& words : taken)
        CHECK(map.plot.contains(words));
}

TEST_CASE("the words of a limit keep clear of the title of an axis that stands in the plot")
{
    QImage picture(900, 200, QImage::Format_RGB32);
    QPainter painter(&picture);
    const ChartMapping map { QRectF(50, 10, 800, 180), { Seconds(0), Seconds(100) }, 0, 100 };
    ChartLine line = constant("Messages Received/sec (_Total)", "messages/s", 20);
    const QRectF title = paintOwnAxis(painter, map, line, 1, QPalette());
    CHECK(map.plot.contains(title));
    std::vector<QRectF> taken { title,
        QRectF(50, 10, 800 - 1.5 * title.width(), 180) }; // room at the right only
    line.limits = { { 95, QStringLiteral("at most 95") } };
    LineStroke stroke;
    paintLimits(painter, map, stroke, line, LineRoom(map, {}, 0), taken, QPalette());
    for (std::size_t i = 2; i < taken.size(); ++i)
        CHECK_FALSE(taken[i].intersects(title));
}

TEST_CASE("the words of a limit keep clear of the lines that run near it")
{
    const ChartMapping map { QRectF(0, 0, 800, 200), { Seconds(0), Seconds(100) }, 0, 100 };
    const QSizeF size(200, 12);
    const double limit = map.y(50);
    const auto placeBeside = [&](const QList<QPointF>& piece, std::size_t lane = 0) {
        LineStroke stroke;
        stroke.lane = lane;
        stroke.pieces = { piece };
        const LineRoom room(map, { stroke }, 0);
        const QRectF box = room.placeAt(limit, size, {});
        return std::pair(box, room.crossed(box));
    };
    // At the left and above, where nothing is in the way.
    const auto [free, none] = placeBeside({ { 0, 10 }, { 100, 10 } });
    CHECK(none == 0);
    CHECK(free.left() < 10);
    CHECK(free.bottom() < limit);
    CHECK(placeBeside({ { 0, 53 }, { 100, 53 } }, 1).first == free); // in another lane
    // Below, where a line runs just above it.
    const auto [below, belowCrossed] = placeBeside({ { 0, 54 }, { 100, 54 } });
    CHECK(belowCrossed == 0);
    CHECK(below.top() > limit);
    // Behind a line that goes up and down around it in the first half.
    QList<QPointF> wild;
    for (int i = 0; i <= 50; ++i)
        wild.append({ static_cast<double>(i), i % 2 == 0 ? 40.0 : 60.0 });
    wild.append({ 51, 10 });
    const auto [behind, behindCrossed] = placeBeside(wild);
    CHECK(behindCrossed == 0);
    CHECK(behind.left() > 400);
    CHECK(map.plot.contains(behind));
    // Further away, where lines run along it on both sides.
    QList<QPointF> around;
    for (int i = 0; i <= 100; ++i)
        around.append({ static_cast<double>(i), i % 2 == 0 ? 46.0 : 54.0 });
    const auto [away, awayCrossed] = placeBeside(around);
    CHECK(awayCrossed == 0);
    CHECK(away.left() < 10);
    CHECK(away.bottom() < map.y(54));
    CHECK(away.top() > limit - 60);
    // Everywhere else are words.
    const LineRoom room(map, {}, 0);
    CHECK(room.placeAt(limit, size, { map.plot }).isNull());
    CHECK(room.placeAt(limit, { 900, 12 }, {}).isNull());
}

TEST_CASE("the words of a limit are never on the line of another limit, nor nearer to it than to their own")
{
    const ChartMapping map { QRectF(0, 0, 800, 200), { Seconds(0), Seconds(100) }, 0, 100 };
    const QSizeF size(200, 12);
    // 10 pixels apart: there is no room for words between them. Each way of lines around them is tried.
    const double upper = map.y(50), lower = map.y(45);
    for (const double around : { 10.0, 47.5, 52.0, 55.0, 43.0 }) {
        LineStroke stroke;
        stroke.pieces = { { { 0, around }, { 100, around } } };
        const LineRoom room(map, { stroke }, 0, { upper, lower });
        std::vector<QRectF> taken;
        for (const double y : { upper, lower }) {
            const QRectF box = room.placeAt(y, size, taken);
            INFO("a line at " << around << ", words at " << box.center().y() << " of the limit at " << y);
            REQUIRE_FALSE(box.isNull());
            const double other = y == upper ? lower : upper;
            CHECK(std::abs(box.center().y() - y) < std::abs(box.center().y() - other));
            CHECK_FALSE((box.top() < other && other < box.bottom()));
            taken.push_back(box);
        }
        CHECK_FALSE(taken[0].intersects(taken[1]));
    }
    // Between two others there is no room: no words are better than words on another's line.
    const LineRoom crowded(map, {}, 0, { map.y(55), upper, lower });
    CHECK(crowded.placeAt(upper, size, {}).isNull());
    // Two lines with the same limit are no others of each other.
    CHECK_FALSE(LineRoom(map, {}, 0, { upper, upper }).placeAt(upper, size, {}).isNull());
    // What is drawn is what is kept clear of.
    ChartLine line = constant("Send message", "ms", 20);
    line.limits = { { 170, QStringLiteral("at most 170 ms") }, { 2000, QStringLiteral("out of sight") } };
    LineStroke stroke;
    stroke.scale = 0.1;
    CHECK(limitHeights(map, { stroke }, { line }, 0) == std::vector<double> { map.y(17) });
    CHECK(limitHeights(map, { stroke }, { line }, 1).empty());
}

TEST_CASE("the words of marks are where no others are, and within the plot")
{
    const ChartMapping map { QRectF(50, 10, 800, 180), { Seconds(0), Seconds(100) }, 0, 104 };
    ChartDecor decor;
    for (const int at : { 10, 11, 12, 99, 200 })
        decor.marks.push_back({ Seconds(at), QStringLiteral("pulled disk %1").arg(at) });
    const auto marks = placeMarks(QFont(), map, decor);
    REQUIRE(marks.size() == 4); // one is out of sight
    for (std::size_t i = 0; i < marks.size(); ++i) {
        CHECK(map.plot.contains(marks[i].box));
        for (std::size_t k = 0; k < i; ++k)
            CHECK_FALSE(marks[i].box.intersects(marks[k].box));
    }
}

TEST_CASE("a low lane has more than the label of its 0")
{
    const QFont font;
    const QFontMetricsF metrics(font);
    const ChartMapping low { QRectF(50, 10, 800, metrics.height() * 2.7), { Seconds(0), Seconds(100) }, 0,
        41.6 };
    CHECK(laneLabelWidth(font, low) > metrics.horizontalAdvance(QStringLiteral("0")));
}
