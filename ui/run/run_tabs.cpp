// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_tabs.h"

#include "format.h"
#include "plan_view.h"
#include "run/tabs/audit_tab.h"
#include "run/tabs/errors_tab.h"
#include "run/tabs/latency_tab.h"
#include "run/tabs/load_tab.h"
#include "run/tabs/log_tab.h"
#include "run/tabs/notes_tab.h"
#include "run/tabs/readings_tab.h"
#include "run/tabs/results_tab.h"
#include "run/tabs/score_tab.h"
#include "run/tabs/storage_tab.h"
#include "tables/data_table.h"

#include <QEvent>
#include <QSettings>
#include <QTabBar>

namespace loadstone::ui {

namespace {
const QString kLatencyColumns = QStringLiteral("columns/latency");
}

RunTabs::RunTabs(QWidget* parent)
    : QTabWidget(parent)
    , m_results(new ResultsTab)
    , m_score(new ScoreTab)
    , m_load(new LoadTab)
    , m_storage(new StorageTab)
    , m_latencies(new LatencyTab)
    , m_readings(new ReadingsTab)
    , m_errors(new ErrorsTab)
    , m_audit(new AuditTab)
    , m_log(new LogTab)
    , m_plan(new PlanView)
    , m_notes(new NotesTab)
{
    setDocumentMode(true);
    addTab(m_results, tr("Results per mi&x"));
    addTab(m_score, tr("Score"));
    addTab(m_load, tr("Loa&d"));
    addTab(m_storage, tr("Data&bases"));
    addTab(m_latencies, tr("Response t&imes"));
    addTab(m_readings, tr("Counters"));
    addTab(m_errors, tr("Error&s"));
    addTab(m_audit, tr("Deliver&y audit"));
    addTab(m_log, tr("Event &log"));
    addTab(m_plan, tr("&Plan text"));
    addTab(m_notes, tr("&Notes"));
    tabBar()->installEventFilter(this);
    tabBar()->setToolTip(tr("Double click or F11: enlarge the tables"));
    connect(this, &QTabWidget::currentChanged, this, &RunTabs::queryChanged);
    connect(m_score, &ScoreTab::queryChanged, this, &RunTabs::queryChanged);
    connect(m_log, &LogTab::markWanted, this, &RunTabs::markWanted);
    connect(m_log, &LogTab::timeChosen, this, &RunTabs::timeChosen);
}

void RunTabs::setHeader(const RunHeader& header)
{
    const bool mail = hasMail(header);
    setTabVisible(indexOf(m_storage), hasDatabases(header));
    setTabText(indexOf(m_results), mail ? tr("Results per mi&x") : tr("Res&ults per test"));
    m_plan->setText(text(header.planText));
}

void RunTabs::show(const RunView& view)
{
    m_results->show(view);
    m_audit->show(view);
    m_score->show(view);
    m_load->show(view);
    m_storage->show(view);
    m_latencies->show(view);
    m_readings->show(view);
    m_errors->show(view);
    m_log->show(view);
    // What a storage test or a preparation has no answer to is not asked of it.
    const bool hasLoad = view.header && hasMail(*view.header) && !view.preparesAlone();
    for (QWidget* tab : std::initializer_list<QWidget*> { m_score, m_load, m_audit })
        setTabVisible(indexOf(tab), hasLoad);
    setTabText(indexOf(m_errors),
        view.figures.errors == 0 ? tr("Error&s") : tr("Error&s (%1)").arg(formatCount(view.figures.errors)));
}

void RunTabs::fillQuery(RunQuery& query) const
{
    const QWidget* front = currentWidget();
    query.commands = front == m_latencies;
    if (front == m_score)
        query.score = m_score->query();
    query.loads = front == m_load;
    query.criteria = query.criteria || front == m_results;
    query.readings = front == m_readings;
}

TabScope RunTabs::scope() const
{
    const QWidget* front = currentWidget();
    if (front == m_results || front == m_load || front == m_storage)
        return TabScope::measurements;
    if (front == m_latencies || front == m_score || front == m_readings)
        return TabScope::oneWindow;
    return front == m_errors ? TabScope::errors : TabScope::wholeRun;
}

bool RunTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == tabBar() && event->type() == QEvent::MouseButtonDblClick)
        emit enlargeWanted();
    return QTabWidget::eventFilter(watched, event);
}

void RunTabs::saveTo(QSettings& settings) const
{
    m_results->saveTo(settings);
    m_score->saveTo(settings);
    m_load->saveTo(settings);
    m_storage->saveTo(settings);
    m_readings->saveTo(settings);
    m_latencies->table()->saveColumns(settings, kLatencyColumns);
}

void RunTabs::restoreFrom(const QSettings& settings)
{
    m_results->restoreFrom(settings);
    m_score->restoreFrom(settings);
    m_load->restoreFrom(settings);
    m_storage->restoreFrom(settings);
    m_readings->restoreFrom(settings);
    m_latencies->table()->restoreColumns(settings, kLatencyColumns);
}

} // namespace loadstone::ui
