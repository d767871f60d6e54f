// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's pages of runs: opened, supplied with what the history knows, closed.
#include "format.h"
#include "icons.h"
#include "run/run_page.h"
#include "window/main_window.h"
#include "window/status_line.h"
#include "window/unattended.h"

#include <QListWidget>
#include <QPointer>
#include <QSettings>
#include <QStackedWidget>

namespace loadstone::ui {

RunPage* MainWindow::addRunPage(const QString& title)
{
    auto* page = new RunPage;
    page->restoreFrom(QSettings());
    page->setPlaceholder(tr("Opening…"));
    m_pages->addWidget(page);
    m_navigation->addItem(new QListWidgetItem(icon(QStringLiteral("recording")), title));
    connectRunPage(page);
    return page;
}

void MainWindow::connectRunPage(RunPage* page)
{
    connect(page, &RunPage::headerChanged, this, &MainWindow::updateNotes);
    connect(page, &RunPage::figuresChanged, this, [this, page] {
        // A run of our own is shown from memory, every fifth of a second.
        if (page == m_pages->currentWidget() && !(page == m_livePage && m_live.active()))
            m_status->show(*page->view());
    });
    connect(page, &RunPage::annotationWanted, this, [this, page](const Annotation& annotation) {
        if (page->header())
            m_store.annotate(page->header()->id, annotation);
    });
    // The page may have gone when the answer comes: the store then says what was not saved.
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
    if (m_unattended->on())
        connect(page, &RunPage::broken, m_unattended, &Unattended::fail);
}

void MainWindow::openRun(const RunId& id)
{
    for (int i = kLiveRow; i < m_pages->count(); ++i) {
        auto* page = static_cast<RunPage*>(m_pages->widget(i));
        if (page->runId() == id) {
            if (page->isBroken())
                page->reopen();
            m_navigation->setCurrentRow(i);
            return;
        }
    }
    const RunSummary* run = m_store.find(id);
    RunPage* page = addRunPage(run != nullptr ? text(run->title) : text(id.text()));
    page->setRunId(id);
    m_navigation->setCurrentRow(m_navigation->count() - 1);
    m_store.run([id](History& history) -> Result<std::filesystem::path> { return history.fileOf(id); }, page,
        [this, page](Result<std::filesystem::path> file) {
            if (file) {
                page->open(*file);
                return;
            }
            closeRunPage(m_pages->indexOf(page));
            complain(tr("Open run"), text(file.error().message));
        });
}

void MainWindow::closeRunPage(int row)
{
    if (row <= kLiveRow)
        return;
    auto* page = static_cast<RunPage*>(m_pages->widget(row));
    page->flush();
    QSettings settings;
    page->saveTo(settings);
    m_pages->removeWidget(page);
    delete m_navigation->takeItem(row);
    page->deleteLater();
    m_navigation->setCurrentRow(kHistoryRow);
}

RunPage* MainWindow::currentRunPage() const
{
    return qobject_cast<RunPage*>(m_pages->currentWidget());
}

void MainWindow::updateNavigation()
{
    bool renamed = false;
    for (int i = kLiveRow + 1; i < m_pages->count(); ++i) {
        const auto* page = static_cast<RunPage*>(m_pages->widget(i));
        if (!page->header())
            continue;
        const QString title = text(page->header()->title);
        const QString name = page->isDeleted() ? tr("%1 (deleted)").arg(title) : title;
        QListWidgetItem* item = m_navigation->item(i);
        renamed = renamed || item->text() != name;
        item->setText(name);
        item->setToolTip(QStringLiteral("%1\n%2").arg(title, formatWhen(page->header()->started)));
    }
    if (renamed) // the menu may be open
        fillViewMenu();
}

void MainWindow::updateNotes()
{
    for (int i = kLiveRow; i < m_pages->count(); ++i) {
        auto* page = static_cast<RunPage*>(m_pages->widget(i));
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
    updateNavigation();
}

} // namespace loadstone::ui
