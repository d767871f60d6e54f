// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/page_host.h"

#include <QAction>
#include <QDropEvent>
#include <QListWidget>
#include <QSettings>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kSplitter = QStringLiteral("window/splitter");

Page* pageOf(const QListWidgetItem* item)
{
    return item == nullptr ? nullptr : static_cast<Page*>(item->data(Qt::UserRole).value<QWidget*>());
}
}

PageHost::PageHost(QWidget* parent)
    : QSplitter(parent)
    , m_navigation(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_close(new QAction(tr("&Close page"), this))
{
    m_navigation->setIconSize(QSize(22, 22));
    m_navigation->setMinimumWidth(110);
    m_navigation->setAccessibleName(tr("Navigation"));
    m_navigation->setFrameShape(QFrame::NoFrame);
    m_navigation->setTextElideMode(Qt::ElideRight);
    m_navigation->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_navigation->setSpacing(2);
    addWidget(m_navigation);
    addWidget(m_stack);
    setStretchFactor(1, 1);
    setCollapsible(1, false);
    setSizes({ 150, 1200 });
    m_close->setShortcut(Qt::CTRL | Qt::Key_W);
    m_navigation->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_navigation->addAction(m_close);
    connect(m_close, &QAction::triggered, this, [this] {
        if (Page* page = current(); page != nullptr && page->canClose())
            close(page);
    });
    connect(m_navigation, &QListWidget::currentItemChanged, this, &PageHost::showChosen);
    connect(m_navigation, &QListWidget::itemActivated, this, [this] {
        if (Page* page = current())
            page->activated();
    });
    m_navigation->viewport()->setAcceptDrops(true);
    m_navigation->viewport()->installEventFilter(this);
}

bool PageHost::eventFilter(QObject* watched, QEvent* event)
{
    // What is dragged over the name of a page goes to that page: it comes to the front, and takes what it can use.
    if (event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove
        || event->type() == QEvent::Drop) {
        auto* drag = static_cast<QDropEvent*>(event);
        if (Page* page = pageOf(m_navigation->itemAt(drag->position().toPoint()))) {
            choose(page);
            if (page->takesDrop(*drag->mimeData())) {
                drag->acceptProposedAction();
                if (event->type() == QEvent::Drop)
                    page->takeDrop(*drag->mimeData());
                return true;
            }
        }
        drag->setAccepted(event->type() != QEvent::Drop); // else no move would come any more
        return true;
    }
    return QSplitter::eventFilter(watched, event);
}

void PageHost::add(Page* page)
{
    if (m_shown != nullptr) { // so that a page of the same class begins with its layout
        QSettings settings;
        m_shown->saveTo(settings);
    }
    page->restoreFrom(QSettings());
    m_stack->addWidget(page);
    auto* item = new QListWidgetItem(page->picture(), page->title());
    item->setData(Qt::UserRole, QVariant::fromValue(static_cast<QWidget*>(page)));
    connect(page, &Page::titleChanged, this, &PageHost::updateTitles);
    connect(page, &Page::message, this, &PageHost::message);
    connect(page, &Page::actionsChanged, this, [this, page] {
        if (page == current())
            emit actionsChanged();
    });
    connect(page, &Page::statusChanged, this, [this, page] {
        if (page == current())
            emit statusChanged();
    });
    m_navigation->addItem(item);
    if (m_navigation->count() == 1)
        m_navigation->setCurrentItem(item);
    updateTitles();
    emit titlesChanged();
}

Page* PageHost::current() const
{
    return pageOf(m_navigation->currentItem());
}

QList<Page*> PageHost::pages() const
{
    QList<Page*> pages;
    for (int i = 0; i < m_navigation->count(); ++i)
        pages.append(pageOf(m_navigation->item(i)));
    return pages;
}

QListWidgetItem* PageHost::itemOf(const Page* page) const
{
    for (int i = 0; i < m_navigation->count(); ++i)
        if (pageOf(m_navigation->item(i)) == page)
            return m_navigation->item(i);
    return nullptr;
}

QString PageHost::nameOf(const Page* page) const
{
    const QListWidgetItem* item = itemOf(page);
    return item == nullptr ? page->title() : item->text();
}

void PageHost::choose(Page* page)
{
    if (QListWidgetItem* item = itemOf(page))
        m_navigation->setCurrentItem(item);
    if (m_navigation->hasFocus()) // it was chosen elsewhere, so that its keys work at once
        page->activated();
}

void PageHost::showChosen()
{
    Page* page = current();
    if (page == nullptr || page == m_shown)
        return;
    if (m_shown != nullptr) {
        QSettings settings;
        m_shown->saveTo(settings);
    }
    m_shown = page;
    const bool byKeys = m_navigation->hasFocus(); // who walks through the list goes on walking
    m_stack->setCurrentWidget(page);
    m_close->setEnabled(page->canClose());
    if (!byKeys)
        page->activated();
    emit currentChanged();
}

bool PageHost::close(Page* page, Page* next)
{
    QListWidgetItem* item = itemOf(page);
    if (item == nullptr || !page->mayClose())
        return false;
    page->flush();
    QSettings settings;
    page->saveTo(settings);
    if (page == m_shown) {
        m_shown = nullptr;
        if (next == nullptr) {
            const QList<Page*> all = pages();
            next = all.first() == page && all.size() > 1 ? all[1] : all.first();
        }
    }
    const QSignalBlocker quiet(m_navigation); // the list would choose for itself
    delete m_navigation->takeItem(m_navigation->row(item));
    m_stack->removeWidget(page);
    page->deleteLater();
    if (next != nullptr)
        m_navigation->setCurrentItem(itemOf(next));
    showChosen();
    updateTitles();
    emit titlesChanged();
    return true;
}

void PageHost::updateTitles()
{
    bool renamed = false;
    const QList<Page*> all = pages();
    for (const Page* page : all) {
        const auto same = std::count_if(
            all.begin(), all.end(), [&](const Page* other) { return other->title() == page->title(); });
        const QString detail = same > 1 ? page->titleDetail() : QString();
        const QString name =
            detail.isEmpty() ? page->title() : QStringLiteral("%1 (%2)").arg(page->title(), detail);
        QListWidgetItem* item = itemOf(page);
        renamed = renamed || item->text() != name;
        item->setText(name);
        item->setToolTip(page->tip());
    }
    if (renamed) // a menu that lists them may be open
        emit titlesChanged();
}

void PageHost::flush()
{
    for (Page* page : pages())
        page->flush();
}

void PageHost::drop()
{
    for (Page* page : pages())
        page->drop();
}

void PageHost::saveTo(QSettings& settings) const
{
    settings.setValue(kSplitter, saveState());
    if (m_shown != nullptr)
        m_shown->saveTo(settings);
}

void PageHost::restoreFrom(const QSettings& settings)
{
    restoreState(settings.value(kSplitter).toByteArray());
}

} // namespace loadstone::ui
