// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_samples.h"
#include "charts/chart_canvas.h"
#include "charts/chart_picture.h"
#include "charts/line_picture.h"
#include "charts/overview_strip.h"
#include "charts/range_picture.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/view/run_reader.h"
#include "support/catch.h"
#include "support/demo_recording.h"
#include "support/program.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;

namespace {

/// The rows of a picture in which a colour is, from the top; of rows beside each other the first.
std::vector<int> rowsOf(const QImage& image, const QColor& colour)
{
    std::vector<int> rows;
    for (int y = 0, last = -9; y < image.height(); ++y) {
        int count = 0;
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
        if (count < image.width() / 4) // a legend has a dash of it
            continue;
        if (y - last > 4)
            rows.push_back(y);
        last = y;
    }
    return rows;
}

test::DemoRecording shortDemo()
{
    test::DemoRecording demo;
    demo.mixes = 2;
    demo.measurementSeconds = 24;
    return demo;
}

constexpr int kMoment = 75; // s: the largest values have been, and with them the scales of the whole run

std::shared_ptr<const RunView> readView(RunReader& reader, const RunQuery& query)
{
    auto view = reader.read(query);
    REQUIRE(view);
    REQUIRE(*view);
    return *view;
}

/// The chart of a page that shows `query` of a recording.
QImage chartOf(const std::filesystem::path& file, RunQuery query, std::optional<Nanoseconds> follow,
    const std::vector<LineKey>& lines, ChartLayout layout)
{
    RunReader reader;
    REQUIRE(reader.open(file));
    ChartPanel panel;
    panel.resize(900, 640);
    panel.setHeader(*reader.header());
    panel.legend()->setKeys(lines);
    panel.chart()->setFollow(follow);
    panel.chart()->setLayout(layout);
    const auto until = query.until;
    panel.fillQuery(query);
    query.until = until;
    panel.QWidget::show();
    panel.show(readView(reader, query));
    return pictureOf(*panel.chart());
}

} // namespace

TEST_CASE("a line drawn as pixels looks as the painter's own, wherever the painter is moved or scaled to")
{
    const auto picture = [](const QPolygonF& path, double width, double scale, QPointF offset,
                             bool asPixels) {
        QImage image(300, 200, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale);
        painter.translate(offset);
        painter.setClipRect(QRectF(5, 5, 120, 80));
        painter.setPen(QPen(Qt::black, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        if (asPixels) {
            REQUIRE(hasEvenScale(painter));
            paintLinePixels(painter, path);
        } else {
            painter.drawPolyline(path);
        }
        return image;
    };
    QPolygonF noisy;
    for (int i = 0; i < 240; ++i)
        noisy.append(QPointF(i * 0.5, 40 + 30 * std::sin(i * 0.7) * std::cos(i * 0.031)));
    const std::vector<QPolygonF> paths { QPolygonF { { 10, 20 }, { 110, 20 } },
        QPolygonF { { 20, 10 }, { 20, 70 } }, QPolygonF { { -400, -100 }, { 500, 200 } },
        QPolygonF { { 10, 70 }, { 40, 12.3 }, { 41, 69 }, { 90, 50.5 }, { 110, 1e6 } }, noisy };
    for (const QPolygonF& path : paths)
        for (const double width : { 1.5, 3.0 })
            for (const double scale : { 1.0, 2.0 })
                for (const QPointF offset : { QPointF(0, 0), QPointF(3, 2) }) {
                    const QImage own = picture(path, width, scale, offset, true);
                    const QImage painters = picture(path, width, scale, offset, false);
                    double ink = 0, inkOfPainter = 0, apart = 0;
                    for (int y = 0; y < own.height(); ++y)
                        for (int x = 0; x < own.width(); ++x) {
                            const int a = 255 - qGray(own.pixel(x, y)), b = 255 - qGray(painters.pixel(x, y));
                            ink += a;
                            inkOfPainter += b;
                            apart += std::abs(a - b);
                        }
                    INFO(path.size() << " points, " << width << " wide, scale " << scale);
                    CHECK(inkOfPainter > 10'000);
                    CHECK(std::abs(ink - inkOfPainter) < 0.06 * inkOfPainter);
                    CHECK(apart < 0.15 * inkOfPainter);
                }
}

TEST_CASE(
    "logarithmic values have decades of one height, on the screen and in the picture that is kept of it")
{
    PerformanceChart chart;
    std::vector<ChartLine> lines;
    for (const double value : { 10.0, 100.0, 1000.0, 10'000.0 })
        lines.push_back(
            lineOf(QString::number(value), {}, Qt::red, secondsOf(0, std::vector<double>(100, value))));
    chart.setLines(lines);
    shownChart(chart).setLogarithmic(true);
    for (const ChartLayout layout : { ChartLayout::overlay, ChartLayout::lanes }) {
        chart.setLayout(layout);
        const QImage screen = pictureOf(chart), kept = chartImage(chart);
        for (const QImage& image : { screen, kept }) {
            const std::vector<int> rows = rowsOf(image, Qt::red);
            REQUIRE(rows.size() == 4);
            const int decade = rows[1] - rows[0];
            CHECK(decade > 20);
            CHECK(std::abs(rows[2] - rows[1] - decade) <= 2);
            CHECK(std::abs(rows[3] - rows[2] - decade) <= 2);
        }
    }
    chart.setLayout(ChartLayout::overlay);
    chart.setLogarithmic(false);
    const std::vector<int> rows = rowsOf(pictureOf(chart), Qt::red);
    REQUIRE(rows.size() >= 2);
    CHECK(rows[1] - rows[0] > 200); // 10,000 and 1,000
}

TEST_CASE("the picture of a chart in a low window is high enough for a report, and the window stays as it is")
{
    PerformanceChart chart;
    std::vector<ChartLine> lines;
    for (const double value : { 0.0, 100.0 })
        lines.push_back(
            lineOf(QString::number(value), {}, Qt::red, secondsOf(0, std::vector<double>(100, value))));
    chart.setLines(lines);
    shownChart(chart).resize(800, 160);
    for (int i = 0; i < 3; ++i)
        QApplication::processEvents();
    const QSize size = chart.chartSize();
    REQUIRE(size.height() < 200);
    const QImage before = pictureOf(chart), kept = chartImage(chart);
    const std::vector<int> rows = rowsOf(kept, Qt::red);
    REQUIRE(rows.size() >= 2);
    CHECK(rows[1] - rows[0] > 400); // of 720, in pixels of half the size
    CHECK(chart.chartSize() == size);
    for (int i = 0; i < 3; ++i)
        QApplication::processEvents();
    CHECK(pictureOf(chart) == before);
}

TEST_CASE("the chart of a replay is the live one at the same moment, pixel for pixel")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), shortDemo());
    REQUIRE(writer);
    const std::vector<LineKey> lines {
        LineKey { Quantity::messagesSent }, LineKey { Quantity::processorTime },
        LineKey {
            { Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage), LatencyClock::response }, 95 }
    };
    for (int tick = 0; tick < kMoment; ++tick)
        REQUIRE(writer->tick());
    std::vector<QImage> live;
    for (const ChartLayout layout : { ChartLayout::overlay, ChartLayout::lanes })
        live.push_back(chartOf(writer->file(), {}, Seconds(30), lines, layout));
    for (bool more = true; more;)
        more = writer->tick().value();
    REQUIRE(writer->finish());
    RunQuery replay;
    replay.until = Seconds(kMoment);
    CHECK(live[0] != live[1]);
    CHECK(chartOf(writer->file(), replay, Seconds(30), lines, ChartLayout::overlay) == live[0]);
    CHECK(chartOf(writer->file(), replay, Seconds(30), lines, ChartLayout::lanes) == live[1]);
}

TEST_CASE("B8: automatic scales are those of the whole recording under pan, zoom and replay")
{
    const test::ScratchFolder folder;
    const auto id = shortDemo().write(folder.path());
    REQUIRE(id);
    RunReader reader;
    REQUIRE(reader.open(folder.path() / (id->text() + ".loadstone")));
    LegendModel legend;
    legend.setAvailable(*reader.header());
    legend.setKeys({ LineKey { Quantity::messagesSent }, LineKey { Quantity::sessions },
        LineKey {
            { Quantity::actionTime, Subject::ofAction(ActionKind::sendMessage), LatencyClock::response },
            95 } });
    const auto scales = [&](const RunQuery& query) {
        legend.setData(*readView(reader, query));
        std::vector<double> all;
        for (const ChartLine& line : legend.chartLines())
            all.push_back(line.scale);
        return all;
    };
    RunQuery query;
    query.lines = legend.keys();
    const auto whole = scales(query);
    for (const TimeWindow visible :
        { TimeWindow { Seconds(0), Seconds(3) }, TimeWindow { Seconds(20), Seconds(40) } }) {
        query.visible = visible;
        CHECK(scales(query) == whole);
    }
    query.visible = {};
    for (const int until : { 2, 10, 60 }) {
        query.until = Seconds(until);
        CHECK(scales(query) == whole);
    }
}

TEST_CASE(
    "B8: while a run grows, what a line reaches only widens, and it is what a reader finds who comes later")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), shortDemo());
    REQUIRE(writer);
    RunReader reader;
    RunQuery query;
    query.lines = { LineKey { Quantity::messagesSent } };
    query.follow = Seconds(10);
    REQUIRE(writer->tick());
    REQUIRE(reader.open(writer->file()));
    std::optional<ValueExtent> before;
    for (bool more = true; more; more = writer->tick().value()) {
        const auto read = reader.read(query);
        REQUIRE(read);
        if (!*read)
            continue;
        const auto now = (*read)->lines[0].whole;
        REQUIRE(now.has_value());
        CHECK(now->maximum >= (before ? before->maximum : 0));
        before = now;
    }
    RunReader later;
    REQUIRE(later.open(writer->file()));
    CHECK(readView(later, query)->lines[0].whole == before);
}

TEST_CASE("at its moments a line has the last sample at or before them, also where it is drawn of stretches")
{
    const test::ScratchFolder folder;
    const auto id = shortDemo().write(folder.path());
    REQUIRE(id);
    const auto file = folder.path() / (id->text() + ".loadstone");
    RunReader reader;
    REQUIRE(reader.open(file));
    RunQuery query;
    query.lines = { LineKey { Quantity::messagesSent } };
    query.bands = 4;
    query.moments = { Seconds(20), std::chrono::milliseconds(20'700), Seconds(900) };
    const auto view = readView(reader, query);
    const auto& read = view->lines[0].read;
    REQUIRE(read.size() == 3);
    const auto recording = Recording::open(file).value();
    const auto counter = findSeries(recording.header().counters, Quantity::messagesSent);
    REQUIRE(counter.has_value());
    const double expected = recording.counter(*counter, { Seconds(19), Seconds(20) }).value().at(0).value;
    CHECK(read[0].value.value == expected);
    CHECK(read[1].value.value == expected);
    CHECK(read[1].value.age == std::chrono::milliseconds(700));
    CHECK_FALSE(read[2].value.known());
}

TEST_CASE("at one time a line has the same value in a part of the run as in the whole run")
{
    const test::ScratchFolder folder;
    const auto id = shortDemo().write(folder.path());
    REQUIRE(id);
    RunReader reader;
    REQUIRE(reader.open(folder.path() / (id->text() + ".loadstone")));
    RunQuery query;
    query.bands = 1000;
    query.lines = { LineKey { Quantity::messagesSent },
        LineKey::ofLatency(reader.header()->histograms[0], 95) };
    const auto whole = readView(reader, query);
    for (const int begin : { 20'000, 20'500, 23'000 }) {
        query.visible = { std::chrono::milliseconds(begin), std::chrono::milliseconds(begin + 17'300) };
        const auto part = readView(reader, query);
        for (const int after : { 0, 100, 400, 900, 3000, 16'900, 17'300 }) {
            INFO(after << " ms after the left edge at " << begin << " ms");
            const Nanoseconds at = std::chrono::milliseconds(begin + after);
            for (std::size_t i = 0; i < query.lines.size(); ++i) {
                const LineData& line = part->lines[i];
                const CursorValue there = valueAt(line.bands, at);
                const CursorValue expected = valueAt(whole->lines[i].bands, at);
                REQUIRE(expected.known());
                CHECK(there.value == expected.value);
                CHECK(there.age == expected.age);
            }
        }
    }
}

TEST_CASE("the pointer's line and the cursors move over a kept picture, other news draw it again")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 50))) });
    const QImage before = pictureOf(chart);
    const int pictures = chart.pictures();
    for (int second = 10; second < 20; ++second) {
        chart.setCursor(Seconds(second));
        chart.setCursors({ Seconds(second), Seconds(80), false });
        CHECK(pictureOf(chart) != before);
    }
    CHECK(chart.pictures() == pictures);
    chart.setCursor(std::nullopt);
    chart.setCursors({});
    CHECK(pictureOf(chart) == before);
    chart.setMarks({ { Seconds(40), QStringLiteral("pulled disk 3") } });
    CHECK(pictureOf(chart) != before);
    CHECK(chart.pictures() > pictures);
}

TEST_CASE(
    "L9: the box of values stands on the side where the pointer is not, and names no more than eight lines")
{
    PerformanceChart chart;
    shownChart(chart);
    std::vector<ChartLine> lines;
    for (int i = 0; i < 30; ++i)
        lines.push_back(lineOf(
            QStringLiteral("Line %1").arg(i), {}, Qt::red, secondsOf(0, std::vector<double>(100, 3 * i))));
    chart.setLines(lines);
    const QImage before = pictureOf(chart);
    for (const int second : { 20, 80 }) {
        chart.setCursor(Seconds(second));
        const QImage after = pictureOf(chart);
        const QRectF plot = chart.plots().at(0);
        const auto changed = [&](double from, double to, double bottom) {
            int count = 0;
            for (int x = static_cast<int>(plot.left() + from * plot.width());
                 x < plot.left() + to * plot.width(); ++x)
                for (int y = static_cast<int>(plot.top() + 3); y < plot.top() + bottom * plot.height(); ++y)
                    count += after.pixelColor(x, y) != before.pixelColor(x, y) ? 1 : 0;
            return count;
        };
        const bool left = second < 50;
        CHECK(changed(left ? 0.25 : 0.0, left ? 1.0 : 0.75, 0.7) > 2000); // the box
        CHECK(changed(left ? 0.0 : 0.85, left ? 0.15 : 1.0, 1) == 0); // what it is about
        CHECK(changed(left ? 0.5 : 0.0, left ? 1.0 : 0.5, 1)
            == changed(left ? 0.5 : 0.0, left ? 1.0 : 0.5, 0.75)); // and low
    }
}

TEST_CASE("M8: a run that has hardly begun has a minute on the axis, which does not move with every second")
{
    PerformanceChart chart;
    chart.setGrowing(true, std::chrono::minutes(150));
    chart.setLength(Seconds(4), Seconds(4));
    CHECK(chart.visible() == TimeWindow { Seconds(0), Seconds(60) });
    std::vector<Nanoseconds> ends;
    for (int second = 5; second <= 600; ++second) {
        chart.setLength(Seconds(second), Seconds(second));
        if (ends.empty() || ends.back() != chart.visible().end)
            ends.push_back(chart.visible().end);
        CHECK(chart.visible().end >= Seconds(second));
    }
    CHECK(ends.size() == 5);
    chart.setGrowing(true, Seconds(630));
    chart.setLength(Seconds(605), Seconds(605));
    CHECK(chart.visible().end == Seconds(630)); // as planned
    chart.setLength(Seconds(640), Seconds(640));
    CHECK(chart.visible().end == Seconds(640));
    chart.setGrowing(false);
    chart.setLength(Seconds(33), Seconds(33));
    CHECK(chart.visible().end == Seconds(33));
}

TEST_CASE("a live chart that is held says how far it is behind, and End follows again")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setGrowing(true);
    chart.setFollow(Seconds(30));
    CHECK_FALSE(chart.behind().has_value());
    chart.zoomTo({ Seconds(40), Seconds(58) });
    CHECK(chart.behind() == Seconds(42));
    chart.setLength(Seconds(110), Seconds(110));
    CHECK(chart.visible() == TimeWindow { Seconds(40), Seconds(58) });
    CHECK(chart.behind() == Seconds(52));
    QTest::keyClick(&chart, Qt::Key_End);
    CHECK_FALSE(chart.behind().has_value());
    CHECK(chart.visible() == TimeWindow { Seconds(80), Seconds(110) });
    chart.setGrowing(false);
    chart.zoomTo({ Seconds(10), Seconds(20) });
    CHECK_FALSE(chart.behind().has_value()); // of a run that is over nothing is missed
}

TEST_CASE("in a low chart the pointer's box has the values of the usual six lines")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.resize(800, 185);
    const std::vector<QColor> colours { Qt::red, Qt::green, Qt::blue, Qt::magenta, Qt::cyan, Qt::yellow };
    std::vector<ChartLine> lines;
    for (const QColor& colour : colours)
        lines.push_back(lineOf(QStringLiteral("Sent"), {}, colour, secondsOf(0, std::vector<double>(40, 3))));
    chart.setLines(std::move(lines));
    chart.setCursor(Seconds(30)); // the box is on the right, where no line is
    const QImage image = pictureOf(*surfaceOf(chart));
    const QImage right = image.copy(image.width() / 2, 0, image.width() / 2, image.height());
    for (const QColor& colour : colours)
        CHECK(countOf(right, colour) > 10); // its dash
}

TEST_CASE("how far a held chart is behind stands beside the pointer's box, not over it")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setGrowing(true);
    chart.zoomTo({ Seconds(40), Seconds(58) });
    auto* canvas = chart.findChild<ChartCanvas*>();
    REQUIRE(canvas != nullptr);
    /// Of the badge, left and right of the middle.
    const auto badge = [&] {
        const QImage image = canvas->grab().toImage();
        const QColor colour = canvas->palette().color(QPalette::Highlight);
        std::pair<int, int> count;
        for (int y = image.height() / 2; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) == colour)
                    ++(x < image.width() / 2 ? count.first : count.second);
        return count;
    };
    chart.setCursor(Seconds(56)); // the box is on the left
    CHECK(badge().second > 500);
    CHECK(badge().second > 4 * badge().first);
    chart.setCursor(Seconds(42));
    CHECK(badge().first > 500);
    CHECK(badge().first > 4 * badge().second);
}

TEST_CASE("the overview's handle pans and zooms the chart, and is there only with a line to show")
{
    PerformanceChart chart;
    shownChart(chart);
    auto* strip = chart.findChild<OverviewStrip*>();
    REQUIRE(strip != nullptr);
    CHECK_FALSE(strip->isVisible());
    chart.setOverview(secondsOf(0, std::vector<double>(100, 4)));
    pictureOf(chart);
    REQUIRE(strip->isVisible());
    CHECK(strip->height() == 20);
    chart.zoomTo({ Seconds(20), Seconds(40) });
    // It is drawn where the chart's plot is: both have one time axis.
    const QRectF plot = chart.plots().at(0);
    CHECK(strip->plot().first == Approx(plot.left()));
    CHECK(strip->plot().second == Approx(plot.right()));
    CHECK(plot.left() > 10);
    const auto x = [&](double second) {
        return QPoint(static_cast<int>(std::lround(plot.left() + second / 100 * plot.width())), 10);
    };
    const auto drag = [&](double from, double to) {
        QTest::mousePress(strip, Qt::LeftButton, {}, x(from));
        QTest::mouseMove(strip, x(to));
        QTest::mouseRelease(strip, Qt::LeftButton, {}, x(to));
    };
    const auto near = [](Nanoseconds at, double second) { return std::abs(seconds(at) - second) < 0.5; };
    drag(30, 60);
    CHECK(near(chart.visible().begin, 50));
    CHECK(near(chart.visible().end, 70));
    drag(70, 90);
    CHECK(near(chart.visible().begin, 50));
    CHECK(near(chart.visible().end, 90));
    drag(50, 99); // never past the other edge
    CHECK(chart.visible().end - chart.visible().begin == Seconds(2));
    chart.zoomTo({ Seconds(70), Seconds(90) });
    drag(10, 10); // a click beside it goes there
    CHECK(near(chart.visible().begin, 0));
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 4e6))) });
    chart.setLayout(ChartLayout::lanes);
    pictureOf(chart);
    CHECK(strip->plot().first == Approx(chart.plots().at(0).left()));
}
