// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/performance_chart.h"
#include "history/history_page.h"
#include "run/chart_panel.h"
#include "run/replay_bar.h"
#include "run/run_page.h"
#include "support/catch.h"
#include "support/demo_recording.h"
#include "tables/data_table.h"
#include "window/main_window.h"
#include "window/problems_dialog.h"
#include "window/run_export.h"

#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <functional>

using namespace loadstone;
using namespace loadstone::ui;
using Seconds = std::chrono::seconds;

namespace {

constexpr int kWait = 10000; // ms; reached only when something is broken

test::DemoRecording smallDemo()
{
    test::DemoRecording demo;
    demo.mixes = 2;
    demo.measurementSeconds = 24;
    return demo;
}

/// A run that writes a made-up recording, a tick at each look at its status, until it is stopped or over.
class FakeRun : public Run {
public:
    explicit FakeRun(test::DemoWriter writer)
        : m_writer(std::move(writer))
    {
        m_status.id = m_writer.id();
        m_status.state = RunState::running;
    }
    [[nodiscard]] RunId id() const override { return m_writer.id(); }
    [[nodiscard]] std::filesystem::path file() const override { return m_writer.file(); }
    [[nodiscard]] RunStatus status() const override
    {
        auto* self = const_cast<FakeRun*>(this);
        const auto more = self->m_writer.tick();
        if (self->m_status.state == RunState::running && (m_stopped || !more || !*more)) {
            (void)self->m_writer.finish();
            self->m_status.state = m_stopped ? RunState::stopped : RunState::finished;
        }
        return m_status;
    }
    void stop() override { m_stopped = true; }
    Result<RunResults> wait() override { return RunResults {}; }
    bool waitFor(Nanoseconds) override { return true; }

private:
    test::DemoWriter m_writer;
    RunStatus m_status;
    std::atomic<bool> m_stopped { false };
};

RunStarter fakeStarter(const std::filesystem::path& history)
{
    return [history](const RunOptions&) -> Result<std::unique_ptr<Run>> {
        auto writer = test::DemoWriter::create(history / "runs", smallDemo());
        if (!writer)
            return writer.error();
        return std::unique_ptr<Run>(new FakeRun(std::move(*writer)));
    };
}

struct Workbench {
    QTemporaryDir folder;
    std::filesystem::path history { folder.path().toStdString() };
    WorkbenchOptions options;

    Workbench()
    {
        options.history = history;
        std::filesystem::create_directories(history / "runs");
    }
    RunId addRun()
    {
        const auto id = smallDemo().write(history / "runs");
        REQUIRE(id);
        return *id;
    }
};

bool waitUntil(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, kWait);
}

} // namespace

TEST_CASE("the history page lists the runs and opens the chosen one as a replay")
{
    Workbench bench;
    bench.addRun();
    bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    DataTable* table = window.historyPage()->table();
    REQUIRE(waitUntil([&] { return table->model()->rowCount() == 2; }));
    CHECK(window.historyPage()->selectedRuns().size() == 1); // Enter would open the latest
    QTest::keyClick(table, Qt::Key_Return);
    RunPage* page = nullptr;
    REQUIRE(waitUntil([&] {
        page = window.currentRunPage();
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
    const auto labels = window.historyPage()->findChildren<QLabel*>();
    REQUIRE(waitUntil([&] {
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
    RunPage* page = window.livePage();
    REQUIRE(waitUntil([&] { return page->view() != nullptr && page->view()->length >= Seconds(3); }));
    CHECK(window.currentRunPage() == page);
    CHECK(page->view()->growing());
    CHECK_FALSE(page->chartPanel()->replay()->isVisible());
    CHECK(window.live().state() == LiveRun::State::running);

    window.live().stop();
    CHECK(window.live().state() == LiveRun::State::stopping);
    REQUIRE((ended.count() > 0 || ended.wait(kWait)));
    CHECK(window.live().state() == LiveRun::State::idle);
    REQUIRE(waitUntil([&] { return !page->view()->growing(); }));
    REQUIRE(waitUntil([&] { return window.historyPage()->table()->model()->rowCount() == 1; }));
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
    window.openRun(id);
    RunPage* page = window.currentRunPage();
    REQUIRE(page != nullptr);
    REQUIRE(waitUntil([&] { return page->view() != nullptr; }));
    const TimeWindow chosen { Seconds(10), Seconds(20) };
    emit page->chartPanel()->chart()->windowSelected(chosen);
    REQUIRE(waitUntil(
        [&] { return page->view()->query.statistics == chosen && page->view()->query.table == chosen; }));
    REQUIRE_FALSE(page->view()->lines.empty());
    CHECK(page->view()->lines[0].statistics.samples == 10);
    emit page->chartPanel()->chart()->windowSelected(std::nullopt);
    REQUIRE(waitUntil([&] { return page->view()->query.table == TimeWindow {}; }));
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
