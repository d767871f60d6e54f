// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/tabs/points_table.h"

#include "run/tabs/assessment_tables.h"

namespace loadstone::ui {

namespace {

/// Long names of systems stand on several lines, of about this many characters.
void breakLines(std::string& heading)
{
    constexpr std::size_t kLine = 22;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < heading.size(); ++at) {
        const bool isLate = at - begin >= kLine || heading.find(' ', at + 1) > begin + kLine;
        if (heading[at] != ' ' || at - begin < kLine / 2 || !isLate)
            continue;
        heading[at] = '\n';
        begin = at + 1;
    }
}

} // namespace

PointsTable::PointsTable(QWidget* parent)
    : DataTable(parent)
    , m_rows(new RowsModel<std::vector<Cell>>({}, this))
{
    setSource(m_rows);
    setWidestColumn(220);
}

void PointsTable::show(const ReportTable& table)
{
    ReportTable shown;
    shown.columns = table.columns;
    for (ReportColumn& column : shown.columns)
        breakLines(column.heading);
    m_rows->setRows({});
    m_rows->setColumns(textColumns(shown));
    m_rows->setRows(table.rows);
}

} // namespace loadstone::ui
