// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/notes_tab.h"
#include "workbench_fixture.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace loadstone;
using namespace loadstone::ui;

TEST_CASE("the notes of the history come in field by field, around what is being edited")
{
    NotesTab tab;
    auto* note = tab.findChild<QPlainTextEdit*>();
    auto* tags = tab.findChild<QLineEdit*>();
    auto* save = tab.findChild<QPushButton*>();
    tab.setNote(QStringLiteral("one\r\ntwo"), { QStringLiteral("a,b") });
    CHECK_FALSE(save->isEnabled()); // a comma or a carriage return from elsewhere is no change of ours
    QSignalSpy tagEdits(&tab, &NotesTab::tagsEdited), noteEdits(&tab, &NotesTab::noteEdited);
    note->setPlainText(QStringLiteral("mine"));
    CHECK(save->isEnabled());
    tab.setNote(QStringLiteral("theirs"), { QStringLiteral("starred") });
    CHECK(note->toPlainText() == QStringLiteral("mine"));
    CHECK(tags->text() == QStringLiteral("starred"));
    save->click();
    CHECK(noteEdits.count() == 1);
    CHECK(tagEdits.count() == 0);
    CHECK_FALSE(save->isEnabled());
    tab.noteDone(QStringLiteral("mine"), true);
    CHECK_FALSE(save->isEnabled());
    note->moveCursor(QTextCursor::End);
    tab.setNote(QStringLiteral("mine"), { QStringLiteral("starred") });
    CHECK(note->textCursor().atEnd());
}

TEST_CASE("a note that was written elsewhere meanwhile goes by a click alone, not by leaving the page")
{
    NotesTab tab;
    auto* note = tab.findChild<QPlainTextEdit*>();
    QSignalSpy edits(&tab, &NotesTab::noteEdited);
    const QString mine = QStringLiteral("mine"), theirs = QStringLiteral("theirs");
    const auto disagree = [&] {
        tab.setHeader({});
        tab.setNote({}, {});
        note->setPlainText(mine);
        tab.setNote(theirs, {});
        edits.clear();
    };
    disagree();
    tab.flush();
    REQUIRE(edits.count() == 1);
    CHECK(edits[0][0].toString() == QStringLiteral("theirs\n\nmine"));
    disagree();
    tab.findChild<QPushButton*>()->click();
    REQUIRE(edits.count() == 1);
    CHECK(edits[0][0].toString() == mine);
}

TEST_CASE("what was not saved stays in its field and can be saved again or given up")
{
    NotesTab tab;
    auto* note = tab.findChild<QPlainTextEdit*>();
    auto* tags = tab.findChild<QLineEdit*>();
    auto* save = tab.findChild<QPushButton*>();
    const QString old = QStringLiteral("old"), mine = QStringLiteral("mine");
    const QStringList before { QStringLiteral("a") }, after { QStringLiteral("a"), QStringLiteral("b") };
    tab.setNote(old, before);
    QSignalSpy tagEdits(&tab, &NotesTab::tagsEdited), noteEdits(&tab, &NotesTab::noteEdited);
    note->setPlainText(mine);
    tags->setText(QStringLiteral("a, b"));
    save->click();
    CHECK_FALSE(save->isEnabled()); // under way
    tab.flush();
    CHECK(noteEdits.count() == 1); // and not asked for twice
    REQUIRE(tagEdits.count() == 1);
    CHECK(tagEdits[0][0].toStringList() == before);
    CHECK(tagEdits[0][1].toStringList() == after);

    tab.noteDone(mine, false);
    tab.tagsDone(after, false);
    CHECK(save->isEnabled());
    tab.setNote(QStringLiteral("theirs"), { QStringLiteral("a"), QStringLiteral("starred") });
    CHECK(note->toPlainText() == mine);
    CHECK(tags->text() == QStringLiteral("a, b"));

    save->click();
    CHECK(noteEdits.count() == 2);
    REQUIRE(tagEdits.count() == 2);
    CHECK(tagEdits[1][0].toStringList() == before); // as the user was shown them
    tab.noteDone(mine, true);
    tab.tagsDone(after, true);
    CHECK_FALSE(save->isEnabled());
    tab.setNote(mine, { QStringLiteral("a"), QStringLiteral("starred"), QStringLiteral("b") });
    CHECK(tags->text() == QStringLiteral("a, starred, b"));

    note->setPlainText(QStringLiteral("never mind"));
    tags->clear();
    tab.drop();
    CHECK(note->toPlainText() == mine);
    CHECK(tags->text() == QStringLiteral("a, starred, b"));
    CHECK_FALSE(save->isEnabled());
}

TEST_CASE("the answer to a note of the run before is none for the run that is shown now")
{
    NotesTab tab;
    auto* note = tab.findChild<QPlainTextEdit*>();
    note->setPlainText(QStringLiteral("mine"));
    tab.flush();
    tab.setHeader({});
    tab.setNote(QStringLiteral("another's"), {});
    tab.noteDone(QStringLiteral("mine"), true);
    CHECK(note->toPlainText() == QStringLiteral("another's"));
    CHECK_FALSE(tab.findChild<QPushButton*>()->isEnabled());
}
