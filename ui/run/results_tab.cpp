// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/results_tab.h"

#include "format.h"
#include "tables/data_table.h"

#include <QLabel>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

/// "initialisation: 1,000 of 1,000 mailboxes done; 40,000 folders made, ..."
QString preparationSentence(const PreparationResult& preparation)
{
    const PreparationTotals& totals = preparation.totals;
    QString sentence =
        ResultsTab::tr("%1: %2 of %3 mailboxes done")
            .arg(phaseName(preparation.kind), formatCount(totals.done), formatCount(totals.mailboxes));
    if (totals.failed > 0)
        sentence += ResultsTab::tr(", %1 given up").arg(formatCount(totals.failed));
    sentence += QLatin1String("; ");
    if (preparation.kind == PhaseKind::initialisation)
        sentence += ResultsTab::tr("%1 folders made, %2 messages appended, %3 there already")
                        .arg(formatCount(totals.foldersMade), formatCount(totals.appended),
                            formatCount(totals.found));
    else
        sentence += ResultsTab::tr("%1 folders and %2 messages removed, %3 messages left alone")
                        .arg(formatCount(totals.foldersRemoved), formatCount(totals.removed),
                            formatCount(totals.foreign));
    return sentence;
}

} // namespace

ResultsTab::ResultsTab(QWidget* parent)
    : QWidget(parent)
    , m_mixes(new RowsModel<MixResult>(mixColumns({}), this))
    , m_table(new DataTable)
    , m_warning(new QLabel)
    , m_audit(new QLabel)
    , m_preparations(new QLabel)
    , m_empty(new QLabel(tr("No mix has finished its measurement phase yet.")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    for (QLabel* label : { m_warning, m_audit, m_preparations, m_empty }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_warning->setFrameShape(QFrame::StyledPanel);
    m_warning->setMargin(6);
    m_warning->setAutoFillBackground(true);
    QPalette caution = m_warning->palette();
    caution.setColor(QPalette::Window, QColor(0xf6, 0xe0, 0xb0));
    caution.setColor(QPalette::WindowText, Qt::black);
    m_warning->setPalette(caution);
    m_table->setSource(m_mixes);
    m_table->setAccessibleName(tr("Results per mix"));
    m_preparations->setObjectName(QStringLiteral("preparations"));
    layout->addWidget(m_warning);
    layout->addWidget(m_preparations);
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_audit);
    show(RunResults {});
}

void ResultsTab::show(const RunResults& results)
{
    if (auto actions = actionNames(results); actions != m_actions) {
        m_actions = std::move(actions);
        m_mixes->setColumns(mixColumns(m_actions));
    }
    m_mixes->setRows(results.mixes);
    QStringList reasons;
    for (const std::string& reason : results.invalidReasons)
        reasons.append(QStringLiteral("• ") + text(reason));
    m_warning->setText(tr("Not valid, the figures are not the server's alone:") + QLatin1Char('\n')
        + reasons.join(QLatin1Char('\n')));
    m_warning->setVisible(!results.valid);
    QStringList preparations;
    for (const PreparationResult& preparation : results.preparations)
        preparations.append(preparationSentence(preparation));
    m_preparations->setText(preparations.join(QLatin1Char('\n')));
    m_preparations->setVisible(!preparations.empty());
    m_empty->setVisible(results.mixes.empty() && preparations.empty());
    m_table->setVisible(!results.mixes.empty());
    m_audit->setVisible(results.audit.has_value());
    if (results.audit)
        m_audit->setText(tr("Delivery audit: %1").arg(auditSentence(*results.audit)));
}

} // namespace loadstone::ui
