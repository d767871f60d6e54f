// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "history/history_page.h"
#include "lab/diagram_view.h"
#include "lab/lab_page.h"
#include "legible_palette.h"
#include "run/chart/chart_panel.h"
#include "run/chart/replay_bar.h"
#include "run/run_page.h"
#include "run/summary_line.h"
#include "tables/data_table.h"
#include "window/agreement_dialog.h"
#include "window/empty_undo.h"
#include "window/exporter.h"
#include "window/plan_chooser.h"
#include "window/problems_dialog.h"
#include "window/run_export.h"
#include "window/welcome.h"
#include "workbench_fixture.h"

#include <loadstone/lab.h>

#include <QAction>
#include <QClipboard>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// All that can have a letter for Alt while a page is shown: the menus, and tabs, buttons and labels of the page.
QStringList lettered(const MainWindow& window, const QWidget& page)
{
    QStringList texts;
    for (const QAction* menu : window.menuBar()->actions())
        if (menu->isVisible()) // the menu Edit is there for the pages that have something to edit
            texts.append(menu->text());
    for (const QTabBar* tabs : page.findChildren<QTabBar*>())
        for (int tab = 0; tab < tabs->count(); ++tab)
            texts.append(tabs->tabText(tab));
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->buddy() != nullptr)
            texts.append(label->text());
    for (const QAbstractButton* button : page.findChildren<QAbstractButton*>())
        if (const auto* tool = qobject_cast<const QToolButton*>(button);
            tool == nullptr || tool->defaultAction() == nullptr)
            texts.append(button->text());
    return texts;
}

QStringList altKeys(const QStringList& texts)
{
    QStringList keys;
    for (const QString& text : texts)
        if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty())
            keys.append(key.toString());
    return keys;
}

} // namespace

TEST_CASE("what is pasted while nothing was copied leaves a text as it is")
{
    const Workbench bench;
    const MainWindow window(bench.options, fakeStarter(bench.history));
    QPlainTextEdit text(QStringLiteral("a note"));
    text.show();
    QGuiApplication::clipboard()->setMimeData(new QMimeData); // as a clipboard is that belongs to no program
    QTest::keyClick(&text, Qt::Key_V, Qt::ControlModifier);
    QTest::keyClick(&text, Qt::Key_Insert, Qt::ShiftModifier);
    QTest::mouseClick(text.viewport(), Qt::MiddleButton);
    CHECK(text.toPlainText() == QStringLiteral("a note"));
    QGuiApplication::clipboard()->setText(QStringLiteral("more than "));
    QTest::keyClick(&text, Qt::Key_V, Qt::ControlModifier);
    CHECK(text.toPlainText() == QStringLiteral("more than a note"));
}

TEST_CASE("the history page lists the runs and opens the chosen one as a replay")
{
    Workbench bench;
    bench.addRun();
    bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    DataTable* table = window.pages()->history()->table();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 2; }));
    CHECK(window.pages()->history()->selectedRuns().size() == 1); // Enter would open the latest
    QTest::keyClick(table, Qt::Key_Return);
    RunPage* page = nullptr;
    REQUIRE(waitUntil([&] {
        page = window.pages()->currentRun();
        return page != nullptr && page->view() != nullptr && !page->view()->lines.empty();
    }));
    CHECK(page->view()->state == RunState::finished);
    CHECK(page->chartPanel()->replay()->isVisible());

    page->chartPanel()->replay()->setPosition(Seconds(30));
    emit page->chartPanel()->replay()->positionChanged(Seconds(30));
    REQUIRE(waitUntil([&] { return page->view()->shown == Seconds(30); }));
    CHECK(page->view()->phases.back().end <= Seconds(30));
}

TEST_CASE("an empty history says what to do")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    REQUIRE(waitUntil([&] {
        const auto labels = window.pages()->history()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* l) {
            return l->isVisible() && l->text().contains(QStringLiteral("No runs yet"));
        });
    }));
}

TEST_CASE("a started run is shown live, stops in order, and is in the history afterwards")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    QSignalSpy ended(&window.live(), &LiveRun::ended);
    window.live().start({});
    RunPage* page = window.pages()->live();
    REQUIRE(waitUntil([&] { return page->view() != nullptr && page->view()->length >= Seconds(3); }));
    CHECK(window.pages()->currentRun() == page);
    CHECK(page->view()->growing());
    CHECK_FALSE(page->chartPanel()->replay()->isVisible());
    CHECK(window.live().state() == LiveRun::State::running);

    window.live().stop();
    CHECK(window.live().state() == LiveRun::State::stopping);
    REQUIRE((ended.count() > 0 || ended.wait(kWait)));
    CHECK(window.live().state() == LiveRun::State::idle);
    REQUIRE(waitUntil([&] { return !page->view()->growing(); }));
    REQUIRE(waitUntil([&] { return window.pages()->history()->table()->model()->rowCount() == 1; }));
}

TEST_CASE("a run that cannot start leaves the workbench ready for the next")
{
    LiveRun live([](const RunOptions&) -> Result<std::unique_ptr<Run>> { return fail("no server there"); });
    QSignalSpy failures(&live, &LiveRun::failed);
    live.start({});
    CHECK(live.state() == LiveRun::State::starting);
    REQUIRE(failures.wait(kWait));
    CHECK(failures.first().first().toString() == QStringLiteral("no server there"));
    CHECK(live.state() == LiveRun::State::idle);
}

TEST_CASE("a stop that comes before the run has started still stops it")
{
    Workbench bench;
    LiveRun live(fakeStarter(bench.history));
    QSignalSpy ended(&live, &LiveRun::ended);
    live.start({});
    live.stop();
    REQUIRE(ended.wait(kWait));
    CHECK(live.status().state == RunState::stopped);
}

TEST_CASE("a statistics window in the chart is the window of the boxes and of the response times")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.pages()->openRun(id);
    RunPage* page = window.pages()->currentRun();
    REQUIRE(page != nullptr);
    REQUIRE(waitUntil([&] { return page->view() != nullptr; }));
    const TimeWindow chosen { Seconds(10), Seconds(20) };
    emit page->chartPanel()->chart()->windowSelected(chosen);
    REQUIRE(waitUntil([&] {
        return page->view()->query.statistics == chosen && page->view()->query.window.window == chosen;
    }));
    REQUIRE_FALSE(page->view()->lines.empty());
    CHECK(page->view()->lines[0].statistics.samples == 10);
    emit page->chartPanel()->chart()->windowSelected(std::nullopt);
    REQUIRE(waitUntil([&] { return page->view()->query.window.over == WindowKind::planned; }));
}

TEST_CASE("the report that an opened run's page asks for is of its run, as on the live page")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.pages()->openRun(id);
    RunPage* page = window.pages()->currentRun();
    REQUIRE(page != nullptr);
    REQUIRE(waitUntil([&] { return page->view() != nullptr; }));
    // Without the exporter, which would open a browser.
    QObject::disconnect(window.pages(), &WorkbenchPages::reportWanted, nullptr, nullptr);
    std::vector<RunId> wanted;
    QObject::connect(window.pages(), &WorkbenchPages::reportWanted,
        [&](const RunSummary& run) { wanted.push_back(run.id); });
    auto* summary = page->findChild<SummaryLine*>();
    REQUIRE(summary != nullptr);
    emit summary->reportWanted();
    CHECK(wanted == std::vector<RunId> { id });
}

TEST_CASE("a run is exported in every format, each to a file that is not empty")
{
    Workbench bench;
    const RunId id = bench.addRun();
    auto history = History::open(bench.history);
    REQUIRE(history);
    REQUIRE(history->list());
    for (const ExportKind& kind : exportKinds()) {
        const auto file = bench.history / ("export." + kind.suffix.toStdString());
        INFO(file.string());
        REQUIRE(exportRun(*history, id, kind.format, file));
        // CSV becomes two files beside the name that was given.
        const auto written = kind.format == ExportFormat::csv ? bench.history / "export-results.csv" : file;
        REQUIRE(std::filesystem::exists(written));
        CHECK(std::filesystem::file_size(written) > 100);
    }
}

TEST_CASE("a window that is closed during an export goes when the file is written")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    RunSummary run;
    run.id = id;
    const auto good = bench.history / "export.html";
    SECTION("well")
    {
        window.exporter()->exportTo({ run }, ExportFormat::html, { QString::fromStdString(good.string()) });
        CHECK_FALSE(window.close());
        CHECK(window.isVisible());
        REQUIRE(waitUntil([&] { return !window.isVisible(); }));
        CHECK(std::filesystem::file_size(good) > 100);
    }
    SECTION("it stays when the file cannot be written")
    {
        Answers answers;
        window.exporter()->exportTo({ run }, ExportFormat::html, { QStringLiteral("/nowhere/export.html") });
        CHECK_FALSE(window.close());
        REQUIRE(waitUntil([&] { return !answers.asked.isEmpty() && window.exporter()->pending() == 0; }));
        CHECK(window.isVisible());
        window.close();
        REQUIRE(waitUntil([&] { return !window.isVisible(); }));
    }
}

TEST_CASE("a window that is closed during an import does not freeze and goes when the run is there")
{
    Workbench bench, elsewhere;
    const std::string name = elsewhere.addRun().text() + ".loadstone";
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    const auto file = elsewhere.history / "runs" / name;
    window.pages()->history()->importFiles({ QString::fromStdString(file.string()) });
    CHECK_FALSE(window.close());
    CHECK(window.isVisible());
    REQUIRE(waitUntil([&] { return !window.isVisible(); }));
    CHECK(std::filesystem::exists(bench.history / "runs" / name));
}

TEST_CASE("stepping through the plans asks for no file, the last entry of their list does")
{
    const test::ScratchFolder folder;
    const auto mine = folder.path() / "mine.toml";
    PlanChooser chooser;
    chooser.show();
    chooser.choose(mine); // the last before "Open file…"
    Answers answers;
    for (const Qt::Key key : { Qt::Key_Down, Qt::Key_End, Qt::Key_O })
        QTest::keyClick(&chooser, key);
    QWheelEvent wheel({ 5, 5 }, chooser.mapToGlobal(QPointF(5, 5)), {}, { 0, -120 }, Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&chooser, &wheel);
    CHECK(answers.asked.isEmpty());
    CHECK(chooser.plan() == mine);
    emit chooser.activated(chooser.count() - 1); // as the list does
    CHECK(answers.asked == QStringList { QStringLiteral("Open plan") });
    CHECK(chooser.plan() == mine);
}

TEST_CASE("all problems of a plan are listed, and choosing one shows its line")
{
    PlanSummary plan;
    plan.file = "bad.toml";
    plan.problems = { { ProblemSeverity::error, 2, 1, "mixes[0].clients", "is 0", "at least 1" },
        { ProblemSeverity::warning, 4, 1, "seed", "is missing", "any number" } };
    ProblemsDialog dialog(plan, QStringLiteral("a = 1\nb = 2\nc = 3\nd = 4\n"));
    dialog.show();
    auto* table = dialog.findChild<DataTable*>();
    auto* source = dialog.findChild<QPlainTextEdit*>();
    REQUIRE(table != nullptr);
    REQUIRE(source != nullptr);
    CHECK(table->model()->rowCount() == 2);
    CHECK(source->textCursor().blockNumber() == 1);
    table->selectRow(1);
    CHECK(source->textCursor().blockNumber() == 3);
}

TEST_CASE("what a plan's sources do is shown word by word, and Enter agrees to nothing")
{
    const std::string command = "run mailq | <b>tail</b> -1\n\t&& true";
    AgreementDialog dialog(QStringLiteral("plan.toml"), { command, "connect with ssh to ex1" });
    dialog.show();
    const auto* shown = dialog.findChild<QPlainTextEdit*>();
    REQUIRE(shown != nullptr);
    CHECK(shown->toPlainText().toStdString() == command + "\nconnect with ssh to ex1");
    QTest::keyClick(&dialog, Qt::Key_Return);
    CHECK(dialog.result() == QDialog::Rejected);
    dialog.show();
    QPushButton* agree = nullptr;
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->text().contains(QStringLiteral("Run with these commands")))
            agree = button;
    REQUIRE(agree != nullptr);
    CHECK_FALSE(agree->isDefault());
    agree->click();
    CHECK(dialog.result() == QDialog::Accepted);
}

TEST_CASE("no two things on the first start's window have the same letter for Alt")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    const auto* welcome = window.findChild<Welcome*>();
    REQUIRE(welcome != nullptr);
    REQUIRE(waitUntil([&] { return welcome->isVisible(); }));
    const QStringList texts = lettered(window, *window.pages()->history());
    QStringList keys = altKeys(texts);
    INFO(texts.join(QStringLiteral(" | ")).toStdString());
    CHECK(keys.size() >= 10);
    CHECK(keys.removeDuplicates() == 0);
}

TEST_CASE("no two things on a run's page have the same letter for Alt")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.pages()->openRun(id);
    RunPage* page = window.pages()->currentRun();
    REQUIRE(page != nullptr);
    REQUIRE(waitUntil([&] { return page->view() != nullptr; }));
    const QStringList texts = lettered(window, *page);
    QStringList keys = altKeys(texts);
    INFO(texts.join(QStringLiteral(" | ")).toStdString());
    CHECK_FALSE(texts.join(QString()).contains(QStringLiteral("E&dit"))); // a run's page has nothing to edit
    CHECK(keys.size() >= 15);
    CHECK(keys.removeDuplicates() == 0);
}

TEST_CASE("no two things on a lab's page have the same letter for Alt, and its diagram is reached by a key")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    REQUIRE(window.pages()->openLab(shippedLabs().front()));
    auto* page = qobject_cast<LabPage*>(window.pages()->current());
    REQUIRE(page != nullptr);
    const QStringList texts = lettered(window, *page);
    QStringList keys = altKeys(texts);
    INFO(texts.join(QStringLiteral(" | ")).toStdString());
    CHECK(keys.size() >= 13);
    CHECK(keys.removeDuplicates() == 0);
    page->tabs()->setCurrentIndex(1);
    for (QAction* action : page->actionsOf(PageMenu::view))
        if (action->shortcut() == QKeySequence(Qt::Key_F6))
            action->trigger();
    CHECK(page->tabs()->currentIndex() == 0);
    CHECK(window.focusWidget() == page->diagram());
}

TEST_CASE("the chart's keys work wherever the focus is on the run's page, and on no page but the visible one")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    QApplication::setActiveWindow(&window);
    std::vector<RunPage*> pages;
    for (int i = 0; i < 2; ++i) {
        window.pages()->openRun(bench.addRun());
        pages.push_back(window.pages()->currentRun());
        REQUIRE(pages.back() != nullptr);
        REQUIRE(waitUntil([&] { return pages.back()->view() != nullptr; }));
    }
    const auto highlight = [](const RunPage* page) {
        for (const QAction* action : page->chartPanel()->viewActions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_H))
                return action->isChecked();
        return false;
    };
    auto* tabs = pages[1]->findChild<QTabWidget*>();
    tabs->setFocus();
    QTest::keyClick(tabs, Qt::Key_H, Qt::ControlModifier);
    CHECK(highlight(pages[1]));
    CHECK_FALSE(highlight(pages[0]));
    CHECK_FALSE(highlight(window.pages()->live()));
    QTest::keyClick(tabs, Qt::Key_Space, Qt::ControlModifier);
    CHECK(pages[1]->chartPanel()->replay()->playing());
    CHECK_FALSE(pages[0]->chartPanel()->replay()->playing());
}

TEST_CASE("a page that is chosen by its key has the keyboard, whatever had it before")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&window));
    auto* navigation = window.pages()->findChild<QListWidget*>();
    REQUIRE(navigation != nullptr);
    const auto press = [&](const QString& title) {
        for (QAction* action : window.findChildren<QAction*>())
            if (QString(action->text()).remove(QLatin1Char('&')) == title && !action->shortcut().isEmpty()) {
                action->trigger();
                return true;
            }
        return false;
    };
    for (const char* title : { "Plans", "Plans" }) {
        navigation->setFocus();
        REQUIRE(press(QLatin1String(title)));
        CHECK(window.pages()->current()->title() == QLatin1String(title));
        REQUIRE(window.focusWidget() != nullptr);
        CHECK(window.pages()->current()->isAncestorOf(window.focusWidget()));
    }
    navigation->setFocus();
    QTest::keyClick(navigation, Qt::Key_Return);
    CHECK(window.pages()->current()->isAncestorOf(window.focusWidget()));
}

TEST_CASE("every key of the help's list that belongs to the window has an action")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    QStringList keys;
    for (const QAction* action : window.findChildren<QAction*>())
        for (const QKeySequence& key : action->shortcuts())
            keys.append(key.toString());
    for (const char* key : { "F5", "Shift+F5", "Ctrl+O", "Ctrl+1", "Ctrl+2", "Ctrl+W", "Ctrl+I", "Ctrl+P",
             "Ctrl+H", "Alt+1", "Alt+2", "Alt+3", "Ctrl+0", "Ctrl+Space", "Ctrl+F", "F2", "F3", "Ctrl+D",
             "Ctrl+Shift+O", "Del", "F1" }) {
        INFO(key);
        CHECK(keys.contains(QLatin1String(key)));
    }
}

TEST_CASE("tool tips, message boxes and questions show what servers and recordings say as it stands")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    const QString hostile = QStringLiteral("<b>550</b> <img src='http://127.0.0.1/x'> no such user");
    QToolTip::showText(QPoint(10, 10), hostile, &window);
    const auto tips = [] {
        QList<QLabel*> found;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->inherits("QTipLabel"))
                found.push_back(qobject_cast<QLabel*>(widget));
        return found;
    };
    REQUIRE(waitUntil([&] { return !tips().isEmpty(); }));
    CHECK(tips().front()->text() == hostile);
    CHECK(tips().front()->textFormat() == Qt::PlainText);
    QToolTip::hideText();

    QMessageBox box(QMessageBox::Warning, QStringLiteral("The servers"), hostile, QMessageBox::Ok, &window);
    box.setInformativeText(hostile);
    box.open();
    int texts = 0;
    for (const QLabel* label : box.findChildren<QLabel*>())
        if (label->text() == hostile) {
            ++texts;
            CHECK(label->textFormat() == Qt::PlainText);
        }
    CHECK(texts == 2);
    box.close();

    QInputDialog question(&window);
    question.setLabelText(hostile);
    question.open();
    texts = 0;
    for (const QLabel* label : question.findChildren<QLabel*>())
        if (label->text() == hostile) {
            ++texts;
            CHECK(label->textFormat() == Qt::PlainText);
        }
    CHECK(texts == 1);
}

TEST_CASE("hints in empty fields can be read where a dark desktop leaves their colour black")
{
    const QPalette before = QApplication::palette();
    QPalette dark = before;
    dark.setColor(QPalette::Base, QColor(27, 30, 32));
    dark.setColor(QPalette::Text, Qt::white);
    dark.setColor(QPalette::PlaceholderText, QColor(0, 0, 0, 128));
    dark.setColor(QPalette::Link, Qt::blue);
    QApplication::setPalette(dark);
    makeHintsLegible();
    const QColor hint = QApplication::palette().color(QPalette::PlaceholderText);
    CHECK(hint.lightness() > 200);
    CHECK(hint.alpha() > 100);
    CHECK(hint.alpha() < 255); // a hint is no text
    CHECK(QApplication::palette().color(QPalette::Link).green() > 150); // blue alone is dark on dark
    QApplication::setPalette(before);
    makeHintsLegible(); // a colour that can be read stays
    CHECK(
        QApplication::palette().color(QPalette::PlaceholderText) == before.color(QPalette::PlaceholderText));
    QApplication::setPalette(before);
}

TEST_CASE("Ctrl+Z in a line without changes is the page's, and the line's where it has some")
{
    EmptyUndo filter;
    qApp->installEventFilter(&filter);
    QWidget page;
    QLineEdit line(QStringLiteral("host"), &page);
    int undone = 0;
    QShortcut undo(QKeySequence::Undo, &page, [&] { ++undone; });
    page.show();
    page.activateWindow();
    line.setFocus();
    REQUIRE(waitUntil([&] { return line.hasFocus(); }));
    QTest::keyClick(&line, Qt::Key_Z, Qt::ControlModifier);
    CHECK(undone == 1);
    QTest::keyClicks(&line, QStringLiteral("s"));
    QTest::keyClick(&line, Qt::Key_Z, Qt::ControlModifier);
    CHECK(undone == 1);
    CHECK(line.text() == QStringLiteral("host"));
    qApp->removeEventFilter(&filter);
}
