// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What users do, in the wizard: scripts with names, and profiles of one's own.
#include "forms/entries_table.h"
#include "forms/entry_list.h"
#include "support/program.h"
#include "wizard/profile_editor.h"
#include "wizard/profile_gallery.h"
#include "wizard_fixture.h"
#include "workbench_fixture.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"

[target.embedded]

[workload]
pacing = "closed"

[mix]
threads_per_client = 2
mailboxes_per_client = 4
measurement = "5 s"
think_time = "1 s"

[[mixes]]
clients = 1
)";

/// The list of named workloads on the page of the workload, in sight.
EntryList* namedWorkloads(PlanWizard& wizard)
{
    wizard.goTo(3);
    for (const KeyForm* form : wizard.page(3)->forms())
        if (EntryList* list = form->listOf("workloads"))
            return list;
    return nullptr;
}

QString notesAround(const EntryList& list)
{
    QString notes;
    for (const QLabel* label :
        list.parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (label->isVisible())
            notes += label->text();
    return notes;
}

} // namespace

TEST_CASE("named workloads are grey where users follow a profile, and it is said why")
{
    PlanWizard wizard { Document(kPlan, "plan.toml") };
    present(wizard);
    const EntryList* list = namedWorkloads(wizard);
    REQUIRE(list != nullptr);
    CHECK(list->isEnabled());
    REQUIRE(wizard.model().setValue("workload.pacing", QStringLiteral("users")));
    CHECK_FALSE(list->isEnabled());
    CHECK_THAT(notesAround(*list).toStdString(), ContainsSubstring("pacing is \"closed\" or \"open\""));
}

TEST_CASE("a new workload begins with a step, and without one the list says what is missing")
{
    PlanWizard wizard { Document(kPlan, "plan.toml") };
    present(wizard);
    EntryList* list = namedWorkloads(wizard);
    REQUIRE(list != nullptr);
    for (int i = 0; i < 2; ++i)
        for (QAbstractButton* button : list->findChildren<QAbstractButton*>())
            if (button->accessibleName() == QLatin1String("Add to Workloads"))
                QTest::mouseClick(button, Qt::LeftButton);
    const Document& plan = wizard.document();
    REQUIRE(plan.size("workloads") == 2);
    CHECK(plan.getText("workloads[1].name") == "Workload 2");
    CHECK(plan.getText("workloads[1].steps[0].action") == "send message");
    CHECK_THAT(plan.text(), ContainsSubstring("[[workloads.steps]]"));
    REQUIRE(wizard.model().edit([](Document& document) { return document.erase("workloads[0].steps"); }));
    list->reveal("workloads[0].name");
    REQUIRE(waitChecked(wizard)); // that something is missing is found by the check of the whole plan
    const EntryList* steps = list->form()->listOf("workloads[].steps");
    REQUIRE(steps != nullptr);
    CHECK_THAT(notesAround(*steps).toStdString(), ContainsSubstring("missing"));
}

TEST_CASE("a shipped profile that is edited becomes one of the plan's own, which uses it")
{
    const test::ScratchFolder folder;
    Document users(kPlan, "users.toml");
    REQUIRE(users.setText("workload.pacing", "users"));
    REQUIRE(users.setText("workload.profile", "medium-5.5"));
    REQUIRE(users.saveAs(folder / "users.toml"));
    PlanWizard wizard(users);
    present(wizard);
    wizard.goTo(3);
    auto* gallery = wizard.page(3)->findChild<ProfileGallery*>();
    REQUIRE(gallery != nullptr);
    REQUIRE(gallery->list()->currentItem() != nullptr);
    CHECK(gallery->list()->currentItem()->text() == QStringLiteral("medium-5.5"));
    Document before;
    QTimer::singleShot(0, &wizard, [&] {
        auto* editor = qobject_cast<ProfileEditor*>(QApplication::activeModalWidget());
        CHECK(editor != nullptr);
        if (editor == nullptr)
            return;
        before = editor->model().document();
        for (KeyForm* form : editor->forms())
            if (FieldEditor* field = form->reveal("per_day.send"))
                enter(*field, QStringLiteral("11"));
        CHECK(editor->saveAs(QStringLiteral("ours")));
        editor->accept();
    });
    QTest::mouseClick(gallery->editButton(), Qt::LeftButton);
    CHECK(wizard.document().getText("workload.profile") == "ours");
    CHECK(gallery->list()->currentItem()->text() == QStringLiteral("ours"));
    const auto saved = Document::read(folder / "ours.toml");
    REQUIRE(saved);
    CHECK(saved->getText("per_day.send") == "11");
    CHECK(before.getText("per_day.send") != "11");
    REQUIRE(waitChecked(wizard));
    for (const Problem& problem : wizard.model().problems()) {
        CAPTURE(problem.message);
        CHECK(problem.field != "workload.profile"); // it is found beside the plan
    }
}

TEST_CASE("a plan without a file has no place for a profile of its own, which is said")
{
    Document users(kPlan, "users.toml");
    REQUIRE(users.setText("workload.pacing", "users"));
    REQUIRE(users.setText("workload.profile", "medium-5.5"));
    PlanWizard wizard(users);
    present(wizard);
    wizard.goTo(3);
    Answers answers;
    QTest::mouseClick(wizard.page(3)->findChild<ProfileGallery*>()->editButton(), Qt::LeftButton);
    REQUIRE(answers.asked.size() == 1);
    CHECK(answers.asked.front().contains(QLatin1String("Save the plan first")));
}

TEST_CASE("each key of profiles has a field in their editor")
{
    const Document profile = *Document::read(findWeights("medium-5.5"));
    const ProfileEditor editor(profile, {});
    std::set<std::string> fields;
    for (const KeyForm* form : editor.forms())
        fields.merge(form->keys());
    for (const KeyRow& row : keysOf(FileKind::profile)) {
        CAPTURE(row.path);
        CHECK(fields.contains(std::string(row.path)));
    }
    CHECK(editor.model().document().text() == profile.text()); // looking changes nothing
}
