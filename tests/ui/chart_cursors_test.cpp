// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_samples.h"
#include "support/catch.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEnterEvent>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;
using Milliseconds = std::chrono::milliseconds;

TEST_CASE("the value at a cursor is the last sample at or before it, never a nearer one that comes later")
{
    const auto bands = secondsOf(0, { 5, 9, 7 });
    CHECK(valueAt(bands, Seconds(2)).value == 9);
    CHECK(valueAt(bands, Seconds(2)).age == Nanoseconds(0));
    const CursorValue late = valueAt(bands, Milliseconds(2900));
    CHECK(late.value == 9); // the 7 of the third second is 0.1 s away, and not known yet
    CHECK(late.age == Milliseconds(900));
    CHECK(late.place == Seconds(2)); // where the line is drawn for it
    CHECK_FALSE(valueAt(bands, Milliseconds(500)).known());
}

TEST_CASE("a cursor put on a peak of the line reads the peak")
{
    const auto bands = secondsOf(0, { 5, 90, 7, 6 });
    const auto pieces = linePieces(bands, 1);
    REQUIRE(pieces.size() == 1);
    for (const QPointF& point : pieces[0]) {
        const auto at = std::chrono::round<Nanoseconds>(std::chrono::duration<double>(point.x()));
        CHECK(valueAt(bands, at).value == point.y());
    }
}

TEST_CASE("a cursor in a gap has no value, nor has one before the first or behind the last sample")
{
    auto bands = secondsOf(0, { 5, 6 });
    const auto later = secondsOf(10, { 7, 8 });
    bands.insert(bands.end(), later.begin(), later.end());
    CHECK(valueAt(bands, Seconds(2)).value == 6);
    for (const int ms : { 0, 999, 2001, 5000, 9999, 10000, 10500, 12001 }) { // the view begins with the run
        INFO(ms << " ms");
        CHECK_FALSE(valueAt(bands, Milliseconds(ms)).known());
    }
    CHECK(valueAt(bands, Seconds(11)).value == 7);
    CHECK_FALSE(valueAt({}, Seconds(1)).known());
}

TEST_CASE("where a line is drawn of stretches, a cursor says the mean of the stretch and how long it is")
{
    const std::vector<CounterBand> bands { { Seconds(0), Seconds(60), 1, 8, 4.5 },
        { Seconds(60), Seconds(120), 2, 4, 3 } };
    const CursorValue value = valueAt(bands, Seconds(90));
    CHECK(value.value == 3);
    CHECK(value.stretch == Seconds(60));
    CHECK(value.age == Nanoseconds(0));
}

TEST_CASE("two cursors tell the difference and how fast the line moved, and neither from a gap")
{
    const auto bands = secondsOf(0, { 10, 20, 30, 40, 50 });
    const CursorReadout both = readout(bands, { Seconds(1), Seconds(5), false });
    CHECK(both.difference == 40);
    CHECK(both.perSecond == 10);
    const CursorReadout back = readout(bands, { Seconds(5), Seconds(1), false });
    CHECK(back.difference == -40);
    CHECK(back.perSecond == 10);
    const CursorReadout gap = readout(bands, { Seconds(1), Seconds(50), false });
    CHECK(gap.a.value == 10);
    CHECK(std::isnan(gap.difference));
    CHECK(std::isnan(gap.perSecond));
    CHECK(std::isnan(readout(bands, { Seconds(2), Seconds(2), false }).perSecond));
}

TEST_CASE("what was read of the samples at a cursor counts before the mean of a stretch")
{
    const std::vector<CounterBand> bands { { Seconds(0), Seconds(60), 1, 8, 4.5 } };
    const std::vector<ReadValue> read { { Seconds(30), { 8, Milliseconds(400), Seconds(30), {} } } };
    CHECK(readout(bands, { Seconds(30), std::nullopt, false }, read).a.value == 8);
    CHECK(
        readout(bands, { Seconds(31), std::nullopt, false }, read).a.value == 4.5); // the cursor has moved on
}

TEST_CASE("locked cursors keep their distance, also at the ends of the run")
{
    const Cursors pair { Seconds(20), Seconds(50), true };
    CHECK(
        moved(pair, CursorName::a, Seconds(30), Seconds(100)) == Cursors { Seconds(30), Seconds(60), true });
    CHECK(
        moved(pair, CursorName::b, Seconds(40), Seconds(100)) == Cursors { Seconds(10), Seconds(40), true });
    CHECK(
        moved(pair, CursorName::a, Seconds(90), Seconds(100)) == Cursors { Seconds(70), Seconds(100), true });
    CHECK(moved(pair, CursorName::b, Seconds(1), Seconds(100)) == Cursors { Seconds(0), Seconds(30), true });
    const Cursors free { Seconds(20), Seconds(50), false };
    CHECK(moved(free, CursorName::a, Seconds(130), Seconds(100))
        == Cursors { Seconds(100), Seconds(50), false });
    const Cursors lone { std::nullopt, Seconds(50), true };
    CHECK(
        moved(lone, CursorName::a, Seconds(10), Seconds(100)) == Cursors { Seconds(10), Seconds(50), true });
}

TEST_CASE("a cursor key works where the pointer rests, also when it came back without a move")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 3))) });
    QWidget* viewport = chart.findChild<QAbstractScrollArea*>()->viewport();
    const auto put = [&](int x) {
        const QPointF at(x, 200);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(viewport, &leave); // a dialog was open over the chart
        QEnterEvent enter(at, at, viewport->mapToGlobal(at));
        QApplication::sendEvent(viewport, &enter);
        QTest::keyClick(&chart, Qt::Key_Escape);
        QTest::keyClick(&chart, Qt::Key_A);
        REQUIRE(chart.cursors().a);
        return *chart.cursors().a;
    };
    CHECK(put(200) < put(500));
}

TEST_CASE("the keys a and b put the cursors, l locks them, and what lies between is the statistics window")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 3))) });
    std::vector<std::optional<TimeWindow>> windows;
    QObject::connect(
        &chart, &PerformanceChart::windowSelected, [&](auto window) { windows.push_back(window); });
    chart.setCursor(Seconds(60));
    QTest::keyClick(&chart, Qt::Key_A);
    CHECK(windows.empty()); // one alone is no window
    chart.setCursor(Seconds(40));
    QTest::keyClick(&chart, Qt::Key_B);
    REQUIRE(windows.size() == 1);
    CHECK(windows.back() == TimeWindow { Seconds(40), Seconds(60) });
    CHECK(chart.statisticsWindow() == TimeWindow { Seconds(40), Seconds(60) });
    REQUIRE(chart.readouts().size() == 1);
    CHECK(chart.readouts()[0].a.value == 3);
    CHECK(chart.readouts()[0].difference == 0);
    QTest::keyClick(&chart, Qt::Key_L);
    chart.setCursor(Seconds(70));
    QTest::keyClick(&chart, Qt::Key_A);
    CHECK(windows.back() == TimeWindow { Seconds(50), Seconds(70) });
    QTest::keyClick(&chart, Qt::Key_Escape);
    CHECK_FALSE(windows.back().has_value());
    CHECK_FALSE(chart.cursors().a.has_value());
}

TEST_CASE(
    "the keys a and b go by the pointer, also beside a line that a click has fixed, or by the arrow keys")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 3))) });
    pictureOf(chart);
    const QRectF plot = chart.plots().at(0);
    const auto at = [&](double second) {
        return QPoint(static_cast<int>(std::lround(plot.left() + second / 100 * plot.width())),
            static_cast<int>(plot.top() + 5));
    };
    QWidget* const surface = surfaceOf(chart);
    QTest::mouseClick(surface, Qt::LeftButton, {}, at(30));
    QTest::keyClick(&chart, Qt::Key_A);
    QTest::mouseMove(surface, at(60));
    CHECK(std::abs(seconds(chart.cursorTime().value()) - 30) < 0.3);
    QTest::keyClick(&chart, Qt::Key_B);
    REQUIRE(chart.cursors().window().has_value());
    CHECK(std::abs(seconds(*chart.cursors().a) - 30) < 0.3);
    CHECK(std::abs(seconds(*chart.cursors().b) - 60) < 0.3);
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_B);
    CHECK(chart.cursors().b == chart.cursorTime());
    CHECK(std::abs(seconds(*chart.cursors().b) - 31) < 0.3);
}

TEST_CASE("a window that is chosen elsewhere puts the cursors at its ends, and says so once")
{
    PerformanceChart chart;
    shownChart(chart);
    QSignalSpy moves(&chart, &PerformanceChart::cursorsChanged);
    QSignalSpy windows(&chart, &PerformanceChart::windowSelected);
    chart.setSelection(TimeWindow { Seconds(10), Seconds(30) });
    CHECK(chart.cursors() == Cursors { Seconds(10), Seconds(30), false });
    chart.setSelection(TimeWindow { Seconds(10), Seconds(30) });
    CHECK(moves.count() == 1);
    CHECK(windows.count() == 0); // who chose it knows
    chart.setSelection(std::nullopt);
    CHECK(chart.cursors() == Cursors {});
}

TEST_CASE("a cursor can be dragged, and the chart neither zooms nor draws its lines again")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 3))) });
    chart.setCursors({ Seconds(30), Seconds(60), false });
    pictureOf(chart);
    const int pictures = chart.pictures();
    const QRectF plot = chart.plots().at(0);
    const auto at = [&](double second) {
        return QPoint(static_cast<int>(std::lround(plot.left() + second / 100 * plot.width())),
            static_cast<int>(plot.center().y()));
    };
    QWidget* const surface = surfaceOf(chart);
    QTest::mousePress(surface, Qt::LeftButton, {}, at(60));
    for (int second = 61; second <= 80; ++second) {
        QTest::mouseMove(surface, at(second));
        pictureOf(chart);
    }
    QTest::mouseRelease(surface, Qt::LeftButton, {}, at(80));
    REQUIRE(chart.cursors().b.has_value());
    CHECK(std::abs(seconds(*chart.cursors().b) - 80) < 0.3);
    CHECK(*chart.cursors().a == Seconds(30));
    CHECK(chart.showsWholeRun());
    CHECK(chart.pictures() == pictures);
}

namespace {

/// A line of 100 s, drawn.
void shownLine(PerformanceChart& chart)
{
    shownChart(chart);
    chart.setLines(
        { lineOf(QStringLiteral("Sent"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 3))) });
    pictureOf(chart);
}

/// In the middle of the plot's height, at this share of its width.
QPoint pointAt(const PerformanceChart& chart, double share)
{
    const QRectF plot = chart.plots().at(0);
    return { static_cast<int>(std::lround(plot.left() + share * plot.width())),
        static_cast<int>(plot.center().y()) };
}

} // namespace

TEST_CASE("after a drag that zooms the reading line is where the pointer is")
{
    PerformanceChart chart;
    shownLine(chart);
    const auto at = [&](double share) { return pointAt(chart, share); };
    QWidget* const surface = surfaceOf(chart);
    QTest::mousePress(surface, Qt::LeftButton, {}, at(0.4));
    QTest::mouseMove(surface, at(0.5));
    QTest::mouseRelease(surface, Qt::LeftButton, {}, at(0.6));
    CHECK(std::abs(seconds(chart.visible().begin) - 40) < 0.3);
    REQUIRE(chart.cursorTime().has_value());
    CHECK(std::abs(seconds(*chart.cursorTime()) - 52) < 0.3); // six tenths of 40 to 60
}

TEST_CASE("a reading line that a click has fixed is gone with its run, and the pointer has one again")
{
    PerformanceChart chart;
    shownLine(chart);
    const auto at = [&](double share) { return pointAt(chart, share); };
    QWidget* const surface = surfaceOf(chart);
    QTest::mouseClick(surface, Qt::LeftButton, {}, at(0.4));
    QTest::mouseMove(surface, at(0.6));
    REQUIRE(chart.cursorTime().has_value());
    CHECK(std::abs(seconds(*chart.cursorTime()) - 40) < 0.3);
    chart.setCursor(std::nullopt); // another run
    QTest::mouseMove(surface, at(0.7));
    REQUIRE(chart.cursorTime().has_value());
    CHECK(std::abs(seconds(*chart.cursorTime()) - 70) < 0.3);
}

TEST_CASE("a click on a line says which one it is, a click beside all of them does not")
{
    PerformanceChart chart;
    shownChart(chart);
    chart.setLines({ lineOf(QStringLiteral("Low"), {}, Qt::red, secondsOf(0, std::vector<double>(100, 26))),
        lineOf(QStringLiteral("High"), {}, Qt::blue, secondsOf(0, std::vector<double>(100, 78))) });
    pictureOf(chart);
    QSignalSpy clicks(&chart, &PerformanceChart::lineClicked);
    const QRectF plot = chart.plots().at(0);
    const auto click = [&](double share) {
        QTest::mouseClick(surfaceOf(chart), Qt::LeftButton, {},
            QPoint(static_cast<int>(plot.center().x()),
                static_cast<int>(plot.bottom() - share * plot.height())));
    };
    click(0.75);
    REQUIRE(clicks.count() == 1);
    CHECK(clicks.takeFirst().at(0).toInt() == 1);
    click(0.25);
    REQUIRE(clicks.count() == 1);
    CHECK(clicks.takeFirst().at(0).toInt() == 0);
    click(0.5);
    CHECK(clicks.isEmpty());
}
