// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/results_tab.h"

#include "format.h"
#include "tables/data_table.h"

#include <QLabel>
#include <QVBoxLayout>

namespace loadstone::ui {

ResultsTab::ResultsTab(QWidget* parent)
    : QWidget(parent)
    , m_mixes(new RowsModel<MixResult>(mixColumns({}), this))
    , m_table(new DataTable)
    , m_warning(new QLabel)
    , m_audit(new QLabel)
    , m_empty(new QLabel(tr("No mix has finished its measurement phase yet.")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    for (QLabel* label : { m_warning, m_audit, m_empty }) {
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
    layout->addWidget(m_warning);
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
    m_empty->setVisible(results.mixes.empty());
    m_table->setVisible(!results.mixes.empty());
    m_audit->setVisible(results.audit.has_value());
    if (results.audit)
        m_audit->setText(tr("Delivery audit: %1").arg(auditSentence(*results.audit)));
}

} // namespace loadstone::ui
