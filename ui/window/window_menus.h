// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <QAction>
#include <QList>
#include <QObject>
#include <QPointer>

#include <optional>

class QMainWindow;
class QMenu;

namespace loadstone::ui {

class Exporter;
class HelpWindow;
class Page;
class PlanChooser;
class PlanWizards;
class WorkbenchPages;

/// Menus and toolbar of the workbench's window, and their actions.
class WindowMenus : public QObject {
    Q_OBJECT
public:
    /// Makes them in `window`, which owns this and the rest.
    WindowMenus(QMainWindow& window, WorkbenchPages& pages, PlanChooser& plans, PlanWizards& wizards,
        Exporter& exporter);

    void enable(bool run, bool stop);
    /// A menu of its own, before Help.
    void addTools(const QList<QAction*>& actions);
    /// In the File menu, where files are opened.
    void addOpening(const QList<QAction*>& actions);
    /// The pages are others, or another one is shown.
    void updatePages();

signals:
    void runWanted();
    void stopWanted();
    /// To be exported: of the whole run, or of this window of it.
    void countersWanted(const loadstone::RunSummary& run, const std::optional<loadstone::TimeWindow>& window);
    void lookWanted(); ///< at the chosen plan, before it runs

private:
    void makeMenus();
    void makeToolBar();
    void fillRunMenu();
    void fillRecentLabs();
    void fillRecentFiles();
    void fillPageMenus(const Page* page);
    void fillExportMenu();
    void showHelp();

    QMainWindow& m_window;
    WorkbenchPages& m_pages;
    PlanChooser& m_plans;
    PlanWizards& m_wizards;
    Exporter& m_exporter;
    HelpWindow* m_help = nullptr; // once it was asked for
    QAction* m_run;
    QAction* m_stop;
    QAction* m_look;
    QAction* m_helpMenu {};
    QAction* m_openEnd {}; ///< what else opens files stands above it
    QMenu* m_fileMenu {};
    QMenu* m_recentLabs {};
    QMenu* m_recentFiles {};
    QMenu* m_editMenu {};
    QAction* m_fileEnd {}; ///< what a page adds to the File menu stands above it
    QList<QPointer<QAction>> m_pageFileActions;
    QMenu* m_runMenu {};
    QMenu* m_viewMenu {};
    QMenu* m_exportMenu {};
};

} // namespace loadstone::ui
