// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a lab engineer found in the first hours with the window, as it should be.
#include "banner.h"
#include "charts/performance_chart.h"
#include "confirm.h"
#include "elided_label.h"
#include "findings_fixture.h"
#include "format.h"
#include "history/history_columns.h"
#include "history/history_page.h"
#include "lab/lab_wizard.h"
#include "run/chart/chart_panel.h"
#include "run/chart/replay_bar.h"
#include "run/run_page.h"
#include "run/summary_line.h"
#include "run/tabs/latency_tab.h"
#include "run/tabs/load_tab.h"
#include "run/tabs/readings_tab.h"
#include "run/tabs/results_tab.h"
#include "run/tabs/score_tab.h"
#include "run/view/window_bar.h"
#include "tables/data_table.h"
#include "tables/frozen_column.h"
#include "window/application_filter.h"
#include "window/plan_chooser.h"
#include "window/quiet_wheel.h"
#include "window/run_launcher.h"

#include <loadstone/report.h>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QToolBar>
#include <QWheelEvent>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A storage plan that is sound but for its folders, which are not there.
std::filesystem::path planWithoutFolders(const test::ScratchFolder& folder)
{
    std::ifstream shipped(findPlan("storage-small"));
    std::stringstream words;
    words << shipped.rdbuf();
    std::string plan = words.str();
    const auto replace = [&](const std::string& from) {
        for (std::size_t at = plan.find(from); at != std::string::npos; at = plan.find(from, at + 1))
            plan.replace(at, from.size(), (folder.path() / "volumes").string());
    };
    replace("/var/tmp/loadstone");
    const auto file = folder / "storage.toml";
    std::ofstream(file) << plan;
    return file;
}

} // namespace

// ---- what was wrong

TEST_CASE(
    "B3: the keys of the history work right after the start, and what is typed then never changes the plan")
{
    Workbench bench;
    bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    QApplication::setActiveWindow(&window);
    window.begin();
    REQUIRE(waitUntil([&] { return window.pages()->history()->selectedRuns().size() == 1; }));
    auto* chooser = window.findChild<PlanChooser*>();
    const auto plan = chooser->plan();
    auto* search = window.pages()->history()->findChild<QLineEdit*>();
    CHECK(window.focusWidget() == window.pages()->history()->table());
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    CHECK(window.focusWidget() == search);
    QTest::keyClicks(window.focusWidget(), QStringLiteral("medium"));
    CHECK(search->text() == QStringLiteral("medium"));
    CHECK(chooser->plan() == plan);
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier); // a second search takes the place of the first
    QTest::keyClicks(window.focusWidget(), QStringLiteral("x"));
    CHECK(search->text() == QStringLiteral("x"));
    chooser->setFocus();
    QTest::keyClicks(chooser, QStringLiteral("medium"));
    CHECK(chooser->plan() == plan);
    // From anywhere on the page, as the help says; not from another page.
    Answers answers;
    answers.typed = QStringLiteral("fast");
    search->clear();
    REQUIRE(waitUntil([&] { return window.pages()->history()->table()->model()->rowCount() == 1; }));
    window.pages()->history()->table()->selectRow(0);
    chooser->setFocus();
    QTest::keyClick(&window, Qt::Key_F3);
    CHECK(answers.asked.size() == 1);
    window.pages()->choose(window.pages()->live());
    QTest::keyClick(&window, Qt::Key_F3);
    CHECK(answers.asked.size() == 1);
}

TEST_CASE("B4: the wheel over the plan chooser, another choice or a number leaves it alone")
{
    installForApplication<QuietWheel>();
    const auto turn = [](QWidget& over) {
        for (int notch = 0; notch < 3; ++notch) {
            QWheelEvent wheel({ 5, 5 }, over.mapToGlobal(QPointF(5, 5)), {}, { 0, -120 }, Qt::NoButton,
                Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&over, &wheel);
        }
    };
    PlanChooser chooser;
    chooser.show();
    REQUIRE(chooser.count() > 2);
    const auto plan = chooser.plan();
    turn(chooser);
    CHECK(chooser.plan() == plan);
    LabWizard wizard;
    wizard.show();
    auto* kind = wizard.currentPage()->findChild<QComboBox*>();
    REQUIRE(kind != nullptr);
    kind->setFocus();
    turn(*kind);
    CHECK(kind->currentIndex() == 0);
    QWidget form;
    auto* number = new QSpinBox(&form);
    number->setValue(50);
    form.show();
    turn(*number);
    CHECK(number->value() == 50);
    // Nor does it give them the keyboard, with which the next arrow key would change them.
    for (const QWidget* widget : std::initializer_list<QWidget*> { &chooser, kind, number })
        CHECK_FALSE(widget->focusPolicy() == Qt::WheelFocus);
    QTabWidget tabs;
    tabs.addTab(new QWidget, QStringLiteral("one"));
    tabs.addTab(new QWidget, QStringLiteral("two"));
    tabs.show();
    turn(*tabs.tabBar());
    CHECK(tabs.currentIndex() == 0);
}

TEST_CASE(
    "B6: editing the tags of a starred run keeps its star, and no list of tags nor report has a tag for it")
{
    Workbench bench;
    const RunId id = bench.addRun();
    HistoryStore store(bench.history);
    store.retag(id, {}, { QStringLiteral("nvme"), QLatin1String(kStarTag) });
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return store.find(id) != nullptr && store.find(id)->tags.size() == 2; }));
    REQUIRE(waitUntil([&] { return page.selectedRuns().size() == 1; }));
    Answers answers;
    answers.typed = QStringLiteral("raid");
    actionOf(page, "F3")->trigger();
    CHECK(answers.asked == QStringList { QStringLiteral("nvme") });
    REQUIRE(waitUntil([&] {
        const auto& tags = store.find(id)->tags;
        return std::find(tags.begin(), tags.end(), "raid") != tags.end();
    }));
    CHECK(isStarred(*store.find(id)));
    CHECK(store.find(id)->tags.size() == 2);
    const auto columns = historyColumns();
    CHECK(columns.at(HistoryTags).text(*store.find(id)) == QStringLiteral("raid"));

    const auto recording = Recording::open(recordingOf(bench, id));
    REQUIRE(recording);
    REQUIRE(writeHtmlReport(*recording, bench.history / "run.html"));
    std::ifstream report(bench.history / "run.html");
    std::stringstream html;
    html << report.rdbuf();
    CHECK(html.str().find("starred") == std::string::npos);
    CHECK(html.str().find("Tags: raid") < html.str().find("<section>")); // below the title
}

TEST_CASE("B7: a table copied into a spreadsheet has one line of headings")
{
    OpenedUsers opened;
    auto& tab = opened.front<LatencyTab>();
    REQUIRE(waitUntil([&] { return tab.table()->model()->rowCount() > 0; }));
    const QStringList lines = tab.table()->asText(false).split(QLatin1Char('\n'));
    CHECK(
        lines.size() == tab.table()->model()->rowCount() + 2); // headings, rows, and the end of the last line
    const auto tabs = lines[0].count(QLatin1Char('\t'));
    for (int row = 1; row < lines.size() - 1; ++row)
        CHECK(lines[row].count(QLatin1Char('\t')) == tabs);
}

TEST_CASE("B10: a window saved on a large screen comes up wholly on a small one")
{
    const QRect small(0, 0, 1280, 800);
    const QRect placed = placedOn({ 121, 97, 1398, 860 }, small);
    CHECK(small.contains(placed));
    CHECK(placedOn({ 100, 100, 800, 600 }, small) == QRect(100, 100, 800, 600)); // what fits stays
    const QRect second(1920, 0, 1280, 800);
    CHECK(second.contains(placedOn({ 100, 100, 800, 600 }, second)));
}

TEST_CASE("B10: a long name of a counter does not set how small the window can be")
{
    ElidedLabel label(QString(400, QLatin1Char('m')));
    CHECK(label.minimumSizeHint().width() < 200);
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.pages()->openRun(id);
    RunPage* page = window.pages()->currentRun();
    REQUIRE(waitUntil([&] { return page->view() != nullptr; }));
    CHECK(window.minimumSizeHint().width() <= 1280);
}

TEST_CASE("B11: a run in progress cannot be chosen for deletion, and the message counts what was deleted")
{
    Workbench bench;
    auto writing = test::DemoWriter::create(bench.history / "runs", smallDemo());
    REQUIRE(writing);
    REQUIRE(writing->tick());
    HistoryStore store(bench.history);
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return page.selectedRuns().size() == 1; }));
    CHECK_FALSE(actionOf(page, "Del")->isEnabled());
    CHECK(actionOf(page, "Del")->toolTip().contains(QStringLiteral("in progress")));
    bench.addRun();
    REQUIRE(waitUntil([&] {
        store.refresh();
        return page.table()->model()->rowCount() == 2;
    }));
    page.table()->selectAll();
    QSignalSpy messages(&page, &HistoryPage::message);
    Answers answers(QStringLiteral("Delete"));
    actionOf(page, "Del")->trigger();
    REQUIRE(waitUntil([&] { return messages.count() == 1; }));
    CHECK(messages[0][0].toString() == QStringLiteral("1 run deleted"));
    CHECK(answers.asked.size() == 1);
    REQUIRE(writing->finish());
}

TEST_CASE("B11: a run that is chosen while it ends can be deleted then, without being chosen again")
{
    Workbench bench;
    auto writing = test::DemoWriter::create(bench.history / "runs", smallDemo());
    REQUIRE(writing);
    REQUIRE(writing->tick());
    HistoryStore store(bench.history);
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return page.selectedRuns().size() == 1; }));
    REQUIRE_FALSE(actionOf(page, "Del")->isEnabled());
    REQUIRE(writing->finish());
    CHECK(waitUntil([&] {
        store.refresh();
        return actionOf(page, "Del")->isEnabled();
    }));
    CHECK(page.selectedRuns().size() == 1);
}

TEST_CASE("B12: missing folders of a storage plan are named as such, and made with a click")
{
    const test::ScratchFolder folder;
    LiveRun live([](const RunOptions&) -> Result<std::unique_ptr<Run>> { return fail("not meant to run"); });
    QWidget window;
    RunLauncher launcher(live, folder / "history", &window);
    Answers answers(QStringLiteral("Make the folders"));
    QString title, words;
    answers.meanwhile = [&] {
        if (const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            title = box->windowTitle();
            words = box->informativeText();
        }
    };
    launcher.launch(planWithoutFolders(folder));
    REQUIRE(
        waitUntil([&] { return !answers.asked.isEmpty() && std::filesystem::exists(folder / "volumes"); }));
    CHECK(title == QStringLiteral("The folders under test"));
    CHECK_FALSE(words.contains(QStringLiteral("→"))); // nothing stands behind it
    REQUIRE(waitUntil([&] { return !launcher.checking() && QApplication::activeModalWidget() == nullptr; }));
}

TEST_CASE("B13: a replay shows the mix that was measured then, incomplete, and the audit as it stood")
{
    OpenedUsers opened;
    auto* replay = opened.page.findChild<ReplayBar*>();
    replay->setPosition(Seconds(50));
    emit replay->positionChanged(Seconds(50));
    auto& tab = opened.front<ResultsTab>();
    REQUIRE(waitUntil([&] { return opened.page.view()->shown == Seconds(50); }));
    const auto incomplete = [](const DataTable* table) {
        return table->asText(false).contains(QStringLiteral("(incomplete)"));
    };
    CHECK(waitUntil([&] { return std::ranges::any_of(tab.findChildren<DataTable*>(), incomplete); }));
    CHECK(waitUntil([&] { return shows(tab, QStringLiteral("Delivery audit at 00:50")); }));
}

TEST_CASE("B13: a replay within a ramp-up has results of the mixes before it alone")
{
    OpenedUsers opened;
    const std::vector<Phase> phases = opened.page.view()->phases;
    auto* replay = opened.page.findChild<ReplayBar*>();
    std::size_t measured = 0;
    for (const Phase& phase : phases) {
        if (phase.kind == PhaseKind::rampUp) {
            const Nanoseconds at = phase.begin + Seconds(1);
            replay->setPosition(at);
            emit replay->positionChanged(at);
            REQUIRE(
                waitUntil([&] { return opened.page.view()->shown == at && opened.page.view()->results; }));
            CHECK(opened.page.view()->results->mixes.size() == measured);
        }
        measured += phase.kind == PhaseKind::measurement ? 1 : 0;
    }
    CHECK(measured > 0);
}

TEST_CASE("B10: each page leaves room for a screen of 1024 pixels")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    for (const Page* page : window.findChildren<Page*>()) {
        INFO(bytes(page->title()));
        CHECK(page->minimumSizeHint().width() < 1024 - 110 - 10); // beside the list of pages
    }
    CHECK(window.minimumSizeHint().width() <= 1020);
}

// ---- one window for all tabs

TEST_CASE("the statistics window is the window of every tab, and one line above the tabs says which it is")
{
    OpenedUsers opened;
    const auto bar = [&] { return windowWords(*opened.page.view(), TabScope::oneWindow); };
    CHECK(opened.page.view()->query.window.over == WindowKind::planned);
    CHECK(bar().contains(QStringLiteral("of measurement 2")));
    const TimeWindow chosen { Seconds(10), Seconds(20) };
    emit opened.page.chartPanel()->chart()->windowSelected(chosen);
    REQUIRE(waitUntil([&] { return opened.page.view()->window == chosen; }));
    CHECK(bar() == QStringLiteral("00:10 to 00:20, 00:10 of measurement 1 (10 clients)"));

    const auto recording =
        Recording::open(opened.bench.history / "runs" / (opened.page.header()->id.text() + ".loadstone"));
    REQUIRE(recording);
    const auto results = computeResults(*recording, chosen);
    REQUIRE(results);
    const RunResults& shown = *opened.page.view()->results;
    CHECK(shown.window == chosen);
    REQUIRE(shown.mixes.size() == 1);
    REQUIRE(results->mixes.size() == 1);
    CHECK(shown.mixes[0].attempts == results->mixes[0].attempts);
    CHECK(shown.mixes[0].measured.sentPerSecond == results->mixes[0].measured.sentPerSecond);
    CHECK(opened.page.view()->errorWindow == chosen);

    opened.front<ResultsTab>();
    REQUIRE(waitUntil([&] { return opened.page.view()->criteria != nullptr; }));
    CHECK(opened.page.view()->criteria->judgement.window == chosen);
    opened.front<LoadTab>();
    REQUIRE(waitUntil([&] { return opened.page.view()->loads != nullptr; }));
    REQUIRE(opened.page.view()->loads->loads.size() == 1);
    CHECK(opened.page.view()->loads->loads[0].window == chosen);
    opened.front<ScoreTab>();
    REQUIRE(
        waitUntil([&] { return opened.page.view()->score != nullptr && opened.page.view()->score->score; }));
    CHECK(opened.page.view()->score->score->window == chosen);
    auto& counters = opened.front<ReadingsTab>();
    REQUIRE(waitUntil([&] { return opened.page.view()->readings != nullptr; }));
    const auto readings = readingsWithin(*recording, chosen);
    REQUIRE(readings);
    int rows = 0;
    for (const ComputerReadings& computer : *readings)
        rows += static_cast<int>(computer.counters.size());
    CHECK(counters.table()->model()->rowCount() == rows);

    emit opened.page.chartPanel()->chart()->windowSelected(std::nullopt);
    REQUIRE(waitUntil([&] { return opened.page.view()->query.window.over == WindowKind::planned; }));
}

TEST_CASE("the counters over a window have the averages and extremes of their samples, and can be searched")
{
    OpenedUsers opened;
    auto& tab = opened.front<ReadingsTab>();
    REQUIRE(waitUntil([&] { return tab.table()->model()->rowCount() > 0; }));
    const int all = tab.table()->model()->rowCount();
    tab.findChild<QLineEdit*>()->setText(QStringLiteral("% Processor Time"));
    CHECK(tab.table()->model()->rowCount() > 0);
    CHECK(tab.table()->model()->rowCount() < all);
}

// ---- layout

TEST_CASE("F11 or a double click on a tab gives the tables the room of the chart, and it is remembered")
{
    QSettings settings(QStringLiteral("loadstone-test"), QStringLiteral("enlarged"));
    settings.clear();
    {
        OpenedUsers opened;
        CHECK(opened.page.chartPanel()->isVisible());
        opened.page.enlargeAction()->trigger();
        CHECK_FALSE(opened.page.chartPanel()->isVisible());
        auto* bar = opened.page.findChild<QTabWidget*>()->tabBar();
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(0).center());
        CHECK(opened.page.chartPanel()->isVisible());
        opened.page.enlargeAction()->trigger();
        opened.page.saveTo(settings);
    }
    RunPage next;
    next.restoreFrom(settings);
    CHECK(next.enlargeAction()->isChecked());
    CHECK(next.chartPanel()->isHidden());
    next.findChild<QAction*>(QStringLiteral("goToTime"))->trigger();
    CHECK_FALSE(next.chartPanel()->isHidden()); // with the field that the time is typed in
    RunPage live;
    live.setLive();
    live.restoreFrom(settings);
    CHECK_FALSE(live.chartPanel()->isHidden());
}

TEST_CASE("Shift+F11 gives the chart the room of the tables, and one of the two is enlarged at most")
{
    OpenedUsers opened;
    auto* tabs = opened.page.findChild<QTabWidget*>();
    const int before = opened.page.chartPanel()->chart()->height();
    opened.page.enlargeChartAction()->trigger();
    CHECK_FALSE(tabs->isVisible());
    CHECK(waitUntil([&] { return opened.page.chartPanel()->chart()->height() > before; }));
    opened.page.enlargeAction()->trigger();
    CHECK(tabs->isVisible());
    CHECK_FALSE(opened.page.chartPanel()->isVisible());
    CHECK_FALSE(opened.page.enlargeChartAction()->isChecked());
    opened.page.enlargeAction()->trigger();
    CHECK(tabs->isVisible());
    CHECK(opened.page.chartPanel()->isVisible());
}

TEST_CASE("the keyboard stays in the page when the part that has it gives its room away")
{
    OpenedUsers opened;
    opened.page.activateWindow();
    QWidget* const chart = opened.page.chartPanel()->chart();
    auto* tabs = opened.page.findChild<QTabWidget*>();
    chart->setFocus();
    REQUIRE(waitUntil([&] { return chart->hasFocus(); }));
    opened.page.enlargeAction()->trigger();
    CHECK(tabs->isAncestorOf(QApplication::focusWidget()));
    opened.page.enlargeAction()->trigger();
    CHECK(chart->hasFocus()); // as before
    tabs->setFocus();
    opened.page.enlargeChartAction()->trigger();
    CHECK(chart->hasFocus());
    opened.page.enlargeChartAction()->trigger();
    CHECK(tabs->isAncestorOf(QApplication::focusWidget()));
}

TEST_CASE("the first column of a wide table stays in sight while the others are scrolled")
{
    OpenedUsers opened;
    auto& tab = opened.front<LatencyTab>();
    REQUIRE(waitUntil([&] { return tab.table()->model()->rowCount() > 0; }));
    opened.page.resize(500, 600);
    auto* frozen = tab.table()->findChild<FrozenColumn*>();
    REQUIRE(frozen != nullptr);
    CHECK_FALSE(frozen->isVisible());
    QScrollBar* bar = tab.table()->horizontalScrollBar();
    REQUIRE(waitUntil([&] { return bar->maximum() > 0; }));
    bar->setValue(bar->maximum());
    CHECK(frozen->isVisible());
    CHECK_FALSE(frozen->isColumnHidden(0));
    CHECK(frozen->isColumnHidden(1));
    bar->setValue(0);
    CHECK_FALSE(frozen->isVisible());
}

TEST_CASE("a banner takes one line and shows the rest on a click")
{
    Banner banner;
    banner.resize(400, 30);
    banner.say(QStringLiteral("INVALID: the figures are not the server's alone.\n• the generator was busy"));
    banner.show();
    const int line = banner.heightForWidth(400);
    QTest::mouseClick(&banner, Qt::LeftButton);
    CHECK(banner.isExpanded());
    CHECK(banner.heightForWidth(400) > line);
    QTest::keyClick(&banner, Qt::Key_Space);
    CHECK_FALSE(banner.isExpanded());
    banner.say(QStringLiteral("Short."));
    QTest::mouseClick(&banner, Qt::LeftButton);
    CHECK_FALSE(banner.isExpanded()); // there is no more
}

TEST_CASE("View and Export are in one place, and File has Import")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    QStringList menus;
    for (const QAction* menu : window.menuBar()->actions())
        menus.append(menu->text().remove(QLatin1Char('&')));
    CHECK(menus.count(QStringLiteral("View")) == 1);
    CHECK(menus.count(QStringLiteral("Export")) == 1);
    for (const auto* bar : window.findChildren<QToolBar*>())
        for (const QAction* action : bar->actions())
            CHECK_FALSE(action->text().contains(QStringLiteral("Export")));
    const auto inFile = window.menuBar()->actions().front()->menu()->actions();
    CHECK(inFile.contains(window.pages()->history()->importAction()));
}

TEST_CASE("a run that failed, or whose databases may be damaged, is not said to have no errors")
{
    RunView view;
    view.state = RunState::finished;
    CHECK(summaryWords(view).contains(QStringLiteral("no errors")));
    view.figures.io = IoRates {};
    CHECK(summaryWords(view).contains(QStringLiteral("no failed transfers")));
    view.figures.errors = 1;
    CHECK(summaryWords(view).contains(QStringLiteral("1 error in the whole run")));
    view.figures.errors = 0;
    view.state = RunState::failed;
    view.figures.verdict = Verdict::failed;
    CHECK_FALSE(summaryWords(view).contains(QStringLiteral("no ")));
}

TEST_CASE("a file of the name with its ending is replaced after a question only")
{
    const test::ScratchFolder folder;
    const QString there = text((folder / "lab.toml").string()), typed = text((folder / "lab").string());
    std::ofstream(folder / "lab.toml") << "kept";
    {
        Answers no(QStringLiteral("Cancel"));
        CHECK(withTomlEnding(nullptr, QStringLiteral("Save"), typed).isEmpty());
        CHECK(no.asked.size() == 1);
    }
    Answers yes(QStringLiteral("Yes"));
    CHECK(withTomlEnding(nullptr, QStringLiteral("Save"), typed) == there);
    CHECK(yes.asked.size() == 1);
    CHECK(withTomlEnding(nullptr, QStringLiteral("Save"), there) == there); // the dialog has asked
    CHECK(withTomlEnding(nullptr, QStringLiteral("Save"), typed + QStringLiteral("2"))
              .endsWith(QStringLiteral("lab2.toml")));
    CHECK(withTomlEnding(nullptr, QStringLiteral("Save"), {}).isEmpty());
    CHECK(yes.asked.size() == 1);
}
