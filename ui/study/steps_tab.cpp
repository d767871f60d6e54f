// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/steps_tab.h"

#include "banner.h"
#include "confirm.h"
#include "format.h"
#include "icons.h"
#include "study/study_model.h"
#include "study/study_queue.h"
#include "tables/data_table.h"
#include "window/agreement_dialog.h"

#include <loadstone/plan_file.h>

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QProgressBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

std::vector<Column<StepsTab::Row>> StepsTab::columns()
{
    const auto column = [](const QString& title, auto words) {
        Column<Row> made;
        made.title = title;
        made.text = words;
        made.extra = [](const Row& row, int role) {
            if (role != Qt::FontRole || !row.current)
                return QVariant();
            QFont bold;
            bold.setBold(true);
            return QVariant(bold);
        };
        return made;
    };
    std::vector<Column<Row>> all { column(
                                       tr("No."), [](const Row& row) { return QString::number(row.number); }),
        column(tr("Case"), [](const Row& row) { return row.caseName; }),
        column(tr("Repeat"), [](const Row& row) { return QString::number(row.repeat); }),
        column(tr("State"), [](const Row& row) { return row.state; }),
        column(tr("Run"), [](const Row& row) { return text(row.run.text()); }),
        column(tr("Remark"), [](const Row& row) { return row.note; }) };
    all[0].order = [](const Row& row) { return static_cast<int>(row.number); };
    all[2].order = [](const Row& row) { return row.repeat; };
    return all;
}

StepsTab::StepsTab(
    StudyModel& model, StudyQueue& queue, HistoryStore& store, std::filesystem::path folder, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_queue(queue)
    , m_store(store)
    , m_folder(std::move(folder))
    , m_rows(new RowsModel<Row>(columns(), this))
    , m_table(new DataTable)
    , m_banner(new Banner)
    , m_progress(new QProgressBar)
    , m_words(new QLabel)
{
    makeActions();
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QToolBar;
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(18, 18));
    bar->addActions({ m_run, m_stopAfter, m_stop, m_goOn });
    layout->addWidget(bar);
    layout->addWidget(m_banner);
    m_banner->hide();
    m_table->setSource(m_rows);
    m_table->setAccessibleName(tr("Runs of the study"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(m_table, 1);
    auto* below = new QHBoxLayout;
    m_progress->setAccessibleName(tr("Progress of the study"));
    m_progress->setMaximumWidth(320);
    m_words->setTextFormat(Qt::PlainText);
    below->addWidget(m_progress);
    below->addWidget(m_words, 1);
    layout->addLayout(below);
    connect(m_table, &QTableView::activated, this, [this] {
        const int at = m_table->currentSourceRow();
        if (at >= 0 && !m_rows->rows()[static_cast<std::size_t>(at)].run.empty())
            emit openWanted(m_rows->rows()[static_cast<std::size_t>(at)].run);
    });
    connect(&m_model, &StudyModel::changed, this, &StepsTab::refresh);
    connect(&m_queue, &StudyQueue::changed, this, &StepsTab::showState);
    connect(&m_queue, &StudyQueue::ended, this, [this](const QString& why) {
        m_banner->setVisible(!why.isEmpty());
        if (!why.isEmpty())
            m_banner->say(tr("The study stopped: %1").arg(why));
        refresh();
    });
    refresh();
}

void StepsTab::makeActions()
{
    const auto make = [this](const QString& words, const char* picture, const QString& tip, auto work) {
        auto* action = new QAction(icon(QLatin1String(picture)), words, this);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    m_run = make(tr("&Run the study"), "run",
        tr("Runs what the study's history lacks, one run after the other (Ctrl+F5)"), [this] { begin(); });
    m_run->setShortcut(Qt::CTRL | Qt::Key_F5);
    m_run->setShortcutContext(Qt::WindowShortcut);
    m_stopAfter = make(tr("Stop &after this run"), "end",
        tr("Ends the queue when the present run is over; it can be taken up again"),
        [this](bool on) { m_queue.stopAfterRun(on); });
    m_stopAfter->setCheckable(true);
    m_stop = make(tr("Stop &now"), "stop",
        tr("Ends the present run or command; what was measured is kept, and the queue can be taken up again"),
        [this] {
            if (confirmLoss(this, tr("Stop the study"),
                    tr("Stop the present run now? It will not count, and has to be run again.")))
                m_queue.stop();
        });
    m_goOn = make(tr("&Go on after a bad run"), "play",
        tr("Also after a run that failed or is not valid, the next one is started"), [] {});
    m_goOn->setCheckable(true);
}

void StepsTab::refresh()
{
    if (m_queue.active()) // the queue knows
        return showState();
    if (!m_model.document().isWellFormed()) {
        m_steps.clear();
        return showSteps();
    }
    m_store.run([study = m_model.study()](History& history) { return progressOf(study, history); }, this,
        [this](Result<std::vector<StudyStep>> steps) {
            if (m_queue.active())
                return;
            m_steps = steps ? *std::move(steps) : stepsOf(m_model.study());
            showSteps();
        });
}

void StepsTab::showSteps()
{
    const Study& study = m_model.study();
    const StudyStatus& status = m_queue.status();
    const bool active = m_queue.active();
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const StudyStep& step = m_steps[i];
        if (step.caseIndex >= study.cases.size())
            continue;
        Row row { i + 1, text(study.cases[step.caseIndex].label()), {}, text(step.note), step.repeat,
            step.run, active && i == status.step };
        row.state = row.current ? text(toString(status.state)) : step.run.empty() ? tr("to do") : tr("done");
        if (row.current && !status.command.empty())
            row.note = tr("command: %1").arg(text(status.command));
        rows.push_back(std::move(row));
    }
    m_rows->setRows(std::move(rows));
    const auto done = std::count_if(
        m_steps.begin(), m_steps.end(), [](const StudyStep& step) { return !step.run.empty(); });
    m_progress->setRange(0, std::max<int>(1, static_cast<int>(m_steps.size())));
    m_progress->setValue(static_cast<int>(done));
    m_progress->setFormat(tr("%v of %m runs"));
    m_run->setText(done > 0 && done < static_cast<std::ptrdiff_t>(m_steps.size()) ? tr("&Resume the study")
                                                                                  : tr("&Run the study"));
    m_run->setEnabled(!active && m_model.isUsable() && done < static_cast<std::ptrdiff_t>(m_steps.size()));
    m_stop->setEnabled(active && !m_queue.isStarting());
    m_stopAfter->setEnabled(active && !m_queue.isStarting());
    if (!active)
        m_stopAfter->setChecked(false);
    if (m_steps.empty())
        m_words->setText(tr("No case has a plan: there is nothing to run."));
    else if (!active)
        m_words->setText(done == static_cast<std::ptrdiff_t>(m_steps.size())
                ? tr("Every run is there.")
                : tr("%1 runs to do").arg(static_cast<std::ptrdiff_t>(m_steps.size()) - done));
}

void StepsTab::showState()
{
    const StudyStatus& status = m_queue.status();
    if (m_queue.active() && !status.steps.empty())
        m_steps = status.steps;
    showSteps();
    if (!m_queue.active())
        return;
    QStringList words;
    if (m_queue.isStarting())
        words.append(tr("starting…"));
    else if (status.run)
        words.append(tr("run %1, %2 left")
                         .arg(formatElapsed(status.run->elapsed),
                             (status.run->leftAtLeast ? QStringLiteral("≥ ") : QString())
                                 + formatElapsed(status.run->totalLeft)));
    if (status.totalLeft > Nanoseconds(0))
        words.append(tr("study: %1 left").arg(formatDuration(status.totalLeft)));
    if (m_stopAfter->isChecked())
        words.append(tr("stops after this run"));
    if (!status.message.empty())
        words.append(text(status.message));
    m_words->setText(words.join(QStringLiteral("; ")));
}

bool StepsTab::agreeTo(StudyRunOptions& options)
{
    const auto agreements = agreementsOf(m_model.study());
    if (!agreements.empty()) {
        AgreementDialog dialog(tr("Commands of the study"),
            tr("The study \"%1\" does this on your machine, as you, before and after its runs. Run it only "
               "if you know what each line does:")
                .arg(text(m_model.study().title)),
            agreements, this);
        if (!dialog.ask())
            return false;
        options.agreed = agreements;
    }
    for (const StudyCase& one : m_model.study().cases) {
        if (one.plan.empty() || options.password)
            continue;
        const auto beside = options.study.parent_path() / one.plan;
        const auto plan = checkPlan(std::filesystem::exists(beside) ? beside : findPlan(one.plan));
        if (!plan || !plan->asksPassword)
            continue;
        bool ok = false;
        const QString typed = QInputDialog::getText(this, tr("Password"),
            tr("Password of the users of %1:").arg(text(one.plan)), QLineEdit::Password, {}, &ok);
        if (!ok)
            return false;
        options.password = bytes(typed);
    }
    return true;
}

void StepsTab::begin()
{
    m_banner->hide();
    if (m_model.document().isModified() || m_model.document().file().empty())
        emit saveWanted();
    if (m_model.document().isModified() || m_model.document().file().empty() || !m_model.isUsable())
        return; // the user did not save
    StudyRunOptions options;
    options.study = m_model.document().file();
    options.historyFolder = m_folder;
    options.goOn = m_goOn->isChecked();
    if (agreeTo(options))
        m_queue.start(options);
}

} // namespace loadstone::ui
