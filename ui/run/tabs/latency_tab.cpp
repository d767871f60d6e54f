// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/latency_tab.h"

#include "run/tabs/result_tables.h"
#include "tables/data_table.h"

#include <QVBoxLayout>

namespace loadstone::ui {

LatencyTab::LatencyTab(QWidget* parent)
    : QWidget(parent)
    , m_rows(new RowsModel<LatencyRow>(latencyColumns(), this))
    , m_table(new DataTable)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    m_table->setSource(m_rows);
    m_table->freezeFirstColumn();
    m_table->setAccessibleName(tr("Response times, in milliseconds"));
    layout->addWidget(m_table, 1);
}

void LatencyTab::show(const RunView& view)
{
    m_rows->setRows(view.latencies);
}

} // namespace loadstone::ui
