// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: one case for each thing that a person does in a wizard.
// Wizards as they are used: the way to a plan, and what they refuse.
#include "forms/entries_table.h"
#include "forms/entry_list.h"
#include "forms/value_editor.h"
#include "support/program.h"
#include "wizard/also_in_plan.h"
#include "wizard/last_page.h"
#include "wizard/preflight_box.h"
#include "wizard/profile_gallery.h"
#include "wizard/rehearsal_box.h"
#include "wizard_fixture.h"
#include "workbench_fixture.h"

#include <QAbstractItemModelTester>
#include <QGroupBox>
#include <QListWidget>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
title = "Two mixes" # of many

[target]
password = "p"

[target.embedded]

[workload]
steps = [{ action = "empty mailbox" }, { action = "send message", size = "1 KB" }]

[mix]
threads_per_client = 2
mailboxes_per_client = 4
measurement = "5 s"
think_time = "1 s"

[[mixes]]
name = "a"
clients = 1

[[mixes]]
name = "b"
clients = 2
)";

Document plan(const std::string& more = {})
{
    return Document(kPlan + more, "two.toml");
}

QPushButton* buttonOf(QWidget& wizard, const QString& words)
{
    for (QPushButton* button : wizard.findChildren<QPushButton*>())
        if (QString(button->text()).remove(QLatin1Char('&')) == words)
            return button;
    return nullptr;
}

int pageNamed(PlanWizard& wizard, const QString& title)
{
    for (int i = 0; i < wizard.pageCount(); ++i)
        if (wizard.page(i)->title() == title)
            return i;
    return -1;
}

QStringList wordsOf(const QListWidget& list)
{
    QStringList words;
    for (int i = 0; i < list.count(); ++i)
        words.append(list.item(i)->text());
    return words;
}

bool says(const QListWidget& list, const char* words)
{
    return wordsOf(list).join(QLatin1Char('\n')).contains(QLatin1String(words));
}

} // namespace

TEST_CASE("a new mail benchmark is entered page by page, saved and run")
{
    const test::ScratchFolder folder;
    PlanWizard wizard(PlanWizard::newPlan(RunKind::mail));
    present(wizard);
    enter(*wizard.reveal("title"), QStringLiteral("Our server"));
    QTest::mouseClick(buttonOf(wizard, QStringLiteral("Next >")), Qt::LeftButton);
    CHECK(wizard.currentPage() == 1);
    enter(*wizard.reveal("target.smtp.host"), QStringLiteral("10.0.0.5"));
    enter(*wizard.reveal("mixes[0].clients"), QStringLiteral("7"));
    CHECK(wizard.page(wizard.currentPage())->title() == QStringLiteral("Load"));
    wizard.goTo(wizard.pageCount() - 1);
    REQUIRE(waitChecked(wizard));
    CHECK(wizard.model().isRunnable());
    CHECK_FALSE(buttonOf(wizard, QStringLiteral("Save"))->isVisible()); // it has no file yet
    REQUIRE(wizard.model().saveAs(folder / "ours.toml"));
    CHECK(fileText(folder / "ours.toml") == wizard.document().text());
    CHECK(wizard.document().getText("title") == "Our server");
    QTest::keyClick(&wizard, Qt::Key_F5);
    CHECK(wizard.runWanted());
    CHECK_FALSE(wizard.isVisible());
}

TEST_CASE("new plans can be run as they are, but for servers and folders of somebody's own")
{
    for (const RunKind kind : { RunKind::mail, RunKind::storage, RunKind::raw }) {
        const Document made = PlanWizard::newPlan(kind);
        CHECK(planKindOf(made) == kind);
        const auto checked = checkPlan(made);
        REQUIRE(checked);
        CHECK(checked->problems.empty());
    }
}

TEST_CASE("a text that is no TOML, a lab and a profile have no wizard, and it is said why")
{
    const auto message = [](const std::string& text, const char* name) {
        const auto wizard = PlanWizard::openFor(Document(text, name));
        return wizard ? std::string("a wizard") : wizard.error().message;
    };
    CHECK_THAT(message("format = 1\nkind = \n", "bad.toml"), ContainsSubstring("bad.toml:2"));
    CHECK_THAT(message("kind = \"lab\"\n", "l.toml"), ContainsSubstring("is a lab, not a plan"));
    CHECK_THAT(message("kind = \"profile\"\n", "p.toml"), ContainsSubstring("is a profile, not a plan"));
    CHECK(message("", "empty.toml") == "a wizard");
}

TEST_CASE("what is wrong stands at the field as one types, and again when the plan is checked")
{
    PlanWizard wizard(plan());
    present(wizard);
    auto* editor = dynamic_cast<ValueEditor*>(wizard.reveal("mix.measurement"));
    REQUIRE(editor != nullptr);
    editor->field()->setFocus();
    QTest::keyClick(editor->field(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor->field(), QStringLiteral("12 bananas"));
    const auto note = [&] {
        QString words;
        for (const QLabel* label : editor->parentWidget()->findChildren<QLabel*>())
            words += label->isVisible() ? label->text() : QString();
        return words;
    };
    REQUIRE(QTest::qWaitFor([&] { return note().contains(QLatin1String("12 bananas")); }, kPatience));
    CHECK(wizard.document().getText("mix.measurement") == "5 s"); // half typed is not written
    typeInto(editor->field(), QStringLiteral("12 min"));
    CHECK(note().isEmpty());
    // Between keys: found by the reader.
    enter(*wizard.reveal("mix.threads_per_client"), QStringLiteral("9"));
    REQUIRE(waitChecked(wizard));
    CHECK_FALSE(wizard.model().isRunnable());
    CHECK_FALSE(buttonOf(wizard, QStringLiteral("Run now"))->isEnabled());
    wizard.goTo(wizard.pageCount() - 1);
    CHECK(says(*wizard.lastPage()->problemList(), "threads share"));
}

TEST_CASE("a field that does not apply is grey and says where it would")
{
    PlanWizard wizard(plan());
    present(wizard);
    FieldEditor* rate = wizard.reveal("workload.rate");
    REQUIRE(rate != nullptr);
    CHECK_FALSE(rate->field()->isEnabled());
    CHECK_THAT(static_cast<QLineEdit*>(rate->field())->placeholderText().toStdString(),
        ContainsSubstring("pacing is \"open\""));
    enter(*wizard.reveal("workload.pacing"), QStringLiteral("open"));
    CHECK(rate->field()->isEnabled());
    CHECK(wizard.reveal("mixes[0].depth") == nullptr); // of another kind of plan
}

TEST_CASE("another kind of plan has other pages, and undo brings back those that were")
{
    PlanWizard wizard(plan());
    present(wizard);
    CHECK(pageNamed(wizard, QStringLiteral("Workload")) > 0);
    enter(*wizard.reveal("kind"), QStringLiteral("storage"));
    CHECK(pageNamed(wizard, QStringLiteral("Workload")) < 0);
    CHECK(pageNamed(wizard, QStringLiteral("Volumes")) > 0);
    wizard.goTo(wizard.pageCount() - 1);
    CHECK_THAT(
        wizard.lastPage()->also().toStdString(), ContainsSubstring("target") && ContainsSubstring("mixes"));
    wizard.model().undo();
    CHECK(pageNamed(wizard, QStringLiteral("Workload")) > 0);
    CHECK(wizard.document().text() == kPlan);
}

TEST_CASE("mixes are added, copied, moved and removed, and comments go with them")
{
    PlanWizard wizard(plan("\n# the largest\n[[mixes]]\nname = \"c\"\nclients = 4\n"));
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Load")));
    EntriesTable* table = nullptr;
    for (KeyForm* form : wizard.page(wizard.currentPage())->forms())
        if (EntryList* list = form->listOf("mixes"))
            table = list->table();
    REQUIRE(table != nullptr);
    const QAbstractItemModelTester modelTester(
        table->entries(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto names = [&] {
        std::string all;
        for (std::size_t i = 0; i < wizard.document().size("mixes"); ++i)
            all += wizard.document().getText("mixes[" + std::to_string(i) + "].name").value_or("-") + " ";
        return all;
    };
    table->setCurrent(2);
    QTest::keyClick(table->view(), Qt::Key_Up, Qt::AltModifier);
    CHECK(names() == "a c b ");
    CHECK(wizard.document().text().find("# the largest\n[[mixes]]\nname = \"c\"") != std::string::npos);
    QTest::keyClick(table->view(), Qt::Key_D, Qt::ControlModifier);
    CHECK(names() == "a c c, copy b ");
    QTest::keyClick(table->view(), Qt::Key_Delete);
    CHECK(names() == "a c b ");
    QTest::mouseClick(table->findChildren<QToolButton*>().front(), Qt::LeftButton);
    CHECK(names() == "a c b Mix 4 ");
    CHECK(wizard.document().problems().empty());
    // What a mix has from [mix] is shown, and not written.
    const int column = table->entries()->columnOf("measurement");
    const QModelIndex cell = table->entries()->index(0, column);
    CHECK(cell.data().toString() == QStringLiteral("5 s"));
    CHECK(cell.data(Qt::EditRole).toString().isEmpty());
    CHECK(table->entries()->setData(cell, QStringLiteral("3 s"), Qt::EditRole));
    CHECK(wizard.document().getText("mixes[0].measurement") == "3 s");
    CHECK(table->entries()->setData(cell, QString(), Qt::EditRole));
    CHECK_FALSE(wizard.document().has("mixes[0].measurement"));
}

TEST_CASE("a table that a box switches on comes with its header, and goes with it")
{
    PlanWizard wizard(PlanWizard::newPlan(RunKind::mail));
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Servers")));
    QGroupBox* imap = wizard.page(wizard.currentPage())->forms().front()->groupOf("target.imap");
    REQUIRE(imap != nullptr);
    CHECK_FALSE(imap->isChecked());
    imap->setFocus();
    QTest::keyClick(imap, Qt::Key_Space);
    CHECK(wizard.document().text().find("[target.imap]\nhost = \"127.0.0.1\"") != std::string::npos);
    QTest::keyClick(imap, Qt::Key_Space);
    CHECK_FALSE(wizard.document().has("target.imap"));
    wizard.model().undo();
    wizard.model().undo();
    CHECK_FALSE(wizard.document().isModified());
}

TEST_CASE("the embedded server takes the place of the hosts and ports that a new plan has")
{
    PlanWizard wizard(PlanWizard::newPlan(RunKind::mail));
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Servers")));
    const std::string before = wizard.document().text();
    QGroupBox* embedded = wizard.page(wizard.currentPage())->forms().front()->groupOf("target.embedded");
    REQUIRE(embedded != nullptr);
    embedded->setFocus();
    QTest::keyClick(embedded, Qt::Key_Space);
    REQUIRE(wizard.document().has("target.embedded"));
    REQUIRE(waitChecked(wizard));
    for (const Problem& problem : wizard.model().problems())
        CHECK_FALSE(problem.field.starts_with("target."));
    wizard.model().undo(); // one step
    CHECK(wizard.document().text() == before);
}

TEST_CASE("a problem marks the page that has its field, and moves no step of the list")
{
    PlanWizard wizard(plan());
    present(wizard);
    for (int i = 0; i + 1 < wizard.pageCount(); ++i)
        wizard.goTo(i);
    auto* steps = wizard.findChild<QListWidget*>();
    REQUIRE(steps != nullptr);
    const auto places = [&] {
        std::vector<QRect> all;
        for (int i = 0; i < steps->count(); ++i)
            all.push_back(steps->visualItemRect(steps->item(i)));
        return all;
    };
    const std::vector<QRect> before = places();
    REQUIRE(wizard.model().setValue("target.password", {}));
    REQUIRE(waitChecked(wizard));
    QStringList marked;
    for (int i = 0; i < steps->count(); ++i)
        if (!steps->item(i)->toolTip().isEmpty())
            marked += steps->item(i)->text();
    CHECK(marked == QStringList { QStringLiteral("3. Mailboxes") });
    CHECK(places() == before);
}

TEST_CASE("keys that no field is for are named and left alone")
{
    PlanWizard wizard(plan("\n[ours]\nowner = \"lab\"\n"));
    present(wizard);
    wizard.goTo(wizard.pageCount() - 1);
    CHECK_THAT(wizard.lastPage()->also().toStdString(), ContainsSubstring("ours"));
    enter(*wizard.reveal("title"), QStringLiteral("Another"));
    CHECK(wizard.document().text().ends_with("\n[ours]\nowner = \"lab\"\n"));
    const std::set<std::string> keys = wizard.keys();
    CHECK(alsoInPlan(plan(), keys).isEmpty());
    CHECK(alsoInPlan(plan("\nseed = 1\n"), keys).size() == 1); // in the last mix, which has no such key
    CHECK(alsoInPlan(Document("kind = \"mail\"\ntitle = [1]\n[\"a.b\"]\nx = 1\n"), keys)
        == QStringList { QStringLiteral("title"), QStringLiteral("\"a.b\"") });
}

TEST_CASE("the last page has what changed, what is not tested, and the command")
{
    const test::ScratchFolder folder;
    const auto file = folder / "two mixes.toml";
    REQUIRE(plan().saveAs(file));
    PlanWizard wizard(*Document::read(file));
    present(wizard);
    enter(*wizard.reveal("mixes[1].clients"), QStringLiteral("5"));
    wizard.goTo(wizard.pageCount() - 1);
    REQUIRE(waitChecked(wizard));
    LastPage* last = wizard.lastPage();
    const QString diff = last->diffView()->toPlainText();
    CHECK(diff.contains(QLatin1String("- clients = 2\n+ clients = 5")));
    CHECK_FALSE(diff.contains(QLatin1String("title")));
    REQUIRE(QTest::qWaitFor([&] { return says(*last->lintList(), "no criteria"); }, kPatience));
    CHECK(says(*last->lintList(), "embedded target"));
    CHECK(last->command().startsWith(QLatin1String("loadstone run '")));
    CHECK(last->command().endsWith(QLatin1String("two mixes.html'")));
    CHECK(wordsOf(*last->problemList()).size() == 1);
    // A remark leads to its field.
    for (int i = 0; i < last->lintList()->count(); ++i)
        if (last->lintList()->item(i)->data(Qt::UserRole).toString() == QLatin1String("seed")) {
            last->lintList()->setCurrentRow(i);
            QTest::keyClick(last->lintList(), Qt::Key_Return);
            break;
        }
    CHECK(wizard.currentPage() == 0);
    CHECK(wizard.save());
    CHECK(fileText(file) == wizard.document().text());
    CHECK(last->diffView()->toPlainText().contains(QLatin1String("+ clients = 5")));
}

TEST_CASE("a rehearsal says what the plan asks of the server, and can be cancelled")
{
    PlanWizard wizard(plan());
    present(wizard);
    wizard.goTo(wizard.pageCount() - 1);
    REQUIRE(waitChecked(wizard));
    RehearsalBox* box = wizard.lastPage()->rehearsal();
    REQUIRE(box != nullptr);
    wizard.lastPage()->tabs()->setCurrentWidget(box);
    QTest::mouseClick(box->startButton(), Qt::LeftButton);
    CHECK(box->isBusy());
    REQUIRE(QTest::qWaitFor([&] { return !box->isBusy(); }, kPatience));
    CHECK(box->facts().contains(QLatin1String("Connections opened")));
    CHECK(box->table().contains(QLatin1String("measurement")));
    QTest::mouseClick(box->startButton(), Qt::LeftButton);
    REQUIRE(box->cancelButton()->isVisible());
    QTest::mouseClick(box->cancelButton(), Qt::LeftButton);
    CHECK_FALSE(box->isBusy());
    CHECK(box->facts() == QStringLiteral("Cancelled."));
    // Of another text it says nothing.
    enter(*wizard.reveal("title"), QStringLiteral("Another"));
    wizard.goTo(wizard.pageCount() - 1);
    CHECK(box->table().isEmpty());
}

TEST_CASE("servers are checked on the spot, and the check says what is wrong or can be cancelled")
{
    PlanWizard embedded(plan());
    present(embedded);
    embedded.goTo(pageNamed(embedded, QStringLiteral("Servers")));
    REQUIRE(waitChecked(embedded));
    auto* box = embedded.page(embedded.currentPage())->findChild<PreflightBox*>();
    REQUIRE(box != nullptr);
    QTest::mouseClick(box->startButton(), Qt::LeftButton);
    REQUIRE(QTest::qWaitFor([&] { return !box->isBusy(); }, kPatience));
    CHECK(box->status() == QStringLiteral("A run can start."));

    // Nothing listens there.
    Document refusing = PlanWizard::newPlan(RunKind::mail);
    REQUIRE(refusing.setText("target.smtp.port", "9"));
    REQUIRE(refusing.setText("target.pop3.port", "9"));
    PlanWizard wizard(refusing);
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Servers")));
    REQUIRE(waitChecked(wizard));
    box = wizard.page(wizard.currentPage())->findChild<PreflightBox*>();
    QTest::mouseClick(box->startButton(), Qt::LeftButton);
    REQUIRE(QTest::qWaitFor([&] { return !box->isBusy(); }, kPatience));
    CHECK(box->status().contains(QLatin1String("will fail")));
    CHECK(says(*box->findings(), "127.0.0.1:9"));
    QTest::mouseClick(box->startButton(), Qt::LeftButton);
    QTest::mouseClick(box->cancelButton(), Qt::LeftButton);
    CHECK(box->status() == QStringLiteral("Cancelled."));
}

TEST_CASE("a plan with errors is not checked on the spot")
{
    Document broken = plan();
    REQUIRE(broken.setText("mix.threads_per_client", "9"));
    PlanWizard wizard(broken);
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Servers")));
    REQUIRE(waitChecked(wizard));
    const auto* box = wizard.page(wizard.currentPage())->findChild<PreflightBox*>();
    CHECK_FALSE(box->startButton()->isEnabled());
    CHECK(box->status().contains(QLatin1String("has errors")));
}

TEST_CASE("Escape leaves at once what is not changed, and asks about what is")
{
    {
        PlanWizard wizard(plan());
        present(wizard);
        Answers answers;
        QTest::keyClick(&wizard, Qt::Key_Escape);
        CHECK_FALSE(wizard.isVisible());
        CHECK(answers.asked.isEmpty());
    }
    PlanWizard wizard(plan());
    present(wizard);
    enter(*wizard.reveal("title"), QStringLiteral("Changed"));
    {
        Answers answers(QStringLiteral("Cancel"));
        QTest::keyClick(&wizard, Qt::Key_Escape);
        CHECK(wizard.isVisible());
        CHECK(answers.asked.size() == 1);
    }
    Answers answers(QStringLiteral("Discard"));
    QTest::keyClick(&wizard, Qt::Key_Escape);
    CHECK_FALSE(wizard.isVisible());
}

TEST_CASE("a file that somebody else changed meanwhile is not written over")
{
    const test::ScratchFolder folder;
    const auto file = folder / "p.toml";
    REQUIRE(plan().saveAs(file));
    PlanWizard wizard(*Document::read(file));
    present(wizard);
    enter(*wizard.reveal("title"), QStringLiteral("Changed"));
    std::ofstream(file) << "format = 1\n";
    Answers answers;
    CHECK_FALSE(wizard.save());
    CHECK(answers.asked.size() == 1);
    CHECK(fileText(file) == "format = 1\n");
}

TEST_CASE("a profile is taken from the gallery, which shows a user's day")
{
    Document users = plan();
    REQUIRE(users.setText("workload.pacing", "users"));
    PlanWizard wizard(users);
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Workload")));
    auto* gallery = wizard.page(wizard.currentPage())->findChild<ProfileGallery*>();
    REQUIRE(gallery != nullptr);
    CHECK(gallery->isVisible());
    const auto found = gallery->list()->findItems(QStringLiteral("medium-5.5"), Qt::MatchExactly);
    REQUIRE(found.size() == 1);
    gallery->list()->setCurrentItem(found.front());
    REQUIRE(gallery->figures()->topLevelItemCount() > 0);
    CHECK(gallery->figures()->topLevelItem(0)->child(0)->text(1) == QStringLiteral("4"));
    QTest::mouseClick(gallery->useButton(), Qt::LeftButton);
    CHECK(wizard.document().getText("workload.profile") == "medium-5.5");
    CHECK_FALSE(gallery->useButton()->isEnabled());
    enter(*wizard.reveal("workload.pacing"), QStringLiteral("closed"));
    CHECK_FALSE(gallery->isVisible());
}

TEST_CASE("every field, list and button of the wizards has a name for those who do not see it")
{
    for (const RunKind kind : { RunKind::mail, RunKind::storage, RunKind::raw }) {
        PlanWizard wizard(PlanWizard::newPlan(kind));
        present(wizard);
        CHECK_FALSE(wizard.keys().empty()); // makes the pages
        wizard.goTo(wizard.pageCount() - 1);
        for (const QWidget* widget : wizard.findChildren<QWidget*>()) {
            const bool isField = qobject_cast<const QLineEdit*>(widget) != nullptr
                || qobject_cast<const QComboBox*>(widget) != nullptr
                || qobject_cast<const QPlainTextEdit*>(widget) != nullptr
                || qobject_cast<const QAbstractItemView*>(widget) != nullptr
                || qobject_cast<const QAbstractButton*>(widget) != nullptr;
            const bool isInner = widget->parentWidget() != nullptr
                && (qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr
                    || widget->objectName().startsWith(QLatin1String("qt_"))
                    || widget->inherits("QHeaderView") || widget->inherits("QTableCornerButton")
                    || widget->parentWidget()->inherits("QComboBoxPrivateContainer"));
            if (!isField || isInner)
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const QString name = widget->accessibleName().isEmpty() && button != nullptr
                ? button->text()
                : widget->accessibleName();
            INFO(widget->metaObject()->className()
                << " in " << widget->parentWidget()->metaObject()->className());
            CHECK_FALSE(name.isEmpty());
        }
    }
}
