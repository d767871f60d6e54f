// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a wizard leaves behind when its program ends, and the help of its pages.
#include "editor/recovery.h"
#include "format.h"
#include "support/program.h"
#include "window/help_window.h"
#include "window/plan_wizards.h"
#include "wizard_fixture.h"

#include <QApplication>
#include <QListWidget>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// Does something with the wizard that opens next, which waits for it.
void inWizard(QObject& context, const std::function<void(PlanWizard&)>& what)
{
    QTimer::singleShot(0, &context, [what] {
        auto* wizard = qobject_cast<PlanWizard*>(QApplication::activeModalWidget());
        CHECK(wizard != nullptr);
        if (wizard != nullptr)
            what(*wizard);
    });
}

} // namespace

TEST_CASE("the text of an open wizard is kept for the next start until it is saved or given up")
{
    const test::ScratchFolder folder;
    const QString kept = text((folder / "recovery").string());
    std::string changed;
    {
        RecoveryStore store(kept);
        QWidget window;
        PlanWizards wizards({}, store, &window);
        inWizard(window, [&](PlanWizard& wizard) {
            enter(*wizard.reveal("title"), QStringLiteral("Half done"));
            CHECK(QTest::qWaitFor([&] { return !store.busy(); }, kPatience));
            wizard.model().undo();
            CHECK(RecoveryStore(kept).leftBehind().empty()); // a living program's
            enter(*wizard.reveal("title"), QStringLiteral("Nearly done"));
            changed = wizard.document().text();
            CHECK(wizards.leave(&wizard)); // as when the session ends: without a question
        });
        wizards.makeNew(RunKind::mail);
        CHECK_FALSE(wizards.leave(&window));
    }
    const auto left = RecoveryStore(kept).leftBehind();
    REQUIRE(left.size() == 1);
    CHECK(left[0].text == changed);
    CHECK(left[0].origin.empty());

    RecoveryStore store(kept);
    RecoveryStore::discard(left[0]);
    QWidget window;
    PlanWizards wizards({}, store, &window);
    inWizard(window, [&](PlanWizard& wizard) {
        enter(*wizard.reveal("title"), QStringLiteral("Saved"));
        CHECK(wizard.model().saveAs(folder / "saved.toml"));
        wizard.reject();
    });
    wizards.makeNew(RunKind::mail);
    CHECK(QTest::qWaitFor([&] { return !store.busy(); }, kPatience));
    CHECK(QDir(kept).entryList({ QStringLiteral("*.text") }).isEmpty());
}

TEST_CASE("F1 leads from each page of a wizard to a chapter of the help that is there")
{
    for (const RunKind kind : { RunKind::mail, RunKind::storage, RunKind::raw }) {
        PlanWizard wizard(PlanWizard::newPlan(kind));
        present(wizard);
        HelpWindow help(&wizard);
        QSignalSpy wanted(&wizard, &PlanWizard::helpWanted);
        QString topic, heading;
        for (int i = 0; i < wizard.pageCount(); ++i) {
            wizard.goTo(i);
            QTest::keyClick(&wizard, Qt::Key_F1);
            REQUIRE(wanted.size() == i + 1);
            topic = wanted[i][0].toString();
            heading = wanted[i][1].toString();
            CAPTURE(topic.toStdString(), heading.toStdString());
            help.showTopic(topic, heading);
            const auto* list = help.findChild<QListWidget*>();
            CHECK(list->currentItem()->data(Qt::UserRole) == topic);
            const QTextBlock at = help.findChild<QTextBrowser*>()->textCursor().block();
            CHECK(at.text().startsWith(heading));
            help.hide();
            wizard.activateWindow();
            REQUIRE(QTest::qWaitForWindowActive(&wizard, kPatience));
        }
    }
}
