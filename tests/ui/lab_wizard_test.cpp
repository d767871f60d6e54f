// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "findings_fixture.h"
#include "forms/value_editor.h"
#include "lab/fields_bar.h"
#include "lab/item_form.h"
#include "lab/lab_edits.h"
#include "lab/lab_wizard.h"
#include "support/catch.h"

#include <loadstone/lab_detect.h>

#include <QComboBox>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

#include <fstream>
#include <sstream>

using namespace loadstone;
using namespace loadstone::ui;

namespace {

/// What a collected machine has is written beside what the wizard's server has.
void detect(LabWizard& wizard, const std::string& machine)
{
    std::ostringstream text;
    text << std::ifstream(std::string(LOADSTONE_SOURCE_DIR) + "/tests/labs/machines/" + machine + ".txt")
                .rdbuf();
    const auto found = readMachine(text.str(), machine);
    REQUIRE(found);
    REQUIRE(wizard.model().edit([&](Document& document) -> Result<void> {
        const auto merged = mergeDetected(document, "srv1", *found);
        if (!merged)
            return merged.error();
        return {};
    }));
}

} // namespace

TEST_CASE("what is detected on a page of the wizard is in its forms, and every page after it is reached")
{
    // Under ASan this finds forms that lay out rows beside their memory: detected values make rows come, and labels below them.
    LabWizard wizard;
    wizard.model().setValue("title", QStringLiteral("A lab"));
    wizard.show();
    wizard.next();
    QTest::qWait(1);
    detect(wizard, "lvm-on-nvme");
    auto* form = wizard.currentPage()->findChild<ItemForm*>();
    REQUIRE(form != nullptr);
    CHECK(form->item() == "srv1");
    int pages = 1;
    for (; wizard.nextId() >= 0; ++pages) {
        if (auto* list = wizard.currentPage()->findChild<QListWidget*>())
            for (int row = 0; row < list->count(); ++row) {
                list->setCurrentRow(row);
                QTest::qWait(1);
            }
        wizard.next();
    }
    CHECK(pages == 7);
    CHECK(wizard.model().lab().items.size() > 12);
}

TEST_CASE("the empty entry for mail software is superfluous once detection has found some, and not when it "
          "was filled in")
{
    LabWizard wizard;
    CHECK(unusedPlaceholder(wizard.model().lab()).empty());
    detect(wizard, "lvm-on-nvme");
    CHECK(unusedPlaceholder(wizard.model().lab()) == kPlaceholderSoftware);
    const auto path = itemPath(wizard.model().document(), kPlaceholderSoftware);
    REQUIRE(path);
    wizard.model().setValue(*path + ".product", QStringLiteral("Mail"));
    CHECK(unusedPlaceholder(wizard.model().lab()).empty());
}

TEST_CASE("the bar of fields is on every page but the first, keeps its report, and leads to an item's field")
{
    LabWizard wizard;
    wizard.model().setValue("title", QStringLiteral("A lab"));
    wizard.show();
    auto* bar = wizard.findChild<FieldsBar*>();
    REQUIRE(bar != nullptr);
    CHECK_FALSE(bar->isVisible());
    wizard.next();
    CHECK(bar->isVisible());
    const int servers = wizard.currentId();
    while (wizard.nextId() >= 0) {
        wizard.next();
        CHECK(QTest::qWaitFor([&] { return bar->isVisibleTo(&wizard); }));
        CHECK(wizard.currentPage()->isAncestorOf(bar));
    }
    emit bar->wanted("srv1.cpu", "model");
    CHECK(wizard.currentId() == servers);
    CHECK(wizard.currentPage()->findChild<ItemForm*>()->item() == "srv1.cpu");
    emit bar->wanted("gen", "model");
    CHECK(wizard.currentId() > servers);
    CHECK(wizard.currentPage()->findChild<ItemForm*>()->item() == "gen");
}

TEST_CASE("what was entered into the wizard is given up after a question, to which Enter says no")
{
    LabWizard wizard;
    wizard.show();
    wizard.model().setValue("title", QStringLiteral("A lab"));
    {
        Answers answers(QStringLiteral("Cancel"));
        QString atEnter;
        answers.meanwhile = [&] {
            const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            atEnter = box == nullptr ? QString() : box->defaultButton()->text();
        };
        wizard.reject();
        CHECK(answers.asked == QStringList { QStringLiteral("Give up the new lab?") });
        CHECK(atEnter == QStringLiteral("Cancel"));
        CHECK(wizard.isVisible());
    }
    Answers answers(QStringLiteral("Discard"));
    wizard.reject();
    CHECK_FALSE(wizard.isVisible());
}

TEST_CASE("a count that was refused and is put right leaves nothing wrong behind")
{
    LabWizard wizard;
    wizard.model().setValue("title", QStringLiteral("A lab"));
    wizard.show();
    wizard.next();
    auto* form = wizard.currentPage()->findChild<ItemForm*>();
    form->show("srv1");
    const auto type = [&](const QString& words) {
        ValueEditor* count = form->editor("count");
        REQUIRE(count != nullptr);
        count->field()->setFocus();
        QTest::keySequence(count->field(), QKeySequence::SelectAll);
        QTest::keyClicks(count->field(), words);
        QTest::keyClick(count->field(), Qt::Key_Return);
    };
    type(QStringLiteral("-3"));
    CHECK(wizard.model().document().text().find("-3") != std::string::npos);
    CHECK(form->editor("count")->text() == QStringLiteral("-3")); // with its red frame
    CHECK(shows(
        wizard, QStringLiteral("Mail server, Count: -3 is out of range; write a number from 1 to 1000000")));
    type(QStringLiteral("1"));
    CHECK(wizard.model().document().text().find("-3") == std::string::npos);
    CHECK(wizard.model().lab().find("srv1")->count == 1);
    CHECK_FALSE(shows(wizard, QStringLiteral("out of range")));
    for (const Problem& problem : wizard.model().problems())
        CHECK(problem.field.find("count") == std::string::npos);
}

TEST_CASE("what fits no value is kept from page to page and named on the last one")
{
    LabWizard wizard;
    wizard.model().setValue("title", QStringLiteral("A lab"));
    wizard.show();
    wizard.activateWindow(); // fields are left only in an active window
    REQUIRE(QTest::qWaitForWindowActive(&wizard));
    wizard.next();
    const auto form = [&] {
        auto* shown = wizard.currentPage()->findChild<ItemForm*>();
        shown->show("srv1");
        return shown;
    };
    for (const auto& [key, words] : { std::pair("count", "many"), std::pair("bios_date", "32.13.2024") }) {
        QWidget* field = form()->editor(key)->field();
        field->setFocus();
        QTest::keySequence(field, QKeySequence::SelectAll);
        QTest::keyClicks(field, QLatin1String(words));
        QTest::keyClick(field, Qt::Key_Tab);
    }
    wizard.next();
    wizard.back();
    CHECK(form()->editor("count")->text() == QStringLiteral("many"));
    CHECK(form()->editor("bios_date")->text() == QStringLiteral("32.13.2024"));
    while (wizard.nextId() >= 0)
        wizard.next();
    const auto* problems = wizard.currentPage()->findChild<QListWidget*>();
    REQUIRE(problems != nullptr);
    CHECK_FALSE(problems->findItems(QStringLiteral("32.13.2024"), Qt::MatchContains).isEmpty());
    CHECK_FALSE(problems->findItems(QStringLiteral("whole number"), Qt::MatchContains).isEmpty());
    const std::string text = wizard.document().text();
    CHECK(text.find("bios_date = \"32.13.2024\"") != std::string::npos);
    CHECK(text.find("count = \"many\"") != std::string::npos);
}

TEST_CASE("another template asks before it replaces what was entered, and F1 asks for help")
{
    LabWizard wizard;
    wizard.show();
    auto* choice = wizard.currentPage()->findChild<QComboBox*>();
    REQUIRE(choice != nullptr);
    REQUIRE(choice->count() > 2);
    const auto choose = [&](int index) {
        choice->setCurrentIndex(index);
        emit choice->activated(index); // as its list does
    };
    {
        const Answers answers;
        choose(1); // nothing was entered
        CHECK(answers.asked.isEmpty());
    }
    wizard.model().setValue("title", QStringLiteral("A lab"));
    const std::string before = wizard.document().text();
    {
        const Answers answers(QStringLiteral("Cancel"));
        choose(2);
        CHECK(answers.asked
            == QStringList { QStringLiteral("Replace everything that was entered by the template?") });
        CHECK(choice->currentIndex() == 1);
        CHECK(wizard.document().text() == before);
    }
    const Answers answers(QStringLiteral("Yes"));
    choose(2);
    CHECK(answers.asked.size() == 1);
    CHECK(wizard.document().text() != before);
    QSignalSpy help(&wizard, &LabWizard::helpWanted);
    wizard.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&wizard));
    QTest::keyClick(&wizard, Qt::Key_F1);
    CHECK(help.count() == 1);
}

TEST_CASE("what a report prints of a new lab names no ids")
{
    LabWizard wizard;
    wizard.model().setValue("title", QStringLiteral("A lab"));
    wizard.show();
    wizard.next();
    const QString printed = wizard.currentPage()->findChild<QTextBrowser*>()->toPlainText();
    CHECK(printed.contains(QStringLiteral("Mail server")));
    CHECK_FALSE(printed.contains(QStringLiteral("srv1")));
}
