// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_fixture.h"
#include "forms/entries_table.h"
#include "forms/entry_list.h"
#include "forms/key_form.h"
#include "plan_view.h"
#include "study/steps_tab.h"
#include "study/study_page.h"
#include "tables/data_table.h"
#include "window/agreement_dialog.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTableView>
#include <QTextCursor>
#include <QTimer>

#include <fstream>
#include <set>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// A queue that does a run at each look at its status.
class FakeStudy : public StudyRun {
public:
    explicit FakeStudy(std::vector<StudyStep> steps)
    {
        m_status.steps = std::move(steps);
        m_status.state = StudyStatus::State::running;
    }
    [[nodiscard]] StudyStatus status() const override
    {
        auto* self = const_cast<FakeStudy*>(this);
        StudyStatus& now = self->m_status;
        if (now.over())
            return now;
        if (m_stop || now.step >= now.steps.size()) {
            now.state = m_stop ? StudyStatus::State::stopped : StudyStatus::State::finished;
            return now;
        }
        now.steps[now.step++].run = RunId::make();
        now.recording = std::to_string(now.step);
        if (m_stopAfter)
            now.state = StudyStatus::State::stopped;
        return now;
    }
    void stop() override { m_stop = true; }
    void stopAfterRun(bool on) override { m_stopAfter = on; }
    bool waitFor(Nanoseconds) override { return true; }

private:
    StudyStatus m_status;
    bool m_stop = false, m_stopAfter = false;
};

std::string studyText(bool command)
{
    std::string text =
        "kind = \"study\"\nname = \"fsync\"\ntitle = \"With and without fsync\"\norder = \"A B B A\"\n\n"
        "[[case]]\nid = \"with\"\ntitle = \"With\"\nplan = \"first-run\"\nrepeats = 3\n\n"
        "[[case]]\nid = \"without\"\ntitle = \"Without\"\nplan = \"first-run\"\nrepeats = 3\n";
    if (command)
        text += "\n[[command]]\nwhen = \"before run\"\nrun = \"systemctl restart dovecot\"\n";
    return text;
}

struct ShownStudy {
    test::ScratchFolder folder;
    std::filesystem::path file { folder.path() / "study.toml" };
    HistoryStore store { folder.path() / "history" };
    std::vector<StudyRunOptions> started;
    std::unique_ptr<StudyPage> page;

    explicit ShownStudy(bool command = false)
    {
        std::ofstream(file) << studyText(command);
        page = std::make_unique<StudyPage>(*Document::read(file), store, folder.path() / "history",
            [this](const StudyRunOptions& options) -> Result<std::unique_ptr<StudyRun>> {
                started.push_back(options);
                return std::unique_ptr<StudyRun>(
                    std::make_unique<FakeStudy>(stepsOf(checkStudy(options.study)->study)));
            });
        page->resize(1100, 700);
        page->show();
        page->tabs()->setCurrentWidget(page->steps());
        REQUIRE(soon([this] { return page->steps()->steps().size() == 6; }));
    }
    [[nodiscard]] QStringList order() const
    {
        QStringList cases;
        for (int row = 0; row < page->steps()->table()->proxy()->rowCount(); ++row)
            cases.append(page->steps()->table()->proxy()->index(row, 1).data().toString());
        return cases;
    }
};

} // namespace

TEST_CASE("the forms of a study have the keys of studies, and no others")
{
    ShownStudy shown;
    std::set<std::string> keys;
    for (const KeyForm* form : shown.page->findChildren<KeyForm*>())
        keys.merge(form->keys());
    for (const char* key : { "name", "baseline", "order", "matters", "case[].id", "case[].plan",
             "case[].repeats", "set[].hosts", "ratio[].per", "comparison[].with", "command[].when" }) {
        INFO(key);
        CHECK(keys.contains(key));
    }
    CHECK_FALSE(keys.contains("seed"));
    CHECK(shown.page->cases()->table()->view()->model()->columnCount() > 3);
    CHECK_THAT(freshEntry(shown.page->model().document(), "case"), ContainsSubstring("id = \"case-3\""));
}

TEST_CASE("a study proposes its order of runs, and another order in the text is another one in the table")
{
    ShownStudy shown;
    const auto list = [](const char* words) { return QString::fromLatin1(words).split(QLatin1Char(' ')); };
    CHECK(shown.order() == list("With Without Without With With Without"));
    CHECK(shown.page->model().setValue("order", QStringLiteral("A B A B")));
    REQUIRE(soon([&] { return shown.order() == list("With Without With Without With Without"); }));
    shown.page->model().undo();
    REQUIRE(soon([&] { return shown.order() == list("With Without Without With With Without"); }));
}

TEST_CASE("the queue runs what is missing, and says what is done")
{
    ShownStudy shown;
    QSignalSpy ended(&shown.page->queue(), &StudyQueue::ended);
    REQUIRE(shown.page->steps()->runAction()->isEnabled());
    QTest::keyClick(shown.page.get(), Qt::Key_F5, Qt::ControlModifier);
    REQUIRE(soon([&] { return ended.count() == 1; }));
    REQUIRE(shown.started.size() == 1);
    CHECK(shown.started[0].study == shown.file);
    CHECK(shown.started[0].agreed.empty());
    CHECK(ended[0][0].toString().isEmpty());
}

TEST_CASE("the queue stops after the present run, and can be resumed")
{
    ShownStudy shown;
    QSignalSpy ended(&shown.page->queue(), &StudyQueue::ended);
    shown.page->steps()->runAction()->trigger();
    REQUIRE(soon([&] { return shown.page->queue().status().step >= 1; }));
    shown.page->steps()->stopAfterAction()->trigger();
    REQUIRE(soon([&] { return ended.count() == 1; }));
    CHECK(shown.page->queue().status().state == StudyStatus::State::stopped);
    CHECK_FALSE(shown.page->queue().active());
    REQUIRE(soon([&] { return shown.page->steps()->runAction()->isEnabled(); }));
}

TEST_CASE("commands are shown word by word, and nothing runs without an agreement")
{
    ShownStudy shown(true);
    QString seen;
    bool agree = false;
    const auto answer = [&] {
        auto* dialog = qobject_cast<AgreementDialog*>(QApplication::activeModalWidget());
        REQUIRE(dialog != nullptr);
        seen = dialog->findChild<QPlainTextEdit*>()->toPlainText();
        agree ? dialog->accept() : dialog->reject();
    };
    QTimer::singleShot(0, qApp, answer);
    shown.page->steps()->runAction()->trigger();
    CHECK(seen.contains(QStringLiteral("systemctl restart dovecot")));
    CHECK(shown.started.empty());
    agree = true;
    QTimer::singleShot(0, qApp, answer);
    shown.page->steps()->runAction()->trigger();
    REQUIRE(soon([&] { return shown.started.size() == 1; }));
    CHECK_FALSE(shown.started[0].agreed.empty());
}

TEST_CASE("who agreed to these words and wants no more questions is not asked again, but about others")
{
    const std::vector<std::string> words { "run systemctl restart dovecot, before each run" };
    int asked = 0;
    const auto ask = [&](const std::vector<std::string>& agreements, bool remember) {
        AgreementDialog dialog(QStringLiteral("plan.toml"), agreements);
        QTimer::singleShot(0, &dialog, [&] {
            if (!dialog.isVisible())
                return;
            ++asked;
            dialog.findChild<QCheckBox*>()->setChecked(remember);
            remember ? dialog.accept() : dialog.reject();
        });
        return dialog.ask();
    };
    CHECK_FALSE(ask(words, false));
    CHECK(ask(words, true));
    CHECK(ask(words, true));
    CHECK(asked == 2);
    CHECK_FALSE(ask({ words[0], "run rm -r /var/mail" }, false));
    CHECK(asked == 3);
}

TEST_CASE("a study with an error cannot be run, and the page says what is wrong")
{
    ShownStudy shown;
    CHECK(shown.page->model().setValue("case[0].repeats", QStringLiteral("0")));
    REQUIRE(soon([&] { return !shown.page->steps()->runAction()->isEnabled(); }));
    CHECK_FALSE(shown.page->model().problems().empty());
    shown.page->model().undo();
}

TEST_CASE("a lab that is not there is a fault of the case that names it, not of its plan")
{
    ShownStudy shown;
    const auto fields = [&] {
        std::set<std::string> all;
        for (const Problem& problem : shown.page->model().problems())
            all.insert(problem.field);
        return all;
    };
    CHECK(shown.page->model().setValue("case[0].lab", QStringLiteral("nowhere.toml")));
    CHECK(fields() == std::set<std::string> { "case[0].lab" });
    CHECK(shown.page->model().setValue("case[0].lab", QStringLiteral("nvme-postfix-dovecot")));
    CHECK(fields().empty());
    CHECK(shown.page->model().setValue("case[0].variant", QStringLiteral("nowhere")));
    CHECK(fields() == std::set<std::string> { "case[0].variant" });
}

TEST_CASE("what is typed into the text is read a moment later, and before it is saved")
{
    ShownStudy shown;
    shown.page->tabs()->setCurrentWidget(shown.page->textView());
    PlanView& view = *shown.page->textView();
    view.setFocus();
    REQUIRE(soon([&] { return view.hasFocus(); }));
    const auto title = [&] { return shown.page->model().document().getText("title"); };
    const auto replace = [&](const char* old, const char* with) {
        QTextCursor at = view.document()->find(QString::fromLatin1(old));
        at.insertText(QString::fromLatin1(with));
    };
    replace("With and without fsync", "Another title");
    REQUIRE(soon([&] { return title() == "Another title"; }));
    replace("Another title", "A third title");
    CHECK(shown.page->save());
    CHECK(Document::read(shown.file)->getText("title") == "A third title");
}

TEST_CASE("a column grows with what is written into it")
{
    ShownStudy shown;
    shown.page->tabs()->setCurrentIndex(0);
    const QTableView& cases = *shown.page->cases()->table()->view();
    const int before = cases.columnWidth(1);
    CHECK(shown.page->model().setValue("case[0].title", QStringLiteral("With fsync after every message")));
    CHECK(soon([&] { return cases.columnWidth(1) > before; }));
}

TEST_CASE("a new study is one that its own reader accepts")
{
    const Document document = newStudy();
    const CheckedStudy checked = readStudy(document);
    for (const Problem& problem : checked.problems)
        CHECK(problem.format("study.toml") == "");
    CHECK(checked.usable());
}
