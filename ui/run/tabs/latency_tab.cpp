// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/latency_tab.h"

#include "format.h"
#include "run/tabs/result_tables.h"
#include "run/view/window_choice.h"
#include "tables/data_table.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace loadstone::ui {

LatencyTab::LatencyTab(QWidget* parent)
    : QWidget(parent)
    , m_rows(new RowsModel<LatencyRow>(latencyColumns(), this))
    , m_choice(new WindowChoice)
    , m_window(new QLabel)
    , m_table(new DataTable)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("&Over:"));
    label->setBuddy(m_choice);
    row->addWidget(label);
    row->addWidget(m_choice);
    row->addWidget(m_window, 1);
    layout->addLayout(row);
    m_table->setSource(m_rows);
    m_table->setAccessibleName(tr("Response times"));
    layout->addWidget(m_table, 1);
}

void LatencyTab::show(const RunView& view)
{
    m_rows->setRows(view.latencies);
    m_window->setText(tr("from %1 to %2; times in milliseconds")
                          .arg(formatElapsed(view.table.begin), formatElapsed(view.table.end)));
}

} // namespace loadstone::ui
