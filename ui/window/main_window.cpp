// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/run_page.h"
#include "window/exporter.h"
#include "window/plain_texts.h"
#include "window/plan_chooser.h"
#include "window/run_launcher.h"
#include "window/status_line.h"
#include "window/unattended.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFile>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kRetryMilliseconds = 300;
}

MainWindow::MainWindow(WorkbenchOptions options, RunStarter starter)
    : m_options(std::move(options))
    , m_store(m_options.history)
    , m_live(std::move(starter))
    , m_launcher(new RunLauncher(m_live, m_options.history, this))
    , m_exporter(new Exporter(m_options.history, this))
    , m_unattended(new Unattended(m_options.screenshot, this))
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
    PlainTexts::install();
    connect(m_history, &HistoryPage::message, this, say);
    connect(&m_store, &HistoryStore::failed, this, say);
    connect(m_launcher, &RunLauncher::refused, this, say);
    connect(m_launcher, &RunLauncher::problem, this,
        [this](const QString& message) { complain(tr("Plan"), message); });
    connect(m_exporter, &Exporter::problem, this, [this](const QString& message) {
        m_closing = m_closing && m_live.active(); // else the window stays: there is something to do again
        complain(tr("Export"), message);
    });
    connect(m_exporter, &Exporter::finished, this, &MainWindow::closeWhenDone);
    connect(&m_store, &HistoryStore::notSaved, this, &MainWindow::tellNotSaved);
    connect(&m_store, &HistoryStore::idle, this, &MainWindow::closeWhenDone);
    connect(m_unattended, &Unattended::over, this, &MainWindow::exitWanted);
    m_launcher->setUnattended(m_unattended->on());
    if (m_unattended->on()) { // what is only said otherwise would end in no picture, or in one of nothing
        connect(m_launcher, &RunLauncher::refused, m_unattended, &Unattended::fail);
        connect(&m_store, &HistoryStore::failed, m_unattended, &Unattended::fail);
    }
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

void MainWindow::connectLive()
{
    connect(&m_live, &LiveRun::stateChanged, this, [this] {
        m_status->setActivity(m_live.state() == LiveRun::State::starting ? tr("starting…")
                : m_live.state() != LiveRun::State::stopping             ? QString()
                : m_live.atEnd()                                         ? tr("completing the recording…")
                                                                         : tr("stopping…"));
        updateActions();
    });
    connect(&m_live, &LiveRun::started, this, [this](const RunId& id, const std::filesystem::path& file) {
        m_livePage->open(file);
        m_livePage->setRunId(id);
        m_navigation->setCurrentRow(kLiveRow);
        m_store.refresh();
    });
    connect(&m_live, &LiveRun::statusChanged, this, [this](const RunStatus& status) {
        if (m_navigation->currentRow() <= kLiveRow) // the history has no figures of its own
            m_status->show(status);
    });
    connect(&m_live, &LiveRun::failed, this, [this](const QString& message) {
        complain(tr("Run"), message);
        if (std::exchange(m_closing, false))
            close();
    });
    connect(&m_live, &LiveRun::ended, this, [this] {
        m_store.refresh();
        pageChanged(); // from now on the recording's own figures
        if (std::exchange(m_closing, false))
            close();
        else if (m_options.run && m_unattended->on())
            m_unattended->takeSoon();
    });
}

QString MainWindow::livePlaceholder()
{
    return tr("<h2>No run is going on</h2><p>Choose a plan above and press <b>Run</b> (F5).</p>"
              "<p>The first-run plan takes about three minutes and needs no setup: it tests the mail "
              "server that comes with Loadstone, on this machine.</p>");
}

void MainWindow::pageChanged()
{
    m_pages->setCurrentIndex(std::max(0, m_navigation->currentRow()));
    const RunPage* page = currentRunPage();
    if ((page == nullptr || page == m_livePage) && m_live.active())
        m_status->show(m_live.status());
    else if (page != nullptr && page->view())
        m_status->show(*page->view());
    else
        m_status->clearFigures();
    updateActions();
}

void MainWindow::updateActions()
{
    m_run->setEnabled(!m_live.active() && !m_unattended->on()); // the picture would end a run in its midst
    m_plans->setEnabled(!m_live.active());
    m_stop->setEnabled(m_live.active() && m_live.state() != LiveRun::State::stopping);
    m_closePage->setEnabled(m_navigation->currentRow() > kLiveRow);
    fillViewMenu();
}

void MainWindow::begin()
{
    if (!m_options.plan.empty())
        m_plans->choose(m_options.plan);
    m_store.refresh();
    if (!m_options.open.isEmpty())
        m_store.run([what = bytes(m_options.open)](History& history) { return history.find(what); }, this,
            [this](Result<RunId> id) {
                if (!id) {
                    complain(tr("Open run"), text(id.error().message));
                    return;
                }
                openRun(*id);
                takeWhenShown(currentRunPage());
            });
    else if (m_unattended->on() && !m_options.run)
        connect(
            &m_store, &HistoryStore::listed, m_unattended, &Unattended::takeSoon, Qt::SingleShotConnection);
    if (m_options.run)
        m_launcher->launch(m_plans->plan());
}

void MainWindow::takeWhenShown(RunPage* page)
{
    if (!m_unattended->on() || m_options.run)
        return;
    auto* waiting = new QObject(page);
    connect(page, &RunPage::figuresChanged, waiting, [this, page, waiting] {
        // The first answer comes before the lines are chosen.
        if (page->view()->query.lines != page->chartPanel()->legend()->keys())
            return;
        m_unattended->takeSoon();
        waiting->deleteLater();
    });
}

void MainWindow::complain(const QString& title, const QString& message)
{
    if (m_unattended->on())
        m_unattended->fail(message);
    else
        QMessageBox::warning(this, title, message);
}

void MainWindow::closeInOrder()
{
    // A question that is open has its answer; what asked it goes on first.
    if (QWidget* box = QApplication::activeModalWidget(); box != nullptr && box->close()) {
        QMetaObject::invokeMethod(this, &MainWindow::closeInOrder, Qt::QueuedConnection);
        return;
    }
    if (!m_live.active()) {
        close();
        return;
    }
    m_closing = true;
    m_live.stop();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_live.active()) {
        event->ignore();
        if (!m_closing)
            askToClose();
        return;
    }
    for (int i = kLiveRow; i < m_pages->count(); ++i)
        static_cast<RunPage*>(m_pages->widget(i))->flush();
    if (m_exporter->pending() > 0 || m_store.busy()) {
        event->ignore();
        m_closing = true;
        m_status->say(m_exporter->pending() > 0 ? tr("Closing when the export is written…")
                                                : tr("Closing when everything is saved…"));
        return;
    }
    m_closing = false;
    saveLayout();
    event->accept();
}

void MainWindow::closeWhenDone()
{
    if (!m_closing || m_live.active())
        return;
    if (QApplication::activeModalWidget() != nullptr) // what it says is to be read first
        QTimer::singleShot(kRetryMilliseconds, this, &MainWindow::closeWhenDone);
    else
        close();
}

void MainWindow::tellNotSaved(const QStringList& problems, const QStringList& written)
{
    const bool wasClosing = m_closing && !m_live.active();
    m_closing = m_closing && m_live.active(); // else the window stays: there is something to do again
    const QString message = problems.size() == 1
        ? problems[0]
        : tr("%1 changes were not saved. The first: %2").arg(problems.size()).arg(problems[0]);
    if (m_unattended->on()) {
        m_unattended->fail(message);
        return;
    }
    QMessageBox box(QMessageBox::Warning, tr("Not saved"), message,
        wasClosing ? QMessageBox::Cancel : QMessageBox::Ok, this);
    box.setDetailedText(written.join(QStringLiteral("\n\n")));
    const auto* leave =
        wasClosing ? box.addButton(tr("Close &without saving"), QMessageBox::DestructiveRole) : nullptr;
    box.exec();
    if (leave == nullptr || box.clickedButton() != leave)
        return;
    for (int i = kLiveRow; i < m_pages->count(); ++i)
        static_cast<RunPage*>(m_pages->widget(i))->drop();
    close();
}

void MainWindow::askToClose()
{
    QMessageBox box(QMessageBox::Question, tr("A run is going on"),
        tr("The run ends when this window closes."), QMessageBox::Cancel, this);
    box.setInformativeText(tr("Stop it, keep what was measured, then close?"));
    auto* stop = box.addButton(tr("&Stop and close"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != stop)
        return;
    if (m_live.active()) {
        m_closing = true;
        m_live.stop();
    } else { // it ended while we asked; and closing is no good within a closing that was refused
        QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
    }
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
