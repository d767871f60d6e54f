// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "findings_fixture.h"
#include "queue/queue_page.h"
#include "queue/run_queue.h"
#include "run/run_page.h"
#include "tables/data_table.h"
#include "window/live_run.h"
#include "window/plan_work.h"
#include "window/run_launcher.h"
#include "workbench_fixture.h"

#include <QAction>
#include <QSettings>
#include <QSignalSpy>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A run of one second, which ends as soon as nobody holds it.
class QuickRun : public Run {
public:
    QuickRun(test::DemoWriter writer, const std::atomic<bool>& held)
        : m_writer(std::move(writer))
        , m_held(held)
    {
        m_status.id = m_writer.id();
        m_status.state = RunState::running;
        (void)m_writer.tick();
    }
    [[nodiscard]] RunId id() const override { return m_writer.id(); }
    [[nodiscard]] std::filesystem::path file() const override { return m_writer.file(); }
    [[nodiscard]] RunStatus status() const override
    {
        auto* self = const_cast<QuickRun*>(this);
        if (m_status.state == RunState::running && (m_stopped || !m_held)) {
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
    const std::atomic<bool>& m_held;
    RunStatus m_status;
    std::atomic<bool> m_stopped { false };
};

/// A queue over runs that are made up, in the order in which they start.
struct Queued {
    Queued() { QSettings().remove(QStringLiteral("queue")); }
    ~Queued() { QSettings().remove(QStringLiteral("queue")); }
    void add(const std::filesystem::path& file, const QString& title)
    {
        QueuedRun run;
        run.plan = file;
        run.title = title;
        run.length = Seconds(60);
        queue.add(run);
    }
    [[nodiscard]] QStringList titles() const
    {
        QStringList titles;
        for (const QueuedRun& run : queue.runs())
            titles.append(run.title);
        return titles;
    }
    [[nodiscard]] bool allOver() const
    {
        return !queue.isDriving() && queue.waiting() == 0 && !live.active();
    }
    Workbench bench;
    std::vector<std::string> started;
    std::atomic<bool> held { false }; // runs do not end
    LiveRun live { [this](const RunOptions& options) -> Result<std::unique_ptr<Run>> {
        started.push_back(options.plan.name());
        if (options.plan.name() == "refused.toml")
            return fail("no room in the history");
        auto writer = test::DemoWriter::create(bench.history / "runs", smallDemo());
        if (!writer)
            return writer.error();
        return std::unique_ptr<Run>(std::make_unique<QuickRun>(std::move(*writer), held));
    } };
    QWidget window;
    RunLauncher launcher { live, bench.history, &window };
    RunQueue queue { live, launcher };
    std::filesystem::path plan = findPlan("first-run");
};

std::filesystem::path copyOfPlan(const test::ScratchFolder& folder, const std::string& name)
{
    std::filesystem::copy_file(findPlan("first-run"), folder / name);
    return folder / name;
}

} // namespace

TEST_CASE("plans in the queue run one after the other, and only once it was started")
{
    Queued q;
    int atOnce = 0, most = 0;
    QObject::connect(&q.live, &LiveRun::stateChanged, &q.window, [&] {
        atOnce = q.live.active() ? 1 : 0;
        most = std::max(most, atOnce);
    });
    q.add(copyOfPlan(q.bench.folder, "a.toml"), QStringLiteral("a"));
    q.add(copyOfPlan(q.bench.folder, "b.toml"), QStringLiteral("b"));
    QCoreApplication::processEvents();
    CHECK(q.started.empty());
    CHECK(q.queue.left() == Seconds(120));
    q.queue.setPaused(false);
    REQUIRE(waitUntil([&] { return q.allOver(); }));
    CHECK(q.started == std::vector<std::string> { "a.toml", "b.toml" });
    for (const QueuedRun& run : q.queue.runs()) {
        CHECK(run.state == QueuedRun::State::ended);
        CHECK_FALSE(run.run.empty());
    }
    CHECK(q.queue.left() == Seconds(0));
    // What is added when all have had their turn waits: who adds it does not ask for a load at once.
    REQUIRE(waitUntil([&] { return q.queue.isPaused(); }));
    q.add(copyOfPlan(q.bench.folder, "c.toml"), QStringLiteral("c"));
    QCoreApplication::processEvents();
    CHECK(q.queue.waiting() == 1);
    CHECK(q.started.size() == 2);
}

TEST_CASE("a plan that cannot start is passed over, with its reason beside it")
{
    Queued q;
    std::ofstream(q.bench.folder / "bad.toml") << "kind = \"mail\"\n";
    q.add(q.bench.folder / "bad.toml", QStringLiteral("bad"));
    q.add(q.bench.folder / "gone.toml", QStringLiteral("gone"));
    q.add(copyOfPlan(q.bench.folder, "refused.toml"), QStringLiteral("refused"));
    q.add(copyOfPlan(q.bench.folder, "good.toml"), QStringLiteral("good"));
    Answers answers; // a question would hold up everything
    q.queue.setPaused(false);
    REQUIRE(waitUntil([&] { return q.allOver(); }));
    CHECK(answers.asked.isEmpty());
    const auto& runs = q.queue.runs();
    for (int i = 0; i < 3; ++i) {
        CHECK(runs[static_cast<std::size_t>(i)].state == QueuedRun::State::notStarted);
        CHECK_FALSE(runs[static_cast<std::size_t>(i)].outcome.isEmpty());
    }
    CHECK(runs[2].outcome.contains(QStringLiteral("no room in the history")));
    CHECK(runs[3].state == QueuedRun::State::ended);
}

TEST_CASE("the order is changed among those that wait, and the running one stays")
{
    Queued q;
    for (const char* name : { "a", "b", "c" })
        q.add(q.plan, QLatin1String(name));
    const int c = q.queue.runs()[2].id;
    q.queue.move(c, -1);
    CHECK(q.titles() == QStringList { "a", "c", "b" });
    q.queue.move(c, -5);
    CHECK(q.titles() == QStringList { "c", "a", "b" });
    q.queue.move(c, 1);
    CHECK(q.titles() == QStringList { "a", "c", "b" });
    q.queue.remove(c);
    CHECK(q.titles() == QStringList { "a", "b" });
    q.held = true;
    q.queue.setPaused(false);
    REQUIRE(waitUntil([&] { return q.live.state() == LiveRun::State::running; }));
    const int a = q.queue.runs()[0].id;
    q.queue.remove(a);
    q.queue.move(q.queue.runs()[1].id, -1);
    CHECK(q.titles() == QStringList { "a", "b" });
    q.queue.setPaused(true);
    q.held = false;
    REQUIRE(waitUntil([&] { return !q.live.active() && !q.queue.isDriving(); }));
    QCoreApplication::processEvents(); // the next one would start from here
    CHECK(q.queue.runs()[1].state == QueuedRun::State::waiting); // paused after the present run
    q.queue.clearEnded();
    CHECK(q.titles() == QStringList("b"));
}

TEST_CASE("a run that somebody stops pauses the queue")
{
    Queued q;
    q.add(q.plan, QStringLiteral("a"));
    q.add(q.plan, QStringLiteral("b"));
    q.held = true;
    q.queue.setPaused(false);
    REQUIRE(waitUntil([&] { return q.live.state() == LiveRun::State::running; }));
    q.live.stop();
    REQUIRE(waitUntil([&] { return !q.live.active() && !q.queue.isDriving(); }));
    CHECK(q.queue.isPaused());
    CHECK(q.queue.waiting() == 1);
}

TEST_CASE("the queue is there again after a sudden end, paused, and says what was cut short")
{
    Queued q;
    q.add(q.plan, QStringLiteral("a"));
    q.add(q.plan, QStringLiteral("b"));
    q.held = true;
    q.queue.setPaused(false);
    REQUIRE(waitUntil([&] { return q.live.state() == LiveRun::State::running; }));
    REQUIRE(waitUntil([&] { return !q.queue.runs()[0].run.empty(); }));
    // What a program finds that starts now, as after kill -9.
    LiveRun live(fakeStarter(q.bench.history));
    RunLauncher launcher(live, q.bench.history, &q.window);
    RunQueue again(live, launcher);
    again.load();
    REQUIRE(again.runs().size() == 2);
    CHECK(again.isPaused());
    CHECK(again.runs()[0].state == QueuedRun::State::ended);
    CHECK(again.runs()[0].outcome.contains(QStringLiteral("ended during this run")));
    CHECK(again.runs()[1].state == QueuedRun::State::waiting);
    q.live.stop();
    REQUIRE(waitUntil([&] { return !q.live.active(); }));
}

TEST_CASE("damaged settings of the queue are left out")
{
    QSettings().setValue(QStringLiteral("queue/runs"),
        QStringLiteral(
            "[1,{},{\"plan\":\"/a\",\"purpose\":99,\"state\":0},{\"plan\":\"/b\",\"purpose\":0,\"state\":0,"
            "\"length\":1e300},{\"plan\":\"/c\",\"purpose\":0,\"state\":0,\"length\":5}]"));
    LiveRun live(fakeStarter({}));
    QWidget window;
    RunLauncher launcher(live, {}, &window);
    RunQueue queue(live, launcher);
    queue.load();
    REQUIRE(queue.runs().size() == 1);
    CHECK(queue.runs()[0].plan == "/c");
    QSettings().setValue(QStringLiteral("queue/runs"), QStringLiteral("no json"));
    queue.load();
    CHECK(queue.runs().empty());
    QSettings().remove(QStringLiteral("queue"));
}

TEST_CASE("the page of the queue shows the order, what is left, and acts on the chosen line by keys")
{
    Queued q;
    QueuePage page(q.queue);
    page.show();
    CHECK(shows(page, QStringLiteral("The queue is empty")));
    q.add(q.plan, QStringLiteral("a"));
    q.add(q.plan, QStringLiteral("b"));
    CHECK(page.title() == QStringLiteral("Queue (2)"));
    CHECK(shows(page, QStringLiteral("2 plans wait, 2 min left")));
    QApplication::setActiveWindow(&page);
    page.table()->selectRow(1);
    page.table()->setFocus();
    QTest::keyClick(page.table(), Qt::Key_Up, Qt::ControlModifier);
    CHECK(q.titles() == QStringList { "b", "a" });
    CHECK(page.table()->currentIndex().row() == 0); // the choice goes with its plan
    QTest::keyClick(page.table(), Qt::Key_Delete);
    CHECK(q.titles() == QStringList("a"));
    CHECK(page.table()->currentIndex().row() == 0); // the next one
    QTest::keyClick(page.table(), Qt::Key_Delete);
    CHECK(q.titles().isEmpty());
}

TEST_CASE("the next run of the queue leaves the page and the keyboard to whoever works on another one")
{
    QSettings().remove(QStringLiteral("queue"));
    Workbench bench;
    std::atomic<bool> held { false };
    MainWindow window(bench.options, [&](const RunOptions&) -> Result<std::unique_ptr<Run>> {
        auto writer = test::DemoWriter::create(bench.history / "runs", smallDemo());
        if (!writer)
            return writer.error();
        return std::unique_ptr<Run>(std::make_unique<QuickRun>(std::move(*writer), held));
    });
    window.show();
    RunQueue& queue = window.work()->queue();
    for (const char* title : { "one", "two" }) {
        QueuedRun run;
        run.plan = findPlan("first-run");
        run.title = QLatin1String(title);
        queue.add(run);
    }
    std::vector<bool> onLive;
    QObject::connect(&window.live(), &LiveRun::started, &window, [&] {
        onLive.push_back(window.pages()->current() == window.pages()->live());
        window.pages()->choose(window.pages()->history());
    });
    queue.setPaused(false); // as somebody who starts it does, who wants to see it
    REQUIRE(waitUntil([&] { return onLive.size() == 2 && !window.live().active(); }));
    CHECK(onLive == std::vector { true, false });
    CHECK(window.pages()->current() == window.pages()->history());
    CHECK(window.pages()->live()->runId() == queue.runs().back().run); // to be looked at
    QSettings().remove(QStringLiteral("queue"));
}
