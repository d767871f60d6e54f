// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/editor_page.h"
#include "editor/toml_editor.h"
#include "findings_fixture.h"
#include "format.h"
#include "history/history_page.h"
#include "plans/plan_columns.h"
#include "plans/plan_library.h"
#include "plans/plans_page.h"
#include "tables/data_table.h"
#include "window/plan_chooser.h"
#include "window/plan_work.h"
#include "window/text_pages.h"
#include "workbench_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QTextBrowser>

#include <sys/stat.h>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

/// A library over one folder, without what earlier cases used.
struct Shown {
    Shown()
    {
        QSettings().remove(QStringLiteral("plans"));
        std::filesystem::create_directory(folder / "mine");
    }
    void open()
    {
        library.setFolders({ text((folder / "mine").string()) });
        page = std::make_unique<PlansPage>(library);
        page->resize(1100, 600);
        page->show();
        settle();
    }
    void settle()
    {
        REQUIRE(waitUntil([&] {
            const auto& files = library.files();
            return !library.busy() && !files.empty()
                && std::all_of(files.begin(), files.end(), [](const PlanFacts& f) { return f.read; });
        }));
        QTest::qWait(150); // what was read is shown at most ten times a second
    }
    [[nodiscard]] const PlanFacts* find(const std::string& name) const
    {
        for (const PlanFacts& facts : library.files())
            if (facts.file.filename() == name)
                return &facts;
        return nullptr;
    }
    test::ScratchFolder folder;
    PlanLibrary library;
    std::unique_ptr<PlansPage> page;
};

} // namespace

TEST_CASE("shipped plans are listed with kind, length and what they need")
{
    Shown shown;
    shown.open();
    const PlanFacts* first = shown.find("first-run.toml");
    REQUIRE(first != nullptr);
    CHECK(first->origin == PlanOrigin::shipped);
    CHECK(first->usable());
    CHECK(first->embedded);
    CHECK(kindText(*first) == QStringLiteral("mail plan"));
    const PlanFacts* storage = shown.find("storage-small.toml");
    REQUIRE(storage != nullptr);
    CHECK(storage->needs == QStringList { QStringLiteral("6 folders"), QStringLiteral("5.2 GB of disk") });
    const PlanFacts* raw = shown.find("raw-device.toml");
    REQUIRE(raw != nullptr);
    CHECK(raw->needs.join(QLatin1Char(' ')).contains(QStringLiteral("/var/tmp/loadstone-raw.dat")));
    CHECK(shown.page->findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("First run")));
    CHECK_FALSE(shown.page->actionsOf(PageMenu::file)[2]->isEnabled()); // a shipped plan is not deleted
}

TEST_CASE("files of a folder come, change and go, and odd ones hold up nothing")
{
    Shown shown;
    const auto mine = shown.folder / "mine";
    write(mine / "bad.toml", "kind = \"mail\"\ntitle = \"Bad one\"\nnonsense = 1\n");
    write(mine / "broken.toml", "= = =\n");
    write(mine / "lab.toml", "kind = \"lab\"\ntitle = \"My lab\"\n");
    write(mine / "large.toml", "# " + std::string(5'000'000, 'x') + "\n");
    write(mine / "notes.txt", "no plan");
    std::filesystem::create_directory(mine / "folder.toml");
    REQUIRE(::mkfifo((mine / "pipe.toml").c_str(), 0600) == 0);
    shown.open();
    REQUIRE(shown.find("bad.toml") != nullptr);
    CHECK(shown.find("bad.toml")->title == QStringLiteral("Bad one"));
    CHECK_FALSE(shown.find("bad.toml")->usable());
    CHECK_FALSE(shown.find("broken.toml")->usable());
    CHECK(shown.find("lab.toml")->kind == FileKind::lab);
    CHECK(shown.find("large.toml")->failure.contains(QStringLiteral("4 MB")));
    CHECK(shown.find("notes.txt") == nullptr);
    CHECK(shown.find("folder.toml") == nullptr);
    CHECK(shown.find("pipe.toml") == nullptr);
    write(mine / "new.toml", "kind = \"mail\"\ntitle = \"New\"\n");
    REQUIRE(waitUntil([&] { return shown.find("new.toml") != nullptr && shown.find("new.toml")->read; }));
    // Written in place, which does not change the folder; the second time, too.
    for (const char* title : { "Changed", "Changed again" }) {
        std::ofstream(mine / "new.toml", std::ios::trunc)
            << "kind = \"mail\"\ntitle = \"" << title << "\"\nnonsense = 1\n";
        REQUIRE(waitUntil([&] { return shown.find("new.toml")->title == QLatin1String(title); }));
    }
    // Replaced by another file, and that one written in place.
    write(mine / "other", "kind = \"mail\"\ntitle = \"Replaced\"\n");
    std::filesystem::rename(mine / "other", mine / "new.toml");
    REQUIRE(waitUntil([&] { return shown.find("new.toml")->title == QStringLiteral("Replaced"); }));
    std::ofstream(mine / "new.toml", std::ios::trunc) << "kind = \"mail\"\ntitle = \"In place\"\n";
    REQUIRE(waitUntil([&] { return shown.find("new.toml")->title == QStringLiteral("In place"); }));
    std::filesystem::remove(mine / "new.toml");
    REQUIRE(waitUntil([&] { return shown.find("new.toml") == nullptr; }));
}

TEST_CASE("the model of plans keeps the rules of models while files come and go")
{
    Shown shown;
    RowsModel<PlanFacts> rows(planColumns());
    const QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::Fatal);
    shown.open();
    rows.setRows(shown.library.files());
    rows.setRows({ shown.library.files().front() });
    rows.setRows({});
    rows.setRows(shown.library.files());
    CHECK(rows.rowCount() == static_cast<int>(shown.library.files().size()));
}

TEST_CASE("the search finds words of titles, kinds and needs, and says when nothing matches")
{
    Shown shown;
    shown.open();
    auto* search = shown.page->findChild<QLineEdit*>();
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("storage disk"));
    REQUIRE(shown.page->table()->model()->rowCount() == 1);
    REQUIRE(shown.page->chosen() != nullptr);
    CHECK(shown.page->chosen()->file.filename() == "storage-small.toml");
    CHECK(shown.page->tasks().action(PlanTask::verify)->isEnabled());
    CHECK_FALSE(shown.page->tasks().action(PlanTask::rehearse)->isEnabled());
    QTest::keyClicks(search, QStringLiteral(" nothingofthiskind"));
    CHECK_FALSE(shown.page->table()->isVisible());
    CHECK(shows(*shown.page, QStringLiteral("No file matches")));
    CHECK(shown.page->chosen() == nullptr);
    CHECK_FALSE(shown.page->tasks().action(PlanTask::edit)->isEnabled());
    QTest::keyClick(search, Qt::Key_Escape);
    CHECK(search->text().isEmpty());
    CHECK(shown.page->table()->isVisible());
}

TEST_CASE("a plan is duplicated beside itself and deleted after a question")
{
    Shown shown;
    const auto mine = shown.folder / "mine";
    write(mine / "a.toml", "# mine\nkind = \"mail\"\n");
    shown.open();
    shown.page->choose(mine / "a.toml");
    shown.page->duplicate();
    REQUIRE(std::filesystem::exists(mine / "a-2.toml"));
    REQUIRE(waitUntil([&] {
        return shown.page->chosen() != nullptr && shown.page->chosen()->file.filename() == "a-2.toml";
    }));
    {
        Answers answers(QStringLiteral("Cancel"));
        shown.page->removeChosen();
        CHECK(answers.asked.size() == 1);
        CHECK(std::filesystem::exists(mine / "a-2.toml"));
    }
    Answers answers(QStringLiteral("Delete"));
    shown.page->removeChosen();
    CHECK_FALSE(std::filesystem::exists(mine / "a-2.toml"));
    CHECK(std::filesystem::exists(mine / "a.toml"));
    REQUIRE(waitUntil([&] { return shown.find("a-2.toml") == nullptr; }));
}

TEST_CASE("plans and folders that are dropped onto the window come to the page of plans, and are remembered")
{
    QSettings().remove(QStringLiteral("plans"));
    Workbench bench;
    test::ScratchFolder other;
    write(other / "dropped.toml", "kind = \"mail\"\ntitle = \"Dropped\"\n");
    std::filesystem::create_directory(other / "folder");
    {
        MainWindow window(bench.options, fakeStarter(bench.history));
        window.show();
        QMimeData data;
        data.setUrls({ QUrl::fromLocalFile(text((other / "dropped.toml").string())),
            QUrl::fromLocalFile(text((other / "folder").string())) });
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        CHECK(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        PlansPage* page = window.work()->plans();
        CHECK(window.pages()->current() == page);
        REQUIRE(waitUntil(
            [&] { return page->chosen() != nullptr && page->chosen()->title == QStringLiteral("Dropped"); }));
    }
    PlanLibrary again;
    again.load();
    CHECK(again.folders() == QStringList(text((other / "folder").string())));
    CHECK(again.recent() == QStringList(text((other / "dropped.toml").string())));
    QSettings().remove(QStringLiteral("plans"));
}

TEST_CASE("a plan is opened as a text from the list with Enter, once")
{
    QSettings().remove(QStringLiteral("plans"));
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    PlansPage* page = window.work()->plans();
    window.pages()->choose(page);
    REQUIRE(waitUntil([&] { return page->chosen() != nullptr && page->chosen()->read; }));
    QTest::keyClick(page->table(), Qt::Key_Return);
    REQUIRE(window.work()->texts()->all().size() == 1);
    EditorPage* editor = window.work()->texts()->all()[0];
    CHECK(window.pages()->current() == editor);
    CHECK(editor->file().filename() == "first-run.toml");
    window.pages()->choose(page);
    QTest::keyClick(page->table(), Qt::Key_Return);
    CHECK(window.work()->texts()->all().size() == 1);
    CHECK(window.pages()->current() == editor);
}

TEST_CASE("a text that is not saved can be run as it stands")
{
    Workbench bench;
    PlanInput started;
    MainWindow window(bench.options, [&](const RunOptions& options) -> Result<std::unique_ptr<Run>> {
        started = options.plan;
        return fakeStarter(bench.history)(options);
    });
    window.show();
    EditorPage* page = window.work()->texts()->open(findPlan("first-run"));
    REQUIRE(page != nullptr);
    REQUIRE(waitUntil([&] { return page->tasks().action(PlanTask::run)->isEnabled(); }));
    QTest::keyClicks(page->editor(), QStringLiteral("# mine "));
    page->tasks().action(PlanTask::run)->trigger();
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    REQUIRE(started.document() != nullptr);
    CHECK(started.document()->text().starts_with("# mine"));
    window.live().stop();
    REQUIRE(waitUntil([&] { return !window.live().active(); }));
}

TEST_CASE(
    "a plan goes through its wizard and comes back to its text as one step, and is run where that is wanted")
{
    Workbench bench;
    PlanInput started;
    MainWindow window(bench.options, [&](const RunOptions& options) -> Result<std::unique_ptr<Run>> {
        started = options.plan;
        return fakeStarter(bench.history)(options);
    });
    window.show();
    PlanWork& work = *window.work();
    EditorPage* page = work.texts()->open(findPlan("first-run"));
    REQUIRE(page != nullptr);
    const std::string before = page->document().text();
    work.setWizard({});
    CHECK_FALSE(page->tasks().action(PlanTask::wizard)->isVisible());
    work.setWizard([](const Document& plan, QWidget*) -> std::optional<PlanWork::WizardResult> {
        Document edited = plan;
        REQUIRE(edited.setText("seed", "7"));
        return PlanWork::WizardResult { edited, true };
    });
    REQUIRE(waitUntil([&] { return page->tasks().action(PlanTask::wizard)->isEnabled(); }));
    CHECK(page->tasks().action(PlanTask::wizard)->isVisible());
    page->tasks().action(PlanTask::wizard)->trigger();
    REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
    REQUIRE(started.document() != nullptr);
    CHECK(started.document()->getText("seed") == "7");
    CHECK(page->isModified());
    page->editor()->undo();
    CHECK(page->document().text() == before);
    CHECK_FALSE(page->isModified());
    window.live().stop();
    REQUIRE(waitUntil([&] { return !window.live().active(); }));
}

TEST_CASE("Down in the search of the plans goes to what was found")
{
    Shown shown;
    for (const char* name : { "one.toml", "other.toml" })
        std::filesystem::copy_file(findPlan("first-run"), shown.folder / "mine" / name);
    shown.open();
    auto* search = shown.page->findChild<QLineEdit*>();
    shown.page->activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(shown.page.get()));
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("other.toml"));
    QTest::keyClick(search, Qt::Key_Down);
    CHECK(shown.page->table()->hasFocus());
    CHECK(shown.page->table()->selectedSourceRows().size() == 1);
    CHECK(shown.page->findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("other.toml")));
}

TEST_CASE("a plan that is opened beside the page of plans is there, and chosen")
{
    Workbench bench;
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    const auto file = bench.folder / "elsewhere.toml";
    std::filesystem::copy_file(findPlan("first-run"), file);
    PlansPage& plans = *window.work()->plans();
    window.pages()->choose(&plans);
    emit window.findChild<PlanChooser*>()->opened(file);
    auto* details = plans.findChild<QTextBrowser*>();
    CHECK(waitUntil([&] { return details->toPlainText().contains(QStringLiteral("elsewhere.toml")); }));
    window.work()->texts()->open(findPlan("first-run")); // a text of another plan
    emit window.findChild<PlanChooser*>()->opened(file);
    const auto* shown = qobject_cast<EditorPage*>(window.pages()->current());
    REQUIRE(shown != nullptr);
    CHECK(shown->file() == file);
}

TEST_CASE("Run asks what is to run where the chosen plan has changes that are not saved")
{
    Workbench bench;
    PlanInput started;
    int starts = 0;
    MainWindow window(bench.options, [&](const RunOptions& options) -> Result<std::unique_ptr<Run>> {
        started = options.plan;
        ++starts;
        return fakeStarter(bench.history)(options);
    });
    window.show();
    PlanWork& work = *window.work();
    EditorPage* page = work.texts()->open(findPlan("first-run"));
    REQUIRE(page != nullptr);
    work.perform(PlanTask::run, page->file()); // chooses it
    const auto ends = [&] {
        REQUIRE(waitUntil([&] { return window.live().state() == LiveRun::State::running; }));
        window.live().stop();
        REQUIRE(waitUntil([&] { return !window.live().active(); }));
    };
    ends();
    {
        Answers answers;
        work.runChosen(); // nothing is changed
        ends();
        CHECK(answers.asked.isEmpty());
    }
    QTest::keyClicks(page->editor(), QStringLiteral("# "));
    REQUIRE(page->isModified());
    {
        Answers answers; // closes the box
        work.runChosen();
        CHECK(answers.asked.size() == 1);
        CHECK(starts == 2);
    }
    {
        const Answers answers(QStringLiteral("Run the file"));
        work.runChosen();
        ends();
        CHECK(started.document() == nullptr);
    }
    const Answers answers(QStringLiteral("Run the text"));
    work.runChosen();
    ends();
    REQUIRE(started.document() != nullptr);
    CHECK(started.document()->text() == page->document().text());
}

TEST_CASE("the history takes recordings that are dropped on it and leaves plans to the window")
{
    HistoryStore store({});
    HistoryPage page(store);
    const auto accepted = [&](const QString& file) {
        QMimeData data;
        data.setUrls({ QUrl::fromLocalFile(file) });
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&page, &enter);
        return enter.isAccepted();
    };
    CHECK(accepted(QStringLiteral("/x/run.loadstone")));
    CHECK_FALSE(accepted(QStringLiteral("/x/plan.toml")));
    CHECK_FALSE(accepted(QDir::tempPath()));
}
