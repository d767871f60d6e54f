// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plan_work.h"

#include "editor/editor_page.h"
#include "format.h"
#include "history/history_page.h"
#include "icons.h"
#include "plans/plans_page.h"
#include "queue/queue_page.h"
#include "target/target_page.h"
#include "tasks/counters_dialog.h"
#include "tasks/plan_questions.h"
#include "tasks/preflight_dialog.h"
#include "tasks/prepare_dialog.h"
#include "tasks/rehearsal_dialog.h"
#include "tasks/score_dialog.h"
#include "window/interrupted_runs.h"
#include "window/plan_chooser.h"
#include "window/text_pages.h"
#include "window/welcome.h"
#include "window/workbench_pages.h"
#include "wizard/plan_name.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>

namespace loadstone::ui {

namespace {

RunPurpose purposeOf(PlanTask task)
{
    switch (task) {
    case PlanTask::initialise:
        return RunPurpose::initialise;
    case PlanTask::cleanUp:
        return RunPurpose::cleanUp;
    case PlanTask::verify:
        return RunPurpose::verify;
    case PlanTask::recover:
        return RunPurpose::recover;
    default:
        return RunPurpose::run;
    }
}

} // namespace

PlanWork::PlanWork(const Parts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_queue(parts.live, parts.launcher)
    , m_questions(new PlanQuestions(&parts.window))
    , m_plans(new PlansPage(m_library))
    , m_queuePage(new QueuePage(m_queue))
    , m_target(new TargetPage)
    , m_texts(new TextPages(parts.pages, m_recovery))
    , m_openText(new QAction(icon(QStringLiteral("plan")), tr("Open as te&xt…"), this))
{
    for (Page* page :
        { static_cast<Page*>(m_plans), static_cast<Page*>(m_queuePage), static_cast<Page*>(m_target) })
        m_parts.pages.add(page);
    m_parts.pages.setRecovery(m_recovery);
    makeTools();
    connectParts();
    m_parts.window.setAcceptDrops(true);
    m_parts.window.installEventFilter(this);
    setWizard({});
    m_library.load();
    m_queue.load();
}

void PlanWork::connectParts()
{
    const auto newText = [this](const QString& words) { m_texts->add(Document(bytes(words), "untitled")); };
    connect(m_plans, &PlansPage::taskWanted, this,
        [this](PlanTask task, const std::filesystem::path& file) { perform(task, file); });
    connect(m_plans, &PlansPage::newWanted, this, newText);
    connect(m_target, &TargetPage::newWanted, this, newText);
    connect(m_texts, &TextPages::taskWanted, this, &PlanWork::performOnPage);
    connect(m_texts, &TextPages::added, this, [this](const EditorPage* page) {
        page->tasks().action(PlanTask::wizard)->setVisible(m_wizard != nullptr);
    });
    connect(m_texts, &TextPages::used, this, [this](const std::filesystem::path& file) {
        m_library.addRecent(file);
        m_parts.chooser.readAgain();
    });
    connect(&m_parts.chooser, &PlanChooser::opened, this, [this](const std::filesystem::path& file) {
        m_plans->choose(file); // the page's Run means this plan, too
        m_library.addRecent(file);
        if (qobject_cast<EditorPage*>(m_parts.pages.current()) != nullptr) // and so does that of a text
            m_texts->open(file);
    });
    connect(m_texts, &TextPages::failed, this,
        [this](const QString& words) { emit problem(tr("Open file"), words); });
    connect(m_questions, &PlanQuestions::problem, this,
        [this](const QString& words) { emit problem(tr("Plan"), words); });
    connect(m_questions, &PlanQuestions::editWanted, this, &PlanWork::editInput);
    connect(&m_parts.launcher, &RunLauncher::editWanted, this, &PlanWork::editInput);
    connect(&m_parts.launcher, &RunLauncher::launched, this, [this](const PlanInput& plan) {
        if (!plan.file().empty())
            m_library.addRecent(plan.file());
    });
    connect(m_plans, &PlansPage::labWanted, &m_parts.pages, &WorkbenchPages::openLab);
    connect(m_queuePage, &QueuePage::openWanted, &m_parts.pages, &WorkbenchPages::openRun);

    auto* welcome = new Welcome;
    m_parts.pages.history()->setEmptyView(welcome);
    connect(welcome, &Welcome::firstRunWanted, this, [this] {
        m_parts.chooser.choose(findPlan("first-run"));
        emit runWanted(RunRequest { m_parts.chooser.plan() });
    });
    connect(welcome, &Welcome::wizardWanted, this, &PlanWork::newWizardWanted);
    connect(welcome, &Welcome::labWanted, &m_parts.pages, &WorkbenchPages::newLab);
    connect(welcome, &Welcome::plansWanted, this, [this] { m_parts.pages.choose(m_plans); });
    auto* interrupted = new InterruptedRuns(m_parts.store);
    m_parts.pages.history()->addNotice(interrupted);
    connect(interrupted, &InterruptedRuns::openWanted, &m_parts.pages, &WorkbenchPages::openRun);
    connect(interrupted, &InterruptedRuns::message, this, &PlanWork::message);
}

void PlanWork::makeTools()
{
    const auto make = [this](const QString& words, const char* picture, auto work) {
        auto* action = new QAction(icon(QLatin1String(picture)), words, this);
        connect(action, &QAction::triggered, this, work);
        m_tools.append(action);
    };
    m_openText->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
    connect(m_openText, &QAction::triggered, this, &PlanWork::askForText);
    make(tr("&Plans"), "plan", [this] { m_parts.pages.choose(m_plans); });
    make(tr("&Queue of runs"), "play", [this] { m_parts.pages.choose(m_queuePage); });
    make(tr("Embedded &target"), "select", [this] { m_parts.pages.choose(m_target); });
    make(tr("&Score of percentiles…"), "star", [this] { (new ScoreDialog(&m_parts.window))->show(); });
}

void PlanWork::askForText()
{
    QSettings settings;
    const QString folder = settings.value(QStringLiteral("plans/saveFolder")).toString();
    const QString file = QFileDialog::getOpenFileName(&m_parts.window, tr("Open as text"), folder,
        tr("Plans, profiles, labs, studies (*.toml);;All files (*)"));
    if (file.isEmpty())
        return;
    settings.setValue(QStringLiteral("plans/saveFolder"), QFileInfo(file).absolutePath());
    m_texts->open(bytes(file));
}

void PlanWork::setWizard(Wizard wizard)
{
    m_wizard = std::move(wizard);
    m_plans->tasks().action(PlanTask::wizard)->setVisible(m_wizard != nullptr);
    for (const EditorPage* page : m_texts->all())
        page->tasks().action(PlanTask::wizard)->setVisible(m_wizard != nullptr);
}

void PlanWork::begin()
{
    const auto left = m_recovery.leftBehind();
    if (left.empty())
        return;
    QStringList names;
    for (const RecoveredText& text : left)
        names.append(
            tr("%1, kept %2").arg(text.name, text.when.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))));
    QMessageBox box(QMessageBox::Question, tr("Texts not saved"),
        left.size() == 1 ? tr("A text was not saved when the workbench ended.")
                         : tr("%1 texts were not saved when the workbench ended.").arg(left.size()),
        QMessageBox::Cancel, &m_parts.window);
    box.setInformativeText(names.join(QLatin1Char('\n')));
    const auto* open = box.addButton(tr("&Open"), QMessageBox::AcceptRole);
    const auto* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.button(QMessageBox::Cancel)->setText(tr("&Later"));
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    for (const RecoveredText& text : left)
        if (box.clickedButton() == open)
            restore(text);
        else if (box.clickedButton() == discard)
            RecoveryStore::discard(text);
}

void PlanWork::restore(const RecoveredText& left)
{
    if (m_parts.pages.restore(left))
        RecoveryStore::discard(left); // its page keeps it again
    else
        m_texts->restore(left);
}

void PlanWork::performOnPage(PlanTask task, EditorPage* page)
{
    if (task == PlanTask::wizard) {
        editInWizard(page->document(), page);
        return;
    }
    // A plan in the queue is read when its turn comes.
    if (task == PlanTask::enqueue && (page->isModified() || page->file().empty()) && !page->save())
        return;
    if (page->isModified() || page->file().empty())
        perform(task, page->document());
    else
        perform(task, page->file());
}

void PlanWork::runChosen()
{
    const std::filesystem::path file = m_parts.chooser.plan();
    const QList<EditorPage*> pages = m_texts->all();
    const auto changed = std::ranges::find_if(pages, [&](const EditorPage* page) {
        std::error_code gone;
        return page->isModified() && std::filesystem::equivalent(page->file(), file, gone);
    });
    if (changed == pages.end())
        return perform(PlanTask::run, file);
    QMessageBox box(QMessageBox::Question, tr("Run"),
        tr("%1 has changes that are not saved.").arg(text(file.filename().string())), QMessageBox::Cancel,
        &m_parts.window);
    box.setInformativeText(tr("Run the text with these changes, or the file without them?"));
    auto* changes = box.addButton(tr("Run the &text"), QMessageBox::AcceptRole);
    const auto* saved = box.addButton(tr("Run the &file"), QMessageBox::AcceptRole);
    box.setDefaultButton(changes);
    box.exec();
    if (box.clickedButton() == changes)
        perform(PlanTask::run, (*changed)->document());
    else if (box.clickedButton() == saved)
        perform(PlanTask::run, file);
}

void PlanWork::editInWizard(const PlanInput& plan, EditorPage* page)
{
    if (!m_wizard)
        return;
    if (page == nullptr)
        page = m_texts->open(plan.file()); // so that nothing that the wizard did is lost
    if (page == nullptr)
        return;
    const auto left = m_wizard(page->document(), &m_parts.window);
    if (!left)
        return;
    page->take(left->document);
    if (left->run)
        performOnPage(PlanTask::run, page);
}

void PlanWork::runEdited(const Document& plan)
{
    if (!plan.file().empty() && !plan.isModified())
        return perform(PlanTask::run, plan.file());
    EditorPage* page = plan.file().empty() ? m_texts->add(Document({}, m_texts->freeName(planFileName(plan))))
                                           : m_texts->open(plan.file());
    if (page == nullptr)
        return;
    page->take(plan);
    performOnPage(PlanTask::run, page);
}

void PlanWork::editInput(const PlanInput& plan)
{
    if (!plan.file().empty())
        m_texts->open(plan.file());
}

void PlanWork::perform(PlanTask task, const PlanInput& plan)
{
    switch (task) {
    case PlanTask::edit:
        m_texts->open(plan.file());
        return;
    case PlanTask::wizard:
        return editInWizard(plan, nullptr);
    case PlanTask::run:
        if (!plan.file().empty())
            m_parts.chooser.choose(plan.file()); // so that F5 starts it again
        emit runWanted(RunRequest { plan });
        return;
    case PlanTask::initialise:
    case PlanTask::cleanUp:
    case PlanTask::verify:
    case PlanTask::recover:
        return prepare(task, plan);
    case PlanTask::enqueue:
        return enqueue(plan);
    case PlanTask::preflight:
        return preflight(plan);
    case PlanTask::rehearse:
        (new RehearsalDialog(plan, &m_parts.window))->show();
        return;
    }
}

void PlanWork::preflight(const PlanInput& plan)
{
    m_questions->ask(plan, PlanQuestions::About::everything, [this](const PlanAnswers& answers) {
        auto* dialog = new PreflightDialog(answers, m_parts.history, &m_parts.window);
        connect(dialog, &PreflightDialog::runWanted, this,
            [this, plan = answers.input] { perform(PlanTask::run, plan); });
        dialog->show();
    });
}

void PlanWork::prepare(PlanTask task, const PlanInput& plan)
{
    m_questions->ask(plan, PlanQuestions::About::problemsAlone, [this, task](const PlanAnswers& answers) {
        const RunPurpose purpose = purposeOf(task);
        auto* dialog = new PrepareDialog(answers.input, answers.plan, purpose, &m_parts.window);
        connect(
            dialog, &PrepareDialog::wanted, this, [this, plan = answers.input, purpose](unsigned sessions) {
                emit runWanted(RunRequest { plan, purpose, sessions });
            });
        dialog->show();
    });
}

void PlanWork::enqueue(const PlanInput& plan)
{
    m_questions->ask(plan, PlanQuestions::About::everything, [this](const PlanAnswers& answers) {
        QueuedRun run;
        run.plan = std::filesystem::absolute(answers.input.file());
        run.title = answers.plan.title.empty() ? text(answers.input.name()) : text(answers.plan.title);
        run.length = answers.plan.length;
        run.agreed = answers.agreed;
        run.password = answers.password;
        run.asksPassword = answers.plan.asksPassword;
        const QString title = run.title;
        m_queue.add(std::move(run));
        emit message(m_queue.isPaused()
                ? tr("%1 is added to the queue; start it on the page Queue (Ctrl+F5).").arg(title)
                : tr("%1 is added to the queue.").arg(title));
    });
}

void PlanWork::exportCounters(const RunSummary& run, const std::optional<TimeWindow>& window)
{
    auto* dialog = new CountersDialog(run, m_parts.history, &m_parts.window);
    if (window) {
        const auto typed = [](Nanoseconds at) { return tr("%1 s").arg(seconds(at), 0, 'f', 3); };
        dialog->from()->setText(typed(window->begin));
        dialog->to()->setText(typed(window->end));
    }
    connect(dialog, &CountersDialog::written, this, &PlanWork::written);
    dialog->show();
}

void PlanWork::takeFiles(const QStringList& files)
{
    QStringList plans, recordings;
    for (const QString& file : files) {
        const bool recording =
            QFileInfo(file).isFile() && !file.endsWith(QStringLiteral(".toml"), Qt::CaseInsensitive);
        (recording ? recordings : plans).append(file);
    }
    if (!recordings.isEmpty())
        m_parts.pages.history()->importFiles(recordings); // says of each that is none
    if (plans.isEmpty())
        return;
    m_parts.pages.choose(m_plans);
    m_plans->takeFiles(plans);
}

bool PlanWork::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_parts.window)
        return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::DragEnter) {
        auto* drag = static_cast<QDragEnterEvent*>(event);
        if (drag->mimeData()->hasUrls())
            drag->acceptProposedAction();
        return drag->isAccepted();
    }
    if (event->type() == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        QStringList files;
        for (const QUrl& url : drop->mimeData()->urls())
            if (url.isLocalFile())
                files.append(url.toLocalFile());
        drop->acceptProposedAction();
        takeFiles(files);
        return true;
    }
    return false;
}

} // namespace loadstone::ui
