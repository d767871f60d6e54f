// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history_page.h"
#include "history/history_store.h"
#include "history/run_tags.h"
#include "run/run_page.h"
#include "run/tabs/notes_tab.h"
#include "tables/data_table.h"
#include "workbench_fixture.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <fstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

RunSummary tagged(std::vector<std::string> tags)
{
    RunSummary run;
    run.tags = std::move(tags);
    return run;
}

QStringList list(const char* words)
{
    return QString::fromLatin1(words).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QAction* actionOf(QWidget& widget, const char* keys)
{
    for (QAction* action : widget.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QLatin1String(keys)))
            return action;
    return nullptr;
}

RunSummary summaryOf(const Workbench& bench, const RunId& id)
{
    auto history = History::open(bench.history);
    REQUIRE(history);
    const auto runs = history->list();
    REQUIRE(runs);
    const auto it = std::find_if(runs->begin(), runs->end(), [&](const RunSummary& r) { return r.id == id; });
    REQUIRE(it != runs->end());
    return *it;
}

bool showsLabel(const QWidget& widget, const char* words)
{
    const auto labels = widget.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
        [&](const QLabel* l) { return l->isVisible() && l->text().contains(QLatin1String(words)); });
}

} // namespace

TEST_CASE("editing the tags of several runs leaves each its own")
{
    const std::vector<RunSummary> runs { tagged({ "nvme", "raid", "old" }),
        tagged({ "ssd", "old", "raid" }) };
    CHECK(commonTags(runs) == list("raid old"));
    CHECK(retagged(runs[0], list("raid old"), list("raid new")) == list("nvme raid new"));
    CHECK(retagged(runs[1], list("raid old"), list("raid new")) == list("ssd raid new"));
    CHECK(commonTags({}).isEmpty());
}

TEST_CASE("the dialog for tags proposes only what all chosen runs have, and takes away nothing else")
{
    Workbench bench;
    const RunId a = bench.addRun(), b = bench.addRun();
    HistoryStore store(bench.history);
    store.retag(a, {}, list("nvme common"));
    store.retag(b, {}, list("ssd common"));
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] {
        return store.find(a) != nullptr && store.find(b) != nullptr && store.find(a)->tags.size() == 2
            && store.find(b)->tags.size() == 2;
    }));
    page.table()->selectAll();
    Answers answers;
    answers.typed = QStringLiteral("common, fast");
    actionOf(page, "F3")->trigger();
    CHECK(answers.asked == QStringList { QStringLiteral("common") });
    REQUIRE(waitUntil([&] { return store.find(a)->tags.size() == 3 && store.find(b)->tags.size() == 3; }));
    const auto has = [&](const RunId& id, const char* tag) {
        const auto& tags = store.find(id)->tags;
        return std::find(tags.begin(), tags.end(), tag) != tags.end();
    };
    CHECK(has(a, "nvme"));
    CHECK(has(b, "ssd"));
    CHECK(has(b, "fast"));
}

TEST_CASE("the chosen run stays chosen when another comes in above it")
{
    Workbench bench;
    const RunId first = bench.addRun();
    HistoryStore store(bench.history);
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return page.selectedRuns().size() == 1; }));
    bench.addRun();
    REQUIRE(waitUntil([&] {
        store.refresh();
        return page.table()->model()->rowCount() == 2;
    }));
    REQUIRE(page.selectedRuns().size() == 1);
    CHECK(page.selectedRuns()[0].id == first);
    page.table()->sortByColumn(1, Qt::AscendingOrder);
    bench.addRun();
    REQUIRE(waitUntil([&] {
        store.refresh();
        return page.table()->model()->rowCount() == 3;
    }));
    CHECK(page.selectedRuns()[0].id == first);
}

TEST_CASE("the oldest of the compared runs is the baseline, whatever the list is sorted by")
{
    Workbench bench;
    const RunId oldest = bench.addRun(), newest = bench.addRun();
    HistoryStore store(bench.history);
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return page.table()->model()->rowCount() == 2; }));
    std::vector<RunId> compared;
    QObject::connect(
        &page, &HistoryPage::compareWanted, [&](const std::vector<RunId>& runs) { compared = runs; });
    for (const Qt::SortOrder order : { Qt::AscendingOrder, Qt::DescendingOrder }) {
        page.table()->sortByColumn(0, order);
        page.table()->selectAll();
        actionOf(page, "Ctrl+Shift+C")->trigger();
        CHECK(compared == std::vector { oldest, newest });
    }
}

TEST_CASE("many runs are opened only when that was meant")
{
    Workbench bench;
    for (int i = 0; i < 9; ++i)
        bench.addRun();
    HistoryStore store(bench.history);
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return page.table()->model()->rowCount() == 9; }));
    QSignalSpy opened(&page, &HistoryPage::openWanted);
    page.table()->selectAll();
    Answers answers(QStringLiteral("No"));
    actionOf(page, "Ctrl+Return")->trigger();
    CHECK(answers.asked.size() == 1);
    CHECK(opened.count() == 0);
    page.table()->clearSelection();
    page.table()->selectRow(0);
    actionOf(page, "Ctrl+Return")->trigger();
    CHECK(opened.count() == 1);
}

TEST_CASE("deleting several runs goes on after one that cannot be deleted")
{
    Workbench bench;
    const RunId a = bench.addRun();
    bench.addRun();
    auto writing = test::DemoWriter::create(bench.history / "runs", smallDemo());
    REQUIRE(writing); // newest, so the first to be tried
    REQUIRE(writing->tick());
    HistoryStore store(bench.history);
    HistoryPage page(store);
    page.show();
    REQUIRE(waitUntil([&] { return page.table()->model()->rowCount() == 3; }));
    page.table()->selectAll();
    Answers answers(QStringLiteral("Delete"));
    actionOf(page, "Del")->trigger();
    CHECK(answers.asked == QStringList { QStringLiteral("Delete these 2 runs?") });
    REQUIRE(waitUntil([&] { return store.runs().size() == 1; }));
    CHECK(store.find(a) == nullptr);
}

TEST_CASE("opening a run twice in a row makes one page, and the page says when its run was deleted")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    REQUIRE(waitUntil([&] { return window.pages()->history()->table()->model()->rowCount() == 1; }));
    window.pages()->openRun(id);
    window.pages()->openRun(id);
    CHECK(window.findChildren<RunPage*>().size() == 2); // with the live page
    RunPage* page = window.pages()->currentRun();
    REQUIRE(waitUntil([&] { return page->view() != nullptr; }));
    CHECK_FALSE(page->isDeleted());
    const auto file = bench.history / "runs" / (id.text() + ".loadstone"), kept = bench.history / "kept";
    std::filesystem::copy_file(file, kept);
    {
        auto history = History::open(bench.history);
        REQUIRE(history);
        REQUIRE(history->list());
        REQUIRE(history->remove(id));
    }
    window.pages()->history()->hide();
    window.pages()->history()->show(); // looks at once
    REQUIRE(waitUntil([&] { return page->isDeleted(); }));
    const auto labels = page->findChildren<QLabel*>();
    CHECK(std::any_of(labels.begin(), labels.end(),
        [](const QLabel* l) { return l->text().contains(QStringLiteral("deleted")); }));
    // It comes back, as an archive that is imported: the page has what the new file has.
    std::filesystem::rename(kept, file);
    {
        auto history = History::open(bench.history);
        REQUIRE(history);
        REQUIRE(history->list());
        REQUIRE(history->annotate(id, { {}, AnnotationKind::note, "after the import", {} }));
    }
    window.pages()->history()->hide();
    window.pages()->history()->show();
    REQUIRE(waitUntil([&] {
        return !page->isDeleted() && page->view() && page->view()->annotations
            && page->view()->annotations->size() == 1;
    }));
}

TEST_CASE("a note that was not saved by hand is there after its page or the window was closed")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    window.pages()->openRun(id);
    RunPage* page = window.pages()->currentRun();
    REQUIRE(waitUntil([&] { return page->header() != nullptr; }));
    page->findChild<NotesTab*>()->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("slow disk"));
    SECTION("its page")
    {
        actionOf(window, "Ctrl+W")->trigger();
        REQUIRE(waitUntil([&] { return summaryOf(bench, id).note == "slow disk"; }));
    }
    SECTION("the window")
    {
        window.close();
        REQUIRE(waitUntil([&] { return !window.isVisible(); }));
        CHECK(summaryOf(bench, id).note == "slow disk");
    }
}

TEST_CASE("a note that cannot be saved is not lost, and its window stays until the user gives it up")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    window.pages()->openRun(id);
    RunPage* page = window.pages()->currentRun();
    REQUIRE(waitUntil([&] { return page->header() != nullptr; }));
    auto* tab = page->findChild<NotesTab*>();
    auto* note = tab->findChild<QPlainTextEdit*>();
    const auto* save = tab->findChild<QPushButton*>();
    REQUIRE(std::filesystem::remove(bench.history / "runs" / (id.text() + ".loadstone")));
    // Gives what the box that follows keeps of the user's words.
    const auto told = [&](const QString& button, const std::function<void()>& deed) {
        Answers answers(button);
        QString details;
        answers.meanwhile = [&] {
            if (const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
                details = box->detailedText();
        };
        deed();
        REQUIRE(waitUntil([&] { return answers.asked.size() == 1 && !QApplication::activeModalWidget(); }));
        CHECK(answers.asked[0].contains(QStringLiteral("not saved")));
        return details;
    };
    SECTION("a mark")
    {
        const Annotation mark { wallNow(), AnnotationKind::mark, "power lost", Seconds(3) };
        CHECK(told({}, [&] { emit page->annotationWanted(mark); }) == QStringLiteral("power lost"));
    }
    note->setPlainText(QStringLiteral("slow disk"));
    SECTION("its page is closed")
    {
        CHECK(told({}, [&] { actionOf(window, "Ctrl+W")->trigger(); }) == QStringLiteral("slow disk"));
        CHECK(window.isVisible());
    }
    SECTION("the window is closed")
    {
        CHECK(told({}, [&] { window.close(); }) == QStringLiteral("slow disk"));
        CHECK(window.isVisible());
        CHECK(note->toPlainText() == QStringLiteral("slow disk"));
        CHECK(save->isEnabled());
        told(QStringLiteral("Close without saving"), [&] { window.close(); });
        REQUIRE(waitUntil([&] { return !window.isVisible(); }));
    }
}

TEST_CASE("neither tags that are saved late nor the star take away what others have tagged meanwhile")
{
    Workbench bench;
    const RunId id = bench.addRun();
    MainWindow window(bench.options, fakeStarter(bench.history));
    window.show();
    window.begin();
    REQUIRE(waitUntil([&] { return window.pages()->history()->selectedRuns().size() == 1; }));
    const auto tagElsewhere = [&] {
        auto history = History::open(bench.history);
        REQUIRE(history);
        REQUIRE(history->setTags(id, { "theirs" }));
    };
    SECTION("saved late")
    {
        window.pages()->openRun(id);
        RunPage* page = window.pages()->currentRun();
        REQUIRE(waitUntil([&] { return page->header() != nullptr; }));
        auto* tab = page->findChild<NotesTab*>();
        tab->findChild<QLineEdit*>()->setText(QStringLiteral("mine"));
        tagElsewhere();
        tab->findChild<QPushButton*>()->click();
        REQUIRE(waitUntil([&] {
            return summaryOf(bench, id).tags == std::vector<std::string> { "theirs", "mine" };
        }));
    }
    SECTION("the star")
    {
        tagElsewhere();
        actionOf(*window.pages()->history(), "Ctrl+D")->trigger();
        REQUIRE(waitUntil([&] {
            return summaryOf(bench, id).tags == std::vector<std::string> { "theirs", "starred" };
        }));
    }
}

TEST_CASE("a history that cannot be read says why, and is there when it can be read again")
{
    const test::ScratchFolder folder;
    const auto blocked = folder / "blocked"; // a file where the folder should be
    std::ofstream(blocked) << "in the way";
    HistoryStore store(blocked);
    HistoryPage page(store);
    page.show();
    CHECK(showsLabel(page, "Reading the history"));
    REQUIRE(waitUntil([&] { return showsLabel(page, "blocked"); }));
    page.findChild<QLineEdit*>()->setText(QStringLiteral("word"));
    CHECK_FALSE(showsLabel(page, "No runs yet"));
    CHECK(showsLabel(page, "blocked"));
    std::filesystem::remove(blocked);
    REQUIRE(waitUntil([&] {
        store.refresh();
        return showsLabel(page, "No runs yet");
    }));
}
