// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"
#include "window/live_run.h"

#include <QMainWindow>

class QAction;
class QListWidget;
class QMenu;
class QStackedWidget;

namespace loadstone::ui {

class Exporter;
class HelpWindow;
class HistoryPage;
class PlanChooser;
class RunLauncher;
class RunPage;
class StatusLine;
class Unattended;

struct WorkbenchOptions {
    std::filesystem::path plan; ///< chosen at the start
    std::filesystem::path history; ///< empty: the default folder
    QString open; ///< a run to show: id, prefix or "last"
    bool run = false; ///< start the plan at once
    QString screenshot; ///< picture of the window, taken when what was asked for is there; then quit
};

/// Composition of the workbench: navigation, pages, toolbar, status bar; it wires, others do.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(WorkbenchOptions options, RunStarter starter);
    ~MainWindow() override;

    /// After show(): opens and starts what the options ask for.
    void begin();
    void openRun(const RunId& id);
    [[nodiscard]] LiveRun& live() { return m_live; }
    [[nodiscard]] HistoryPage* historyPage() const { return m_history; }
    [[nodiscard]] RunPage* livePage() const { return m_livePage; }
    [[nodiscard]] RunPage* currentRunPage() const;
    [[nodiscard]] Exporter* exporter() const { return m_exporter; }
    /// Says what went wrong; with nobody there, on standard error, and that is the end.
    void complain(const QString& title, const QString& message);

public slots:
    /// As the system asks it to: without a question, but with the run's own end.
    void closeInOrder();

signals:
    /// The picture that was asked for is there, or cannot be.
    void exitWanted(int code);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    static constexpr int kHistoryRow = 0, kLiveRow = 1; // of the navigation and the pages; opened runs follow

    void makePages();
    void makeActions();
    void makeMenus();
    void connectLive();
    RunPage* addRunPage(const QString& title);
    void connectRunPage(RunPage* page);
    void closeRunPage(int row);
    void updateNavigation();
    void pageChanged();
    void updateActions();
    void fillViewMenu();
    void fillExportMenu();
    void updateNotes();
    void takeWhenShown(RunPage* page);
    void askToClose();
    void closeWhenDone();
    void tellNotSaved(const QStringList& problems, const QStringList& written);
    void saveLayout();
    void restoreLayout();
    [[nodiscard]] std::vector<RunSummary> runsToExport() const;
    [[nodiscard]] static QString livePlaceholder();

    WorkbenchOptions m_options;
    HistoryStore m_store;
    LiveRun m_live;
    RunLauncher* m_launcher;
    Exporter* m_exporter;
    Unattended* m_unattended;
    QListWidget* m_navigation;
    QStackedWidget* m_pages;
    HistoryPage* m_history;
    RunPage* m_livePage;
    StatusLine* m_status;
    PlanChooser* m_plans;
    HelpWindow* m_help = nullptr;
    QMenu* m_viewMenu {};
    QMenu* m_exportMenu {};
    QAction* m_run {};
    QAction* m_stop {};
    QAction* m_closePage {};
    bool m_closing = false; // the window goes when run, exports and the history's work have ended
};

} // namespace loadstone::ui
