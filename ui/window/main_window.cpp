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
#include "window/page_stack.h"
#include "window/plain_texts.h"
#include "window/plan_chooser.h"
#include "window/run_launcher.h"
#include "window/status_line.h"
#include "window/unattended.h"
#include "window/window_menus.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
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
    , m_pages(new PageStack(m_store))
    , m_plans(new PlanChooser)
    , m_menus(new WindowMenus(*this, *m_pages, *m_plans, *m_exporter))
    , m_status(new StatusLine)
{
    setWindowTitle(tr("Loadstone workbench"));
    setWindowIcon(icon(QStringLiteral("loadstone-workbench")));
    setCentralWidget(m_pages);
    setStatusBar(m_status);
    PlainTexts::install();
    connect(m_menus, &WindowMenus::runWanted, this, [this] { m_launcher->launch(m_plans->plan()); });
    connect(m_menus, &WindowMenus::stopWanted, &m_live, &LiveRun::stop);
    connect(m_pages, &PageStack::currentChanged, this, &MainWindow::updateStatus);
    connect(m_pages, &PageStack::figuresChanged, this, &MainWindow::updateStatus);
    connect(m_pages, &PageStack::notOpened, this,
        [this](const QString& message) { complain(tr("Open run"), message); });
    connect(m_launcher, &RunLauncher::refused, m_status, &StatusLine::say);
    connect(m_launcher, &RunLauncher::problem, this,
        [this](const QString& message) { complain(tr("Plan"), message); });
    connectLive();
    connectHistory();
    connectExporter();
    connectUnattended();
    restoreLayout();
    updateActions();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectHistory()
{
    connect(m_pages->history(), &HistoryPage::message, m_status, &StatusLine::say);
    connect(&m_store, &HistoryStore::failed, m_status, &StatusLine::say);
    connect(&m_store, &HistoryStore::notSaved, this, &MainWindow::tellNotSaved);
    connect(&m_store, &HistoryStore::idle, this, &MainWindow::closeWhenDone);
}

void MainWindow::connectExporter()
{
    connect(m_exporter, &Exporter::message, m_status, &StatusLine::say);
    connect(m_exporter, &Exporter::problem, this, [this](const QString& message) {
        m_closing = m_closing && m_live.active(); // else the window stays: there is something to do again
        complain(tr("Export"), message);
    });
    connect(m_exporter, &Exporter::finished, this, &MainWindow::closeWhenDone);
}

void MainWindow::connectUnattended()
{
    connect(m_unattended, &Unattended::over, this, &MainWindow::exitWanted);
    m_launcher->setUnattended(m_unattended->on());
    if (!m_unattended->on())
        return;
    // What is only said otherwise would end in no picture, or in one of nothing.
    connect(m_launcher, &RunLauncher::refused, m_unattended, &Unattended::fail);
    connect(&m_store, &HistoryStore::failed, m_unattended, &Unattended::fail);
    connect(m_pages, &PageStack::broken, m_unattended, &Unattended::fail);
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
        m_pages->showLive(id, file);
        m_store.refresh();
    });
    connect(&m_live, &LiveRun::statusChanged, this, [this](const RunStatus& status) {
        if (!m_pages->showsOpened()) // the history has no figures of its own
            m_status->show(status);
    });
    connect(&m_live, &LiveRun::failed, this, [this](const QString& message) {
        complain(tr("Run"), message);
        if (std::exchange(m_closing, false))
            close();
    });
    connect(&m_live, &LiveRun::ended, this, [this] {
        m_store.refresh();
        updateStatus(); // from now on the recording's own figures
        if (std::exchange(m_closing, false))
            close();
        else if (m_options.run && m_unattended->on())
            m_unattended->takeSoon();
    });
}

void MainWindow::updateStatus()
{
    const RunPage* page = m_pages->currentRun();
    if (m_live.active() && !m_pages->showsOpened()) // from memory, which is ahead of the recording
        m_status->show(m_live.status());
    else if (page != nullptr && page->view())
        m_status->show(*page->view());
    else
        m_status->clearFigures();
}

void MainWindow::updateActions()
{
    // Not where a picture is to be taken: it would end the run that it shows.
    const bool canRun = !m_live.active() && !m_unattended->on();
    m_menus->enable(canRun, m_live.active() && m_live.state() != LiveRun::State::stopping);
    m_plans->setEnabled(!m_live.active());
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
                m_pages->openRun(*id);
                takeWhenShown(m_pages->currentRun());
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
    m_pages->flush();
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
    m_pages->drop();
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
    settings.setValue(QStringLiteral("plan/last"), text(m_plans->plan().string()));
    settings.setValue(QStringLiteral("plan/recent"), m_plans->recent());
    m_pages->saveTo(settings);
}

void MainWindow::restoreLayout()
{
    QSettings settings;
    resize(1360, 860);
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
    m_plans->setRecent(settings.value(QStringLiteral("plan/recent")).toStringList());
    const QString last = settings.value(QStringLiteral("plan/last")).toString();
    if (QFile::exists(last))
        m_plans->choose(bytes(last));
    m_pages->restoreFrom(settings);
}

} // namespace loadstone::ui
