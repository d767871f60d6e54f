// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the window's own: their beginnings and ends, and the window's end beside them.
#include "charts/performance_chart.h"
#include "editor/editor_page.h"
#include "editor/toml_editor.h"
#include "run/run_page.h"
#include "window/plan_work.h"
#include "window/run_launcher.h"
#include "window/status_line.h"
#include "window/text_pages.h"
#include "workbench_fixture.h"

#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>

#include <algorithm>
#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// Starts when it may, and then with `starter`.
struct Gate {
    std::binary_semaphore open { 0 };
    [[nodiscard]] RunStarter before(RunStarter starter)
    {
        return [this, starter = std::move(starter)](const RunOptions& options) {
            open.acquire();
            return starter(options);
        };
    }
};

Result<std::unique_ptr<Run>> noServer(const RunOptions&)
{
    return fail("no server there");
}

QAction* actionOf(MainWindow& window, const char* keys)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QLatin1String(keys)))
            return action;
    return nullptr;
}

bool statusSays(MainWindow& window, const char* words)
{
    const auto labels = window.findChild<StatusLine*>()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
        [&](const QLabel* l) { return l->text().contains(QString::fromUtf8(words)); });
}

} // namespace

TEST_CASE("a window that waits for the start of a run to close closes when it does not start, and only then")
{
    Workbench bench;
    Gate gate;
    bool server = false;
    MainWindow window(bench.options, gate.before([&](const RunOptions& options) {
        return server ? fakeStarter(bench.history)(options) : noServer(options);
    }));
    window.show();
    Answers answers(QStringLiteral("Stop and quit"));
    window.live().start({});
    window.close();
    CHECK(window.isVisible());
    gate.open.release();
    REQUIRE(waitUntil([&] { return !window.isVisible(); }));
    CHECK(answers.asked.last() == QStringLiteral("no server there"));

    server = true;
    window.show();
    QSignalSpy ended(&window.live(), &LiveRun::ended);
    window.live().start({});
    window.live().stop();
    gate.open.release();
    REQUIRE((ended.count() > 0 || ended.wait(kWait)));
    CHECK(window.isVisible());
}

TEST_CASE("a run that ends while the window asks about it lets the window close")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.live().start({});
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    Answers answers(QStringLiteral("Stop and quit"));
    answers.meanwhile = [&] {
        window.live().stop();
        REQUIRE(waitUntil([&] { return !window.live().active(); }));
    };
    window.close();
    REQUIRE(waitUntil([&] { return !window.isVisible(); }));
    CHECK(answers.asked.size() == 1);
}

TEST_CASE("a plan that is started while a run goes on is refused with a word, and the run goes on")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.live().start({});
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    auto* launcher = window.findChild<RunLauncher*>();
    REQUIRE(launcher != nullptr);
    launcher->launch(RunRequest { findPlan("first-run") });
    CHECK(statusSays(window, "add the plan to the queue"));
    CHECK(window.live().active());
    window.live().stop();
    REQUIRE(waitUntil([&] { return !window.live().active(); }));
}

TEST_CASE("a text that is not saved is asked about before the run is stopped")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    const auto file = bench.history / "mine.toml";
    std::filesystem::create_directories(bench.history);
    std::ofstream(file) << "title = \"mine\"\n";
    EditorPage* editor = window.work()->texts()->open(file);
    REQUIRE(editor != nullptr);
    QTest::keyClicks(editor->editor(), QStringLiteral("# "));
    window.live().start({});
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    {
        Answers answers(QStringLiteral("Cancel"));
        window.close();
        REQUIRE(answers.asked.size() == 1);
        CHECK(answers.asked.last().contains(QStringLiteral("not saved")));
    }
    CHECK(window.isVisible());
    CHECK(window.live().state() == LiveRun::State::running);
    REQUIRE(editor->save());
    Answers answers(QStringLiteral("Stop and quit"));
    window.close();
    REQUIRE(waitUntil([&] { return !window.isVisible(); }));
}

TEST_CASE("the system's wish to end the program ends the run in order, without a question")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.live().start({});
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    Answers answers;
    window.closeInOrder();
    CHECK(window.live().state() == LiveRun::State::stopping);
    REQUIRE(waitUntil([&] { return !window.isVisible(); }));
    CHECK(window.live().status().state == RunState::stopped);
    CHECK(answers.asked.isEmpty());
}

TEST_CASE("a run that failed says why")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history, RunState::failed));
    window.show();
    Answers answers;
    QSignalSpy ended(&window.live(), &LiveRun::ended);
    window.live().start({});
    REQUIRE(ended.wait(kWait));
    CHECK(answers.asked == QStringList { QStringLiteral("the run failed: no disk") });
}

TEST_CASE(
    "Stop says that it was heard while the run is still starting, and is off while there is nothing to stop")
{
    Workbench bench;
    Gate gate;
    std::binary_semaphore mayEnd { 0 };
    MainWindow window(bench.options, gate.before(fakeStarter(bench.history, RunState::finished, &mayEnd)));
    window.show();
    QAction* stop = actionOf(window, "Shift+F5");
    REQUIRE(stop != nullptr);
    window.live().start({});
    CHECK(stop->isEnabled());
    stop->trigger();
    CHECK(statusSays(window, "stopping"));
    CHECK_FALSE(stop->isEnabled());
    gate.open.release();
    REQUIRE(waitUntil([&] { return window.live().atEnd(); }));
    CHECK(window.live().state() == LiveRun::State::stopping);
    CHECK(statusSays(window, "completing"));
    CHECK_FALSE(stop->isEnabled());
    QSignalSpy ended(&window.live(), &LiveRun::ended);
    mayEnd.release();
    REQUIRE((ended.count() > 0 || ended.wait(kWait)));
}

TEST_CASE("unattended, a problem ends the program and no box waits for an answer")
{
    Workbench bench;
    Answers answers;
    bench.options.screenshot = QString::fromStdString((bench.history / "picture.png").string());
    int code = -1;
    const auto finish = [&](MainWindow& window) {
        QObject::connect(&window, &MainWindow::exitWanted, [&](int how) { code = how; });
        window.show();
        window.begin();
        CHECK_FALSE(actionOf(window, "F5")->isEnabled()); // the picture would end that run
        REQUIRE(waitUntil([&] { return code >= 0; }));
        CHECK(answers.asked.isEmpty());
    };
    SECTION("a run that is not there")
    {
        bench.options.open = QStringLiteral("nothing");
        MainWindow window(bench.options, noServer);
        finish(window);
        CHECK(code == 1);
    }
    SECTION("a plan that is not there")
    {
        bench.options.run = true;
        bench.options.plan = bench.history / "nothing.toml";
        MainWindow window(bench.options, noServer);
        finish(window);
        CHECK(code == 1);
    }
    SECTION("a plan with a warning only, which is run past")
    {
        bench.options.run = true;
        bench.options.plan = bench.history / "warned.toml";
        std::ofstream(bench.options.plan)
            << "format = 1\nkind = \"mail\"\ntitle = \"T\"\nseed = 1\n[target]\ndomain = \"load.test\"\n"
               "user = \"u{n:3}\"\npassword = \"secret\"\n[target.embedded]\n[workload]\npacing = "
               "\"closed\"\n"
               "arrivals = \"poisson\"\n[[workload.steps]]\naction = \"empty mailbox\"\n[mix]\n"
               "measurement = \"5 s\"\nmailboxes_per_client = 4\nthreads_per_client = 1\n[[mixes]]\nname = "
               "\"m\"\nclients = 1\n";
        const auto plan = checkPlan(bench.options.plan);
        REQUIRE(plan);
        REQUIRE(plan->runnable());
        REQUIRE_FALSE(plan->problems.empty());
        std::atomic<bool> started = false;
        MainWindow window(bench.options, [&](const RunOptions& options) {
            started = true;
            return noServer(options);
        });
        finish(window);
        CHECK(started);
        CHECK(code == 1); // for the run did not start
    }
    SECTION("a run to show, in a picture with its lines")
    {
        bench.options.open = QString::fromStdString(bench.addRun().text());
        MainWindow window(bench.options, noServer);
        finish(window);
        CHECK(code == 0);
        CHECK(std::filesystem::exists(bench.history / "picture.png"));
        CHECK_FALSE(window.pages()->currentRun()->view()->lines.empty());
    }
}

TEST_CASE("the status bar does not blame the generator for what a recording is not valid for")
{
    StatusLine line;
    RunView view;
    RunFigures& figures = view.figures;
    figures.healthy = false;
    figures.healthReason = QStringLiteral("2 messages were lost");
    figures.verdict = Verdict::wentWrong;
    const auto field = [&](const char* words) -> const QLabel* {
        for (const QLabel* label : line.findChildren<QLabel*>())
            if (label->text() == QLatin1String(words))
                return label;
        return nullptr;
    };
    line.show(view);
    REQUIRE(field("went wrong") != nullptr);
    CHECK(field("went wrong")->toolTip() == figures.healthReason);
    figures.recorded = false;
    figures.verdict.reset();
    line.show(view);
    CHECK(field("generator too slow") != nullptr);
}

TEST_CASE("only what has ended is said to have ended, not what has no phase yet")
{
    StatusLine line;
    const auto says = [&](const char* words) {
        const auto labels = line.findChildren<QLabel*>();
        return std::any_of(
            labels.begin(), labels.end(), [&](const QLabel* l) { return l->text() == QLatin1String(words); });
    };
    RunStatus status;
    line.show(status);
    CHECK(says("preparing"));
    status.state = RunState::stopped;
    line.show(status);
    CHECK(says("ended"));

    RunView view; // of a run that another program prepares
    line.show(view);
    CHECK(says("preparing"));
    view.state = RunState::failed; // before it began
    line.show(view);
    CHECK(says("ended"));
    view.state = RunState::finished;
    view.length = Seconds(60); // replayed from its beginning
    line.show(view);
    CHECK_FALSE(says("ended"));
    view.shown = view.length;
    line.show(view);
    CHECK(says("ended"));
}
