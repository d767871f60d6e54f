// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "window/help_window.h"

#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTextBrowser>

using namespace loadstone::ui;

TEST_CASE("the help's search says where a text is that its page does not have")
{
    HelpWindow help(nullptr);
    help.show();
    help.activateWindow();
    auto* search = help.findChild<QLineEdit*>();
    REQUIRE(search != nullptr);
    REQUIRE(QTest::qWaitForWindowActive(&help));
    QTest::keyClick(&help, Qt::Key_F, Qt::ControlModifier);
    CHECK(search->hasFocus());
    const auto says = [&] {
        QString words;
        for (const QLabel* label : help.findChildren<QLabel*>())
            words += label->text();
        return words;
    };
    QTest::keyClicks(search, QStringLiteral("UIDVALIDITY"));
    QTest::keyClick(search, Qt::Key_Return);
    CHECK(says().contains(QStringLiteral("What the numbers mean")));
    QTest::keyClicks(search, QStringLiteral("x"));
    CHECK(says().isEmpty());
    QTest::keyClick(search, Qt::Key_Return);
    CHECK(says() == QStringLiteral("On no page"));
    search->clear();
    QTest::keyClicks(search, QStringLiteral("F11"));
    QTest::keyClick(search, Qt::Key_Return);
    CHECK(says().isEmpty());
    CHECK(help.findChild<QTextBrowser*>()->textCursor().selectedText() == QStringLiteral("F11"));
}
