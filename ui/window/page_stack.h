// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"

#include <QSplitter>

#include <filesystem>
#include <vector>

class QAction;
class QListWidget;
class QSettings;
class QStackedWidget;

namespace loadstone::ui {

class HistoryPage;
class RunPage;

/// The window's pages, and the list by which one of them is chosen: the history, the live run, and the runs that were opened.
/// What is edited on them goes to the history, and what the history knows of their runs comes from it.
class PageStack : public QSplitter {
    Q_OBJECT
public:
    explicit PageStack(HistoryStore& store, QWidget* parent = nullptr);

    [[nodiscard]] HistoryPage* history() const { return m_history; }
    [[nodiscard]] RunPage* live() const { return m_live; }
    /// The run's page that is shown; null: it is the history's.
    [[nodiscard]] RunPage* currentRun() const;
    /// Whether an opened run is shown, neither the history nor the live run.
    [[nodiscard]] bool showsOpened() const;
    /// The runs that a menu of the window acts on: the one that is shown, or those selected in the history.
    [[nodiscard]] std::vector<RunSummary> chosenRuns() const;

    [[nodiscard]] QStringList titles() const;
    void choose(int index); ///< of titles()
    /// The run that this program drives, from now on.
    void showLive(const RunId& id, const std::filesystem::path& file);
    /// On a page of its own, or the one that it has.
    void openRun(const RunId& id);
    /// Closes the opened run that is shown.
    [[nodiscard]] QAction* closeAction() const { return m_close; }

    void flush(); ///< saves what is edited on the pages
    void drop(); ///< gives it up
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void currentChanged();
    void titlesChanged();
    void figuresChanged(); ///< of the run that is shown
    void broken(const QString& message); ///< a page's recording cannot be read
    void notOpened(const QString& message);

private:
    static constexpr int kHistory = 0, kLive = 1; // of the list and the pages; opened runs follow

    RunPage* addRun(const QString& title);
    void connectRun(RunPage* page);
    void close(RunPage* page);
    [[nodiscard]] RunPage* runAt(int index) const;
    void showChosen();
    void updateTitles();
    void updateNotes();
    [[nodiscard]] static QString livePlaceholder();

    HistoryStore& m_store;
    QListWidget* m_navigation;
    QStackedWidget* m_pages;
    HistoryPage* m_history;
    RunPage* m_live;
    QAction* m_close;
};

} // namespace loadstone::ui
