// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "findings_fixture.h"
#include "format.h"
#include "history/history_page.h"
#include "tables/data_table.h"
#include "target/fault_table.h"
#include "target/target_page.h"
#include "tasks/counters_dialog.h"
#include "tasks/preflight_dialog.h"
#include "tasks/prepare_dialog.h"
#include "tasks/rehearsal_dialog.h"
#include "tasks/score_dialog.h"
#include "window/interrupted_runs.h"
#include "window/plan_work.h"
#include "window/text_pages.h"
#include "window/welcome.h"
#include "workbench_fixture.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSysInfo>
#include <QTcpSocket>
#include <QTextBrowser>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

PlanAnswers answersFor(const std::filesystem::path& plan)
{
    const auto summary = checkPlan(plan);
    REQUIRE(summary);
    return { plan, *summary, {}, {} };
}

/// A storage plan whose folders are in `folder`.
std::filesystem::path storagePlan(const test::ScratchFolder& folder)
{
    const std::string base = folder.path().string();
    const auto file = folder / "storage.toml";
    std::ofstream(file)
        << "format = 1\nkind = \"storage\"\ntitle = \"Small\"\nseed = 1\npreset = \"exchange-2007\"\n\n"
           "[database]\ncache_minimum = \"4 MB\"\ncache_maximum = \"4 MB\"\n\n[load]\npacing = "
           "\"threads\"\nthreads = 1\n\n"
           "[[groups]]\nname = \"g\"\ndatabases = [\""
        << base << "/data\"]\nlog = \"" << base
        << "/log\"\ndatabase_size = \"8 MB\"\n\n[[tests]]\nkind = \"performance\"\nduration = \"1 s\"\n";
    return file;
}

QPushButton* button(const QWidget& of, const QString& words)
{
    for (QPushButton* one : of.findChildren<QPushButton*>())
        if (QString(one->text()).remove(QLatin1Char('&')) == words)
            return one;
    return nullptr;
}

} // namespace

TEST_CASE("a preflight lists what it found, and makes the missing folders of a storage plan")
{
    test::ScratchFolder folder;
    const auto plan = storagePlan(folder);
    QPointer<PreflightDialog> dialog = new PreflightDialog(answersFor(plan), folder / "history");
    dialog->show();
    QSignalSpy checked(dialog, &PreflightDialog::checked);
    REQUIRE(checked.wait(kWait));
    REQUIRE(dialog->table()->model()->rowCount() > 0);
    CHECK(shows(*dialog, QStringLiteral("The run as planned will fail.")));
    QPushButton* make = button(*dialog, QStringLiteral("Make the folders"));
    REQUIRE(make != nullptr);
    REQUIRE(make->isEnabled());
    QTest::mouseClick(make, Qt::LeftButton);
    REQUIRE(checked.wait(kWait));
    CHECK(std::filesystem::is_directory(folder / "data"));
    CHECK(shows(*dialog, QStringLiteral("Nothing prevents the run.")));
    QSignalSpy run(dialog, &PreflightDialog::runWanted);
    QTest::mouseClick(button(*dialog, QStringLiteral("Run")), Qt::LeftButton);
    CHECK(run.count() == 1);
    REQUIRE(waitUntil([&] { return dialog.isNull(); }));
}

TEST_CASE("a preflight against the embedded target says that there is nothing to check")
{
    auto* dialog = new PreflightDialog(answersFor(findPlan("first-run")), {});
    dialog->show();
    QSignalSpy checked(dialog, &PreflightDialog::checked);
    REQUIRE(checked.wait(kWait));
    CHECK(shows(*dialog, QStringLiteral("nothing to check")));
    dialog->close();
}

TEST_CASE("a rehearsal shows tables and a picture, and is cancelled by closing it")
{
    QPointer<RehearsalDialog> dialog = new RehearsalDialog(findPlan("first-run"));
    dialog->show();
    QSignalSpy rehearsed(dialog, &RehearsalDialog::rehearsed);
    REQUIRE(rehearsed.wait(kWait));
    CHECK(dialog->tables()->toPlainText().contains(QStringLiteral("Send message")));
    dialog->close();
    REQUIRE(waitUntil([&] { return dialog.isNull(); }));
    QPointer<RehearsalDialog> other = new RehearsalDialog(findPlan("medium-9800"));
    other->show();
    QCoreApplication::processEvents();
    other->close(); // in the middle
    REQUIRE(waitUntil([&] { return other.isNull(); }));
}

TEST_CASE("a plan with errors is not rehearsed, and the reason is shown")
{
    auto* dialog = new RehearsalDialog(Document("kind = \"mail\"\n", "bad.toml"));
    dialog->show();
    QSignalSpy rehearsed(dialog, &RehearsalDialog::rehearsed);
    REQUIRE(rehearsed.wait(kWait));
    CHECK(dialog->tables()->toPlainText().isEmpty());
    dialog->close();
}

TEST_CASE("cleaning up names the files that it would remove, and nothing is done by a cancelled question")
{
    test::ScratchFolder folder;
    const auto plan = storagePlan(folder);
    std::filesystem::create_directories(folder / "data");
    std::filesystem::create_directories(folder / "log");
    auto* none = new PrepareDialog(plan, *checkPlan(plan), RunPurpose::cleanUp);
    none->show();
    REQUIRE(waitUntil([&] { return shows(*none, QStringLiteral("There is nothing to remove.")); }));
    CHECK_FALSE(none->go()->isEnabled());
    none->close();
    RunOptions options;
    options.plan = plan;
    options.purpose = RunPurpose::initialise;
    options.historyFolder = folder / "history";
    auto run = Run::start(options);
    REQUIRE(run);
    REQUIRE((*run)->wait());
    auto* dialog = new PrepareDialog(plan, *checkPlan(plan), RunPurpose::cleanUp);
    dialog->show();
    REQUIRE(waitUntil([&] { return dialog->files()->count() > 0; }));
    const auto files = filesToRemove(plan);
    REQUIRE(files);
    CHECK(dialog->files()->count() == static_cast<int>(files->size()));
    CHECK(dialog->files()->item(0)->text() == text((*files)[0].string()));
    QSignalSpy wanted(dialog, &PrepareDialog::wanted);
    QTest::keyClick(dialog, Qt::Key_Escape);
    CHECK(wanted.count() == 0);
    CHECK(std::filesystem::exists((*files)[0]));
}

TEST_CASE("initialising goes through a question to a run of its own purpose")
{
    test::ScratchFolder folder;
    const auto plan = storagePlan(folder);
    Workbench bench;
    RunOptions started;
    MainWindow window(bench.options, [&](const RunOptions& options) -> Result<std::unique_ptr<Run>> {
        started = options;
        return fakeStarter(bench.history)(options);
    });
    window.show();
    window.work()->perform(PlanTask::initialise, plan);
    PrepareDialog* dialog = nullptr;
    REQUIRE(waitUntil([&] { return (dialog = window.findChild<PrepareDialog*>()) != nullptr; }));
    QTest::mouseClick(dialog->go(), Qt::LeftButton);
    // Its thread has handed the options over.
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    CHECK(started.purpose == RunPurpose::initialise);
    window.live().stop();
    REQUIRE(waitUntil([&] { return !window.live().active(); }));
}

TEST_CASE("a score of given percentiles is computed while one types, and an error says what is wrong")
{
    auto* dialog = new ScoreDialog;
    dialog->show();
    QTest::keyClicks(dialog->given(), QStringLiteral("read=340 ms, send=711 ms"));
    CHECK(dialog->result().contains(QStringLiteral("Read message")));
    QTest::keyClicks(dialog->given(), QStringLiteral(", nonsense=1 ms"));
    CHECK(dialog->result().isEmpty());
    CHECK(shows(*dialog, QStringLiteral("nonsense")));
    dialog->close();
}

TEST_CASE("counters of a run are chosen, counted and written")
{
    Workbench bench;
    const RunId id = bench.addRun();
    auto history = History::open(bench.history);
    REQUIRE(history);
    const auto runs = history->list();
    REQUIRE(runs);
    REQUIRE(runs->size() == 1);
    auto* dialog = new CountersDialog(runs->front(), bench.history);
    dialog->show();
    QSignalSpy counted(dialog, &CountersDialog::counted);
    REQUIRE(counted.wait(kWait));
    CHECK(dialog->count()->text().contains(QStringLiteral("counters")));
    QTest::keyClicks(dialog->patterns(), QStringLiteral("nothing like this"));
    REQUIRE(waitUntil([&] { return dialog->count()->text().startsWith(QStringLiteral("0 of")); }));
    CHECK_FALSE(button(*dialog, QStringLiteral("Write…"))->isEnabled());
    dialog->patterns()->clear();
    REQUIRE(waitUntil([&] { return button(*dialog, QStringLiteral("Write…"))->isEnabled(); }));
    QSignalSpy written(dialog, &CountersDialog::written);
    dialog->write(bench.folder / "out.csv");
    REQUIRE(written.wait(kWait));
    CHECK(std::filesystem::file_size(bench.folder / "out.csv") > 100);
    // A clock is a time of the run, as in Go to, whatever the time of day was.
    dialog->from()->setText(QStringLiteral("0:02"));
    dialog->to()->setText(QStringLiteral("0:05"));
    dialog->write(bench.folder / "part.csv");
    REQUIRE(written.wait(kWait));
    std::ifstream part(bench.folder / "part.csv");
    const auto lines = std::count(std::istreambuf_iterator<char>(part), {}, '\n');
    CHECK(lines >= 4); // the heading, and a row for each of three seconds
    CHECK(lines <= 5);
    dialog->close();
}

// ---- the panel of the embedded target

TEST_CASE("the embedded target is started, changed while it serves, and stopped")
{
    TargetPage page(LOADSTONE_BIN_DIR "/loadstone");
    page.show();
    page.startAction()->trigger();
    REQUIRE(waitUntil([&] { return !page.runner().ports().isEmpty(); }));
    CHECK(page.title() == QStringLiteral("Target (serving)"));
    const int port = page.runner().ports().value(QStringLiteral("smtp"));
    QTcpSocket client;
    client.connectToHost(QStringLiteral("127.0.0.1"), static_cast<quint16>(port));
    REQUIRE(waitUntil([&] { return client.canReadLine(); }));
    CHECK(client.readLine().startsWith("220 "));
    page.capacity()->setValue(3);
    REQUIRE(waitUntil([&] { return page.log().contains(QStringLiteral("changed: capacity 3")); }));
    page.faults()->set(QStringLiteral("reject"), true, 100);
    REQUIRE(waitUntil([&] { return page.log().contains(QStringLiteral("changed: faults reject:1:452")); }));
    client.write("EHLO a\r\nMAIL FROM:<a@b>\r\n");
    QByteArray replies;
    REQUIRE(waitUntil([&] { return (replies += client.readAll()).contains("452"); }));
    page.faults()->set(QStringLiteral("reject"), true, 200); // more than all
    REQUIRE(waitUntil([&] { return page.log().contains(QStringLiteral("not changed: ")); }));
    const auto lines = page.findChildren<QLineEdit*>();
    QLineEdit* const time = *std::find_if(lines.begin(), lines.end(),
        [](const QLineEdit* line) { return line->toolTip().contains(QStringLiteral("lognormal")); });
    time->setText(QStringLiteral("often"));
    QTest::keyClick(time, Qt::Key_Return);
    REQUIRE(
        waitUntil([&] { return time->accessibleDescription().startsWith(QStringLiteral("Not taken: ")); }));
    time->setText(QStringLiteral("none"));
    QTest::keyClick(time, Qt::Key_Return);
    REQUIRE(waitUntil([&] { return time->accessibleDescription().isEmpty(); }));
    const auto plan = checkPlan(Document(bytes(page.planText()), "plan.toml"));
    REQUIRE(plan);
    CHECK(plan->runnable());
    page.stopAction()->trigger();
    REQUIRE(waitUntil([&] { return page.log().contains(QStringLiteral("stopped")); }));
    CHECK(page.startAction()->isEnabled());
}

TEST_CASE("a target that cannot start says why")
{
    SECTION("there is no program")
    {
        TargetPage page("/nonexistent/loadstone");
        page.show();
        page.startAction()->trigger();
        REQUIRE(waitUntil([&] { return page.log().contains(QStringLiteral("cannot be started")); }));
        CHECK(page.startAction()->isEnabled());
    }
    SECTION("its options are wrong")
    {
        TargetPage page(LOADSTONE_BIN_DIR "/loadstone");
        page.show();
        page.faults()->set(QStringLiteral("lose"), true, 400);
        page.startAction()->trigger();
        REQUIRE(waitUntil([&] { return page.log().contains(QStringLiteral("--fault")); }));
        CHECK(page.startAction()->isEnabled());
    }
}

// ---- first start, and the start after a crash

TEST_CASE("an empty history invites to a first run, a lab and the plans")
{
    Workbench bench;
    PlanInput started;
    MainWindow window(bench.options, [&](const RunOptions& options) -> Result<std::unique_ptr<Run>> {
        started = options.plan;
        return fakeStarter(bench.history)(options);
    });
    window.show();
    window.begin();
    auto* welcome = window.findChild<Welcome*>();
    REQUIRE(welcome != nullptr);
    REQUIRE(waitUntil([&] { return welcome->isVisible(); }));
    QTest::mouseClick(button(*welcome, QStringLiteral("Show the plans")), Qt::LeftButton);
    CHECK(window.pages()->current()->title() == QStringLiteral("Plans"));
    emit welcome->firstRunWanted();
    REQUIRE(waitUntil(
        [&] { return window.live().state() == LiveRun::State::running; })); // the starter has its own thread
    CHECK(started.file().filename() == "first-run.toml");
    window.live().stop();
    REQUIRE(waitUntil([&] { return !window.live().active(); }));
}

TEST_CASE("a run whose program ended in the middle is offered once, and discarded after a question")
{
    QSettings().remove(QStringLiteral("history/interrupted"));
    Workbench bench;
    {
        test::DemoRecording demo = smallDemo();
        demo.computer = QSysInfo::machineHostName().toStdString();
        auto writing = test::DemoWriter::create(bench.history / "runs", demo);
        REQUIRE(writing);
        REQUIRE(writing->tick());
    } // without an end
    const auto shown = [](const MainWindow& window) { return window.findChild<InterruptedRuns*>(); };
    {
        MainWindow window(bench.options, fakeStarter(bench.history));
        window.show();
        window.begin();
        REQUIRE(waitUntil([&] { return shown(window)->isVisible(); }));
        CHECK(shown(window)->runs().size() == 1);
        QTest::mouseClick(button(*shown(window), QStringLiteral("Keep")), Qt::LeftButton);
        CHECK_FALSE(shown(window)->isVisible());
    }
    {
        MainWindow window(bench.options, fakeStarter(bench.history));
        window.show();
        window.begin();
        REQUIRE(waitUntil([&] { return window.pages()->history()->table()->model()->rowCount() == 1; }));
        CHECK_FALSE(shown(window)->isVisible());
    }
    QSettings().remove(QStringLiteral("history/interrupted"));
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    REQUIRE(waitUntil([&] { return shown(window)->isVisible(); }));
    Answers answers(QStringLiteral("Delete"));
    QTest::mouseClick(button(*shown(window), QStringLiteral("Discard…")), Qt::LeftButton);
    CHECK(answers.asked.size() == 1);
    REQUIRE(waitUntil([&] { return window.findChild<Welcome*>()->isVisible(); })); // the history is empty
    QSettings().remove(QStringLiteral("history/interrupted"));
}

// ---- keys

namespace {

/// Whether the window hears the key of an action as it stands: a visible widget or a menu of one has it.
bool isHeard(const QAction& action)
{
    const auto objects = action.associatedObjects();
    return std::any_of(objects.begin(), objects.end(), [](const QObject* object) {
        if (const auto* menu = qobject_cast<const QMenu*>(object))
            return menu->menuAction()->isVisible() && isHeard(*menu->menuAction());
        const auto* widget = qobject_cast<const QWidget*>(object);
        return widget != nullptr && widget->isVisible();
    });
}

/// Keys that more than one action of the window has at once, of which then none is done.
QStringList ambiguousKeys(const QWidget& window)
{
    QMap<QString, QStringList> names;
    for (const QAction* action : window.findChildren<QAction*>())
        if (action->isVisible() && action->shortcutContext() == Qt::WindowShortcut && isHeard(*action))
            for (const QKeySequence& keys : action->shortcuts())
                names[keys.toString()].append(action->text());
    QStringList ambiguous;
    for (auto key = names.cbegin(); key != names.cend(); ++key)
        if (key->size() > 1)
            ambiguous.append(key.key() + QStringLiteral(": ") + key->join(QStringLiteral(", ")));
    return ambiguous;
}

} // namespace

TEST_CASE("no two actions of a page have the same key")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    window.work()->texts()->open(findPlan("first-run"));
    for (Page* page : window.pages()->pages()) {
        window.pages()->choose(page);
        CAPTURE(page->title().toStdString());
        CHECK(ambiguousKeys(window).join(QLatin1Char('\n')).toStdString().empty());
    }
}
