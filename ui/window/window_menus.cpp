// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_menus.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "lab/recent_labs.h"
#include "result/result_model.h"
#include "study/study_model.h"
#include "tasks/task_dialog.h"
#include "window/exporter.h"
#include "window/help_window.h"
#include "window/plan_chooser.h"
#include "window/plan_wizards.h"
#include "window/workbench_pages.h"

#include <loadstone/program.h>

#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QToolBar>
#include <QToolButton>

#include <utility>

namespace loadstone::ui {

WindowMenus::WindowMenus(
    QMainWindow& window, WorkbenchPages& pages, PlanChooser& plans, PlanWizards& wizards, Exporter& exporter)
    : QObject(&window)
    , m_window(window)
    , m_pages(pages)
    , m_plans(plans)
    , m_wizards(wizards)
    , m_exporter(exporter)
    , m_run(new QAction(icon(QStringLiteral("run")), tr("&Run"), this))
    , m_stop(new QAction(icon(QStringLiteral("stop")), tr("&Stop"), this))
    , m_look(new QAction(icon(QStringLiteral("plan")), tr("&Look at the plan…"), this))
{
    m_run->setShortcut(Qt::Key_F5);
    m_run->setToolTip(tr("Run the chosen plan (F5)"));
    connect(m_run, &QAction::triggered, this, &WindowMenus::runWanted);
    m_stop->setShortcut(Qt::SHIFT | Qt::Key_F5);
    m_stop->setToolTip(tr("Stop the run and keep what was measured (Shift+F5)"));
    connect(m_stop, &QAction::triggered, this, &WindowMenus::stopWanted);
    m_look->setShortcut(Qt::CTRL | Qt::Key_L);
    m_look->setToolTip(tr("What the chosen plan does and needs, and its text (Ctrl+L)"));
    connect(m_look, &QAction::triggered, this, &WindowMenus::lookWanted);
    makeMenus();
    makeToolBar();
    connect(&m_pages, &WorkbenchPages::currentChanged, this, &WindowMenus::updatePages);
    connect(&m_pages, &WorkbenchPages::titlesChanged, this, &WindowMenus::updatePages);
    connect(&m_pages, &WorkbenchPages::actionsChanged, this, &WindowMenus::updatePages);
    updatePages();
}

void WindowMenus::makeMenus()
{
    QMenuBar* bar = m_window.menuBar();
    QMenu* file = bar->addMenu(tr("&File"));
    QAction* openPlan =
        file->addAction(icon(QStringLiteral("open")), tr("&Open plan…"), &m_plans, &PlanChooser::openFile);
    openPlan->setShortcut(QKeySequence::Open);
    file->addActions(m_wizards.actions());
    file->addSeparator();
    QAction* newLab =
        file->addAction(icon(QStringLiteral("add")), tr("&New lab…"), &m_pages, &WorkbenchPages::newLab);
    newLab->setShortcut(QKeySequence::New);
    QAction* openLab =
        file->addAction(icon(QStringLiteral("open")), tr("Open &lab…"), &m_pages, &WorkbenchPages::chooseLab);
    openLab->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_L);
    m_recentLabs = file->addMenu(tr("&Recent labs"));
    connect(m_recentLabs, &QMenu::aboutToShow, this, &WindowMenus::fillRecentLabs);
    QMenu* compare = file->addMenu(icon(QStringLiteral("compare")), tr("&Comparisons and studies"));
    compare->addAction(icon(QStringLiteral("compare")), tr("New &comparison"), &m_pages,
        [this] { m_pages.compareRuns({}); });
    compare->addAction(
        icon(QStringLiteral("study")), tr("New &study"), &m_pages, [this] { m_pages.addStudy(newStudy()); });
    compare->addAction(tr("&Open study…"), &m_pages, &WorkbenchPages::chooseStudy);
    compare->addAction(icon(QStringLiteral("paper")), tr("New &published result"), &m_pages,
        [this] { m_pages.addResult(newResult()); });
    compare->addAction(tr("Open pu&blished result…"), &m_pages, &WorkbenchPages::chooseResult);
    m_recentFiles = compare->addMenu(tr("&Recent"));
    connect(m_recentFiles, &QMenu::aboutToShow, this, &WindowMenus::fillRecentFiles);
    m_openEnd = m_pages.history()->importAction();
    file->addAction(m_openEnd);
    m_fileEnd = file->addSeparator();
    file->addAction(m_pages.closeAction());
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"), &m_window, &QWidget::close);
    quit->setShortcut(Qt::CTRL | Qt::Key_Q);
    m_fileMenu = file;
    m_editMenu = bar->addMenu(tr("E&dit"));
    m_runMenu = bar->addMenu(tr("&Run"));
    m_viewMenu = bar->addMenu(tr("&View"));
    m_exportMenu = bar->addMenu(tr("&Export"));
    connect(m_exportMenu, &QMenu::aboutToShow, this, &WindowMenus::fillExportMenu);
    QMenu* help = bar->addMenu(tr("&Help"));
    m_helpMenu = help->menuAction();
    QAction* contents =
        help->addAction(icon(QStringLiteral("help")), tr("&Contents"), this, &WindowMenus::showHelp);
    contents->setShortcut(QKeySequence::HelpContents);
    contents->setShortcutContext(Qt::ApplicationShortcut); // in windows of tasks as well
    help->addAction(tr("&About Loadstone"), this, [this] {
        QMessageBox::about(&m_window, tr("About Loadstone"),
            tr("Loadstone %1\n\nA workbench for benchmarking mail servers.\n\n"
               "Free software under the GNU General Public License, version 3 or later.")
                .arg(text(versionText())));
    });
}

void WindowMenus::addTools(const QList<QAction*>& actions)
{
    auto* tools = new QMenu(tr("&Tools"), m_window.menuBar());
    tools->addActions(actions);
    m_window.menuBar()->insertMenu(m_helpMenu, tools);
}

void WindowMenus::addOpening(const QList<QAction*>& actions)
{
    m_fileMenu->insertActions(m_openEnd, actions);
}

void WindowMenus::makeToolBar()
{
    QToolBar* bar = m_window.addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("main"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({ m_run, m_stop });
    bar->addSeparator();
    bar->addWidget(&m_plans);
    bar->addAction(m_look);
    // The chooser's neighbour has a picture only: its words are in the menu and the tool tip.
    if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(m_look)))
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
}

void WindowMenus::enable(bool run, bool stop)
{
    m_run->setEnabled(run);
    m_stop->setEnabled(stop);
}

void WindowMenus::updatePages()
{
    m_viewMenu->clear();
    int number = 0;
    for (Page* page : m_pages.pages()) {
        QAction* go = m_viewMenu->addAction(m_pages.nameOf(page), this, [this, page = QPointer<Page>(page)] {
            if (page && m_pages.current() == page)
                page->activated(); // whatever else has the keyboard
            else if (page)
                m_pages.choose(page);
        });
        if (number < 9)
            go->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number++));
    }
    fillRunMenu();
    const Page* page = m_pages.current();
    fillPageMenus(page);
    if (page == nullptr)
        return;
    if (const auto actions = page->actionsOf(PageMenu::view); !actions.isEmpty()) {
        m_viewMenu->addSeparator();
        m_viewMenu->addActions(actions);
    }
}

void WindowMenus::fillPageMenus(const Page* page)
{
    // Those of a page that has gone have taken themselves out.
    for (const QPointer<QAction>& action : std::exchange(m_pageFileActions, {}))
        if (action)
            m_fileMenu->removeAction(action);
    m_editMenu->clear();
    if (page != nullptr) {
        for (QAction* action : page->actionsOf(PageMenu::file)) {
            m_fileMenu->insertAction(m_fileEnd, action);
            m_pageFileActions.append(action);
        }
        m_editMenu->addActions(page->actionsOf(PageMenu::edit));
    }
    m_editMenu->menuAction()->setVisible(!m_editMenu->isEmpty());
    // The letter of a menu that is not there would be taken from what has it on the page.
    m_editMenu->setTitle(m_editMenu->isEmpty() ? tr("Edit") : tr("E&dit"));
}

void WindowMenus::fillRecentLabs()
{
    m_recentLabs->clear();
    for (const QString& file : recentLabs())
        m_recentLabs->addAction(QString(file).replace(QLatin1Char('&'), QStringLiteral("&&")), &m_pages,
            [this, file] { m_pages.openLab(bytes(file)); });
    if (m_recentLabs->isEmpty())
        m_recentLabs->addAction(tr("No labs yet"))->setEnabled(false);
}

void WindowMenus::fillRecentFiles()
{
    m_recentFiles->clear();
    for (const QString& file : WorkbenchPages::recentFiles())
        m_recentFiles->addAction(QString(file).replace(QLatin1Char('&'), QStringLiteral("&&")), &m_pages,
            [this, file] { m_pages.openFile(bytes(file)); });
    if (m_recentFiles->isEmpty())
        m_recentFiles->addAction(tr("No studies and results yet"))->setEnabled(false);
}

void WindowMenus::fillRunMenu()
{
    m_runMenu->clear();
    m_runMenu->addActions({ m_run, m_stop, m_look });
    const Page* page = m_pages.current();
    const auto actions = page == nullptr ? QList<QAction*>() : page->actionsOf(PageMenu::run);
    if (!actions.isEmpty()) {
        m_runMenu->addSeparator();
        m_runMenu->addActions(actions);
    }
}

void WindowMenus::fillExportMenu()
{
    m_exportMenu->clear();
    Page* page = m_pages.current();
    if (page == nullptr)
        return;
    if (const auto own = page->actionsOf(PageMenu::exported); !own.isEmpty()) {
        m_exportMenu->addActions(own);
        return;
    }
    const auto runs = page->chosenRuns();
    for (const ExportKind& kind : exportKinds())
        m_exportMenu
            ->addAction(tr("%1…").arg(kind.name), this,
                [this, runs, window = page->chosenWindow(), format = kind.format] {
                    m_exporter.exportRuns(runs, format, window);
                })
            ->setEnabled(!runs.empty());
    m_exportMenu
        ->addAction(tr("C&ounters…"), this,
            [this, runs, window = page->chosenWindow()] { emit countersWanted(runs.front(), window); })
        ->setEnabled(runs.size() == 1);
    m_exportMenu->addSeparator();
    PerformanceChart* chart = page->picturedChart();
    for (const bool svg : { false, true })
        m_exportMenu
            ->addAction(svg ? tr("Chart as &SVG…") : tr("Chart as &PNG…"), this,
                [this, chart, svg, runs] { m_exporter.exportChart(*chart, exportName(runs.front()), svg); })
            ->setEnabled(chart != nullptr && !runs.empty());
}

void WindowMenus::showHelp()
{
    if (m_help == nullptr)
        m_help = new HelpWindow(&m_window);
    const Page* page = m_pages.current();
    const bool isTask = qobject_cast<TaskDialog*>(QApplication::activeWindow()) != nullptr;
    m_help->showTopic(isTask  ? QStringLiteral("tasks")
            : page == nullptr ? QStringLiteral("workbench")
                              : page->helpTopic());
}

} // namespace loadstone::ui
