// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's actions, menus and toolbar.
#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "run/chart/chart_panel.h"
#include "run/run_page.h"
#include "window/exporter.h"
#include "window/help_window.h"
#include "window/main_window.h"
#include "window/plan_chooser.h"
#include "window/run_launcher.h"

#include <loadstone/program.h>

#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QToolButton>

namespace loadstone::ui {

void MainWindow::makeActions()
{
    m_run = new QAction(icon(QStringLiteral("run")), tr("&Run"), this);
    m_run->setShortcut(Qt::Key_F5);
    m_run->setToolTip(tr("Run the chosen plan (F5)"));
    connect(m_run, &QAction::triggered, this, [this] { m_launcher->launch(m_plans->plan()); });
    m_stop = new QAction(icon(QStringLiteral("stop")), tr("&Stop"), this);
    m_stop->setShortcut(Qt::SHIFT | Qt::Key_F5);
    m_stop->setToolTip(tr("Stop the run and keep what was measured (Shift+F5)"));
    connect(m_stop, &QAction::triggered, &m_live, &LiveRun::stop);
    m_closePage = new QAction(tr("&Close run"), this);
    m_closePage->setShortcut(Qt::CTRL | Qt::Key_W);
    connect(m_closePage, &QAction::triggered, this, [this] { closeRunPage(m_navigation->currentRow()); });
}

void MainWindow::makeMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    QAction* openPlan =
        file->addAction(icon(QStringLiteral("open")), tr("&Open plan…"), m_plans, &PlanChooser::openFile);
    openPlan->setShortcut(QKeySequence::Open);
    file->addAction(m_closePage);
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(Qt::CTRL | Qt::Key_Q);
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addActions({ m_run, m_stop });
    m_viewMenu = menuBar()->addMenu(tr("&View"));
    m_exportMenu = menuBar()->addMenu(tr("&Export"));
    connect(m_exportMenu, &QMenu::aboutToShow, this, &MainWindow::fillExportMenu);
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    QAction* contents = help->addAction(icon(QStringLiteral("help")), tr("&Contents"), this, [this] {
        if (m_help == nullptr)
            m_help = new HelpWindow(this);
        m_help->showTopic(QStringLiteral("workbench"));
    });
    contents->setShortcut(QKeySequence::HelpContents);
    help->addAction(tr("&About Loadstone"), this, [this] {
        QMessageBox::about(this, tr("About Loadstone"),
            tr("Loadstone %1\n\nA workbench for benchmarking mail servers.\n\n"
               "Free software under the GNU General Public License, version 3 or later.")
                .arg(text(versionText())));
    });

    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("main"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({ m_run, m_stop });
    bar->addSeparator();
    bar->addWidget(m_plans);
    const auto menuButton = [&](const QString& text, const char* picture, QMenu* menu) {
        auto* button = new QToolButton;
        button->setText(text + QStringLiteral(" ▾"));
        button->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
        button->setIcon(icon(QLatin1String(picture)));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(menu);
        bar->addWidget(button);
    };
    menuButton(tr("View"), "view", m_viewMenu);
    menuButton(tr("Export"), "export", m_exportMenu);
}

void MainWindow::fillViewMenu()
{
    m_viewMenu->clear();
    for (int i = 0; i < m_navigation->count(); ++i) {
        QAction* go = m_viewMenu->addAction(
            m_navigation->item(i)->text(), this, [this, i] { m_navigation->setCurrentRow(i); });
        if (i < 9)
            go->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i));
    }
    if (const RunPage* page = currentRunPage()) {
        m_viewMenu->addSeparator();
        m_viewMenu->addActions(page->chartPanel()->viewActions());
    }
}

std::vector<RunSummary> MainWindow::runsToExport() const
{
    const RunPage* page = currentRunPage();
    if (page == nullptr)
        return m_history->selectedRuns();
    if (!page->header())
        return {};
    RunSummary run;
    run.id = page->header()->id;
    run.title = page->header()->title;
    return { run };
}

void MainWindow::fillExportMenu()
{
    m_exportMenu->clear();
    const auto runs = runsToExport();
    for (const ExportKind& kind : exportKinds())
        m_exportMenu
            ->addAction(tr("%1…").arg(kind.name), this,
                [this, runs, format = kind.format] { m_exporter->exportRuns(runs, format); })
            ->setEnabled(!runs.empty());
    m_exportMenu->addSeparator();
    const RunPage* page = currentRunPage();
    for (const bool svg : { false, true })
        m_exportMenu
            ->addAction(svg ? tr("Chart as SVG…") : tr("Chart as PNG…"), this,
                [this, page, svg, runs] {
                    m_exporter->exportChart(*page->chartPanel()->chart(), text(runs.front().id.text()), svg);
                })
            ->setEnabled(page != nullptr && page->view() != nullptr);
}

} // namespace loadstone::ui
