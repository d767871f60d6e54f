// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/page_host.h"
#include "support/catch.h"

#include <QAction>
#include <QListWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <utility>

using namespace loadstone::ui;

namespace {

/// A page as a later order adds one: this class, and a line that adds it.
class StubPage : public Page {
public:
    explicit StubPage(QString title, QString detail = {}, bool closable = false)
        : m_title(std::move(title))
        , m_detail(std::move(detail))
        , m_closable(closable)
    {
    }
    QString m_title, m_detail;
    bool m_closable, m_mayClose = true;
    int flushed = 0, activations = 0;

    [[nodiscard]] QString title() const override { return m_title; }
    [[nodiscard]] QString titleDetail() const override { return m_detail; }
    [[nodiscard]] QIcon picture() const override { return {}; }
    [[nodiscard]] bool canClose() const override { return m_closable; }
    bool mayClose() override { return m_mayClose; }
    void flush() override { ++flushed; }
    void activated() override { ++activations; }
    void saveTo(QSettings& settings) const override
    {
        settings.setValue(QStringLiteral("stub/title"), m_title);
    }
};

QString saved()
{
    return QSettings().value(QStringLiteral("stub/title")).toString();
}

} // namespace

TEST_CASE("pages are listed in the order in which they came, and the first is shown")
{
    PageHost host;
    auto* lab = new StubPage(QStringLiteral("Lab"));
    auto* plans = new StubPage(QStringLiteral("Plans"));
    host.add(lab);
    host.add(plans);
    CHECK(host.pages() == QList<Page*> { lab, plans });
    CHECK(host.current() == lab);
    QSignalSpy changes(&host, &PageHost::currentChanged);
    host.choose(plans);
    CHECK(host.current() == plans);
    CHECK(changes.count() == 1);
    CHECK(plans->activations == 1);
    CHECK(saved() == QStringLiteral("Lab")); // the layout is kept when a page is left, not only at the end
    CHECK_FALSE(host.closeAction()->isEnabled());
}

TEST_CASE("two pages with one title are told apart by their detail, and by nothing when one has gone")
{
    PageHost host;
    auto* first = new StubPage(QStringLiteral("First run"), QStringLiteral("14:05"), true);
    auto* second = new StubPage(QStringLiteral("First run"), QStringLiteral("16:10"), true);
    host.add(first);
    CHECK(host.nameOf(first) == QStringLiteral("First run"));
    host.add(second);
    CHECK(host.nameOf(first) == QStringLiteral("First run (14:05)"));
    CHECK(host.nameOf(second) == QStringLiteral("First run (16:10)"));
    CHECK(host.close(second));
    CHECK(host.nameOf(first) == QStringLiteral("First run"));
}

TEST_CASE("a page that does not want to close stays, another saves what is edited first")
{
    PageHost host;
    auto* stays = new StubPage(QStringLiteral("Studies"));
    auto* goes = new StubPage(QStringLiteral("Run"), {}, true);
    host.add(stays);
    host.add(goes);
    host.choose(goes);
    CHECK(host.closeAction()->isEnabled());
    goes->m_mayClose = false;
    host.closeAction()->trigger();
    CHECK(host.current() == goes);
    CHECK(goes->flushed == 0);
    goes->m_mayClose = true;
    host.closeAction()->trigger();
    CHECK(host.pages() == QList<Page*> { stays });
    CHECK(host.current() == stays);
    CHECK(goes->flushed == 1); // it goes with the event loop
    CHECK(saved() == QStringLiteral("Run"));
}

TEST_CASE("a new title of a page is that of the list")
{
    PageHost host;
    auto* page = new StubPage(QStringLiteral("Opening"));
    host.add(page);
    page->m_title = QStringLiteral("Suite");
    QSignalSpy titles(&host, &PageHost::titlesChanged);
    emit page->titleChanged();
    CHECK(titles.count() == 1);
    CHECK(host.findChild<QListWidget*>()->item(0)->text() == QStringLiteral("Suite"));
    emit page->titleChanged(); // the same again
    CHECK(titles.count() == 1);
}
