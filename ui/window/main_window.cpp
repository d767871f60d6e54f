// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "run/chart_panel.h"
#include "run/run_page.h"
#include "window/exporter.h"
#include "window/help_window.h"
#include "window/plan_chooser.h"
#include "window/run_launcher.h"
#include "window/status_line.h"

#include <loadstone/version.h>

#include <QApplication>
#include <QCloseEvent>
#include <QFile>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

namespace loadstone::ui {

namespace {
constexpr int kHistoryRow = 0, kLiveRow = 1;
constexpr int kSettleMilliseconds = 900; // for a screenshot: layout, first values
}

MainWindow::MainWindow(WorkbenchOptions options, RunStarter starter)
    : m_options(std::move(options))
    , m_store(m_options.history)
    , m_live(std::move(starter))
    , m_launcher(new RunLauncher(m_live, m_options.history, this))
    , m_exporter(new Exporter(m_store, this))
    , m_navigation(new QListWidget)
    , m_pages(new QStackedWidget)
    , m_history(new HistoryPage(m_store))
    , m_livePage(new RunPage)
    , m_status(new StatusLine)
    , m_plans(new PlanChooser)
{
    setWindowTitle(tr("Loadstone workbench"));
    setWindowIcon(icon(QStringLiteral("loadstone-workbench")));
    setStatusBar(m_status);
    makeActions();
    makeMenus();
    makePages();
    connectLive();
    const auto say = [this](const QString& message) { m_status->say(message); };
    connect(m_exporter, &Exporter::message, this, say);
    connect(m_history, &HistoryPage::message, this, say);
    connect(m_launcher, &RunLauncher::refused, this, say);
    connect(&m_store, &HistoryStore::failed, this, say);
    connect(&m_store, &HistoryStore::changed, this, &MainWindow::updateNotes);
    connect(m_history, &HistoryPage::openWanted, this, &MainWindow::openRun);
    restoreLayout();
    updateActions();
}

MainWindow::~MainWindow() = default;

void MainWindow::makePages()
{
    auto* splitter = new QSplitter;
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
    m_pages->addWidget(m_livePage);
    m_livePage->setPlaceholder(livePlaceholder());
    connectRunPage(m_livePage);
    splitter->addWidget(m_navigation);
    splitter->addWidget(m_pages);
    splitter->setStretchFactor(1, 1);
    splitter->setCollapsible(1, false);
    splitter->setSizes({ 150, 1200 });
    setCentralWidget(splitter);
    connect(m_navigation, &QListWidget::currentRowChanged, this, &MainWindow::pageChanged);
    m_navigation->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_navigation->addAction(m_closePage);
    m_navigation->setCurrentRow(kHistoryRow);
}

QString MainWindow::livePlaceholder()
{
    return tr(
        "<h2>No run is going on</h2><p>Choose a plan above and press <b>Run</b> (F5).</p><p>The first-run "
        "plan "
        "takes about three minutes and needs nothing to be set up: it tests the mail server that comes with "
        "Loadstone, on this machine.</p>");
}

void MainWindow::makeActions()
{
    m_run = new QAction(icon(QStringLiteral("run")), tr("&Run"), this);
    m_run->setShortcut(Qt::Key_F5);
    m_run->setToolTip(tr("Run the chosen plan (F5)"));
    connect(m_run, &QAction::triggered, this, [this] { m_launcher->launch(m_plans->plan()); });
    m_stop = new QAction(icon(QStringLiteral("stop")), tr("&Stop"), this);
    m_stop->setShortcut(Qt::SHIFT | Qt::Key_F5);
    m_stop->setToolTip(tr("End the run in order and keep what was measured (Shift+F5)"));
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
            tr("<h3>Loadstone %1</h3><p>A workbench for benchmarking mail servers and the storage below "
               "them.</p>"
               "<p>Free software under the GNU General Public License, version 3 or later.</p>")
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

void MainWindow::connectLive()
{
    connect(&m_live, &LiveRun::stateChanged, this, [this] {
        m_status->setActivity(m_live.state() == LiveRun::State::starting ? tr("starting…")
                : m_live.state() == LiveRun::State::stopping             ? tr("stopping in order…")
                                                                         : QString());
        updateActions();
    });
    connect(&m_live, &LiveRun::started, this, [this](const RunId&, const std::filesystem::path& file) {
        m_livePage->open(file);
        m_navigation->setCurrentRow(kLiveRow);
        m_store.refresh();
    });
    connect(&m_live, &LiveRun::statusChanged, this, [this](const RunStatus& status) {
        if (m_navigation->currentRow() <= kLiveRow) // the history has no figures of its own
            m_status->show(figuresOf(status));
    });
    connect(&m_live, &LiveRun::failed, this,
        [this](const QString& message) { QMessageBox::warning(this, tr("Run"), message); });
    connect(&m_live, &LiveRun::ended, this, [this] {
        m_store.refresh();
        pageChanged(); // from now on the recording's own figures
        if (m_closing)
            close();
        else if (!m_options.screenshot.isEmpty())
            QTimer::singleShot(kSettleMilliseconds, this, &MainWindow::takeScreenshot);
    });
}

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
    connect(page, &RunPage::headerChanged, this, [this] {
        updateNavigation();
        updateNotes();
    });
    connect(page, &RunPage::figuresChanged, this, [this, page](const RunFigures& figures) {
        // A run of our own is shown from memory, every fifth of a second.
        if (page == m_pages->currentWidget() && !(page == m_livePage && m_live.active()))
            m_status->show(figures);
    });
    connect(page, &RunPage::annotationWanted, this, [this, page](const Annotation& annotation) {
        if (page->header())
            m_store.annotate(page->header()->id, annotation);
    });
    connect(page, &RunPage::noteSaved, this, [this, page](const QString& note, const QStringList& tags) {
        if (!page->header())
            return;
        m_store.setNote(page->header()->id, note);
        m_store.setTags(page->header()->id, tags);
    });
}

void MainWindow::openRun(const RunId& id)
{
    for (int i = kLiveRow; i < m_pages->count(); ++i) {
        const auto* page = static_cast<RunPage*>(m_pages->widget(i));
        if (page->header() && page->header()->id == id) {
            m_navigation->setCurrentRow(i);
            return;
        }
    }
    const RunSummary* run = m_store.find(id);
    RunPage* page = addRunPage(run != nullptr ? text(run->title) : text(id.text()));
    m_navigation->setCurrentRow(m_navigation->count() - 1);
    m_store.run([id](History& history) -> Result<std::filesystem::path> { return history.fileOf(id); }, page,
        [page](Result<std::filesystem::path> file) {
            if (file)
                page->open(*file);
        });
}

void MainWindow::closeRunPage(int row)
{
    if (row <= kLiveRow)
        return;
    auto* page = static_cast<RunPage*>(m_pages->widget(row));
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
    for (int i = kLiveRow + 1; i < m_pages->count(); ++i)
        if (const auto header = static_cast<RunPage*>(m_pages->widget(i))->header()) {
            m_navigation->item(i)->setText(text(header->title));
            m_navigation->item(i)->setToolTip(
                QStringLiteral("%1\n%2").arg(text(header->title), formatWhen(header->started)));
        }
    fillViewMenu();
}

void MainWindow::updateNotes()
{
    for (int i = kLiveRow; i < m_pages->count(); ++i) {
        auto* page = static_cast<RunPage*>(m_pages->widget(i));
        const RunSummary* run = page->header() ? m_store.find(page->header()->id) : nullptr;
        if (run == nullptr)
            continue;
        QStringList tags;
        for (const std::string& tag : run->tags)
            tags.append(text(tag));
        page->setNote(text(run->note), tags);
    }
}

void MainWindow::pageChanged()
{
    m_pages->setCurrentIndex(std::max(0, m_navigation->currentRow()));
    const RunPage* page = currentRunPage();
    if ((page == nullptr || page == m_livePage) && m_live.active())
        m_status->show(figuresOf(m_live.status()));
    else if (page != nullptr && page->view())
        m_status->show(page->view()->figures);
    else
        m_status->clearFigures();
    updateActions();
}

void MainWindow::updateActions()
{
    m_run->setEnabled(!m_live.active());
    m_plans->setEnabled(!m_live.active());
    m_stop->setEnabled(m_live.active() && m_live.state() != LiveRun::State::stopping);
    m_closePage->setEnabled(m_navigation->currentRow() > kLiveRow);
    fillViewMenu();
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

void MainWindow::begin()
{
    if (!m_options.plan.empty())
        m_plans->choose(m_options.plan);
    m_store.refresh();
    if (!m_options.open.isEmpty())
        m_store.run([what = bytes(m_options.open)](History& history) { return history.find(what); }, this,
            [this](Result<RunId> id) {
                if (id)
                    openRun(*id);
                else
                    QMessageBox::warning(this, tr("Open run"), text(id.error().message));
            });
    if (m_options.run)
        m_launcher->launch(m_plans->plan());
    else if (!m_options.screenshot.isEmpty())
        QTimer::singleShot(2 * kSettleMilliseconds, this, &MainWindow::takeScreenshot);
}

void MainWindow::takeScreenshot()
{
    const bool done = grab().save(m_options.screenshot);
    if (!done)
        qWarning("%s could not be written", qPrintable(m_options.screenshot));
    QApplication::exit(done ? 0 : 1);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_live.active()) {
        event->ignore();
        if (m_closing)
            return;
        QMessageBox box(QMessageBox::Question, tr("A run is going on"),
            tr("The run ends when this window closes."), QMessageBox::Cancel, this);
        box.setInformativeText(tr("Stop it in order, keep what was measured, then close?"));
        auto* stop = box.addButton(tr("&Stop and close"), QMessageBox::AcceptRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        if (box.clickedButton() == stop) {
            m_closing = true;
            if (m_live.active())
                m_live.stop();
            else
                close(); // it ended while we asked
        }
        return;
    }
    saveLayout();
    event->accept();
}

void MainWindow::saveLayout()
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
    settings.setValue(
        QStringLiteral("window/splitter"), static_cast<QSplitter*>(centralWidget())->saveState());
    settings.setValue(QStringLiteral("plan/last"), text(m_plans->plan().string()));
    settings.setValue(QStringLiteral("plan/recent"), m_plans->recent());
    m_history->saveTo(settings);
    const RunPage* page = currentRunPage();
    (page != nullptr ? page : m_livePage)->saveTo(settings);
}

void MainWindow::restoreLayout()
{
    QSettings settings;
    resize(1360, 860);
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
    static_cast<QSplitter*>(centralWidget())
        ->restoreState(settings.value(QStringLiteral("window/splitter")).toByteArray());
    m_plans->setRecent(settings.value(QStringLiteral("plan/recent")).toStringList());
    const QString last = settings.value(QStringLiteral("plan/last")).toString();
    if (QFile::exists(last))
        m_plans->choose(bytes(last));
    m_history->restoreFrom(settings);
    m_livePage->restoreFrom(settings);
}

} // namespace loadstone::ui
