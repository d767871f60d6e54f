// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/data_table.h"

#include <loadstone/table.h>

namespace loadstone::ui {

/// The numbers behind a picture, as reports print them.
class PointsTable : public DataTable {
    Q_OBJECT
public:
    explicit PointsTable(QWidget* parent = nullptr);
    void show(const ReportTable& table);
    using DataTable::show;

private:
    RowsModel<std::vector<Cell>>* m_rows;
};

} // namespace loadstone::ui
