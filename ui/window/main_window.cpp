// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "legible_palette.h"
#include "plans/plans_page.h"
#include "run/chart/chart_panel.h"
#include "run/chart/legend_model.h"
#include "run/run_page.h"
#include "window/application_filter.h"
#include "window/empty_paste.h"
#include "window/empty_undo.h"
#include "window/exporter.h"
#include "window/plain_texts.h"
#include "window/plan_chooser.h"
#include "window/plan_dialog.h"
#include "window/plan_wizards.h"
#include "window/plan_work.h"
#include "window/quiet_wheel.h"
#include "window/run_launcher.h"
#include "window/status_line.h"
#include "window/unattended.h"
#include "window/window_menus.h"
#include "window/workbench_pages.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSysInfo>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kRetryMilliseconds = 300;
constexpr int kListMilliseconds = 5'000; // between two readings of the list of runs, on whatever page
constexpr Nanoseconds kAskToStop = std::chrono::minutes(1);
constexpr int kTitleBar = 32; // pixels: frames are not known before a window is shown
}

QRect placedOn(const QRect& window, const QRect& screen)
{
    const QRect room = screen.adjusted(0, kTitleBar, 0, 0);
    QRect placed(window.topLeft(), window.size().boundedTo(room.size()));
    placed.moveLeft(std::clamp(placed.left(), room.left(), room.right() - placed.width() + 1));
    placed.moveTop(std::clamp(placed.top(), room.top(), room.bottom() - placed.height() + 1));
    return placed;
}

MainWindow::MainWindow(WorkbenchOptions options, RunStarter starter)
    : m_options(std::move(options))
    , m_store(m_options.history)
    , m_live(std::move(starter))
    , m_launcher(new RunLauncher(m_live, m_options.history, this))
    , m_exporter(new Exporter(m_store, m_options.history, this))
    , m_unattended(new Unattended(m_options.screenshot, this))
    , m_pages(new WorkbenchPages(m_store, m_options.history))
    , m_plans(new PlanChooser)
    , m_work(new PlanWork({ *this, *m_pages, *m_plans, *m_launcher, m_live, m_store, m_options.history }))
    , m_wizards(new PlanWizards(m_options.history, m_work->recovery(), this))
    , m_menus(new WindowMenus(*this, *m_pages, *m_plans, *m_wizards, *m_exporter))
    , m_status(new StatusLine)
{
    m_store.hold(!m_options.open.isEmpty()); // a picture is wanted before the list
    setWindowTitle(tr("Loadstone workbench"));
    setWindowIcon(icon(QStringLiteral("loadstone-workbench")));
    setCentralWidget(m_pages);
    setStatusBar(m_status);
    installForApplication<PlainTexts>();
    installForApplication<QuietWheel>();
    installForApplication<EmptyPaste>();
    installForApplication<EmptyUndo>();
    makeHintsLegible();
    connect(m_menus, &WindowMenus::runWanted, this, [this] { m_work->runChosen(); });
    connect(m_menus, &WindowMenus::stopWanted, this, &MainWindow::stop);
    connect(m_menus, &WindowMenus::lookWanted, this, &MainWindow::lookAtPlan);
    connect(m_launcher, &RunLauncher::checkingChanged, this, &MainWindow::updateActions);
    connect(m_pages, &WorkbenchPages::currentChanged, this, &MainWindow::updateStatus);
    connect(m_pages, &WorkbenchPages::statusChanged, this, &MainWindow::updateStatus);
    connect(
        m_pages, &WorkbenchPages::message, m_status, [this](const QString& words) { m_status->say(words); });
    connect(m_pages, &WorkbenchPages::reportWanted, m_exporter, &Exporter::showReport);
    connect(m_exporter, &Exporter::starting, m_pages, &PageHost::flush); // with the note that stands there
    connect(m_pages, &WorkbenchPages::notOpened, this,
        [this](const QString& message) { complain(tr("Open run"), message); });
    connect(
        m_launcher, &RunLauncher::refused, m_status, [this](const QString& words) { m_status->say(words); });
    connect(m_status, &StatusLine::openWanted, this,
        [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
    connect(m_launcher, &RunLauncher::problem, this,
        [this](const QString& message) { complain(tr("Plan"), message); });
    connect(m_work, &PlanWork::message, m_status, [this](const QString& words) { m_status->say(words); });
    connect(m_work, &PlanWork::problem, this, &MainWindow::complain);
    connect(m_work, &PlanWork::runWanted, this, &MainWindow::run);
    connect(m_work, &PlanWork::written, m_status, &StatusLine::say);
    connect(m_menus, &WindowMenus::countersWanted, m_work, &PlanWork::exportCounters);
    m_menus->addTools(m_work->tools());
    m_menus->addOpening({ m_work->openText() });
    connectLive();
    connectWizards();
    connectHistory();
    connectExporter();
    connectUnattended();
    restoreLayout();
    updateActions();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectWizards()
{
    m_wizards->setChosenPlan([this] { return m_plans->plan(); });
    m_work->setWizard([this](const Document& plan, QWidget*) -> std::optional<PlanWork::WizardResult> {
        auto finished = m_wizards->show(plan);
        if (!finished)
            return {};
        return PlanWork::WizardResult { std::move(finished->document), finished->run };
    });
    connect(m_work, &PlanWork::newWizardWanted, m_wizards, &PlanWizards::makeNew);
    m_work->plans()->offerWizards(m_wizards->newActions());
    m_wizards->setCannotRun([this] {
        return m_live.active() || m_launcher->checking()
            ? tr("A run is in progress: save the plan, and add it to the queue on the page Plans")
            : QString();
    });
    connect(m_wizards, &PlanWizards::saved, this, [this](const std::filesystem::path& file) {
        if (!m_live.active())
            m_plans->choose(file);
        m_work->library().addRecent(file); // so that the page of plans has it
        m_status->say(tr("Saved: %1").arg(text(file.string())));
    });
    connect(m_wizards, &PlanWizards::runWanted, m_work, &PlanWork::runEdited);
    connect(m_wizards, &PlanWizards::problem, this,
        [this](const QString& message) { complain(tr("Plan"), message); });
}

void MainWindow::connectHistory()
{
    connect(
        &m_store, &HistoryStore::failed, m_status, [this](const QString& words) { m_status->say(words); });
    connect(&m_store, &HistoryStore::changed, this, [this] {
        const RunSummary* other = foreignRun();
        m_status->setIdleText(other == nullptr ? QString()
                : m_pages->isOfStudy(other->id)
                ? tr("run of a study in progress: %1").arg(text(other->title))
                : tr("run of another program in progress: %1").arg(text(other->title)));
    });
    // The history's page reads it while it is in sight; what other programs run is said on all pages.
    auto* again = new QTimer(this);
    connect(again, &QTimer::timeout, this, [this] {
        if (!m_live.active())
            m_store.refresh();
    });
    again->start(kListMilliseconds);
    connect(&m_store, &HistoryStore::notSaved, this, &MainWindow::tellNotSaved);
    connect(&m_store, &HistoryStore::idle, this, &MainWindow::closeWhenDone);
}

void MainWindow::connectExporter()
{
    connect(m_exporter, &Exporter::message, m_status, [this](const QString& words) { m_status->say(words); });
    connect(m_pages, &WorkbenchPages::labSaved, m_plans, &PlanChooser::readAgain);
    connect(m_exporter, &Exporter::written, m_status, &StatusLine::say);
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
    connect(m_pages, &WorkbenchPages::broken, m_unattended, &Unattended::fail);
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
        m_pages->showLive(id, file, !m_work->queue().goesOnByItself());
        m_store.refresh();
        m_plans->readAgain(); // it may have been put right on the way
    });
    connect(&m_live, &LiveRun::statusChanged, this, [this](const RunStatus& status) {
        if (!m_pages->showsOpened()) // the history has no figures of its own
            m_status->show(status, m_pages->live()->view().get());
        m_pages->live()->showLiveFigures(figuresOf(status));
    });
    connect(&m_live, &LiveRun::failed, this, [this](const QString& message) {
        if (m_work->queue().isDriving()) // nobody may be there; the queue says it beside the plan
            m_status->say(message);
        else
            complain(tr("Run"), message);
        if (std::exchange(m_closing, false))
            close();
    });
    connect(&m_live, &LiveRun::ended, this, [this] {
        m_store.refresh();
        updateStatus(); // from now on the recording's own figures
        QApplication::alert(this); // somebody may be waiting behind another window
        if (std::exchange(m_closing, false))
            close();
        else if (m_options.run && m_unattended->on())
            m_unattended->takeSoon();
    });
}

void MainWindow::updateStatus()
{
    const Page* page = m_pages->current();
    const auto shown = page == nullptr ? nullptr : page->shownRun();
    if (m_live.active() && !m_pages->showsOpened()) // from memory, which is ahead of the recording
        m_status->show(m_live.status(), m_pages->live()->view().get());
    else if (shown)
        m_status->show(*shown);
    else
        m_status->clearFigures();
}

void MainWindow::updateActions()
{
    // Not where a picture is to be taken: it would end the run that it shows.
    const bool canRun = !m_live.active() && !m_launcher->checking() && !m_unattended->on();
    m_menus->enable(canRun, m_live.active() && m_live.state() != LiveRun::State::stopping);
    m_plans->setEnabled(!m_live.active() && !m_launcher->checking());
    if (!m_live.active())
        m_status->setActivity(m_launcher->checking() ? tr("looking at what the plan needs…") : QString());
}

const RunSummary* MainWindow::foreignRun() const
{
    const std::string here = bytes(QSysInfo::machineHostName());
    const auto& runs = m_store.runs();
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& run) {
        return !isOver(run.state) && run.computer == here
            && (!m_live.active() || run.id != m_live.status().id);
    });
    return found == runs.end() ? nullptr : &*found;
}

void MainWindow::run(const RunRequest& request)
{
    if (m_unattended->on()) {
        m_launcher->launch(request);
    } else if (!std::exchange(m_isAsking, true)) {
        // Other programs start and end runs while the list is out of sight.
        m_store.refreshThen([this, request] {
            runBeside(request);
            m_isAsking = false;
        });
    }
}

void MainWindow::runBeside(const RunRequest& request)
{
    if (const RunSummary* other = foreignRun(); other != nullptr) {
        QMessageBox box(QMessageBox::Warning, tr("Another run in progress"),
            tr("\"%1\", started %2, is in progress on this machine.")
                .arg(text(other->title), formatWhen(other->started)),
            QMessageBox::Cancel, this);
        box.setInformativeText(
            tr("Two runs at once take processor time and disk from each other: the figures of both suffer."));
        auto* start = box.addButton(tr("&Start anyway"), QMessageBox::AcceptRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        if (box.clickedButton() != start)
            return;
    }
    m_launcher->launch(request);
}

void MainWindow::stop()
{
    if (m_live.state() == LiveRun::State::running && m_live.status().elapsed >= kAskToStop) {
        QMessageBox box(QMessageBox::Question, tr("Stop the run"),
            tr("Stop the run after %1?").arg(formatElapsed(m_live.status().elapsed)), QMessageBox::Cancel,
            this);
        box.setInformativeText(tr("The results so far are kept. A stopped run cannot be continued."));
        auto* confirm = box.addButton(tr("&Stop"), QMessageBox::AcceptRole);
        box.setDefaultButton(QMessageBox::Cancel);
        connect(&m_live, &LiveRun::ended, &box, &QDialog::reject); // there is nothing left to ask
        box.exec();
        if (box.clickedButton() != confirm)
            return;
    }
    m_live.stop(); // does nothing if it ended while we asked
}

void MainWindow::lookAtPlan()
{
    const std::filesystem::path plan = m_plans->plan();
    if (plan.empty()) {
        m_status->say(tr("No plan is chosen."));
        return;
    }
    using Read = std::pair<PlanSummary, QString>;
    m_worker.post(
        [plan]() -> Result<Read> {
            auto summary = checkPlan(plan);
            if (!summary)
                return summary.error();
            QFile file(text(plan.string()));
            constexpr qint64 kMost = 4 * 1024 * 1024; // bytes; no plan that can be run has more
            return Read { *std::move(summary),
                file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(kMost)) : QString() };
        },
        this,
        [this, plan](Result<Read> read) {
            if (!read) {
                complain(tr("Plan"), text(read.error().message));
                return;
            }
            const bool mayRun = !m_live.active() && !m_launcher->checking();
            PlanDialog dialog(read->first, read->second, mayRun, this);
            const int chosen = dialog.exec();
            if (chosen == QDialog::Accepted)
                run(RunRequest { plan });
            else if (chosen == PlanDialog::kEdit)
                m_work->perform(PlanTask::edit, plan);
        });
}

void MainWindow::begin()
{
    if (!m_options.plan.empty())
        m_plans->choose(m_options.plan);
    m_store.refresh();
    if (m_options.open.isEmpty()) {
        if (m_unattended->on() && !m_options.run)
            connect(&m_store, &HistoryStore::listed, m_unattended, &Unattended::takeSoon,
                Qt::SingleShotConnection);
    } else {
        m_store.run([what = bytes(m_options.open)](History& history) { return history.find(what); }, this,
            [this](Result<RunId> id) {
                if (id) {
                    m_pages->openRun(*id);
                    beginWithRun(m_pages->currentRun());
                    return;
                }
                m_store.hold(false);
                complain(tr("Open run"), text(id.error().message));
            });
    }
    if (m_options.run)
        m_launcher->launch(m_plans->plan());
    if (!m_unattended->on())
        m_work->begin();
    if (Page* page = m_pages->current())
        page->activated(); // else the keys go to the first thing in the window
}

void MainWindow::beginWithRun(RunPage* page)
{
    auto* waiting = new QObject(page);
    connect(waiting, &QObject::destroyed, &m_store, [this] { m_store.hold(false); });
    connect(page, &RunPage::broken, waiting, &QObject::deleteLater);
    connect(page, &RunPage::figuresChanged, waiting, [this, page, waiting] {
        // The first answer comes before the lines are chosen.
        if (page->view()->query.lines != page->chartPanel()->legend()->keys())
            return;
        if (m_unattended->on() && !m_options.run)
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
    m_inOrder = true; // nobody may be there to answer
    // A question that is open has its answer; what asked it goes on first.
    if (QWidget* box = QApplication::activeModalWidget();
        box != nullptr && (m_wizards->leave(box) || box->close())) {
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
    if (m_live.active() && m_closing) { // it is asked for already
        event->ignore();
        return;
    }
    // What would stay open anyway must not end the run.
    if (!m_inOrder && !m_pages->mayCloseAll()) {
        event->ignore();
        m_closing = false;
        return;
    }
    if (m_live.active()) {
        event->ignore();
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
    QMessageBox box(QMessageBox::Question, tr("Run in progress"), tr("The run ends when this window closes."),
        QMessageBox::Cancel, this);
    box.setInformativeText(tr("Stop the run, keep its results and quit?"));
    auto* stop = box.addButton(tr("&Stop and quit"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != stop) {
        m_pages->stayAll();
        return;
    }
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
    // The screen may be another one by now.
    if (!isMaximized() && !isFullScreen())
        setGeometry(placedOn(geometry(), screen()->availableGeometry()));
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
    m_plans->setRecent(settings.value(QStringLiteral("plan/recent")).toStringList());
    const QString last = settings.value(QStringLiteral("plan/last")).toString();
    if (QFile::exists(last))
        m_plans->choose(bytes(last));
    m_pages->restoreFrom(settings);
}

} // namespace loadstone::ui
