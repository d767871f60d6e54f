// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/points_table.h"

#include "run/tabs/assessment_tables.h"

namespace loadstone::ui {

PointsTable::PointsTable(QWidget* parent)
    : DataTable(parent)
    , m_rows(new RowsModel<std::vector<Cell>>({}, this))
{
    setSource(m_rows);
    setWidestColumn(220);
}

void PointsTable::show(const ReportTable& table)
{
    m_rows->setRows({});
    m_rows->setColumns(textColumns(table));
    m_rows->setRows(table.rows);
}

} // namespace loadstone::ui
