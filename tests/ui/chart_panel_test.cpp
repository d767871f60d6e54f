// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "format.h"
#include "panel_fixture.h"
#include "run/chart/bar_view.h"
#include "run/chart/chart_files.h"
#include "run/chart/chart_panel.h"
#include "run/chart/cursor_strip.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/chart/report_view.h"
#include "run/view/usual_lines.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

void triggerNamed(const ChartPanel& panel, const QString& name)
{
    for (QAction* action : panel.findChildren<QAction*>())
        if (action->text().remove(QLatin1Char('&')) == name) {
            REQUIRE(action->isEnabled());
            return action->trigger();
        }
    FAIL("no action \"" << name.toStdString() << "\"");
}

} // namespace

TEST_CASE("report and bars show what the chart's lines come to, and the chart comes back")
{
    Shown shown;
    auto* report = shown.panel.findChild<ReportView*>();
    auto* bars = shown.panel.findChild<BarView*>();
    shown.panel.setView(ChartView::report);
    CHECK(report->isVisible());
    CHECK_FALSE(shown.panel.chart()->isVisible());
    CHECK_FALSE(shown.panel.legendView()->isVisible()); // it would say the same
    CHECK_FALSE(report->isColumnHidden(LegendModel::Average));
    CHECK(report->font().pointSizeF() > shown.panel.font().pointSizeF() * 1.4);
    report->setColumnWidth(LegendModel::Unit, 2000); // the names stay in sight, whichever row is chosen
    report->scrollTo(shown.legend().index(0, LegendModel::Computer));
    CHECK(report->horizontalScrollBar()->value() == 0);
    LineStyle style = shown.legend().style(1);
    style.shown = false;
    shown.legend().setStyle(1, style);
    CHECK(report->isRowHidden(1));
    shown.panel.setView(ChartView::bars);
    CHECK(bars->isVisible());
    CHECK(shown.panel.legendView()->isVisible());
    shown.panel.setView(ChartView::lanes);
    CHECK(shown.panel.chart()->isVisible());
    CHECK(shown.panel.chart()->chartLayout() == ChartLayout::lanes);
    shown.panel.setView(ChartView::lines);
    CHECK(shown.panel.chart()->chartLayout() == ChartLayout::overlay);
}

TEST_CASE("the picture of bars shows bars, that of the report numbers, and not the lines that they stand for")
{
    BarView bars;
    PerformanceChart chart;
    chart.resize(800, 300);
    chart.setVisible(true);
    chart.setLength(Seconds(100), Seconds(100));
    ChartLine line;
    line.name = QStringLiteral("line");
    line.colour = QColor(255, 0, 0);
    line.width = 3;
    line.statistics = { 50, 50, 50, 50, Seconds(100), 100 };
    for (int i = 0; i < 100; ++i)
        line.bands.push_back({ Seconds(i), Seconds(i + 1), 50, 50, 50 });
    chart.setLines({ line });
    bars.setLines({ line });
    /// In a row of pixels, and above the legend.
    const auto longest = [](const QImage& image, int until) {
        int most = 0;
        for (int y = 0; y < until; ++y) {
            int count = 0;
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == QColor(255, 0, 0) ? 1 : 0;
            most = std::max(most, count);
        }
        return most;
    };
    const QImage lines = chartImage(chart);
    chart.setPictureBody(&bars);
    const QImage asBars = chartImage(chart);
    CHECK(asBars.height() < lines.height());
    CHECK(longest(asBars, 2 * bars.pictureHeight()) > 100);
    CHECK(longest(asBars, 2 * bars.pictureHeight()) < longest(lines, lines.height() / 2));
    struct NoBody : PictureBody {
        [[nodiscard]] int pictureHeight() const override { return 0; }
        void paintPicture(QPainter& /*painter*/, const QRect& /*area*/) const override { FAIL(); }
    };
    const NoBody none {};
    chart.setPictureBody(&none);
    const QImage asNumbers = chartImage(chart);
    CHECK(asNumbers.height() < asBars.height());
    CHECK(longest(asNumbers, asNumbers.height()) > 20); // the line's swatch
    CHECK(longest(asNumbers, asNumbers.height()) < 100);
}

TEST_CASE("a bar reaches to the average of its line, and a line without samples has none")
{
    BarView bars;
    bars.resize(800, 200);
    bars.setVisible(true);
    ChartLine half, none;
    half.name = QStringLiteral("half");
    half.colour = QColor(255, 0, 0);
    half.statistics = { 50, 50, 50, 50, Seconds(10), 10 };
    none.name = QStringLiteral("none");
    none.colour = QColor(0, 255, 0);
    const auto coloured = [&](const QColor& colour) {
        const QImage image = bars.grab().toImage();
        int most = 0;
        for (int y = 0; y < image.height(); ++y) {
            int count = 0;
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == colour ? 1 : 0;
            most = std::max(most, count);
        }
        return most;
    };
    bars.setLines({ half, none });
    const int at50 = coloured(QColor(255, 0, 0));
    CHECK(at50 > 100);
    CHECK(coloured(QColor(0, 255, 0)) == 0);
    half.unit = QStringLiteral("of something with a long unit, of which each is counted");
    bars.setLines({ half, none });
    const int beside = coloured(QColor(255, 0, 0)); // the whole value has room, and the bar less
    CHECK(beside > 0);
    CHECK(beside < at50);
    half.unit.clear();
    half.statistics.average = 100;
    bars.setLines({ half, none });
    CHECK(std::abs(coloured(QColor(255, 0, 0)) - 2 * at50) < 8);
}

TEST_CASE("the right button over chart and legend offers pictures, data, cursors, marks and phases")
{
    Shown shown;
    shown.panel.chart()->setCursor(Seconds(12));
    const QStringList chart =
        Shown::offered([&] { emit shown.panel.chart()->customContextMenuRequested(QPoint(100, 100)); });
    for (const char* words : { "Copy picture", "PNG", "SVG", "CSV", "cursor A at 00:12", "cursor B",
             "mark at 00:12", "Zoom to phase", "Add counters", "Line properties" }) {
        INFO(words);
        CHECK(mentions(chart, words));
    }
    const QStringList legend =
        Shown::offered([&] { emit shown.panel.legendView()->customContextMenuRequested(QPoint(10, 10)); });
    CHECK(mentions(legend, "Usual counters"));
    CHECK(mentions(legend, "Remove all"));
    CHECK(mentions(legend, "Copy picture"));
    // The button's event comes from deep within the chart.
    QSignalSpy requests(shown.panel.chart(), &QWidget::customContextMenuRequested);
    auto* inner = shown.panel.chart()->childAt(shown.panel.chart()->rect().center());
    REQUIRE(inner != nullptr);
    const QPoint middle = inner->rect().center();
    CHECK(mentions(Shown::offered([&] {
        QContextMenuEvent event(QContextMenuEvent::Mouse, middle, inner->mapToGlobal(middle));
        QApplication::sendEvent(inner, &event);
    }),
        "Copy picture"));
    CHECK(requests.count() == 1);
}

TEST_CASE("the chart's data are a row for each stretch, with empty cells where there is no sample")
{
    ChartLine plain, ranged, hidden;
    plain.name = QStringLiteral("Sent, all");
    plain.unit = QStringLiteral("messages/s");
    plain.bands = { { Seconds(0), Seconds(1), 3, 3, 3 }, { Seconds(1), Seconds(2), 0.1, 0.1, 0.1 } };
    ranged.name = QStringLiteral("p95");
    ranged.bands = { { Seconds(1), Seconds(2), 1, 5, 2.5 } };
    hidden = plain;
    hidden.shown = false;
    CHECK(chartCsv({ plain, ranged, hidden }, { Seconds(0), Seconds(2) })
        == QStringLiteral(
            "begin [s],end [s],\"Sent, all [messages/s]\",p95,\"p95, minimum\",\"p95, maximum\"\n"
            "0,1,3,,,\n"
            "1,2,0.1,2.5,1,5\n"));
}

TEST_CASE("a run that goes on can be frozen, and followed again")
{
    const test::ScratchFolder folder;
    auto writer = test::DemoWriter::create(folder.path(), smallDemo());
    REQUIRE(writer);
    const auto grow = [&](int ticks) {
        for (int i = 0; i < ticks; ++i)
            REQUIRE(writer->tick());
    };
    grow(20);
    Shown shown(writer->file());
    shown.panel.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&shown.panel));
    shown.panel.legendView()->setFocus();
    shown.panel.freeze(true);
    CHECK(shown.panel.chart()->hasFocus()); // for End, which follows again
    const TimeWindow frozen = shown.panel.chart()->visible();
    CHECK(frozen.end == Seconds(20)); // the last sample is in it, and in the legend
    shown.read();
    const auto scales = [&] {
        std::vector<double> all;
        for (const ChartLine& line : shown.panel.chart()->lines()) {
            all.push_back(line.scale);
            all.push_back(line.whole ? line.whole->maximum : -1); // which the value axis reaches over
        }
        return all;
    };
    const std::vector<double> held = scales();
    grow(40);
    shown.read();
    CHECK(shown.panel.chart()->visible() == frozen);
    REQUIRE(shown.panel.chart()->behind().has_value());
    CHECK(*shown.panel.chart()->behind() >= Seconds(20));
    CHECK(scales() == held);
    shown.panel.freeze(false);
    CHECK_FALSE(shown.panel.chart()->behind().has_value());
    CHECK(shown.panel.chart()->visible().end >= Seconds(40));
}

TEST_CASE("Ctrl+M asks for a mark at the cursor, in a run that goes on at its end")
{
    Shown shown;
    QSignalSpy marks(&shown.panel, &ChartPanel::markWanted);
    const auto press = [&] {
        for (QAction* action : shown.panel.viewActions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_M))
                action->trigger();
    };
    press();
    shown.panel.chart()->setCursor(Seconds(12));
    press();
    REQUIRE(marks.count() == 2);
    CHECK(marks[0][0].value<Nanoseconds>() == Seconds(87));
    CHECK(marks[1][0].value<Nanoseconds>() == Seconds(12));
}

TEST_CASE("Cancel in the question for the value axis keeps the range that was set, and without one the mode")
{
    Shown shown;
    PerformanceChart& chart = *shown.panel.chart();
    QAction* fixed = nullptr;
    for (QAction* action : shown.panel.viewActions())
        if (action->text().contains(QStringLiteral("from, to")))
            fixed = action;
    REQUIRE(fixed != nullptr);
    const auto ask = [&](const QString& answer) { // empty: Cancel
        QTimer timer;
        QObject::connect(&timer, &QTimer::timeout, [&] {
            auto* input = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            if (input == nullptr)
                return;
            timer.stop();
            input->setTextValue(answer);
            input->done(answer.isEmpty() ? QDialog::Rejected : QDialog::Accepted);
        });
        timer.start(0);
        fixed->trigger();
    };
    ask({});
    CHECK_FALSE(chart.valueRange().has_value());
    CHECK_FALSE(fixed->isChecked());
    ask(QStringLiteral("0 to 50"));
    REQUIRE(chart.valueRange() == std::pair(0.0, 50.0));
    ask({});
    CHECK(chart.valueRange() == std::pair(0.0, 50.0));
    CHECK(fixed->isChecked());
    // Lanes have an axis each, which it does not fix.
    shown.panel.setView(ChartView::lanes);
    CHECK_FALSE(fixed->isEnabled());
    shown.panel.setView(ChartView::lines);
    CHECK(fixed->isEnabled());
}

TEST_CASE("logarithmic values are chosen in the view's menu and over the chart, and kept")
{
    Shown shown;
    const auto actions = shown.panel.viewActions();
    const auto found = std::find_if(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text().remove(QLatin1Char('&')) == QStringLiteral("Logarithmic values");
    });
    REQUIRE(found != actions.end());
    const QStringList offered =
        Shown::offered([&] { emit shown.panel.chart()->customContextMenuRequested(QPoint(100, 100)); });
    CHECK(mentions(offered, "Logarithmic values"));
    (*found)->trigger();
    CHECK(shown.panel.chart()->isLogarithmic());
    const test::ScratchFolder folder;
    QSettings settings(QString::fromStdString((folder.path() / "kept.ini").string()), QSettings::IniFormat);
    shown.panel.saveTo(settings);
    Shown again;
    CHECK_FALSE(again.panel.chart()->isLogarithmic());
    again.panel.restoreFrom(settings);
    CHECK(again.panel.chart()->isLogarithmic());
}

TEST_CASE(
    "a line that is hidden or scaled in one run is neither in the next, nor where the usual ones come back")
{
    Shown shown;
    LineStyle style = shown.legend().style(1);
    style.shown = false;
    style.scale = 0.001;
    shown.legend().setStyle(1, style);
    const LineKey key = shown.legend().info(1).key;
    const auto isAsUsual = [&] {
        const LineStyle now = shown.legend().style(shown.legend().rowOf(key));
        return now.shown && !now.scale && now.colour == style.colour;
    };
    CHECK_FALSE(isAsUsual());
    triggerNamed(shown.panel, QStringLiteral("Usual counters"));
    CHECK(isAsUsual());
    shown.legend().setStyle(1, style);
    static const test::ScratchFolder folder;
    const auto other = smallDemo().write(folder.path());
    REQUIRE(other.has_value());
    shown.open(folder.path() / (other->text() + ".loadstone"));
    REQUIRE(shown.legend().rowOf(key) >= 0);
    CHECK(isAsUsual());
}

TEST_CASE("counters that were removed come back with their looks")
{
    Shown shown;
    LineStyle style = shown.legend().style(2);
    style.width = 5;
    shown.legend().setStyle(2, style);
    const std::vector<LineKey> before = shown.legend().keys();
    triggerNamed(shown.panel, QStringLiteral("Remove all counters"));
    CHECK(shown.legend().rowCount() == 0);
    triggerNamed(shown.panel, QStringLiteral("Bring removed counters back"));
    CHECK(shown.legend().keys() == before);
    CHECK(shown.legend().style(2).width == 5);
    shown.panel.legendView()->choose(0);
    triggerNamed(shown.panel, QStringLiteral("Remove counters"));
    CHECK(shown.legend().rowCount() == static_cast<int>(before.size()) - 1);
    const auto& all = shown.legend().available();
    const auto other = std::find_if(all.begin(), all.end(),
        [&](const LineInfo& info) { return shown.legend().rowOf(info.key) < 0 && info.key != before[0]; });
    REQUIRE(other != all.end());
    const LineKey added = other->key;
    shown.panel.addLines({ added });
    triggerNamed(shown.panel, QStringLiteral("Bring removed counters back"));
    std::vector<LineKey> with = before;
    with.push_back(added); // what was added since stays
    CHECK(shown.legend().keys() == with);
    for (int i = 0; i < 2; ++i) { // one removal after the other
        shown.panel.legendView()->choose(0);
        triggerNamed(shown.panel, QStringLiteral("Remove counters"));
    }
    CHECK(shown.legend().rowCount() == static_cast<int>(with.size()) - 2);
    triggerNamed(shown.panel, QStringLiteral("Bring removed counters back"));
    CHECK(shown.legend().rowCount() == static_cast<int>(with.size()) - 1);
    triggerNamed(shown.panel, QStringLiteral("Bring removed counters back"));
    CHECK(shown.legend().keys() == with);
}

TEST_CASE("the legend leaves most of a low panel to the chart")
{
    Shown shown;
    shown.panel.resize(1100, 330);
    QCoreApplication::processEvents();
    CHECK(shown.panel.legendView()->height() * 2 < shown.panel.chart()->height() * 3);
    CHECK(shown.panel.chart()->height() > 110);
}

TEST_CASE("Ctrl+C in the legend and in the report copies rows with their headings, and not one cell")
{
    Shown shown;
    auto* report = shown.panel.findChild<ReportView*>();
    REQUIRE(report != nullptr);
    for (QTableView* table : std::initializer_list<QTableView*> { shown.panel.legendView(), report }) {
        table->selectAll();
        for (QAction* action : table->actions())
            if (action->shortcut() == QKeySequence(QKeySequence::Copy))
                action->trigger();
        const QStringList lines =
            QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        CHECK(lines.size() == shown.panel.legend()->rowCount() + 1);
        for (const QString& line : lines)
            CHECK(line.count(QLatin1Char('\t')) == lines.front().count(QLatin1Char('\t')));
        CHECK(lines.front().contains(QStringLiteral("Average")));
    }
}

TEST_CASE("with times of day on the axis, cursors are at times of day")
{
    CursorStrip strip;
    Cursors cursors;
    cursors.a = Seconds(10);
    const WallTime start = WallTime(Nanoseconds(0)) + std::chrono::hours(24 * 365);
    strip.setCursors(cursors, start);
    const QString words = strip.findChild<QLabel*>()->text();
    const QString then = formatWhen(start + Seconds(10)).section(QLatin1Char(' '), 1);
    CHECK(words.startsWith(QStringLiteral("A at %1").arg(then)));
    strip.setCursors(cursors);
    CHECK(strip.findChild<QLabel*>()->text().startsWith(QStringLiteral("A at 00:10")));
}
