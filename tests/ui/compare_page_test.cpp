// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/bar_chart.h"
#include "charts/curve_chart.h"
#include "compare/compare_exporter.h"
#include "compare/tabs/bars_tab.h"
#include "compare/tabs/configuration_tab.h"
#include "compare/tabs/curves_tab.h"
#include "compare/tabs/points_table.h"
#include "compare/tabs/quantile_tab.h"
#include "compare/view/comparison_feed.h"
#include "compare_fixture.h"
#include "history/history_page.h"
#include "history/run_drag.h"
#include "pages/page_host.h"
#include "tables/data_table.h"
#include "window/workbench_pages.h"

#include <loadstone/quantile_shift.h>
#include <loadstone/source.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTimer>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

std::string contentOf(const QString& file)
{
    std::ifstream from(file.toStdString());
    std::stringstream all;
    all << from.rdbuf();
    return all.str();
}

} // namespace

TEST_CASE("runs of one configuration are one column, with every run as a dot")
{
    const ShownComparison shown;
    REQUIRE(shown.page.view()->comparison->columns.size() == 2);
    CHECK(shown.page.view()->comparison->repeats == std::vector<std::size_t> { 2, 1 });
    const int line = shown.lineOf("Messages sent");
    REQUIRE(line >= 0);
    const DotPicture dots = shown.model().dotsAt(shown.model().index(line, 1));
    CHECK(dots.own.size() == 2);
    CHECK(dots.low < dots.own.front());
}

TEST_CASE("a click on the head of a column makes it the baseline")
{
    ShownComparison shown;
    QHeaderView* head = shown.table().horizontalHeader();
    shown.settle([&] {
        const QPoint at(head->sectionViewportPosition(2) + 20, head->height() / 2);
        QTest::mouseClick(head->viewport(), Qt::LeftButton, Qt::NoModifier, at);
    });
    CHECK(shown.page.view()->comparison->options.baseline == 1);
    CHECK(shown.model()
              .headerData(2, Qt::Horizontal, Qt::DisplayRole)
              .toString()
              .endsWith(QStringLiteral("baseline")));
    // By the keyboard, back again.
    shown.table().setFocus();
    shown.table().setCurrentIndex(shown.model().index(shown.lineOf("Messages sent"), 1));
    shown.settle([&] { QTest::keyClick(&shown.table(), Qt::Key_B); });
    CHECK(shown.page.view()->comparison->options.baseline == 0);
}

TEST_CASE("repeats come apart again after a baseline was chosen and columns changed places")
{
    ShownComparison shown;
    const auto columns = [&] { return shown.page.view()->comparison->columns; };
    const auto group = [&] {
        for (QAction* action : shown.page.findChildren<QAction*>())
            if (action->text() == QStringLiteral("&Group repeats"))
                return action;
        return static_cast<QAction*>(nullptr);
    }();
    REQUIRE(group != nullptr);
    shown.table().setFocus();
    shown.table().setCurrentIndex(shown.model().index(shown.lineOf("Messages sent"), 2));
    shown.settle([&] { QTest::keyClick(&shown.table(), Qt::Key_B); });
    shown.settle([&] { QTest::keyClick(&shown.table(), Qt::Key_Left, Qt::ControlModifier); });
    REQUIRE(columns().size() == 2);
    const std::string baseline = columns()[0];
    shown.settle([&] { group->setChecked(false); });
    REQUIRE(columns().size() == 3);
    CHECK(columns()[0] == baseline); // it is one run
    CHECK(shown.page.view()->comparison->options.baseline == 0);
    shown.settle([&] { group->setChecked(true); });
    REQUIRE(columns().size() == 2);
    CHECK(columns()[0] == baseline);
    // A group leaves with all its runs.
    shown.table().setCurrentIndex(shown.model().index(shown.lineOf("Messages sent"), 2));
    shown.settle([&] { QTest::keyClick(&shown.table(), Qt::Key_Delete); });
    CHECK(shown.page.view()->query.columns.size() == 1);
}

TEST_CASE("columns change places by the keyboard, and the baseline goes with its column")
{
    ShownComparison shown;
    shown.table().setFocus();
    shown.table().setCurrentIndex(shown.model().index(shown.lineOf("Messages sent"), 2));
    const std::string second = shown.page.view()->comparison->columns[1];
    shown.settle([&] { QTest::keyClick(&shown.table(), Qt::Key_Left, Qt::ControlModifier); });
    CHECK(shown.page.view()->comparison->columns[0] == second);
    CHECK(shown.page.view()->comparison->options.baseline == 1);
}

TEST_CASE("a chosen cell says its runs, the difference and what it is based on")
{
    const ShownComparison shown;
    const int line = shown.lineOf("Response time, average");
    REQUIRE(line >= 0);
    shown.table().setCurrentIndex(shown.model().index(line, 2));
    const QString words = shown.page.tableTab()->detail()->toPlainText();
    CHECK(words.contains(QStringLiteral("Difference to")));
    CHECK(words.contains(QStringLiteral("Without fsync")));
}

TEST_CASE("a search shows what fits, folded or not, and the number of figures says so")
{
    ShownComparison shown;
    shown.model().foldAll(true);
    CHECK(shown.lineOf("Messages sent") < 0);
    QTest::keyClick(&shown.page, Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(shown.page.search(), QStringLiteral("messages sent"));
    CHECK(shown.lineOf("Messages sent") >= 0);
    CHECK(shown.model().shownFigures() < shown.model().figures());
}

TEST_CASE("Space folds what stands below a heading")
{
    ShownComparison shown;
    shown.table().setFocus();
    const int before = shown.model().rowCount();
    REQUIRE(shown.model().isHeading(1));
    shown.table().setCurrentIndex(shown.model().index(1, 0));
    QTest::keyClick(&shown.table(), Qt::Key_Space);
    CHECK(shown.model().rowCount() < before);
    QTest::keyClick(&shown.table(), Qt::Key_Space);
    CHECK(shown.model().rowCount() == before);
}

TEST_CASE("the copied table has a line for each figure; value, difference and word are cells of their own")
{
    const ShownComparison shown;
    shown.table().copyAll();
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    REQUIRE(lines.size() == shown.model().rowCount() + 1);
    const QStringList headings = lines.front().split(QLatin1Char('\t'));
    const auto compared = static_cast<int>(shown.model().view()->comparison->columns.size());
    CHECK(headings.size() == shown.model().columnCount() + 2 * (compared - 1)); // all but the baseline
    CHECK(headings.count(QStringLiteral("Difference")) == compared - 1);
    for (const QString& line : lines) {
        const QStringList cells = line.split(QLatin1Char('\t'));
        REQUIRE(cells.size() == headings.size());
        for (const QString& cell : cells) // as they stand in one cell of the screen
            CHECK_FALSE((cell.contains(QLatin1Char('%')) && cell.contains(QStringLiteral("  "))));
    }
}

TEST_CASE("a run that is deleted is named, and the others are still compared")
{
    ShownComparison shown;
    auto history = History::open(shown.runs.folder.path());
    REQUIRE(history);
    shown.store.refresh();
    REQUIRE(soon([&] { return shown.store.runs().size() == 3; }));
    shown.page.feed()->historyChanged(shown.store.runs());
    shown.settle([&] {
        REQUIRE(history->remove(shown.runs.first.back()));
        shown.store.refresh();
    });
    CHECK(shown.page.view()->unread.size() == 1);
    CHECK(shown.page.view()->comparison->repeats == std::vector<std::size_t> { 1, 1 });
}

TEST_CASE("a comparison knows chance from repeats that come into the history while it is open")
{
    ShownComparison shown;
    const auto runsKnown = [&] {
        const auto& row = shown.page.view()->comparison->mixes.at(0).rows.at(0);
        return row.spread ? row.spread->runs : 0;
    };
    const std::size_t before = runsKnown();
    test::DemoRecording demo;
    demo.mixes = 2;
    demo.measurementSeconds = 24;
    demo.gaps = false;
    demo.title = "With fsync";
    shown.settle([&] {
        for (const unsigned seed : { 4U, 5U }) {
            demo.seed = seed;
            demo.started = wallNow() - std::chrono::minutes(10 * seed);
            TwoConfigurations::write(demo, shown.runs.folder.path() / "runs");
        }
        shown.store.refresh();
    });
    CHECK(runsKnown() == before + 2);
}

TEST_CASE("a comparison is made again when a log is attached to one of its runs, and removed from it")
{
    // Also where nothing of the runs has changed between the opening of the page and that.
    ShownComparison shown;
    auto history = History::open(shown.runs.folder.path());
    REQUIRE(history);
    const auto file = history->fileOf(shown.runs.first.back());
    shown.settle([&] {
        SourceFacts facts;
        facts.origin = "log ex1.csv";
        facts.computer = "ex1";
        Subject ex1;
        ex1.host = "ex1";
        facts.counters = { counterOf(SeriesKey(Quantity::processorTime, ex1)) };
        const std::vector<SourceTick> ticks { { Nanoseconds(0), std::chrono::seconds(60), { 40 } } };
        REQUIRE(attachSource(file, facts, ticks));
        shown.store.refresh();
    });
    shown.settle([&] {
        REQUIRE(removeSource(file, 1));
        shown.store.refresh();
    });
}

TEST_CASE("figures over load: the table beside the curves has a line for each load")
{
    const ShownComparison shown;
    CurvesTab& tab = *shown.page.curvesTab();
    REQUIRE(tab.figures()->count() > 0);
    CHECK(tab.data().front().rows.size() == 2);
    CHECK(tab.chart()->curves().size() >= 2);
    CHECK_FALSE(tab.picture().isNull());
}

TEST_CASE("a click on a bar makes its column the one that ratios are to")
{
    const ShownComparison shown;
    shown.page.tabs()->setCurrentWidget(shown.page.barsTab());
    BarChart& chart = *shown.page.barsTab()->chart();
    REQUIRE_FALSE(chart.spots().empty());
    CHECK(chart.reference() == 0);
    for (const FigureSpot& spot : chart.spots())
        if (spot.series == 1 && spot.item == 0) {
            QTest::mouseClick(&chart, Qt::LeftButton, Qt::NoModifier, spot.at.toPoint());
            break;
        }
    CHECK(chart.reference() == 1);
    CHECK(chart.ratio(0, 1) == 1.0);
}

TEST_CASE("what differs in the configurations is listed, the rest when it is asked for")
{
    const ShownComparison shown;
    const auto rows = [&] { return shown.page.configurationTab()->data().front().rows.size(); };
    CHECK(rows() >= 1); // the processor
    CHECK(rows() < shown.page.view()->configuration.size());
}

TEST_CASE("percentiles are compared by their histograms while the tab is in sight")
{
    const ShownComparison shown;
    QuantileTab& tab = *shown.page.quantileTab();
    CHECK(tab.chart()->curves().empty());
    shown.page.tabs()->setCurrentWidget(&tab);
    REQUIRE(soon([&] { return !tab.chart()->curves().empty(); }));
    CHECK(tab.latencies()->count() > 2);
    CHECK(tab.data().front().rows.size() >= 10);
    const std::string mix =
        shown.page.view()->comparison->mixes.front().name; // which a picture of another one has not
    CHECK_THAT(tab.data().front().title, ContainsSubstring(mix));
    CHECK_THAT(tab.chart()->title().toStdString(), ContainsSubstring(mix));
}

TEST_CASE("percentiles that cannot be compared have a reason in their place")
{
    const ShownComparison shown;
    std::vector<ComparedColumn> columns = shown.page.view()->columns;
    const Comparison& comparison = *shown.page.view()->comparison;
    const auto measured = percentileShifts(columns, comparison, { "send" });
    REQUIRE(measured);
    REQUIRE_FALSE(measured->empty());
    CHECK(measured->front().reason.empty());
    CHECK(measured->front().shifts.size() >= 10);
    for (ComparedRun& run : columns[1].runs)
        run.verdict = Verdict::cutShort;
    const auto cutShort = percentileShifts(columns, comparison, { "send" });
    REQUIRE(cutShort);
    REQUIRE(cutShort->size() == measured->size());
    CHECK(cutShort->front().shifts.empty());
    CHECK(cutShort->front().reason.find("none of " + columns[1].name) != std::string::npos);
}

TEST_CASE("Compare opens a page for the runs that are selected in the history")
{
    const TwoConfigurations runs;
    HistoryStore store(runs.folder.path());
    WorkbenchPages pages(store, runs.folder.path());
    pages.resize(1280, 780);
    pages.show();
    store.refresh();
    REQUIRE(soon([&] { return store.runs().size() == 3; }));
    pages.history()->table()->setFocus();
    pages.history()->table()->selectAll();
    QTest::keyClick(&pages, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    auto* page = qobject_cast<ComparePage*>(pages.current());
    REQUIRE(page != nullptr);
    REQUIRE(soon([&] { return page->view() && page->view()->comparison; }));
    CHECK(page->view()->comparison->columns.size() == 2);
}

TEST_CASE("runs that are dragged over the name of a page go there")
{
    const TwoConfigurations runs;
    HistoryStore store(runs.folder.path());
    WorkbenchPages pages(store, runs.folder.path());
    pages.show();
    auto* page = pages.compareRuns({ runs.first.front() });
    pages.choose(pages.history());
    const auto lists = pages.findChildren<QListWidget*>();
    const auto found = std::find_if(lists.begin(), lists.end(),
        [&](const QListWidget* one) { return one->count() == pages.pages().size(); });
    REQUIRE(found != lists.end()); // the names of the pages
    QListWidget* list = *found;
    REQUIRE(soon([&] {
        return list->itemAt(list->visualItemRect(list->item(list->count() - 1)).center()) != nullptr;
    }));
    const QPoint at = list->visualItemRect(list->item(list->count() - 1)).center();
    const std::unique_ptr<QMimeData> data(dragOf({ runs.second.front() }));
    QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(list->viewport(), &enter);
    CHECK(enter.isAccepted());
    CHECK(pages.current() == page);
    QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(list->viewport(), &drop);
    CHECK(drop.isAccepted());
    REQUIRE(soon([&] { return page->view() && page->view()->comparison; }));
}

TEST_CASE("what comes from elsewhere as runs is checked")
{
    QMimeData data;
    data.setData(kRunsMimeType, QByteArray("../../etc/passwd\n\x01\n") + QByteArray(100000, 'x'));
    CHECK(runsOf(data).empty());
}

TEST_CASE("a comparison is written in each format, and pictures as PNG and SVG")
{
    const ShownComparison shown;
    const test::ScratchFolder folder;
    const auto name = [&](const char* suffix) {
        return QString::fromStdString((folder.path() / suffix).string());
    };
    for (const ComparisonFormat format :
        { ComparisonFormat::text, ComparisonFormat::markdown, ComparisonFormat::csv, ComparisonFormat::json,
            ComparisonFormat::html, ComparisonFormat::xlsx }) {
        const QString file = name("comparison.") + suffixOf(format);
        shown.page.exporter()->writeTo(format, file);
        REQUIRE(soon([&] { return QFileInfo(file).size() > 0; }));
        if (format != ComparisonFormat::xlsx)
            CHECK(contentOf(file).find("Without fsync") != std::string::npos);
    }
    QSignalSpy messages(shown.page.exporter(), &CompareExporter::message);
    QTimer closing; // the box that says why
    QObject::connect(&closing, &QTimer::timeout, [] {
        if (QWidget* box = QApplication::activeModalWidget())
            box->close();
    });
    closing.start(10);
    shown.page.exporter()->writeTo(ComparisonFormat::csv, QStringLiteral("/nowhere/comparison.csv"));
    REQUIRE(soon([&] { return messages.count() == 2; }));
    CHECK(messages.last()[0].toString() == QStringLiteral("/nowhere/comparison.csv was not written."));
    shown.page.tabs()->setCurrentWidget(shown.page.curvesTab());
    CHECK(shown.page.exporter()->writePicture(name("curves.png")));
    CHECK(shown.page.exporter()->writePicture(name("curves.svg")));
    CHECK(contentOf(name("curves.svg")).find("<svg") != std::string::npos);
    CHECK(shown.page.exporter()->writeData(name("curves.csv")));
    CHECK(contentOf(name("curves.csv")).find("Without fsync") != std::string::npos);
}

TEST_CASE("a page without columns says how to fill it, and one column asks for another")
{
    const TwoConfigurations runs;
    HistoryStore store(runs.folder.path());
    ComparePage page(store, runs.folder.path());
    page.show();
    CHECK(page.view() == nullptr);
    page.setColumns({ runs.columns().front() });
    REQUIRE(soon([&] { return page.view() != nullptr; }));
    CHECK(page.view()->comparison == nullptr);
    CHECK_FALSE(page.view()->problem.isEmpty());
}

TEST_CASE("columns that cannot be compared have a way back to those before")
{
    const TwoConfigurations runs;
    HistoryStore store(runs.folder.path());
    ComparePage page(store, runs.folder.path());
    page.show();
    page.setColumns(runs.columns());
    REQUIRE(soon([&] { return page.view() != nullptr && page.view()->comparison != nullptr; }));
    page.setColumns({ runs.columns().front() });
    REQUIRE(soon([&] { return page.view()->comparison == nullptr; }));
    const auto labels = page.findChildren<QLabel*>();
    const auto back = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("Back to the columns before"));
    });
    REQUIRE(back != labels.end());
    emit(*back)->linkActivated(QStringLiteral("before"));
    REQUIRE(soon([&] { return page.view()->comparison != nullptr; }));
    CHECK(page.view()->comparison->columns.size() == 2);
}
