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
    ReportTable shown = table;
    shown.rows.clear();
    for (ReportColumn& column : shown.columns) // long names of systems stand on several lines
        for (std::size_t at = 0, begin = 0; at < column.heading.size(); ++at)
            if (constexpr std::size_t kLine = 22; column.heading[at] == ' ' && at - begin >= kLine / 2
                && (at - begin >= kLine || column.heading.find(' ', at + 1) > begin + kLine)) {
                column.heading[at] = '\n';
                begin = at + 1;
            }
    m_rows->setRows({});
    m_rows->setColumns(textColumns(shown));
    m_rows->setRows(table.rows);
}

} // namespace loadstone::ui
