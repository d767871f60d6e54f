// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Starting a run, watching it, and what is done about it afterwards, as a lab engineer wants it.
#include "charts/performance_chart.h"
#include "findings_fixture.h"
#include "format.h"
#include "history/history_page.h"
#include "history/note_dialog.h"
#include "plan_view.h"
#include "run/chart/chart_panel.h"
#include "run/headline_strip.h"
#include "run/run_page.h"
#include "run/summary_line.h"
#include "run/tabs/notes_tab.h"
#include "tables/data_table.h"
#include "window/exporter.h"
#include "window/plan_chooser.h"
#include "window/plan_dialog.h"
#include "window/problems_dialog.h"
#include "window/run_export.h"
#include "window/status_line.h"

#include <loadstone/report.h>

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTabWidget>

#include <algorithm>
#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

QLabel* tileValue(const HeadlineStrip& strip, const char* tile)
{
    return strip.findChild<QWidget*>(QLatin1String(tile))->findChild<QLabel*>(QStringLiteral("value"));
}

} // namespace

// ---- a run in progress

TEST_CASE("the status bar does not give a time left that is not known")
{
    StatusLine line;
    line.setVisible(true);
    const auto* progress = line.findChild<QProgressBar*>();
    RunStatus status;
    status.state = RunState::running;
    status.phase = Phase { 0, 0, "Performance", PhaseKind::measurement, Seconds(10), Seconds(50), true };
    status.elapsed = Seconds(20);
    status.phaseLeft = status.totalLeft = Seconds(30);
    line.show(status);
    CHECK(shows(line, QStringLiteral("phase 00:30, run 00:30 left")));
    CHECK(progress->value() == 400); // of the run
    status.leftAtLeast = true; // a backup follows
    line.show(status);
    CHECK(shows(line, QStringLiteral("phase 00:30, run ≥ 00:30 left")));
    CHECK(progress->value() == 250); // of the phase
    status.phaseLeft = status.totalLeft = Nanoseconds(0);
    line.show(status);
    CHECK(shows(line, QStringLiteral("time left not known yet")));
    CHECK_FALSE(progress->isVisible());
}

TEST_CASE("the large figures name what they show, and say how the run stands in a word")
{
    HeadlineStrip strip;
    strip.resize(1200, 80);
    strip.setVisible(true);
    RunView view;
    view.state = RunState::running;
    view.figures.sentPerSecond = 25.1;
    view.figures.receivedPerSecond = 75.3;
    view.figures.p95 = std::chrono::milliseconds(148);
    view.figures.totalLeft = Seconds(139);
    strip.show(view);
    CHECK(tileValue(strip, "rate")->text() == QStringLiteral("%1/s").arg(formatRate(25.1)));
    CHECK(tileValue(strip, "response")->text() == QStringLiteral("148 ms"));
    RunView waiting = view;
    waiting.figures.p95AtLeast = true; // as the status bar has it
    strip.show(waiting);
    CHECK(tileValue(strip, "response")->text() == QStringLiteral("≥ 148 ms"));
    strip.show(view);
    CHECK(tileValue(strip, "left")->text() == QStringLiteral("02:19"));
    RunView open = view; // a backup follows, which lasts until it is done
    open.figures.leftAtLeast = true;
    strip.show(open);
    CHECK(tileValue(strip, "left")->text() == QStringLiteral("≥ 02:19"));
    open.figures.totalLeft = Seconds(0);
    strip.show(open);
    CHECK(tileValue(strip, "left")->text() == QStringLiteral("–"));
    strip.show(view);
    CHECK(tileValue(strip, "errors")->text() == QStringLiteral("0"));
    CHECK(shows(strip, QStringLiteral("p95")));
    CHECK_FALSE(strip.findChild<QWidget*>(QStringLiteral("processor"))->isVisible()); // no source has it
    CHECK(tileValue(strip, "standing")->text() == QStringLiteral("–")); // nothing to judge is not good
    RunView filling = view;
    filling.phases = { { 0, -1, {}, PhaseKind::initialisation, {}, {}, true } };
    filling.criteriaSoFar = std::make_shared<const CriteriaView>();
    CHECK(standingOf(filling).word == QStringLiteral("–")); // a preparation is not a plan without criteria
    CHECK(standingOf(filling).detail == QStringLiteral("mailboxes are prepared"));
    CriteriaView criteria;
    criteria.judgement.stated = true;
    criteria.judgement.mixes.push_back({ 0, "first", {}, { Criterion {}, Criterion {} } });
    view.criteriaSoFar = std::make_shared<const CriteriaView>(criteria);
    CHECK(standingOf(view).word == QStringLiteral("–")); // a measurement that has just begun has no figures
    CHECK(standingOf(view).detail == QStringLiteral("nothing measured yet"));
    CriteriaView silent = criteria; // a server that answers nothing any more
    for (Criterion& one : silent.judgement.mixes[0].criteria) {
        one.cannotTell = true;
        one.reason = "not known: 4 of 9 actions had not ended";
    }
    view.criteriaSoFar = std::make_shared<const CriteriaView>(silent);
    CHECK(standingOf(view).detail.contains(QStringLiteral("4 of 9 actions had not ended")));
    for (Criterion& one : criteria.judgement.mixes[0].criteria)
        one.value = 1;
    criteria.judgement.mixes[0].criteria[0].met = true;
    view.criteriaSoFar = std::make_shared<const CriteriaView>(criteria);
    view.figures.testedProcessor = 81.4;
    strip.show(view);
    CHECK(tileValue(strip, "standing")->text() == QStringLiteral("1 NOT met"));
    CHECK(standingOf(view).good == false);
    CHECK(tileValue(strip, "processor")->text() == QStringLiteral("81 %"));
    criteria.judgement.mixes[0].criteria[1].met = true;
    view.criteriaSoFar = std::make_shared<const CriteriaView>(criteria);
    CHECK(standingOf(view).word == QStringLiteral("all 2 met"));
    CHECK(standingOf(view).good == true);
    // As many as in the sentence above the table, which counts the generator; without what cannot be told yet.
    Criterion generator, untold;
    generator.kind = Criterion::Kind::generator;
    generator.met = true;
    untold.kind = Criterion::Kind::processor;
    untold.cannotTell = true;
    criteria.judgement.wholeRun = { generator };
    view.criteriaSoFar = std::make_shared<const CriteriaView>(criteria);
    CHECK(standingOf(view).word == QStringLiteral("all 3 met"));
    CHECK(
        text(criteriaSentence(criteria.judgement)) == QStringLiteral("All 3 criteria of the plan are met."));
    criteria.judgement.mixes[0].criteria.push_back(untold);
    view.criteriaSoFar = std::make_shared<const CriteriaView>(criteria);
    CHECK(standingOf(view).word == QStringLiteral("all 3 met"));
    criteria.judgement.mixes[0].criteria = { untold };
    view.criteriaSoFar = std::make_shared<const CriteriaView>(criteria);
    CHECK(standingOf(view).good == std::nullopt); // the generator alone is no good word for the server
    // What a measurement is not valid for stands in the status bar, too, though the generator keeps up again.
    RunResults planned;
    planned.invalidReasons = { "the generator was busy" };
    view.planned = std::make_shared<const RunResults>(planned);
    CHECK(standingOf(view).word == QStringLiteral("invalid"));
    StatusLine line;
    line.setVisible(true);
    RunStatus status;
    status.state = RunState::running;
    line.show(status, nullptr);
    CHECK(shows(line, QStringLiteral("generator ok")));
    line.show(status, &view);
    CHECK_FALSE(shows(line, QStringLiteral("generator ok")));
    CHECK(shows(line, QStringLiteral("invalid so far")));
}

TEST_CASE(
    "large figures stand above the chart while a run lasts, and a line with its report when it has ended")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    RunPage* page = window.pages()->live();
    QSignalSpy ended(&window.live(), &LiveRun::ended);
    window.live().start({});
    REQUIRE(waitUntil([&] { return page->view() != nullptr && page->view()->length >= Seconds(3); }));
    CHECK(page->headline()->isVisible());
    CHECK_FALSE(page->summary()->isVisible());
    window.live().stop();
    REQUIRE((ended.count() > 0 || ended.wait(kWait)));
    REQUIRE(waitUntil([&] { return page->summary()->isVisible(); }));
    CHECK_FALSE(page->headline()->isVisible());
    CHECK(shows(*page->summary(), QStringLiteral("Run ended: ")));
    QSignalSpy written(window.exporter(), &Exporter::message), files(window.exporter(), &Exporter::written);
    page->findChild<NotesTab*>()->findChild<QPlainTextEdit*>()->setPlainText(
        QStringLiteral("typed, not saved"));
    for (QPushButton* button : page->summary()->findChildren<QPushButton*>())
        button->click();
    CHECK(written.count() == 1);
    REQUIRE(waitUntil([&] { return window.exporter()->pending() == 0; }));
    REQUIRE(files.count() == 1);
    QFile report(files[0][1].toString());
    REQUIRE(report.open(QIODevice::ReadOnly));
    CHECK(report.readAll().contains("typed, not saved"));
}

TEST_CASE("the line about a run that has ended is about the run, whatever window the tables are over")
{
    OpenedUsers opened;
    const QString words = summaryWords(*opened.page.view());
    CHECK(words.contains(QStringLiteral("20 clients: "))); // the mix with the highest rate
    emit opened.page.chartPanel()->chart()->windowSelected(TimeWindow { Seconds(10), Seconds(14) });
    REQUIRE(waitUntil([&] { return opened.page.view()->window == TimeWindow { Seconds(10), Seconds(14) }; }));
    CHECK(summaryWords(*opened.page.view()) == words);
    // Where nothing succeeded in another mix than the one whose figures stand there, it says in which.
    RunView view = *opened.page.view();
    REQUIRE(view.planned);
    REQUIRE(view.planned->mixes.size() > 1);
    RunResults planned = *view.planned;
    for (MixResult& mix : planned.mixes)
        if (mix.name != "20 clients")
            mix.nothingSucceeded = "Nothing succeeded.";
    view.planned = std::make_shared<const RunResults>(planned);
    view.verdict = std::make_shared<const RunVerdict>(RunVerdict { Verdict::nothingSucceeded, {}, {} });
    CHECK(summaryWords(view).startsWith(
        QStringLiteral("Run ended: nothing succeeded in %1").arg(text(planned.mixes.front().name))));
}

TEST_CASE("a run is stopped at once in its first minute, and later only after a question")
{
    Workbench bench;
    const bool old = GENERATE(false, true);
    MainWindow window(bench.options, [&](const RunOptions&) -> Result<std::unique_ptr<Run>> {
        auto writer = test::DemoWriter::create(bench.history / "runs", smallDemo());
        if (!writer)
            return writer.error();
        auto run = std::make_unique<FakeRun>(std::move(*writer));
        run->elapsed = Seconds(old ? 61 : 59);
        return std::unique_ptr<Run>(std::move(run));
    });
    window.show();
    window.live().start({});
    REQUIRE(waitUntil([&] { return window.live().status().elapsed > Seconds(0); }));
    Answers answers(QStringLiteral("Stop"));
    actionOf(window, "Shift+F5")->trigger();
    CHECK(answers.asked.size() == (old ? 1 : 0));
    REQUIRE(waitUntil([&] { return !window.live().active(); }));
    CHECK(window.live().status().state == RunState::stopped);
}

TEST_CASE("another run on this machine is named before a second one starts beside it")
{
    Workbench bench;
    test::DemoRecording demo = smallDemo();
    demo.computer = QSysInfo::machineHostName().toStdString();
    auto writing = test::DemoWriter::create(bench.history / "runs", demo);
    REQUIRE(writing);
    REQUIRE(writing->tick());
    bool started = false;
    MainWindow window(bench.options, [&](const RunOptions&) -> Result<std::unique_ptr<Run>> {
        started = true;
        return fail("not meant to run");
    });
    window.show();
    window.begin();
    REQUIRE(waitUntil([&] { return window.pages()->history()->table()->model()->rowCount() == 1; }));
    CHECK(shows(*window.findChild<StatusLine*>(), QStringLiteral("run of another program in progress")));
    Answers answers(QStringLiteral("Cancel"));
    actionOf(window, "F5")->trigger();
    REQUIRE(waitUntil([&] { return answers.asked.size() == 1; }));
    CHECK(answers.asked[0].contains(QStringLiteral("is in progress on this machine")));
    CHECK_FALSE(started);
    // It ends while another page is in sight.
    window.pages()->choose(window.pages()->live());
    REQUIRE(writing->finish());
    REQUIRE(waitUntil([&] { return QApplication::activeModalWidget() == nullptr; }));
    actionOf(window, "F5")->trigger();
    CHECK(waitUntil([&] { return started; }));
    CHECK(answers.asked.filter(QStringLiteral("is in progress on this machine")).size() == 1);
}

// ---- what was missing

TEST_CASE("an exported file is called like its run, whatever the title has in it")
{
    RunSummary run;
    run.title = "Suite 4/5: \"IMAP\"\n";
    CHECK(exportName(run).startsWith(QStringLiteral("Suite 4-5- -IMAP- ")));
    run.title = "../../etc/passwd";
    CHECK_FALSE(exportName(run).contains(QLatin1Char('/')));
    CHECK_FALSE(exportName(run).startsWith(QLatin1Char('.')));
    run.title.clear();
    run.id = RunId::make();
    CHECK(exportName(run) == QString::fromStdString(run.id.text()));
    // Two windows of one run are two files.
    const TimeWindow window { std::chrono::seconds(120), std::chrono::seconds(155) };
    CHECK(exportName(run, window) == QString::fromStdString(run.id.text()) + QStringLiteral(", 0200-0235"));
}

TEST_CASE("a note is saved with Ctrl+Enter, and Escape throws no change away unasked")
{
    NoteDialog dialog(QStringLiteral("First run"), QStringLiteral("old"));
    dialog.show();
    QApplication::setActiveWindow(&dialog);
    auto* field = dialog.findChild<QPlainTextEdit*>();
    SECTION("unchanged")
    {
        Answers answers(QStringLiteral("Cancel"));
        QTest::keyClick(&dialog, Qt::Key_Escape);
        CHECK(answers.asked.isEmpty());
        CHECK_FALSE(dialog.isVisible());
    }
    SECTION("changed")
    {
        field->setPlainText(QStringLiteral("new"));
        Answers answers(QStringLiteral("Cancel"));
        QTest::keyClick(&dialog, Qt::Key_Escape);
        CHECK(answers.asked.size() == 1);
        CHECK(dialog.isVisible());
        dialog.activateWindow(); // which the question took away
        REQUIRE(waitUntil([&] { return dialog.isActiveWindow(); }));
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        CHECK(dialog.result() == QDialog::Accepted);
        CHECK(dialog.note() == QStringLiteral("new"));
    }
}

TEST_CASE("a plan can be looked at before it runs: what it does, how long, against what, and its text")
{
    const auto file = findPlan("first-run");
    const auto plan = checkPlan(file);
    REQUIRE(plan);
    PlanDialog dialog(*plan, QStringLiteral("title = \"x\"\n"), true);
    dialog.setVisible(true);
    CHECK(shows(dialog, text(plan->title)));
    CHECK(shows(dialog, text(plan->target)));
    CHECK(shows(dialog, formatDuration(plan->length)));
    CHECK(dialog.findChild<PlanView*>()->toPlainText() == QStringLiteral("title = \"x\"\n"));
    const auto run = [](const PlanDialog& d) {
        for (QPushButton* button : d.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("&Run"))
                return button;
        return static_cast<QPushButton*>(nullptr);
    };
    CHECK(run(dialog)->isEnabled());
    run(dialog)->click();
    CHECK(dialog.result() == QDialog::Accepted);
    const PlanDialog meanwhile(*plan, {}, false);
    CHECK_FALSE(run(meanwhile)->isEnabled());
}

TEST_CASE("the plan chooser says which plan has errors before Run is pressed")
{
    const test::ScratchFolder folder;
    const auto file = folder / "bad.toml";
    std::ofstream(file) << "format = 1\nkind = \"mail\"\ntitle = \"Bad plan\"\n";
    PlanChooser chooser;
    chooser.choose(file);
    CHECK(waitUntil([&] { return chooser.currentText() == QStringLiteral("Bad plan (has errors)"); }));
    CHECK(chooser.toolTip().contains(QStringLiteral("bad.toml"))); // not only on the list's items
}

TEST_CASE("lengths of plans are words that do not look like a time of day")
{
    CHECK(formatDuration(Seconds(28 * 60 + 45)) == QStringLiteral("28 min 45 s"));
    CHECK(formatDuration(Seconds(28 * 3600 + 45 * 60)) == QStringLiteral("28 h 45 min"));
    CHECK(formatDuration(Seconds(0)) == QStringLiteral("0 s"));
}

TEST_CASE("a plan that was mended can be checked again from the list of its problems")
{
    PlanSummary plan;
    plan.file = "bad.toml";
    plan.problems = { { ProblemSeverity::error, 2, 1, "mixes[0].clients", "is 0", "at least 1" } };
    ProblemsDialog dialog(plan, QStringLiteral("a = 1\nb = 2\n"));
    dialog.show();
    CHECK(dialog.findChild<PlanView*>()->textCursor().blockNumber() == 1);
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("&Check again"))
            button->click();
    CHECK(dialog.result() == ProblemsDialog::kCheckAgain);
}
