// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_menus.h"

#include "format.h"
#include "icons.h"
#include "run/chart/chart_panel.h"
#include "run/run_page.h"
#include "window/exporter.h"
#include "window/help_window.h"
#include "window/page_stack.h"
#include "window/plan_chooser.h"

#include <loadstone/program.h>

#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QToolButton>

namespace loadstone::ui {

WindowMenus::WindowMenus(QMainWindow& window, PageStack& pages, PlanChooser& plans, Exporter& exporter)
    : QObject(&window)
    , m_window(window)
    , m_pages(pages)
    , m_plans(plans)
    , m_exporter(exporter)
    , m_run(new QAction(icon(QStringLiteral("run")), tr("&Run"), this))
    , m_stop(new QAction(icon(QStringLiteral("stop")), tr("&Stop"), this))
{
    m_run->setShortcut(Qt::Key_F5);
    m_run->setToolTip(tr("Run the chosen plan (F5)"));
    connect(m_run, &QAction::triggered, this, &WindowMenus::runWanted);
    m_stop->setShortcut(Qt::SHIFT | Qt::Key_F5);
    m_stop->setToolTip(tr("Stop the run and keep what was measured (Shift+F5)"));
    connect(m_stop, &QAction::triggered, this, &WindowMenus::stopWanted);
    makeMenus();
    makeToolBar();
    connect(&m_pages, &PageStack::currentChanged, this, &WindowMenus::updatePages);
    connect(&m_pages, &PageStack::titlesChanged, this, &WindowMenus::updatePages);
    updatePages();
}

void WindowMenus::makeMenus()
{
    QMenuBar* bar = m_window.menuBar();
    QMenu* file = bar->addMenu(tr("&File"));
    QAction* openPlan =
        file->addAction(icon(QStringLiteral("open")), tr("&Open plan…"), &m_plans, &PlanChooser::openFile);
    openPlan->setShortcut(QKeySequence::Open);
    file->addAction(m_pages.closeAction());
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"), &m_window, &QWidget::close);
    quit->setShortcut(Qt::CTRL | Qt::Key_Q);
    QMenu* run = bar->addMenu(tr("&Run"));
    run->addActions({ m_run, m_stop });
    run->addSeparator();
    QAction* sources = run->addAction(tr("&Attached sources…"), this, [this] {
        if (RunPage* page = m_pages.currentRun())
            page->showSources();
    });
    connect(run, &QMenu::aboutToShow, this, [this, sources] {
        const RunPage* page = m_pages.currentRun();
        sources->setEnabled(page != nullptr && page->header() != nullptr);
    });
    m_viewMenu = bar->addMenu(tr("&View"));
    m_exportMenu = bar->addMenu(tr("&Export"));
    connect(m_exportMenu, &QMenu::aboutToShow, this, &WindowMenus::fillExportMenu);
    QMenu* help = bar->addMenu(tr("&Help"));
    QAction* contents =
        help->addAction(icon(QStringLiteral("help")), tr("&Contents"), this, &WindowMenus::showHelp);
    contents->setShortcut(QKeySequence::HelpContents);
    help->addAction(tr("&About Loadstone"), this, [this] {
        QMessageBox::about(&m_window, tr("About Loadstone"),
            tr("Loadstone %1\n\nA workbench for benchmarking mail servers.\n\n"
               "Free software under the GNU General Public License, version 3 or later.")
                .arg(text(versionText())));
    });
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

void WindowMenus::enable(bool run, bool stop)
{
    m_run->setEnabled(run);
    m_stop->setEnabled(stop);
}

void WindowMenus::updatePages()
{
    m_viewMenu->clear();
    const QStringList titles = m_pages.titles();
    for (int i = 0; i < titles.size(); ++i) {
        QAction* go = m_viewMenu->addAction(titles[i], this, [this, i] { m_pages.choose(i); });
        if (i < 9)
            go->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i));
    }
    if (const RunPage* page = m_pages.currentRun()) {
        m_viewMenu->addSeparator();
        m_viewMenu->addActions(page->chartPanel()->viewActions());
    }
}

void WindowMenus::fillExportMenu()
{
    m_exportMenu->clear();
    const auto runs = m_pages.chosenRuns();
    for (const ExportKind& kind : exportKinds())
        m_exportMenu
            ->addAction(tr("%1…").arg(kind.name), this,
                [this, runs, format = kind.format] { m_exporter.exportRuns(runs, format); })
            ->setEnabled(!runs.empty());
    m_exportMenu->addSeparator();
    const RunPage* page = m_pages.currentRun();
    for (const bool svg : { false, true })
        m_exportMenu
            ->addAction(svg ? tr("Chart as SVG…") : tr("Chart as PNG…"), this,
                [this, page, svg, runs] {
                    m_exporter.exportChart(*page->chartPanel()->chart(), text(runs.front().id.text()), svg);
                })
            ->setEnabled(page != nullptr && page->view() != nullptr);
}

void WindowMenus::showHelp()
{
    if (m_help == nullptr)
        m_help = new HelpWindow(&m_window);
    m_help->showTopic(QStringLiteral("workbench"));
}

} // namespace loadstone::ui
