// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"
#include "window/live_run.h"
#include "worker.h"

#include <loadstone/plan_file.h>

#include <QMainWindow>

namespace loadstone::ui {

class Exporter;
class PlanChooser;
class PlanWizards;
class PlanWork;
class RunLauncher;
class RunPage;
struct RunRequest;
class StatusLine;
class Unattended;
class WindowMenus;
class WorkbenchPages;

struct WorkbenchOptions {
    std::filesystem::path plan; ///< chosen at the start
    std::filesystem::path history; ///< empty: the default folder
    QString open; ///< a run to show: id, prefix or "last"
    bool run = false; ///< start the plan at once
    QString screenshot; ///< picture of the window, taken when what was asked for is there; then quit
};

/// Composition of the workbench: menus, pages, status bar and the live run are wired here. Its own is the end: it closes when
/// the run, exports and the history's work have ended.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(WorkbenchOptions options, RunStarter starter);
    ~MainWindow() override;

    /// After show(): opens and starts what the options ask for.
    void begin();
    [[nodiscard]] LiveRun& live() { return m_live; }
    [[nodiscard]] WorkbenchPages* pages() const { return m_pages; }
    [[nodiscard]] PlanWork* work() const { return m_work; }
    [[nodiscard]] Exporter* exporter() const { return m_exporter; }
    /// Says what went wrong; unattended, on standard error, and that is the end.
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
    void connectLive();
    void connectWizards();
    void connectHistory();
    void connectExporter();
    void connectUnattended();
    void updateActions();
    void run(const RunRequest& request);
    void runBeside(const RunRequest& request); ///< asks where another run would disturb it
    void stop(); ///< asks where much would be lost
    void lookAtPlan();
    /// A run of another program on this machine; null: there is none.
    [[nodiscard]] const RunSummary* foreignRun() const;
    void updateStatus();
    void beginWithRun(RunPage* page); ///< the list of runs waits for its picture
    void askToClose();
    void closeWhenDone();
    void tellNotSaved(const QStringList& problems, const QStringList& written);
    void saveLayout();
    void restoreLayout();

    WorkbenchOptions m_options;
    HistoryStore m_store;
    LiveRun m_live;
    RunLauncher* m_launcher;
    Exporter* m_exporter;
    Unattended* m_unattended;
    WorkbenchPages* m_pages;
    PlanChooser* m_plans;
    PlanWork* m_work;
    PlanWizards* m_wizards;
    WindowMenus* m_menus;
    StatusLine* m_status;
    Worker m_worker; // reads a plan that is to be looked at
    bool m_isAsking = false; // a run is wanted, and the list of runs is read before it
    bool m_inOrder = false; // the system asked for it
    bool m_closing = false; // the window goes when run, exports and the history's work have ended
};

/// A window's place, wherever it was when it was saved, as it fits on a screen: no larger than it, and wholly on it.
QRect placedOn(const QRect& window, const QRect& screen);

} // namespace loadstone::ui
