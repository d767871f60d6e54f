// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "format.h"
#include "panel_fixture.h"
#include "run/chart/add_counters_dialog.h"
#include "run/chart/chart_files.h"
#include "run/chart/chart_panel.h"
#include "run/chart/cursor_strip.h"
#include "run/chart/legend_model.h"
#include "run/chart/legend_view.h"
#include "run/chart/line_dialog.h"
#include "run/chart/range_choice.h"
#include "run/chart/value_boxes.h"
#include "run/view/usual_lines.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace loadstone;
using namespace loadstone::ui;

TEST_CASE("B1: a page that gets a run with other counters shows this run's usual ones and selects the first")
{
    Shown shown;
    shown.panel.addLines({ shown.otherLine() }); // for a try
    shown.open(storageRun());
    REQUIRE(shown.legend().rowCount() > 0);
    for (const LineKey& key : shown.legend().keys()) {
        INFO(key.name());
        CHECK(std::any_of(shown.legend().available().begin(), shown.legend().available().end(),
            [&](const LineInfo& info) { return info.key == key; }));
    }
    CHECK_FALSE(shown.legend().chartLines().front().bands.empty());
    CHECK(shown.panel.legendView()->currentRow() == 0);
    shown.open(mailRun()); // and back
    CHECK(shown.legend().keys().front() == LineKey { Quantity::messagesSent });
    for (const LineKey& key : shown.legend().keys())
        CHECK(key.series.subject.group.empty());
    CHECK(shown.panel.legendView()->currentRow() == 0);
}

TEST_CASE("B2: a percentile that the recording lacks is called as where there is one")
{
    const LineKey key {
        { Quantity::actionTime, Subject::ofAction(ActionKind::loadAttachment), LatencyClock::response }, 95
    };
    LegendModel legend;
    legend.setKeys({ key });
    CHECK(legend.info(0).shortName() == QStringLiteral("Load attachment: response time, p95"));
    CHECK(legend.index(0, LegendModel::Object).data().toString() == QStringLiteral("Response time"));
    LineInfo attached = legend.info(0);
    attached.key = {};
    attached.counter = QStringLiteral("Messages");
    attached.instance.clear();
    for (const auto& [source, shown] : { std::pair { "log /home/my lab/ex.csv", "log ex.csv" },
             std::pair { "/home/ex.csv", "ex.csv" }, std::pair { "log ex.csv", "log ex.csv" },
             std::pair { "metrics http://mail:9100/metrics", "metrics http://mail:9100/metrics" } }) {
        attached.source = QLatin1String(source);
        CHECK(attached.shortName() == QStringLiteral("Messages, %1").arg(QLatin1String(shown)));
    }
    CHECK(legend.index(0, LegendModel::Counter).data().toString() == QStringLiteral("95th percentile"));
    const LineKey counter { SeriesKey(Quantity::logWrites, Subject::ofGroup("one")) };
    legend.setKeys({ counter });
    CHECK(legend.index(0, LegendModel::Instance).data().toString() == QStringLiteral("one"));
    CHECK_FALSE(legend.index(0, LegendModel::Object).data().toString().isEmpty());
}

TEST_CASE("B14: the box says selected time while the chart is zoomed, and no longer when it is not")
{
    Shown shown;
    auto* range = shown.panel.findChild<RangeChoice*>();
    CHECK(range->currentText() == QStringLiteral("whole run"));
    shown.panel.chart()->zoomTo({ Seconds(10), Seconds(20) });
    CHECK(range->currentText() == QStringLiteral("selected time"));
    shown.panel.chart()->showEverything();
    CHECK(range->currentText() == QStringLiteral("whole run"));
    CHECK(range->findText(QStringLiteral("selected time")) < 0);
    shown.panel.chart()->setFollow(Seconds(300));
    CHECK(range->currentText() == QStringLiteral("last 5 minutes"));
    shown.panel.chart()->zoomTo({ Seconds(10), Seconds(20) });
    shown.panel.chart()->resetZoom();
    CHECK(range->currentText() == QStringLiteral("last 5 minutes"));
}

TEST_CASE("the legend has last, average, minimum and maximum of every line over the statistics window")
{
    Shown shown;
    const auto check = [&] {
        for (int row = 0; row < shown.legend().rowCount(); ++row) {
            const CounterStatistics& s = shown.legend().statistics(row);
            REQUIRE(s.samples > 0);
            const QString unit = shown.legend().info(row).unit;
            CHECK(shown.cell(row, LegendModel::Last) == formatIn(s.last, unit));
            CHECK(shown.cell(row, LegendModel::Average) == formatIn(s.average, unit));
            CHECK(shown.cell(row, LegendModel::Minimum) == formatIn(s.minimum, unit));
            CHECK(shown.cell(row, LegendModel::Maximum) == formatIn(s.maximum, unit));
        }
    };
    check();
    const QString before = shown.cell(0, LegendModel::Average);
    shown.panel.setSelection(TimeWindow { Seconds(10), Seconds(14) });
    shown.read();
    check();
    CHECK(shown.legend().statistics(0).samples == 4);
    CHECK(shown.cell(0, LegendModel::Average) != before);
}

TEST_CASE("a unit that a plan gives stands beside the limit as it is written")
{
    LineInfo info;
    info.unit = QStringLiteral("<b>R&D</b>");
    LineDialog dialog({ { info, LineStyle {} } });
    QLabel* limit = nullptr;
    for (QLabel* label : dialog.findChildren<QLabel*>())
        if (label->text().startsWith(QStringLiteral("&Limit")))
            limit = label;
    REQUIRE(limit != nullptr);
    CHECK(limit->textFormat() == Qt::PlainText);
    CHECK(limit->text() == QStringLiteral("&Limit [<b>R&&D</b>]:"));
    CHECK(limit->buddy() != nullptr);
}

TEST_CASE("a scale that is being chosen in the legend is not taken back by the next tick")
{
    Shown shown;
    LegendView& view = *shown.panel.legendView();
    view.edit(shown.legend().index(0, LegendModel::Scale));
    auto* box = view.findChild<QComboBox*>();
    REQUIRE(box != nullptr);
    CHECK(box->currentText() == QStringLiteral("Automatic"));
    box->setCurrentIndex(3);
    const auto tick = shown.read();
    shown.legend().setData(tick ? *tick : RunView {});
    CHECK(box->currentIndex() == 3);
}

TEST_CASE("values have units that suit them, and digits that can be read")
{
    CHECK(formatIn(0.1481, QStringLiteral("ms")) == QStringLiteral("148 µs"));
    CHECK(formatIn(1234.5, QStringLiteral("ms")) == QStringLiteral("1.23 s"));
    CHECK(formatIn(-2.5, QStringLiteral("ms")) == QStringLiteral("-2.50 ms"));
    CHECK(formatIn(0, QStringLiteral("ms")) == QStringLiteral("0 ms"));
    CHECK(formatIn(207'962'112, QStringLiteral("bytes")) == QStringLiteral("198.3 MB"));
    CHECK(formatIn(20'480, QStringLiteral("bytes/s")) == QStringLiteral("20 KB/s"));
    CHECK(formatIn(45.23, QStringLiteral("%")) == QStringLiteral("45.23 %"));
    CHECK(formatIn(29.5, QStringLiteral("messages/s")) == QStringLiteral("29.50"));
    CHECK(formatIn(std::numeric_limits<double>::quiet_NaN(), QStringLiteral("ms")) == QStringLiteral("–"));
    ValueBoxes boxes;
    const std::pair<const char*, CounterStatistics> shown[] = {
        { "ms", { 0.07838, 1234.5, 0.001, 987654, Seconds(90), 90 } },
        { "bytes", { 512, 1234567, 1023, 9e12, Seconds(90), 90 } },
        { "%", { 0.07838, 45.23, 0.001, 99.97, Seconds(90), 90 } },
        { "messages/s", { 0.07838, 1234567, 0.001, 98765432, Seconds(90), 90 } }
    };
    for (const auto& [unit, values] : shown) {
        boxes.show(QStringLiteral("counter"), QLatin1String(unit), values);
        for (const QLineEdit* box : boxes.findChildren<QLineEdit*>()) {
            INFO(unit << ": " << box->text().toStdString());
            CHECK(box->fontMetrics().horizontalAdvance(box->text()) + 8 < box->width());
        }
    }
}

TEST_CASE("counters of seconds are lines of milliseconds, as the times of all tables")
{
    const auto recording = Recording::open(mailRun());
    REQUIRE(recording);
    const auto id = findSeries(recording->header().counters, [&] {
        for (const CounterInfo& counter : recording->header().counters)
            if (counter.key.quantity == Quantity::diskSecondsPerRead)
                return counter.key;
        return SeriesKey();
    }());
    REQUIRE(id);
    const LineKey key = LineKey::ofCounter(recording->header().counters[*id]);
    Shown shown;
    shown.panel.addLines({ key });
    shown.read();
    const int row = shown.legend().rowOf(key);
    CHECK(shown.legend().info(row).unit == QStringLiteral("ms"));
    const auto inSeconds = recording->counterStatistics(*id, { Seconds(0), recording->length() });
    REQUIRE(inSeconds);
    CHECK(shown.legend().statistics(row).average == Approx(inSeconds->average * 1000));
    const ChartLine line = shown.legend().chartLines()[static_cast<std::size_t>(row)];
    REQUIRE_FALSE(line.bands.empty());
    REQUIRE(line.whole);
    CHECK(line.whole->maximum == Approx(inSeconds->maximum * 1000));
}

TEST_CASE("a name that does not fit makes the row of boxes no wider")
{
    ValueBoxes boxes;
    const int before = boxes.minimumSizeHint().width();
    boxes.show(QString(300, QLatin1Char('x')), {}, {});
    CHECK(boxes.minimumSizeHint().width() == before);
}

TEST_CASE("several lines are changed at once, and what they do not agree on stays each line's own")
{
    LegendModel legend;
    const LineKey one { Quantity::messagesSent }, two { Quantity::messagesReceived };
    legend.setKeys({ one, two });
    LineStyle style = legend.style(0);
    style.scale = 10;
    style.threshold = 80;
    legend.setStyle(0, style);
    const QColor first = legend.style(0).colour, second = legend.style(1).colour;
    LineDialog dialog({ { legend.info(0), legend.style(0) }, { legend.info(1), legend.style(1) } });
    const auto boxes = dialog.findChildren<QComboBox*>();
    REQUIRE(boxes.size() == 3); // width, style, scale
    const auto choose = [](QComboBox* box, const char* text) {
        const int at = box->findText(QLatin1String(text));
        REQUIRE(at >= 0);
        box->setCurrentIndex(at);
    };
    CHECK(boxes[2]->currentText() == QStringLiteral("(different)"));
    choose(boxes[0], "4 px");
    choose(boxes[1], "Dots");
    auto* group = dialog.findChildren<QLineEdit*>().last();
    group->setText(QStringLiteral("mail"));
    emit group->textEdited(QStringLiteral("mail"));
    QSignalSpy changes(&legend, &LegendModel::styleChanged);
    legend.changeStyles({ 0, 1 }, dialog.change());
    CHECK(changes.count() == 1);
    for (int row = 0; row < 2; ++row) {
        CHECK(legend.style(row).width == 4);
        CHECK(legend.style(row).pen == Qt::DotLine);
        CHECK(legend.chartLines()[static_cast<std::size_t>(row)].style == Qt::DotLine);
        CHECK(legend.chartLines()[static_cast<std::size_t>(row)].family == QStringLiteral("mail"));
    }
    CHECK(legend.style(0).scale == 10.0);
    CHECK_FALSE(legend.style(1).scale.has_value());
    CHECK(legend.style(0).threshold == 80.0);
    CHECK_FALSE(legend.style(1).threshold.has_value());
    CHECK(legend.style(0).colour == first);
    CHECK(legend.style(1).colour == second);
}

TEST_CASE("a counter that was added is selected and scrolled to, and so is a line that is clicked")
{
    Shown shown;
    std::vector<LineKey> many;
    for (const LineInfo& info : shown.legend().available())
        many.push_back(info.key);
    shown.panel.addLines(many); // more than the legend shows
    const int rows = shown.legend().rowCount();
    REQUIRE(rows > 20);
    LegendView& view = *shown.panel.legendView();
    shown.legend().remove({ rows - 1 });
    view.choose(0);
    shown.panel.addLines({ many.back() });
    const int row = shown.legend().rowOf(many.back());
    CHECK(view.currentRow() == row);
    CHECK(view.selectedRows() == QList<int> { row });
    CHECK(view.viewport()->rect().contains(view.visualRect(view.currentIndex()).center()));
    emit shown.panel.chart()->lineClicked(1);
    CHECK(view.selectedRows() == QList<int> { 1 });
    CHECK(view.viewport()->rect().contains(view.visualRect(view.currentIndex()).center()));
}

TEST_CASE("the legend is as high as its rows, and the chart has the rest")
{
    Shown shown;
    LegendView& view = *shown.panel.legendView();
    while (shown.legend().rowCount() > 2)
        shown.legend().remove({ 2 });
    QApplication::processEvents();
    const int few = view.height(), chart = shown.panel.chart()->height();
    CHECK(few <= view.wholeHeight() + view.horizontalHeader()->height());
    CHECK(view.verticalScrollBar()->maximum() == 0);
    std::vector<LineKey> many;
    for (const LineInfo& info : shown.legend().available())
        many.push_back(info.key);
    shown.panel.addLines(many);
    QApplication::processEvents();
    CHECK(view.height() > few);
    CHECK(view.height() < 300); // no more than its usual share
    CHECK(shown.panel.chart()->height() < chart);
}

TEST_CASE("all counters can be removed at the legend, and the usual ones come back")
{
    Shown shown;
    const auto usual = shown.legend().keys();
    const auto press = [&](const char* name) {
        for (auto* button : shown.panel.findChildren<QToolButton*>())
            if (button->defaultAction() != nullptr && button->isVisible()
                && button->defaultAction()->text().remove(QLatin1Char('&')) == QLatin1String(name))
                return button->click();
        FAIL(name);
    };
    press("Remove all counters");
    CHECK(shown.legend().rowCount() == 0);
    shown.read();
    CHECK(shown.legend().rowCount() == 0); // and none joins
    press("Usual counters");
    CHECK(shown.legend().keys() == usual);
}

TEST_CASE("a run of users begins with the actions of its users, and not with those of its drain")
{
    RunHeader header;
    const auto action = [](ActionKind kind) {
        return SeriesKey(Quantity::actionTime, Subject::ofAction(kind), LatencyClock::response);
    };
    std::vector<LatencyRow> rows;
    const std::pair<ActionKind, std::uint64_t> hits[] = { { ActionKind::readMailbox, 900 },
        { ActionKind::logon, 500 }, { ActionKind::checkInbox, 70 }, { ActionKind::readMessage, 300 },
        { ActionKind::journal, 0 } };
    for (const auto& [kind, count] : hits) {
        header.histograms.push_back(histogramOf(action(kind), LatencyScope::action));
        LatencyRow row { toString(kind), LatencyScope::action, LatencySummary {}, {}, {}, action(kind) };
        row.key.clock.reset();
        row.response->count = count;
        rows.push_back(row);
    }
    const auto keys = usualLines(header, rows);
    REQUIRE(keys.size() == 2);
    CHECK(keys[0] == LineKey { action(ActionKind::checkInbox), 95 }); // in the recording's order
    CHECK(keys[1] == LineKey { action(ActionKind::readMessage), 95 });
    // Nothing succeeded in the window: of a run that is over they are there all the same.
    std::vector<LatencyRow> failed = rows;
    for (LatencyRow& row : failed)
        row.response->count = 0;
    CHECK(std::ranges::none_of(usualLines(header, failed), &LineKey::isLatency));
    CHECK(std::ranges::any_of(usualLines(header, failed, {}, true), &LineKey::isLatency));
    CHECK(usualLines(header, rows, {}, true) == keys);
    // Of a run by scripts the reading of mailboxes is what it is about.
    std::erase_if(header.histograms,
        [](const HistogramInfo& h) { return h.key.subject.action == ActionKind::readMessage; });
    CHECK(usualLines(header, rows).front() == LineKey { action(ActionKind::readMailbox), 95 });
}

TEST_CASE("a line has the same place and colour while a run lasts and when it is opened later")
{
    RunHeader header;
    header.counters = { counterOf(SeriesKey(Quantity::messagesSent)) };
    std::vector<LatencyRow> later;
    for (const ActionKind kind :
        { ActionKind::emptyMailbox, ActionKind::sendMessage, ActionKind::listMailbox }) {
        SeriesKey key(Quantity::actionTime, Subject::ofAction(kind), LatencyClock::response);
        header.histograms.push_back(histogramOf(key, LatencyScope::action));
        key.clock.reset();
        LatencyRow row { toString(kind), LatencyScope::action, LatencySummary {}, {}, {}, key };
        row.response->count = 100 * header.histograms.size(); // most hits last
        later.push_back(row);
    }
    LegendModel opened;
    opened.setAvailable(header);
    opened.setKeys(usualLines(header, later));
    LegendModel live; // the second action ends first, then the third, then the first
    live.setAvailable(header);
    for (const std::size_t among : { 0, 2, 6, 7 }) {
        std::vector<LatencyRow> rows;
        for (std::size_t i = 0; i < later.size(); ++i)
            if ((among >> i & 1) != 0)
                rows.push_back(later[i]);
        live.setKeys(withUsualLines(live.keys(), usualLines(header, rows), {}));
    }
    REQUIRE(live.rowCount() == 4);
    CHECK(live.keys() == opened.keys());
    for (int row = 0; row < live.rowCount(); ++row)
        CHECK(live.style(row) == opened.style(row));
}

TEST_CASE("lines of one counter and several objects have their object in front, in the chart and beside it")
{
    RunHeader header;
    header.counters = { counterOf(SeriesKey(Quantity::messagesSent)) };
    SourceInfo log;
    log.id = 1;
    log.origin = "log pm.csv";
    for (const auto& [object, counter] : { std::pair("Processor", "% Processor Time"),
             std::pair("Process", "% Processor Time"), std::pair("Memory", "Available MBytes") }) {
        log.counters.push_back(counterOf(ForeignCounter { "EX1", object, "_Total", counter }));
        log.counters.back().id = static_cast<std::uint32_t>(log.counters.size()) - 1;
    }
    LegendModel legend;
    legend.setAvailable(header, { log });
    std::vector<LineKey> keys;
    for (const CounterInfo& counter : log.counters)
        keys.push_back(LineKey::ofSource(log.origin, counter));
    legend.setKeys({ keys[0], keys[2] });
    CHECK(
        legend.shortName(0) == QStringLiteral("% Processor Time (_Total), log pm.csv")); // nothing is like it
    legend.setKeys(keys);
    CHECK(legend.shortName(0) == QStringLiteral("Processor: % Processor Time (_Total), log pm.csv"));
    CHECK(legend.shortName(1) == QStringLiteral("Process: % Processor Time (_Total), log pm.csv"));
    CHECK(legend.shortName(2) == QStringLiteral("Available MBytes (_Total), log pm.csv"));
    CHECK(legend.chartLines()[1].name == legend.shortName(1));
}

TEST_CASE("actions that join later do not make the usual lines ever more")
{
    std::vector<LineKey> present;
    for (std::uint32_t i = 0; i < 12; ++i)
        present.push_back({ SeriesKey(Quantity::workerProcessorTime, Subject::ofWorker(i)) });
    const std::vector<LineKey> first(present.begin(), present.begin() + kMostUsualLines - 1);
    const auto joined = withUsualLines(first, present, {});
    CHECK(joined.size() == kMostUsualLines);
    CHECK(std::equal(first.begin(), first.end(), joined.begin()));
}

TEST_CASE("on a machine that is generator and system under test the load stays the generator's")
{
    RunHeader header;
    header.computer = "box1";
    header.counters = { counterOf(SeriesKey(Quantity::messagesSent)),
        counterOf(SeriesKey(Quantity::processorTime)) };
    const auto lines = linesOf(header, {}, { { "box1", "sut", { 0 } } });
    CHECK(lines.at(0).role == "generator");
    CHECK(lines.at(1).role == "sut");
}

TEST_CASE("the processor of the system under test is the first of the usual lines")
{
    RunHeader header;
    header.computer = "gen1";
    header.counters = { counterOf(SeriesKey(Quantity::messagesSent)),
        counterOf(SeriesKey(Quantity::processorTime)) };
    header.counters[1].id = 1;
    SourceInfo source;
    source.origin = "host ex1";
    source.computer = "ex1";
    source.id = 1;
    const std::vector<ComputerFacts> computers { { "gen1", "generator", { 0 } }, { "ex1", "sut", { 1 } } };
    Subject ex1;
    ex1.host = "ex1";
    source.counters = { counterOf(SeriesKey(Quantity::processes, ex1)),
        counterOf(SeriesKey(Quantity::processorTime, ex1)) };
    const auto lines = linesOf(header, { source }, computers);
    const auto keys = usualLines(header, {}, lines);
    REQUIRE(keys.size() == 3);
    CHECK(keys[0] == LineKey::ofSource("host ex1", source.counters[1]));
    CHECK(keys[1] == LineKey { Quantity::messagesSent });
    SourceInfo log = source; // attached afterwards
    log.counters = { counterOf(ForeignCounter { "ex1", "Processor", "_Total", "% Processor Time" }) };
    CHECK(usualLines(header, {}, linesOf(header, { log }, computers)).front()
        == LineKey::ofSource("host ex1", log.counters[0]));
    // It is put first where its source comes while the run lasts, too.
    CHECK(withUsualLines({ keys[1], keys[2] }, keys, lines) == keys);
    LegendModel legend;
    legend.setAvailable(header, { source }, computers);
    legend.setKeys(keys);
    CHECK(legend.index(0, LegendModel::Computer).data().toString()
        == QStringLiteral("ex1 (system under test)"));

    AddCountersDialog dialog(legend.available(), keys);
    const QAbstractItemModel& tree = *dialog.findChild<QTreeView*>()->model();
    REQUIRE(tree.rowCount() == 2); // by computer, what is measured first
    CHECK(tree.index(0, 0).data().toString() == QStringLiteral("ex1 (system under test)"));
    CHECK(tree.index(1, 0).data().toString() == QStringLiteral("gen1 (generator)"));
}

TEST_CASE("counters are added by keys alone: search, Down, Enter")
{
    Shown shown;
    shown.open(mailRun());
    AddCountersDialog dialog(shown.legend().available(), {});
    dialog.show();
    dialog.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&dialog));
    auto* search = dialog.findChild<QLineEdit*>();
    search->setFocus();
    QTest::keyClick(search, Qt::Key_Return); // nothing is chosen yet
    CHECK(dialog.isVisible());
    QTest::keyClicks(search, QStringLiteral("messages received/sec"));
    QTest::keyClick(search, Qt::Key_Down);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    CHECK(dialog.result() == QDialog::Accepted);
    CHECK(dialog.chosen() == std::vector { LineKey { Quantity::messagesReceived } });
}

TEST_CASE("a line that joins before others does not take a colour of theirs")
{
    LegendModel legend;
    const LineKey sent { Quantity::messagesSent }, received { Quantity::messagesReceived };
    SeriesKey server(Quantity::processorTime);
    server.subject.host = "ex1";
    legend.setKeys({ sent, received });
    const QColor colour = legend.style(0).colour;
    legend.setKeys({ LineKey { server }, sent, received }); // as when the server answers for the first time
    CHECK(legend.keys() == std::vector { LineKey { server }, sent, received });
    CHECK(legend.style(1).colour == colour);
    CHECK(legend.style(0).colour != legend.style(1).colour);
    CHECK(legend.style(0).colour != legend.style(2).colour);
}

TEST_CASE("the criteria of response times, processors, queues and counters of any computer are limits of "
          "their lines")
{
    using Kind = Criterion::Kind;
    RunHeader header;
    header.computer = "gen1";
    header.counters = { counterOf(SeriesKey(Quantity::processorTime)),
        counterOf(SeriesKey(Quantity::copiesOutstanding)) };
    header.counters[1].id = 1;
    const SeriesKey sending(
        Quantity::actionTime, Subject::ofAction(*actionKindOf("Send message")), LatencyClock::response);
    header.histograms = { histogramOf(sending, LatencyScope::action) };
    SourceInfo source;
    source.origin = "host ex1";
    source.computer = "ex1";
    source.id = 1;
    Subject ex1;
    ex1.host = "ex1";
    source.counters = { counterOf(SeriesKey(Quantity::processorTime, ex1)),
        counterOf(ForeignCounter { "ex1", "Mail Queue", "active", "Messages" }) };
    source.counters[1].id = 1;
    const std::vector<ComputerFacts> computers { { "gen1", "generator", { 0 } }, { "ex1", "sut", { 1 } } };
    const auto criterionOf = [](Kind kind, const char* subject, const char* computer,
                                 std::optional<double> least, std::optional<double> most) {
        Criterion criterion;
        criterion.kind = kind;
        criterion.subject = subject;
        criterion.computer = computer;
        criterion.least = least;
        criterion.most = most;
        return criterion;
    };
    auto view = std::make_shared<RunView>();
    auto criteria = std::make_shared<CriteriaView>();
    criteria->judgement.mixes.emplace_back();
    std::vector<Criterion>& all = criteria->judgement.mixes.back().criteria;
    all = { criterionOf(Kind::processor, "", "ex1", 78, 82), criterionOf(Kind::processor, "", "gen1", {}, 50),
        criterionOf(Kind::responseTime, "Send message", "", {}, 0.5),
        criterionOf(Kind::queueGrowth, "", "", {}, 50),
        criterionOf(Kind::counter, "\\Mail Queue(active)\\Messages", "ex1", {}, 100),
        criterionOf(Kind::counterGrowth, "\\Mail Queue(active)\\Messages", "ex1", {}, 0),
        criterionOf(Kind::counter, "\\Not\\There", "ex1", {}, 1) };
    all[3].growsFrom = 20;
    all[5].growsFrom = 7;
    view->criteriaSoFar = criteria; // the headline of a live run is enough
    view->header = std::make_shared<RunHeader>(header);
    LegendModel legend;
    legend.setAvailable(header, { source }, computers);
    legend.setKeys({ LineKey::ofSource("host ex1", source.counters[0]),
        LineKey::ofCounter(header.counters[0]), LineKey { sending, 95 },
        LineKey::ofCounter(header.counters[1]), LineKey::ofSource("host ex1", source.counters[1]) });
    CHECK_FALSE(legend.hasLimits());
    legend.setData(*view);
    CHECK(legend.hasLimits());
    legend.setAvailable(header, { source }, computers); // another source has come: they stay
    const auto lines = legend.chartLines();
    const auto limits = [&](std::size_t line) {
        QStringList words;
        for (const ChartLimit& limit : lines[line].limits)
            words.append(QStringLiteral("%1: %2").arg(limit.value).arg(limit.label));
        return words.join(QStringLiteral("; ")).toStdString();
    };
    CHECK(limits(0) == "78: at least 78 %; 82: at most 82 %");
    CHECK(limits(1) == "50: at most 50 %");
    CHECK(limits(2) == "500: at most 500 ms");
    CHECK(limits(3) == "70: growth of at most 50 copies");
    CHECK(limits(4) == "100: at most 100; 7: growth of at most 0");
    header.id = RunId::make();
    legend.setAvailable(header, { source }, computers);
    CHECK_FALSE(legend.hasLimits());
}

TEST_CASE("the cursors' values are columns of the legend, with their age, difference and rate")
{
    Shown shown;
    LegendView& view = *shown.panel.legendView();
    auto* strip = shown.panel.findChild<CursorStrip*>();
    CHECK(view.isColumnHidden(LegendModel::AtA));
    CHECK_FALSE(strip->isVisible());
    shown.panel.chart()->setCursors({ std::chrono::milliseconds(10'500), std::nullopt, false });
    CHECK_FALSE(view.isColumnHidden(LegendModel::AtA));
    CHECK(view.isColumnHidden(LegendModel::Difference));
    shown.panel.chart()->setCursors({ std::chrono::milliseconds(10'500), Seconds(20), false });
    CHECK_FALSE(view.isColumnHidden(LegendModel::Difference));
    CHECK(strip->isVisible());
    const auto readouts = shown.panel.chart()->readouts();
    REQUIRE(readouts[0].a.known());
    const QString unit = shown.legend().info(0).unit;
    CHECK(shown.cell(0, LegendModel::AtA).startsWith(formatIn(readouts[0].a.value, unit)));
    CHECK(shown.cell(0, LegendModel::AtA).endsWith(QStringLiteral("(0.5 s old)")));
    CHECK(shown.cell(0, LegendModel::Difference) == formatIn(readouts[0].difference, unit));
    CHECK(shown.cell(0, LegendModel::Rate) == formatIn(readouts[0].perSecond, unit));
    CHECK(strip->findChild<QLabel*>()->text().contains(QStringLiteral("A to B is the statistics window")));
    CHECK(shown.panel.selection() == TimeWindow { std::chrono::milliseconds(10'500), Seconds(20) });
    shown.panel.chart()->setCursors({ Seconds(20), Seconds(20), false });
    CHECK(strip->findChild<QLabel*>()->text().contains(QStringLiteral("A and B at 00:20: there is no time")));
    CHECK_FALSE(shown.panel.selection().has_value());
    shown.panel.chart()->setCursors({ Seconds(10), Seconds(20), false });
    emit strip->lockChosen(true);
    CHECK(shown.panel.chart()->cursors().locked);
    emit strip->removed();
    CHECK_FALSE(shown.panel.selection().has_value());
    CHECK_FALSE(strip->isVisible());
}
