// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/audit_tab.h"

#include "banner.h"
#include "format.h"
#include "run/view/run_view.h"
#include "tables/data_table.h"

#include <loadstone/report.h>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace loadstone::ui {

AuditTab::AuditTab(QWidget* parent)
    : QWidget(parent)
    , m_rows(new RowsModel<AuditException>(exceptionColumns(), this))
    , m_figures(new RowsModel<Figure>(figureListColumns(), this))
    , m_sentence(makeProse())
    , m_table(new DataTable)
    , m_figureTable(new DataTable)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_table->setSource(m_rows);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Findings of the delivery audit"));
    m_figureTable->setSource(m_figures);
    m_figureTable->setSortingEnabled(false); // rows follow from one another
    m_figureTable->setAccessibleName(tr("Figures of the delivery audit"));
    auto* tables = new QHBoxLayout;
    tables->addWidget(m_figureTable, 1);
    tables->addWidget(m_table, 2);
    layout->addWidget(m_sentence, 0, Qt::AlignTop);
    layout->addLayout(tables, 1);
    show(RunResults {}, false);
}

void AuditTab::show(const RunView& view)
{
    if (!view.results)
        return;
    show(*view.results, view.verdict != nullptr);
    // Results of a window or of an earlier time have no totals; the audit's counters know how it stood then.
    if (!view.results->audit && view.figures.audit && view.results->kind == RunKind::mail)
        m_sentence->setText(
            (view.shown < view.length
                    ? tr("At %1: %2. ").arg(formatElapsed(view.shown), auditShort(*view.figures.audit))
                    : tr("Whole run: %1. ").arg(auditShort(*view.figures.audit)))
            + tr("The table lists the findings about messages accepted in the chosen window. The totals are "
                 "known for the end "
                 "of the run only."));
}

void AuditTab::show(const RunResults& results, bool toItsEnd)
{
    m_rows->setRows(results.exceptions);
    m_table->setVisible(!results.exceptions.empty());
    m_figures->setRows(results.figures);
    m_figureTable->setVisible(!results.figures.empty());
    QString sentence = results.kind != RunKind::mail ? tr("This run has no mail: there is nothing to audit.")
        : results.audit                              ? auditSentence(*results.audit, results.state)
        : toItsEnd && !results.mixes.empty()         ? tr("No delivery audit: the plan reads no mailboxes.")
        : toItsEnd                                   ? tr("No delivery audit: nothing was measured.")
                   : tr("The audit's totals are kept for the end of the run only, not for each moment.");
    if (results.oracle)
        sentence += QLatin1Char('\n') + text(oracleSentence(*results.oracle, results.state));
    m_sentence->setText(sentence);
}

} // namespace loadstone::ui
