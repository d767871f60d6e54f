// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_page.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "run/chart/chart_panel.h"
#include "run/chart/replay_bar.h"
#include "run/chart/sources_dialog.h"
#include "run/tabs/audit_tab.h"
#include "run/tabs/errors_tab.h"
#include "run/tabs/latency_tab.h"
#include "run/tabs/load_tab.h"
#include "run/tabs/log_tab.h"
#include "run/tabs/notes_tab.h"
#include "run/tabs/plan_highlighter.h"
#include "run/tabs/results_tab.h"
#include "run/tabs/score_tab.h"
#include "run/tabs/storage_tab.h"
#include "run/view/run_feed.h"
#include "run/view/window_choice.h"
#include "tables/data_table.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kSplit = QStringLiteral("splitter/page"), kLatencyColumns = QStringLiteral("columns/latency");
}

RunPage::RunPage(QWidget* parent)
    : QWidget(parent)
    , m_feed(new RunFeed(this))
    , m_stack(new QStackedWidget)
    , m_placeholder(new QLabel)
    , m_title(new QLabel)
    , m_targetRow(new QWidget)
    , m_target(new QComboBox)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_panel(new ChartPanel)
    , m_tabs(new QTabWidget)
    , m_results(new ResultsTab)
    , m_score(new ScoreTab)
    , m_load(new LoadTab)
    , m_storage(new StorageTab)
    , m_latencies(new LatencyTab)
    , m_errors(new ErrorsTab)
    , m_audit(new AuditTab)
    , m_log(new LogTab)
    , m_plan(new QPlainTextEdit)
    , m_notes(new NotesTab)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    m_placeholder->setAlignment(Qt::AlignCenter);
    m_placeholder->setWordWrap(true);
    m_placeholder->setMargin(40);
    m_stack->addWidget(m_placeholder);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_title->setMargin(6);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->addWidget(m_title, 1);
    top->addWidget(m_targetRow);
    layout->addLayout(top);
    auto* choice = new QHBoxLayout(m_targetRow);
    choice->setContentsMargins(0, 0, 6, 0);
    auto* label = new QLabel(tr("&Under test:"));
    label->setBuddy(m_target);
    choice->addWidget(label);
    choice->addWidget(m_target);
    m_target->setToolTip(tr("What is shown: all servers under test together, or one of them alone"));
    m_targetRow->hide();
    buildTabs();
    m_splitter->addWidget(m_panel);
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({ 560, 230 });
    m_splitter->setChildrenCollapsible(false);
    layout->addWidget(m_splitter, 1);
    m_stack->addWidget(page);

    connect(m_target, &QComboBox::activated, this, &RunPage::chooseTarget);
    connect(m_feed, &RunFeed::opened, this, &RunPage::setHeader);
    connect(m_feed, &RunFeed::changed, this, qOverload<std::shared_ptr<const RunView>>(&RunPage::show));
    connect(m_feed, &RunFeed::failed, this, &RunPage::showFailure);
    connect(m_panel, &ChartPanel::queryChanged, this, &RunPage::updateQuery);
    for (WindowChoice* window : { m_latencies->choice(), m_errors->choice() })
        connect(window, &WindowChoice::windowChanged, this, &RunPage::updateQuery);
    for (WindowChoice* window : { m_latencies->choice(), m_errors->choice(), m_score->choice() })
        connect(m_panel, &ChartPanel::selectionChanged, window, &WindowChoice::setSelected);
    connect(m_score, &ScoreTab::queryChanged, this, &RunPage::updateQuery);
    connect(m_tabs, &QTabWidget::currentChanged, this, &RunPage::updateQuery);
    connect(m_log, &LogTab::markWanted, this, &RunPage::setMark);
    connect(m_log, &LogTab::timeChosen, m_panel->chart(),
        [chart = m_panel->chart()](Nanoseconds at) { chart->setCursor(at); });
    connect(m_notes, &NotesTab::noteEdited, this, &RunPage::noteEdited);
    connect(m_notes, &NotesTab::tagsEdited, this, &RunPage::tagsEdited);
}

void RunPage::buildTabs()
{
    m_plan->setReadOnly(true);
    m_plan->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_plan->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_plan->setTabChangesFocus(true);
    new PlanHighlighter(m_plan->document());
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_results, tr("Results per mi&x"));
    m_tabs->addTab(m_score, tr("S&core"));
    m_tabs->addTab(m_load, tr("Loa&d"));
    m_tabs->addTab(m_storage, tr("Data&bases"));
    m_tabs->addTab(m_latencies, tr("Response t&imes"));
    m_tabs->addTab(m_errors, tr("Error&s"));
    m_tabs->addTab(m_audit, tr("Deliver&y audit"));
    m_tabs->addTab(m_log, tr("Event &log"));
    m_tabs->addTab(m_plan, tr("&Plan text"));
    m_tabs->addTab(m_notes, tr("No&tes"));
}

void RunPage::open(const std::filesystem::path& file)
{
    flush(); // while it is still known whose note it is
    delete m_sources.data();
    m_header.reset();
    m_view.reset();
    m_broken = false;
    m_panel->clear();
    m_feed->open(file);
}

void RunPage::chooseTarget()
{
    // The chart keeps its lines: a target's series have the names that those of all together have.
    m_feed->open(std::filesystem::path(m_feed->file()), bytes(m_target->currentData().toString()));
}

void RunPage::reopen()
{
    open(std::filesystem::path(m_feed->file()));
}

void RunPage::flush()
{
    m_notes->flush();
}

void RunPage::noteDone(const RunId& id, const QString& note, bool saved)
{
    if (m_header && m_header->id == id)
        m_notes->noteDone(note, saved);
}

void RunPage::tagsDone(const RunId& id, const QStringList& after, bool saved)
{
    if (m_header && m_header->id == id)
        m_notes->tagsDone(after, saved);
}

void RunPage::drop()
{
    m_notes->drop();
}

void RunPage::showSources()
{
    if (!m_header)
        return;
    if (!m_sources) {
        m_sources = new SourcesDialog(m_feed->file(), text(m_header->title), this);
        m_sources->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_sources, &SourcesDialog::moved, m_feed, &RunFeed::poll);
    }
    m_sources->show();
    m_sources->raise();
    m_sources->activateWindow();
}

void RunPage::setPlaceholder(const QString& html)
{
    m_placeholder->setText(html);
}

void RunPage::setNote(const QString& note, const QStringList& tags)
{
    m_notes->setNote(note, tags);
    m_listed = true;
    setDeleted(false);
}

void RunPage::setUnlisted()
{
    setDeleted(m_listed); // one that was never listed is only too new
}

void RunPage::setDeleted(bool deleted)
{
    if (deleted == m_deleted)
        return;
    m_deleted = deleted;
    if (m_view)
        updateTitle();
}

void RunPage::setHeader(std::shared_ptr<const RunHeader> header)
{
    const bool sameRun = m_header && m_header->id == header->id; // another of its targets
    m_header = std::move(header);
    m_id = m_header->id;
    if (!sameRun) {
        m_listed = m_deleted = false;
        for (WindowChoice* choice : { m_latencies->choice(), m_errors->choice(), m_score->choice() })
            choice->reset();
    }
    m_target->clear();
    m_target->addItem(tr("All together"));
    for (const std::string& target : m_header->targets) {
        m_target->addItem(text(target), text(target));
        if (target == m_header->target)
            m_target->setCurrentIndex(m_target->count() - 1);
    }
    m_targetRow->setVisible(!m_header->targets.empty());
    // What a storage test has no answer to is not asked of it.
    const bool mail = hasMail(*m_header);
    for (QWidget* tab : std::initializer_list<QWidget*> { m_score, m_load, m_audit })
        m_tabs->setTabVisible(m_tabs->indexOf(tab), mail);
    m_tabs->setTabVisible(m_tabs->indexOf(m_storage), hasDatabases(*m_header));
    m_tabs->setTabText(m_tabs->indexOf(m_results), mail ? tr("Results per mi&x") : tr("Res&ults per test"));
    m_panel->setHeader(*m_header);
    if (!sameRun)
        m_notes->setHeader(*m_header);
    m_plan->setPlainText(text(m_header->planText));
    m_stack->setCurrentIndex(1);
    updateQuery();
    if (!sameRun)
        emit headerChanged();
}

void RunPage::show(std::shared_ptr<const RunView> view)
{
    if (m_sources && m_view && m_view->sources != view->sources)
        m_sources->reload();
    m_view = std::move(view);
    m_broken = false;
    m_stack->setCurrentIndex(1); // after a reading that failed
    m_panel->setReplay(!m_view->growing());
    m_panel->show(m_view);
    for (WindowChoice* choice : { m_latencies->choice(), m_errors->choice(), m_score->choice() })
        choice->setPhases(m_view->phases);
    m_results->show(*m_view);
    m_audit->show(*m_view);
    m_score->show(*m_view);
    m_load->show(*m_view);
    m_storage->show(*m_view);
    m_latencies->show(*m_view);
    m_errors->show(*m_view);
    m_log->show(*m_view);
    m_tabs->setTabText(m_tabs->indexOf(m_errors),
        m_view->figures.errors == 0 ? tr("Error&s")
                                    : tr("Error&s (%1)").arg(formatCount(m_view->figures.errors)));
    updateTitle();
    emit figuresChanged(m_view->figures);
}

void RunPage::updateQuery()
{
    if (!m_header)
        return;
    RunQuery query;
    m_panel->fillQuery(query);
    query.commands = m_tabs->currentWidget() == m_latencies;
    query.table = m_latencies->choice()->query();
    query.errors = m_errors->choice()->query();
    if (m_tabs->currentWidget() == m_score)
        query.score = m_score->query();
    query.loads = m_tabs->currentWidget() == m_load;
    query.criteria = m_tabs->currentWidget() == m_results;
    m_feed->setQuery(query);
}

void RunPage::updateTitle()
{
    QString state = m_view->verdict ? verdictName(m_view->verdict->verdict) : stateName(m_view->state);
    if (m_deleted)
        state += tr(", deleted");
    m_title->setText(
        QStringLiteral("<b>%1</b> &nbsp;·&nbsp; %2 &nbsp;·&nbsp; %3 &nbsp;·&nbsp; %4 &nbsp;·&nbsp; %5")
            .arg(text(m_header->title).toHtmlEscaped(), text(m_header->planName).toHtmlEscaped(),
                formatWhen(m_header->started), formatElapsed(m_view->length), state));
}

void RunPage::setMark()
{
    const Nanoseconds end = m_view ? m_view->shown : Nanoseconds(0);
    // The axis of a young run reaches beyond its end, and a mark there would never be seen.
    const Nanoseconds at = std::min(m_panel->chart()->cursorTime().value_or(end), end);
    bool ok = false;
    const QString remark = QInputDialog::getText(
        this, tr("Set mark"), tr("Remark at %1:").arg(formatElapsedExact(at)), QLineEdit::Normal, {}, &ok);
    if (ok && !remark.trimmed().isEmpty())
        emit annotationWanted({ wallNow(), AnnotationKind::mark, bytes(remark.trimmed()), at });
}

void RunPage::showFailure(const QString& message)
{
    m_broken = true;
    m_placeholder->setText(
        tr("<h3>This recording cannot be shown</h3><p>%1</p>").arg(message.toHtmlEscaped()));
    m_stack->setCurrentIndex(0);
    emit broken(message);
}

void RunPage::saveTo(QSettings& settings) const
{
    m_panel->saveTo(settings);
    settings.setValue(kSplit, m_splitter->saveState());
    m_results->saveTo(settings);
    m_score->saveTo(settings);
    m_load->saveTo(settings);
    m_storage->saveTo(settings);
    m_latencies->table()->saveColumns(settings, kLatencyColumns);
}

void RunPage::restoreFrom(const QSettings& settings)
{
    m_panel->restoreFrom(settings);
    m_splitter->restoreState(settings.value(kSplit).toByteArray());
    m_results->restoreFrom(settings);
    m_score->restoreFrom(settings);
    m_load->restoreFrom(settings);
    m_storage->restoreFrom(settings);
    m_latencies->table()->restoreColumns(settings, kLatencyColumns);
}

} // namespace loadstone::ui
