// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_line.h"
#include "charts/chart_scene.h"
#include "charts/performance_chart.h"
#include "charts/time_ticks.h"
#include "support/catch.h"
#include "window/run_export.h"

#include <QAbstractScrollArea>
#include <QDateTime>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;

namespace {

CounterBand band(int begin, int end, double low, double high)
{
    return { Seconds(begin), Seconds(end), low, high, (low + high) / 2 };
}

PerformanceChart& shown(PerformanceChart& chart)
{
    chart.resize(800, 400);
    chart.setLength(Seconds(100), Seconds(100));
    chart.show();
    return chart;
}

} // namespace

TEST_CASE("a gap between bands is a gap in the line, and a lone sample is a dot")
{
    const auto pieces = linePieces({ band(0, 1, 5, 5), band(1, 2, 6, 6), band(4, 5, 7, 7) }, 10);
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0] == QList<QPointF> { { 1, 50 }, { 2, 60 } });
    CHECK(pieces[1] == QList<QPointF> { { 5, 70 } });
}

TEST_CASE("a line shows each band's average at its end, and its range reaches both extremes")
{
    const std::vector<CounterBand> bands { band(0, 10, 9, 9), band(10, 20, 1, 8), band(30, 40, 2, 2),
        band(40, 50, 3, 3) };
    const auto pieces = linePieces(bands, 1);
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0] == QList<QPointF> { { 10, 9 }, { 20, 4.5 } });
    const auto ranges = lineRanges(bands, 2);
    REQUIRE(ranges.size() == 1); // the second piece has none
    CHECK(ranges[0] == QPolygonF { { { 10, 18 }, { 20, 16 }, { 20, 2 }, { 10, 18 } } });
}

TEST_CASE("the automatic scale brings the largest value to between 10 and 100")
{
    const auto scale = [](double value) { return automaticScale({ band(0, 1, 0, value) }); };
    CHECK(scale(0.004) == Approx(10000));
    CHECK(scale(9) == Approx(10));
    CHECK(scale(100) == Approx(1));
    CHECK(scale(101) == Approx(0.1));
    CHECK(scale(12'345'678) == Approx(0.000001));
    CHECK(scale(0) == 1);
    CHECK(scale(std::numeric_limits<double>::infinity()) == 1);
    // A processor that begins at 6 % and goes to 95 % keeps its scale.
    CHECK(automaticScale({ 0, 6 }, QStringLiteral("%")) == 1);
    CHECK(automaticScale({ 0, 350 }, QStringLiteral("%")) == Approx(0.1)); // of several processors
    CHECK(automaticScale({ 0, 6 }, QStringLiteral("ms")) == Approx(10));
}

TEST_CASE("a short burst does not make a flat line of a long run, and a rare event is still seen whole")
{
    std::vector<CounterBand> bands;
    for (int second = 0; second < 500; ++second)
        bands.push_back(band(second, second + 1, 40, 60));
    bands.push_back(band(500, 501, 7000, 7000)); // all that waited is fetched at the end
    CHECK(largestShown(bands) == 60);
    CHECK(automaticScale(bands) == 1);
    bands.back() = band(500, 501, 500, 500); // not so much higher
    CHECK(largestShown(bands) == 500);
    for (CounterBand& quiet : bands)
        quiet.minimum = quiet.maximum = quiet.average = 0;
    bands[100] = band(100, 101, 3, 3); // errors, once
    CHECK(largestShown(bands) == 3);
    bands.resize(20);
    bands[10] = band(10, 11, 9000, 9000); // few bands: a run has hardly begun
    CHECK(largestShown(bands) == 9000);
}

TEST_CASE("time ticks are round, few enough, inside the window and have labels of their own")
{
    for (const int length : { 2, 7, 60, 300, 3600, 86400, 10 * 86400 }) {
        const TimeWindow window { Seconds(13), Seconds(13 + length) };
        const auto ticks = timeTicks(window, 8);
        CHECK(!ticks.empty());
        CHECK(ticks.size() <= 8);
        QStringList labels;
        for (const TimeTick& tick : ticks) {
            CHECK(tick.second >= 13);
            CHECK(tick.second <= 13 + length);
            labels.append(tick.label);
        }
        CHECK(labels.removeDuplicates() == 0);
    }
}

TEST_CASE("labels of the time of day have the date where midnight is in view, and none comes twice")
{
    const QDateTime morning(QDate(2026, 1, 14), QTime(10, 0));
    const WallTime start { std::chrono::milliseconds(morning.toMSecsSinceEpoch()) };
    for (const int hours : { 1, 13, 15, 30, 48, 10 * 24 }) {
        INFO(hours << " hours");
        const TimeWindow window { Seconds(0), std::chrono::hours(hours) };
        const bool midnight = hours > 14;
        CHECK(spansMidnight(window, start) == midnight);
        QStringList labels;
        for (const TimeTick& tick : timeTicks(window, 60, start))
            labels.append(tick.label);
        REQUIRE(labels.size() > 5);
        CHECK(labels.first() == (midnight ? QStringLiteral("01-14 10:00:00") : QStringLiteral("10:00:00")));
        CHECK(labels.removeDuplicates() == 0);
    }
}

TEST_CASE("dragging zooms in, a double click or Home shows everything again, whatever was followed")
{
    PerformanceChart chart;
    shown(chart);
    chart.setFollow(Seconds(90));
    QSignalSpy changes(&chart, &PerformanceChart::visibleChanged);
    QWidget* viewport = chart.findChild<QAbstractScrollArea*>()->viewport();
    QTest::mousePress(viewport, Qt::LeftButton, {}, { 300, 200 });
    QTest::mouseMove(viewport, { 500, 210 });
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, { 500, 210 });
    CHECK(changes.count() == 1);
    const TimeWindow zoomed = chart.visible();
    CHECK(zoomed.begin > Seconds(20));
    CHECK(zoomed.end < Seconds(85));
    QTest::mouseDClick(viewport, Qt::LeftButton, {}, { 400, 200 });
    CHECK(chart.visible() == TimeWindow { Seconds(0), Seconds(100) });
    CHECK(chart.showsWholeRun());
    chart.setFollow(Seconds(90));
    QTest::keyClick(&chart, Qt::Key_Home);
    CHECK(chart.showsWholeRun());
}

TEST_CASE("Shift and drag chooses the statistics window without zooming")
{
    PerformanceChart chart;
    shown(chart);
    std::optional<TimeWindow> chosen;
    QObject::connect(&chart, &PerformanceChart::windowSelected, [&](auto window) { chosen = window; });
    QWidget* viewport = chart.findChild<QAbstractScrollArea*>()->viewport();
    QTest::mousePress(viewport, Qt::LeftButton, Qt::ShiftModifier, { 300, 200 });
    QTest::mouseRelease(viewport, Qt::LeftButton, Qt::ShiftModifier, { 500, 210 });
    REQUIRE(chosen.has_value());
    CHECK(chosen->end > chosen->begin);
    CHECK(chart.showsWholeRun());
}

TEST_CASE("a statistics window that is dragged on the axis of a young run ends with the run")
{
    PerformanceChart chart;
    shown(chart);
    chart.setLength(Seconds(40), Seconds(40));
    chart.setGrowing(true, Seconds(100));
    REQUIRE(chart.visible().end == Seconds(60));
    std::optional<TimeWindow> chosen;
    QObject::connect(&chart, &PerformanceChart::windowSelected, [&](auto window) { chosen = window; });
    QWidget* viewport = chart.findChild<QAbstractScrollArea*>()->viewport();
    const auto drag = [&](QPoint from, QPoint to) {
        QTest::mousePress(viewport, Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseRelease(viewport, Qt::LeftButton, Qt::ShiftModifier, to);
    };
    drag({ 200, 200 }, { 700, 210 });
    REQUIRE(chosen.has_value());
    CHECK(chosen->begin < Seconds(40));
    CHECK(chosen->end == Seconds(40));
    drag({ 600, 200 }, { 700, 210 }); // where nothing has been measured yet
    CHECK_FALSE(chosen.has_value());
    CHECK(chart.cursors().a <= Seconds(40));
    CHECK(chart.cursors().b <= Seconds(40));
}

TEST_CASE("zooming and panning never leave the run, nor go below two seconds")
{
    PerformanceChart chart;
    shown(chart);
    for (int i = 0; i < 40; ++i)
        chart.zoomBy(0.5);
    CHECK(chart.visible().end - chart.visible().begin == Seconds(2));
    for (int i = 0; i < 400; ++i)
        chart.panBy(0.9);
    CHECK(chart.visible().end == Seconds(100));
    for (int i = 0; i < 40; ++i)
        chart.zoomBy(2);
    CHECK(chart.showsWholeRun());
}

TEST_CASE("the chart follows the end of a growing run")
{
    PerformanceChart chart;
    shown(chart);
    chart.setFollow(Seconds(60));
    CHECK(chart.visible() == TimeWindow { Seconds(40), Seconds(100) });
    chart.setLength(Seconds(130), Seconds(130));
    CHECK(chart.visible() == TimeWindow { Seconds(70), Seconds(130) });
}

TEST_CASE("the arrow keys move the cursor and Escape takes it away")
{
    PerformanceChart chart;
    shown(chart);
    QTest::keyClick(&chart, Qt::Key_Right);
    REQUIRE(chart.cursorTime().has_value());
    CHECK(*chart.cursorTime() == Seconds(51));
    QTest::keyClick(&chart, Qt::Key_Escape);
    CHECK(!chart.cursorTime().has_value());
}

TEST_CASE("Shift and Enter at the cursor chooses the statistics window, its begin first")
{
    PerformanceChart chart;
    shown(chart);
    std::optional<TimeWindow> chosen;
    QObject::connect(&chart, &PerformanceChart::windowSelected, [&](auto window) { chosen = window; });
    chart.setCursor(Seconds(60));
    QTest::keyClick(&chart, Qt::Key_Return, Qt::ShiftModifier);
    CHECK_FALSE(chosen.has_value());
    chart.setCursor(Seconds(40));
    QTest::keyClick(&chart, Qt::Key_Return, Qt::ShiftModifier);
    CHECK(chosen == TimeWindow { Seconds(40), Seconds(60) });
    QTest::keyClick(&chart, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(&chart, Qt::Key_Escape); // gives up the begin, too
    CHECK_FALSE(chosen.has_value());
    QTest::keyClick(&chart, Qt::Key_Return, Qt::ShiftModifier);
    CHECK_FALSE(chosen.has_value());
    QTest::keyClick(
        &chart, Qt::Key_Escape); // Qt would go on taking Shift for pressed, in the cases after this
}

TEST_CASE("every piece of a line with many gaps is drawn, and nothing in between")
{
    PerformanceChart chart;
    shown(chart);
    ChartLine line;
    line.colour = QColor(255, 0, 0);
    line.width = 2;
    for (int i = 0; i < 100; i += 10)
        line.bands.push_back(band(i, i + 5, 50, 50));
    chart.setLines({ line });
    const QImage image = chartImage(chart);
    int pieces = 0;
    bool before = false;
    int row = -1;
    for (int y = 0; y < image.height() && row < 0; ++y)
        for (int x = 0; x < image.width() && row < 0; ++x)
            row = image.pixelColor(x, y) == QColor(255, 0, 0) ? y + 1 : -1;
    REQUIRE(row >= 0);
    for (int x = 0; x < image.width(); ++x) {
        const bool here = image.pixelColor(x, row) == QColor(255, 0, 0);
        pieces += here && !before ? 1 : 0;
        before = here;
    }
    CHECK(pieces == 10);
}

TEST_CASE("a line at 100 or at 0 is as wide as any other")
{
    PerformanceChart chart;
    shown(chart);
    const auto red = [&](double value) {
        ChartLine line;
        line.colour = QColor(255, 0, 0);
        line.width = 3;
        for (int i = 0; i < 100; ++i)
            line.bands.push_back(band(i, i + 1, value, value));
        chart.setLines({ line });
        const QImage image = chartImage(chart);
        int count = 0;
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y)
                count += image.pixelColor(x, y) == QColor(255, 0, 0) ? 1 : 0;
        return count;
    };
    const int middle = red(50);
    CHECK(middle > 1000);
    for (const double value : { 100.0, 0.0 })
        CHECK(std::abs(red(value) - middle) < middle / 4);
}

TEST_CASE("a picture of the chart shows its lines, what they are called and which run it is of")
{
    PerformanceChart chart;
    shown(chart);
    chart.setTitle(QStringLiteral("Suite"));
    ChartLine line, hidden;
    line.name = QStringLiteral("Parcels");
    line.unit = QStringLiteral("crates");
    line.colour = QColor(255, 0, 0);
    line.width = 4;
    line.scale = 0.001;
    line.statistics = { 0, 471.5, 0, 832.5, Seconds(100), 100 };
    for (int i = 0; i < 100; ++i)
        line.bands.push_back(band(i, i + 1, 50'000, 50'000));
    hidden.name = QStringLiteral("Letters");
    hidden.colour = QColor(0, 255, 0);
    hidden.shown = false;
    chart.setLines({ line, hidden });
    const QImage image = chartImage(chart);
    CHECK(image.width() == 1600);
    CHECK(image.height() > 900);
    int red = 0, swatch = 0, green = 0;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y) {
            const QColor colour = image.pixelColor(x, y);
            red += colour == QColor(255, 0, 0) ? 1 : 0;
            swatch += colour == QColor(255, 0, 0) && y >= 800 ? 1 : 0; // below the plot
            green += colour == QColor(0, 255, 0) ? 1 : 0;
        }
    CHECK(red > 4000);
    CHECK(swatch > 50);
    CHECK(green == 0);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("chart.svg"));
    REQUIRE(writeChartSvg(chart, file, QStringLiteral("Title")));
    QFile svg(file);
    REQUIRE(svg.open(QIODevice::ReadOnly));
    const QByteArray written = svg.readAll();
    CHECK(written.contains("#ff0000"));
    CHECK(written.contains(", sans-serif\"")); // where the font of this machine is not there
    for (const char* text : { ">Suite<", ">Parcels<", ">crates<", ">0.001<", ">471.5<", ">832.5<",
             "Value × scale" }) { // as text, not as a picture of it
        INFO(text);
        CHECK(written.contains(text));
    }
    CHECK_FALSE(written.contains("Letters"));
}

TEST_CASE("what of a line lies outside of its plot is in no SVG file")
{
    const QRectF area(0, 0, 10, 10);
    const QPolygonF path { { { 1, 5 }, { 3, 5 }, { 3, -5 }, { 5, -5 }, { 7, 15 }, { 9, 5 }, { 12, 5 } } };
    const QList<QPolygonF> parts = partsWithin(path, area);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0] == QPolygonF({ { 1, 5 }, { 3, 5 }, { 3, 0 } }));
    CHECK(parts[1] == QPolygonF({ { 5.5, 0 }, { 6.5, 10 } }));
    CHECK(parts[2] == QPolygonF({ { 8, 10 }, { 9, 5 }, { 10, 5 } }));
    CHECK(partsWithin({ { { 20, 1 }, { 20, 9 } } }, area).isEmpty());

    PerformanceChart chart;
    shown(chart);
    ChartLine line;
    line.colour = QColor(255, 0, 0);
    for (int i = 0; i < 100; ++i)
        line.bands.push_back(band(i, i + 1, 40, i == 50 ? 9000 : 50));
    chart.setLines({ line });
    chart.setValueRange(std::pair(0.0, 100.0));
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("chart.svg"));
    REQUIRE(writeChartSvg(chart, file, QStringLiteral("Title")));
    QFile svg(file);
    REQUIRE(svg.open(QIODevice::ReadOnly));
    const QString written = QString::fromUtf8(svg.readAll());
    static const QRegularExpression points(QStringLiteral("points=\"([^\"]*)\""));
    int seen = 0;
    for (auto it = points.globalMatch(written); it.hasNext();)
        for (const QString& point : it.next().captured(1).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            ++seen;
            CHECK(point.section(QLatin1Char(','), 1).toDouble() >= 0);
        }
    CHECK(seen > 50);
}
