// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help_window.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

// The pages lie in a static library: without this the linker would leave them out. Must stand at global
// scope.
static void initialiseHelp()
{
    Q_INIT_RESOURCE(help);
}

namespace loadstone::ui {

namespace {

/// From its first heading on: what stands before it is no part of the page.
QString read(const QString& topic)
{
    QFile file(QStringLiteral(":/help/%1.md").arg(topic));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString page = QString::fromUtf8(file.readAll());
    return page.mid(std::max<qsizetype>(0, page.indexOf(QLatin1String("# "))));
}

void tidyTables(QTextDocument* document, const QColor& line)
{
    for (QTextFrame* frame : document->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderBrush(line);
            format.setCellPadding(4);
            format.setTopMargin(8);
            format.setBottomMargin(8);
            table->setFormat(format);
        }
}

/// Where else a text is that this page does not have.
QString placesOf(const QString& searched)
{
    QStringList pages;
    for (const auto& [topic, title] : helpTopics())
        if (read(topic).contains(searched, Qt::CaseInsensitive))
            pages.append(title);
    return pages.isEmpty()
        ? HelpWindow::tr("On no page")
        : HelpWindow::tr("Not on this page, but on: %1").arg(pages.join(QStringLiteral(", ")));
}

} // namespace

QString headingAnchor(const QString& heading)
{
    QString anchor;
    for (const QChar letter : heading.toLower())
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-') || letter == QLatin1Char('_'))
            anchor += letter;
        else if (letter == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    return anchor;
}

QList<QPair<QString, QString>> helpTopics()
{
    initialiseHelp();
    QList<QPair<QString, QString>> topics;
    QStringList names = QDir(QStringLiteral(":/help")).entryList({ QStringLiteral("*.md") });
    const QString first = QStringLiteral("workbench.md");
    if (names.removeAll(first) > 0)
        names.prepend(first);
    for (const QString& name : names) {
        const QString topic = name.chopped(3);
        const QString title = read(topic).section(QLatin1Char('\n'), 0, 0).mid(2).trimmed();
        topics.append({ topic, title.isEmpty() ? topic : title });
    }
    return topics;
}

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent)
    , m_topics(new QListWidget)
    , m_page(new QTextBrowser)
    , m_back(new QAction(tr("Back"), this))
{
    setWindowTitle(tr("Help"));
    resize(940, 680);
    auto* layout = new QVBoxLayout(this);
    auto* search = new QLineEdit;
    search->setPlaceholderText(tr("Search in this page (Ctrl+F; Enter: next)"));
    search->setClearButtonEnabled(true);
    auto* splitter = new QSplitter;
    splitter->addWidget(m_topics);
    splitter->addWidget(m_page);
    splitter->setSizes({ 220, 720 });
    layout->addWidget(splitter, 1);
    auto* found = new QLabel;
    m_back->setToolTip(tr("Back to where the last link was (Alt+Left)"));
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_back->setEnabled(false);
    auto* back = new QToolButton;
    back->setDefaultAction(m_back);
    auto* row = new QHBoxLayout;
    row->addWidget(back);
    row->addWidget(search, 1);
    row->addWidget(found);
    layout->addLayout(row);
    auto* toSearch = new QShortcut(QKeySequence::Find, this);
    connect(toSearch, &QShortcut::activated, search, [search] {
        search->setFocus();
        search->selectAll();
    });
    m_page->setOpenLinks(false); // the pages are set as text: the browser itself would look for files
    connect(m_page, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
    connect(m_back, &QAction::triggered, this, &HelpWindow::goBack);
    m_page->document()->setDocumentMargin(12);
    for (const auto& [topic, title] : helpTopics()) {
        auto* item = new QListWidgetItem(title, m_topics);
        item->setData(Qt::UserRole, topic);
    }
    connect(m_topics, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item == nullptr)
            return;
        m_page->setMarkdown(read(item->data(Qt::UserRole).toString()));
        tidyTables(m_page->document(), palette().color(QPalette::Mid));
    });
    connect(search, &QLineEdit::textEdited, found, &QLabel::clear);
    connect(m_topics, &QListWidget::currentItemChanged, found, &QLabel::clear);
    connect(search, &QLineEdit::returnPressed, this, [this, search, found] {
        bool isThere = m_page->find(search->text());
        if (!isThere) { // from the top again
            m_page->moveCursor(QTextCursor::Start);
            isThere = m_page->find(search->text());
        }
        found->setText(isThere || search->text().isEmpty() ? QString() : placesOf(search->text()));
    });
    m_topics->setCurrentRow(0);
}

QString HelpWindow::topic() const
{
    const QListWidgetItem* item = m_topics->currentItem();
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void HelpWindow::choose(const QString& topic)
{
    for (int i = 0; i < m_topics->count(); ++i)
        if (m_topics->item(i)->data(Qt::UserRole) == topic)
            m_topics->setCurrentRow(i);
}

void HelpWindow::showTopic(const QString& topic, const QString& heading)
{
    choose(topic);
    show();
    if (!heading.isEmpty()) // once it has its size, on which the place depends
        goTo(heading);
    raise();
    activateWindow();
}

void HelpWindow::goTo(const QString& heading)
{
    goToFirst([&](const QString& text) { return text.startsWith(heading); });
}

void HelpWindow::goToFirst(const std::function<bool(const QString&)>& wanted)
{
    const QTextDocument* page = m_page->document();
    for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || !wanted(block.text()))
            continue;
        m_page->setTextCursor(QTextCursor(block));
        const QRectF place = page->documentLayout()->blockBoundingRect(block);
        m_page->verticalScrollBar()->setValue(static_cast<int>(place.top()));
        return;
    }
}

void HelpWindow::follow(const QUrl& link)
{
    if (!link.scheme().isEmpty()) {
        QDesktopServices::openUrl(link);
        return;
    }
    m_left.append({ topic(), m_page->verticalScrollBar()->value() });
    m_back->setEnabled(true);
    if (!link.path().isEmpty()) // else it is on this page
        choose(link.path().chopped(3)); // ".md"
    if (link.hasFragment())
        goToFirst([&](const QString& text) { return headingAnchor(text) == link.fragment(); });
}

void HelpWindow::goBack()
{
    if (m_left.isEmpty())
        return;
    const Place place = m_left.takeLast();
    m_back->setEnabled(!m_left.isEmpty());
    choose(place.topic);
    m_page->verticalScrollBar()->setValue(place.scrolled);
}

} // namespace loadstone::ui
