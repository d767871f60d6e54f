// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/results_tab.h"

#include "banner.h"
#include "format.h"
#include "tables/data_table.h"

#include <QHeaderView>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {
const QString kSplit = QStringLiteral("splitter/results-below"),
              kColumns = QStringLiteral("columns/criteria");

/// "initialisation: 1,000 mailboxes, 1,000 done, 40,000 folders made, ..."
QString preparationSentence(const PreparationResult& preparation)
{
    return ResultsTab::tr("%1: %2").arg(
        phaseName(preparation.kind), figureWords(preparation.figures).join(QStringLiteral(", ")));
}

} // namespace

ResultsTab::ResultsTab(QWidget* parent)
    : QWidget(parent)
    , m_mixes(new RowsModel<MixResult>(mixColumns({}, RunKind::mail), this))
    , m_criteria(new RowsModel<CriterionRow>(criterionColumns(RunKind::mail), this))
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_criteriaTable(new DataTable)
    , m_table(new DataTable)
    , m_warning(new Banner)
    , m_judgement(new Banner)
    , m_audit(makeProse())
    , m_preparations(makeProse())
    , m_empty(makeProse())
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_table->setSource(m_mixes);
    m_table->freezeFirstColumn();
    m_table->setAccessibleName(tr("Results per mix"));
    m_criteriaTable->setSource(m_criteria);
    m_criteriaTable->horizontalHeader()->setStretchLastSection(true);
    m_criteriaTable->setAccessibleName(tr("The plan's criteria"));
    m_splitter->addWidget(m_criteriaTable);
    m_splitter->addWidget(m_table);
    m_splitter->setSizes({ 100, 130 });
    for (QWidget* table : { m_criteriaTable, m_table })
        table->setMinimumHeight(60);
    m_splitter->setChildrenCollapsible(false);
    m_preparations->setObjectName(QStringLiteral("preparations"));
    layout->addWidget(m_warning);
    layout->addWidget(m_preparations);
    layout->addWidget(m_judgement);
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_audit);
    m_judgement->hide();
    m_criteriaTable->hide();
    show(RunResults {});
}

void ResultsTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // Between the two the tables stay as they are, so that they do not jump while somebody drags the edge.
    constexpr int kLow = 240, kHigh = 290, kWide = 900;
    const bool isBeside = m_splitter->orientation() == Qt::Horizontal;
    if (const bool beside = width() >= kWide && height() < (isBeside ? kHigh : kLow); beside != isBeside) {
        m_splitter->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
        const int length = beside ? width() : height();
        m_splitter->setSizes({ length / 2, length / 2 });
    }
}

void ResultsTab::show(const RunView& view)
{
    if (view.results) {
        show(*view.results);
        // The verdict is about the measurements that the plan wants, whatever happened in another window.
        const RunVerdict* verdict = view.results->window ? nullptr : view.verdict.get();
        warn(*view.results, verdict, view.outcome.get());
        showAudit(view);
        if (verdict != nullptr) // it is over, and not shown as it was before its end
            m_empty->setText(view.results->kind == RunKind::mail ? tr("No mix was measured.")
                                                                 : tr("No test was measured."));
    } else if (!view.windowProblem.empty()) { // and not the figures of the window before
        RunResults none;
        none.kind = view.header ? view.header->kind : m_kind;
        show(none);
        m_empty->setText(text(view.windowProblem));
    }
    if (view.query.criteria)
        showCriteria(view);
    m_splitter->setVisible(!m_table->isHidden() || !m_criteriaTable->isHidden());
}

void ResultsTab::warn(const RunResults& results, const RunVerdict* verdict, const RunVerdict* outcome)
{
    QString headline;
    std::vector<std::string> reasons = results.invalidReasons;
    if (verdict == nullptr && outcome != nullptr) {
        // It is so of each window and each moment of it, too.
        if (!isQuotable(outcome->verdict)) {
            headline = tr("Of the whole run: %1").arg(text(outcome->headline));
            reasons = outcome->reasons;
        } else if (!outcome->reasons.empty()) {
            headline = tr("Remarks on the whole run:");
            reasons = outcome->reasons;
        }
    } else if (verdict == nullptr) {
        if (!reasons.empty())
            headline = results.kind == RunKind::mail
                ? tr("INVALID so far: the figures are not the server's alone.")
                : tr("INVALID so far: the figures are not the storage's alone.");
    } else if (!verdict->good() && !(verdict->verdict == Verdict::notMet && verdict->reasons.empty())) {
        headline = text(verdict->headline); // the sentence above their table is about criteria alone
        reasons = verdict->reasons;
    } else if (!verdict->reasons.empty()) { // of a good run: what a reader of its figures should know
        headline = tr("Remarks:");
        reasons = verdict->reasons;
    }
    for (const std::string& reason : headline.isEmpty() ? std::vector<std::string>() : reasons)
        headline += QStringLiteral("\n• ") + text(reason);
    m_warning->say(headline);
    m_warning->setVisible(!headline.isEmpty());
}

void ResultsTab::showCriteria(const RunView& view)
{
    const CriteriaView criteria = view.criteria ? *view.criteria : CriteriaView {};
    const Judgement& judgement = criteria.judgement;
    m_judgement->setVisible(judgement.stated || !criteria.problem.empty());
    m_criteriaTable->setVisible(judgement.stated);
    // What is chosen is over; the measurements of the plan may not have begun.
    const bool isRunning = view.growing() && !judgement.window;
    const auto rows = judgement.stated ? criterionRows(judgement, isRunning) : std::vector<CriterionRow>();
    m_criteria->setRows(rows);
    QString sentence = !judgement.stated ? text(criteria.problem)
        : isRunning                      ? sentenceSoFar(rows)
                                         : text(criteriaSentence(judgement));
    if (const TimeWindow judged = judgedWindow(judgement); judgement.window)
        sentence += QLatin1Char(' ')
            + tr("Judged from %1 to %2.").arg(formatMoment(judged.begin), formatMoment(judged.end));
    else if (view.growing())
        sentence += QLatin1Char(' ') + tr("Run in progress: interim figures.");
    else if (view.shown < view.length)
        sentence += QLatin1Char(' ')
            + tr("These are figures of the whole run, not those at %1.").arg(formatElapsed(view.shown));
    m_judgement->say(sentence,
        judgement.stated && judgement.met() && (!isRunning || !judgement.mixes.empty())
            ? Banner::Tone::good
            : Banner::Tone::caution);
}

void ResultsTab::show(const RunResults& results)
{
    if (auto figures = keysOf(results); figures != m_figures || results.kind != m_kind) {
        m_figures = std::move(figures);
        m_kind = results.kind;
        m_criteria->setColumns(criterionColumns(m_kind));
        m_mixes->setColumns(mixColumns(m_figures, m_kind));
    }
    m_mixes->setRows(results.mixes);
    warn(results, nullptr, nullptr);
    QStringList preparations;
    for (const PreparationResult& preparation : results.preparations)
        preparations.append(preparationSentence(preparation));
    m_preparations->setText(preparations.join(QLatin1Char('\n')));
    m_preparations->setVisible(!preparations.empty());
    m_empty->setText(results.window         ? tr("Nothing of the load is in this window.")
            : results.kind == RunKind::mail ? tr("No mix has finished its measurement phase yet.")
                                            : tr("No test has finished its measurement phase yet."));
    m_empty->setVisible(results.mixes.empty() && preparations.empty());
    m_table->setVisible(!results.mixes.empty());
    QStringList sentences;
    if (results.audit && results.kind == RunKind::mail)
        sentences.append(tr("Delivery audit: %1").arg(auditSentence(*results.audit, results.state)));
    if (results.oracle)
        sentences.append(tr("Mailbox oracle: %1").arg(text(oracleSentence(*results.oracle, results.state))));
    m_audit->setText(sentences.join(QLatin1Char('\n')));
    m_audit->setVisible(!sentences.isEmpty());
}

void ResultsTab::showAudit(const RunView& view)
{
    // Results of a window or of an earlier time have no totals; the audit's counters know how it stood then.
    if (view.results->audit || !view.figures.audit || view.results->kind != RunKind::mail)
        return;
    const QString words = auditShort(*view.figures.audit);
    m_audit->setText(view.shown < view.length
            ? tr("Delivery audit at %1: %2").arg(formatElapsed(view.shown), words)
            : tr("Delivery audit of the whole run: %1").arg(words));
    m_audit->show();
}

void ResultsTab::saveTo(QSettings& settings) const
{
    settings.setValue(kSplit, m_splitter->saveState());
    m_criteriaTable->saveColumns(settings, kColumns);
}

void ResultsTab::restoreFrom(const QSettings& settings)
{
    m_splitter->restoreState(settings.value(kSplit).toByteArray());
    m_criteriaTable->restoreColumns(settings, kColumns);
}

} // namespace loadstone::ui
