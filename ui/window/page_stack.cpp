// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/page_stack.h"

#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "run/run_page.h"

#include <QAction>
#include <QListWidget>
#include <QPointer>
#include <QSettings>
#include <QStackedWidget>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kSplitter = QStringLiteral("window/splitter");
}

PageStack::PageStack(HistoryStore& store, QWidget* parent)
    : QSplitter(parent)
    , m_store(store)
    , m_navigation(new QListWidget)
    , m_pages(new QStackedWidget)
    , m_history(new HistoryPage(store))
    , m_live(new RunPage)
    , m_close(new QAction(tr("&Close run"), this))
{
    m_navigation->setIconSize(QSize(22, 22));
    m_navigation->setMinimumWidth(110);
    m_navigation->setAccessibleName(tr("Navigation"));
    m_navigation->setFrameShape(QFrame::NoFrame);
    m_navigation->setTextElideMode(Qt::ElideRight);
    m_navigation->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_navigation->setSpacing(2);
    m_navigation->addItem(new QListWidgetItem(icon(QStringLiteral("history")), tr("History")));
    m_navigation->addItem(new QListWidgetItem(icon(QStringLiteral("live")), tr("Live")));
    m_pages->addWidget(m_history);
    m_pages->addWidget(m_live);
    m_live->setPlaceholder(livePlaceholder());
    connectRun(m_live);
    addWidget(m_navigation);
    addWidget(m_pages);
    setStretchFactor(1, 1);
    setCollapsible(1, false);
    setSizes({ 150, 1200 });
    m_close->setShortcut(Qt::CTRL | Qt::Key_W);
    m_navigation->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_navigation->addAction(m_close);
    connect(m_close, &QAction::triggered, this, [this] {
        if (showsOpened())
            close(currentRun());
    });
    connect(m_navigation, &QListWidget::currentRowChanged, this, &PageStack::showChosen);
    connect(&m_store, &HistoryStore::changed, this, &PageStack::updateNotes);
    connect(m_history, &HistoryPage::openWanted, this, &PageStack::openRun);
    m_navigation->setCurrentRow(kHistory);
}

QString PageStack::livePlaceholder()
{
    return tr("<h2>No run is going on</h2><p>Choose a plan above and press <b>Run</b> (F5).</p>"
              "<p>The first-run plan takes about three minutes and needs no setup: it tests the mail "
              "server that comes with Loadstone, on this machine.</p>");
}

RunPage* PageStack::currentRun() const
{
    return qobject_cast<RunPage*>(m_pages->currentWidget());
}

RunPage* PageStack::runAt(int index) const
{
    return static_cast<RunPage*>(m_pages->widget(index));
}

bool PageStack::showsOpened() const
{
    return m_navigation->currentRow() > kLive;
}

std::vector<RunSummary> PageStack::chosenRuns() const
{
    const RunPage* page = currentRun();
    if (page == nullptr)
        return m_history->selectedRuns();
    if (!page->header())
        return {};
    RunSummary run;
    run.id = page->header()->id;
    run.title = page->header()->title;
    return { run };
}

QStringList PageStack::titles() const
{
    QStringList titles;
    for (int i = 0; i < m_navigation->count(); ++i)
        titles.append(m_navigation->item(i)->text());
    return titles;
}

void PageStack::choose(int index)
{
    m_navigation->setCurrentRow(index);
}

void PageStack::showChosen()
{
    m_pages->setCurrentIndex(std::max(0, m_navigation->currentRow()));
    m_close->setEnabled(showsOpened());
    emit currentChanged();
}

void PageStack::showLive(const RunId& id, const std::filesystem::path& file)
{
    m_live->open(file);
    m_live->setRunId(id);
    choose(kLive);
}

RunPage* PageStack::addRun(const QString& title)
{
    auto* page = new RunPage;
    page->restoreFrom(QSettings());
    page->setPlaceholder(tr("Opening…"));
    m_pages->addWidget(page);
    m_navigation->addItem(new QListWidgetItem(icon(QStringLiteral("recording")), title));
    connectRun(page);
    return page;
}

void PageStack::connectRun(RunPage* page)
{
    connect(page, &RunPage::headerChanged, this, &PageStack::updateNotes);
    connect(page, &RunPage::broken, this, &PageStack::broken);
    connect(page, &RunPage::figuresChanged, this, [this, page] {
        if (page == m_pages->currentWidget())
            emit figuresChanged();
    });
    connect(page, &RunPage::annotationWanted, this, [this, page](const Annotation& annotation) {
        if (page->header())
            m_store.annotate(page->header()->id, annotation);
    });
    // The page may be gone when the answer comes: the store then reports what was not saved.
    const QPointer<RunPage> alive(page);
    connect(page, &RunPage::noteEdited, this, [this, alive](const QString& note) {
        if (!alive->header())
            return;
        const RunId id = alive->header()->id;
        m_store.setNote(id, note, [alive, id, note](bool saved) {
            if (alive)
                alive->noteDone(id, note, saved);
        });
    });
    connect(
        page, &RunPage::tagsEdited, this, [this, alive](const QStringList& before, const QStringList& after) {
            if (!alive->header())
                return;
            const RunId id = alive->header()->id;
            m_store.retag(id, before, after, [alive, id, after](bool saved) {
                if (alive)
                    alive->tagsDone(id, after, saved);
            });
        });
}

void PageStack::openRun(const RunId& id)
{
    for (int i = kLive; i < m_pages->count(); ++i) {
        RunPage* page = runAt(i);
        if (page->runId() == id) {
            if (page->isBroken())
                page->reopen();
            choose(i);
            return;
        }
    }
    const RunSummary* run = m_store.find(id);
    RunPage* page = addRun(run != nullptr ? text(run->title) : text(id.text()));
    page->setRunId(id);
    choose(m_navigation->count() - 1);
    m_store.run([id](History& history) -> Result<std::filesystem::path> { return history.fileOf(id); }, page,
        [this, page](Result<std::filesystem::path> file) {
            if (file) {
                page->open(*file);
                return;
            }
            close(page);
            emit notOpened(text(file.error().message));
        });
}

void PageStack::close(RunPage* page)
{
    page->flush();
    QSettings settings;
    page->saveTo(settings);
    const int index = m_pages->indexOf(page);
    m_pages->removeWidget(page);
    delete m_navigation->takeItem(index);
    page->deleteLater();
    choose(kHistory);
    emit titlesChanged();
}

void PageStack::updateTitles()
{
    bool renamed = false;
    for (int i = kLive + 1; i < m_pages->count(); ++i) {
        const RunPage* page = runAt(i);
        if (!page->header())
            continue;
        const QString title = text(page->header()->title);
        const QString name = page->isDeleted() ? tr("%1 (deleted)").arg(title) : title;
        QListWidgetItem* item = m_navigation->item(i);
        renamed = renamed || item->text() != name;
        item->setText(name);
        item->setToolTip(QStringLiteral("%1\n%2").arg(title, formatWhen(page->header()->started)));
    }
    if (renamed) // a menu that lists them may be open
        emit titlesChanged();
}

void PageStack::updateNotes()
{
    for (int i = kLive; i < m_pages->count(); ++i) {
        RunPage* page = runAt(i);
        if (!page->header())
            continue;
        const RunSummary* run = m_store.find(page->header()->id);
        if (run == nullptr) {
            page->setUnlisted();
            continue;
        }
        QStringList tags;
        for (const std::string& tag : run->tags)
            tags.append(text(tag));
        page->setNote(text(run->note), tags);
    }
    updateTitles();
}

void PageStack::flush()
{
    for (int i = kLive; i < m_pages->count(); ++i)
        runAt(i)->flush();
}

void PageStack::drop()
{
    for (int i = kLive; i < m_pages->count(); ++i)
        runAt(i)->drop();
}

void PageStack::saveTo(QSettings& settings) const
{
    settings.setValue(kSplitter, saveState());
    m_history->saveTo(settings);
    const RunPage* page = currentRun();
    (page != nullptr ? page : m_live)->saveTo(settings);
}

void PageStack::restoreFrom(const QSettings& settings)
{
    restoreState(settings.value(kSplitter).toByteArray());
    m_history->restoreFrom(settings);
    m_live->restoreFrom(settings);
}

} // namespace loadstone::ui
