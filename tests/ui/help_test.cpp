// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "window/help_window.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>

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

namespace {

/// The links of a page, as they are written there.
QStringList linksOf(const QTextDocument& page)
{
    QStringList links;
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (const QString link = part.fragment().charFormat().anchorHref(); !link.isEmpty())
                links.append(link);
    return links;
}

} // namespace

TEST_CASE("each link of the help leads to a heading that is there, and Alt+Left back")
{
    HelpWindow help(nullptr);
    help.show();
    help.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&help));
    auto* page = help.findChild<QTextBrowser*>();
    const auto* topics = help.findChild<QListWidget*>();
    QStringList places, links; // "results", "results#score"
    for (const auto& [topic, name] : helpTopics()) {
        help.showTopic(topic);
        places.append(topic);
        for (QTextBlock block = page->document()->begin(); block.isValid(); block = block.next())
            if (block.blockFormat().headingLevel() != 0)
                places.append(topic + QLatin1Char('#') + headingAnchor(block.text()));
        for (const QString& link : linksOf(*page->document()))
            if (const QUrl url(link); url.scheme().isEmpty())
                links.append(link.startsWith(QLatin1Char('#')) ? topic + link : QString(link).remove(".md"));
    }
    CHECK(links.size() > 20);
    for (const QString& link : links) {
        INFO(link.toStdString());
        CHECK(places.contains(link));
    }
    help.showTopic(QStringLiteral("workbench"));
    for (const char* link : { "results.md#score", "files.md" }) {
        INFO(link);
        const QString before = topics->currentItem()->text();
        page->verticalScrollBar()->setValue(7);
        const QUrl url(QString::fromLatin1(link));
        emit page->anchorClicked(url);
        CHECK(topics->currentItem()->data(Qt::UserRole).toString() + ".md" == url.path());
        CHECK(page->document()->characterCount() > 100); // no empty page
        if (url.hasFragment())
            CHECK(headingAnchor(page->textCursor().block().text()) == url.fragment());
        QTest::keyClick(&help, Qt::Key_Left, Qt::AltModifier);
        CHECK(topics->currentItem()->text() == before);
        CHECK(page->verticalScrollBar()->value() == 7);
    }
}
