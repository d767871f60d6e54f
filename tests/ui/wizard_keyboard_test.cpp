// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The wizards with the keyboard alone, and the short ways that they offer.
#include "forms/entries_table.h"
#include "wizard/plan_name.h"
#include "wizard/preflight_box.h"
#include "wizard_fixture.h"

#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

QPushButton* buttonOf(const PlanWizard& wizard, const QString& words)
{
    for (QPushButton* button : wizard.findChildren<QPushButton*>())
        if (QString(button->text()).remove(QLatin1Char('&')) == words)
            return button;
    throw std::runtime_error("no button " + words.toStdString());
}

int pageNamed(PlanWizard& wizard, const QString& title)
{
    for (int at = 0; at < wizard.pageCount(); ++at)
        if (wizard.page(at)->title() == title)
            return at;
    throw std::runtime_error("no page " + title.toStdString());
}

} // namespace

TEST_CASE("no two things on a page of the wizards have the same letter for Alt")
{
    for (const RunKind kind : { RunKind::mail, RunKind::storage, RunKind::raw }) {
        PlanWizard wizard(PlanWizard::newPlan(kind));
        present(wizard);
        REQUIRE(waitChecked(wizard));
        const int last = wizard.pageCount() - 1;
        for (int at = 0; at <= last; ++at) {
            wizard.goTo(at);
            QStringList texts;
            for (const QAbstractButton* button : wizard.findChildren<QAbstractButton*>())
                if (button->isVisible() && button->isEnabled())
                    texts.append(button->text());
            for (const QLabel* label : wizard.findChildren<QLabel*>())
                if (label->isVisible() && label->buddy() != nullptr && label->buddy()->isEnabled())
                    texts.append(label->text());
            for (const QTabBar* tabs : wizard.findChildren<QTabBar*>())
                for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab)
                    texts.append(tabs->tabText(tab));
            QStringList keys;
            for (const QString& text : texts)
                if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty())
                    keys.append(key.toString());
            INFO(texts.join(QStringLiteral(" | ")).toStdString());
            CHECK(keys.size() >= 5);
            CHECK(keys.removeDuplicates() == 0);
        }
    }
}

TEST_CASE("the first field of each page has the keyboard, and Tab reaches how a password is kept")
{
    PlanWizard wizard(PlanWizard::newPlan(RunKind::mail));
    present(wizard);
    for (int at = 1; at < wizard.pageCount(); ++at) {
        QTest::keyClick(&wizard, Qt::Key_PageDown, Qt::ControlModifier);
        REQUIRE(wizard.currentPage() == at);
        const QWidget* focus = wizard.focusWidget();
        REQUIRE(focus != nullptr);
        INFO(focus->metaObject()->className() << " of page " << at);
        CHECK(wizard.page(at)->isAncestorOf(focus));
        CHECK(qobject_cast<const QPushButton*>(focus) == nullptr); // neither Help nor what begins something
    }
    FieldEditor* password = wizard.reveal("target.password");
    REQUIRE(password != nullptr);
    auto* way = password->findChild<QComboBox*>();
    wizard.reveal("target.login")->field()->setFocus();
    QTest::keyClick(wizard.focusWidget(), Qt::Key_Tab);
    CHECK(wizard.focusWidget() == way);
    QTest::keyClick(wizard.focusWidget(), Qt::Key_Tab);
    CHECK(wizard.focusWidget() == password->field());
    QTest::keyClick(wizard.focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
    CHECK(wizard.focusWidget() == way);
}

TEST_CASE("Tab goes around on each page of the wizards, and no field keeps it")
{
    for (const RunKind kind : { RunKind::mail, RunKind::storage, RunKind::raw }) {
        PlanWizard wizard(PlanWizard::newPlan(kind));
        present(wizard);
        for (int at = 0; at < wizard.pageCount(); ++at) {
            wizard.goTo(at);
            wizard.page(at)->focusFirst();
            const QWidget* first = wizard.focusWidget();
            REQUIRE(first != nullptr);
            INFO("page " << at << ", " << first->metaObject()->className());
            constexpr int kMost = 200;
            int steps = 0;
            bool meetsClose = false;
            do {
                const QWidget* before = wizard.focusWidget();
                QTest::keyClick(wizard.focusWidget(), Qt::Key_Tab);
                INFO("from " << before->metaObject()->className());
                REQUIRE(wizard.focusWidget() != before);
                meetsClose = meetsClose || wizard.focusWidget() == buttonOf(wizard, QStringLiteral("Close"));
            } while (wizard.focusWidget() != first && ++steps < kMost);
            CHECK(steps < kMost);
            CHECK(meetsClose);
        }
    }
}

TEST_CASE("a check that keys begin takes what is typed in the field that they leave the cursor in")
{
    PlanWizard wizard(PlanWizard::newPlan(RunKind::mail));
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Servers")));
    QWidget* port = wizard.reveal("target.pop3.port")->field();
    port->setFocus();
    QTest::keyClick(port, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(port, QStringLiteral("21110"));
    CHECK(wizard.document().getText("target.pop3.port") != "21110"); // half typed
    const auto* box = wizard.page(wizard.currentPage())->findChild<PreflightBox*>();
    REQUIRE(box != nullptr);
    box->startButton()->click();
    CHECK(wizard.focusWidget() == port);
    CHECK(wizard.document().getText("target.pop3.port") == "21110");
    box->cancelButton()->click();
    CHECK(QTest::qWaitFor([&] { return !box->isBusy(); }));
}

TEST_CASE("an empty list says how its first entry is added, and a key adds it")
{
    PlanWizard wizard(PlanWizard::newPlan(RunKind::mail));
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Counters")));
    auto* table = wizard.page(wizard.currentPage())->findChild<EntriesTable*>();
    REQUIRE(table != nullptr);
    const auto* words = table->view()->viewport()->findChild<QLabel*>();
    REQUIRE(words != nullptr);
    CHECK(words->isVisible());
    CHECK(words->text() == QStringLiteral("Counters: none yet. + or Ins adds the first one."));
    wizard.page(wizard.currentPage())->focusFirst(); // as Next does
    CHECK(wizard.focusWidget() == table->view());
    QTest::keyClick(table->view(), Qt::Key_Insert);
    CHECK(wizard.document().size("counters") == 1);
    CHECK_FALSE(words->isVisible());
    wizard.model().undo();
    CHECK(words->isVisible());
}

TEST_CASE("a storage plan's tests are chosen as a whole, the short ones too")
{
    PlanWizard wizard(PlanWizard::newPlan(RunKind::storage));
    present(wizard);
    wizard.goTo(pageNamed(wizard, QStringLiteral("Tests")));
    const std::string before = wizard.document().text();
    QTest::mouseClick(buttonOf(wizard, QStringLiteral("Quick look (2 min)")), Qt::LeftButton);
    CHECK(wizard.document().size("tests") == 2);
    CHECK(wizard.document().getText("tests[0].duration") == "2 min");
    CHECK(wizard.document().getText("tests[1].kind") == "checksum");
    QTest::mouseClick(buttonOf(wizard, QStringLiteral("As published (26 h)")), Qt::LeftButton);
    CHECK(wizard.document().size("tests") == 5);
    CHECK(wizard.document().getText("tests[1].duration") == "24 h");
    REQUIRE(waitChecked(wizard));
    CHECK(wizard.model().isRunnable());
    QTest::mouseClick(buttonOf(wizard, QStringLiteral("Usual (2 h)")), Qt::LeftButton);
    CHECK(wizard.document().size("tests") == 4);
    for (int i = 0; i < 3; ++i)
        wizard.model().undo();
    CHECK(wizard.document().text() == before);
}

TEST_CASE("a plan without a file is called by its title")
{
    const auto nameOf = [](const char* title) {
        return planFileName(Document(std::string("title = ") + tomlText(title) + "\n", "plan.toml"));
    };
    CHECK(nameOf("Postfix and Dovecot") == "postfix-and-dovecot.toml");
    CHECK(nameOf("../../etc/passwd") == "etc-passwd.toml");
    CHECK(nameOf("  2 h, 4 GB!  ") == "2-h-4-gb.toml");
    CHECK(nameOf("\xc3\x9c"
                 "ber")
        == "ber.toml");
    CHECK(nameOf("\xe6\xb5\x8b") == "plan.toml");
    CHECK(nameOf(std::string(300, 'x').c_str()).size() == 65);
    CHECK(planFileName(Document("", "plan.toml")) == "plan.toml");
    CHECK(planFileName(Document("title = \"Imported\"\n", "2013.toml")) == "2013.toml");
}
