// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"
#include "tables/rows_model.h"

#include <QWidget>

namespace loadstone::ui {

class DataTable;

/// Response and service times per action and command, over the page's window.
class LatencyTab : public QWidget {
    Q_OBJECT
public:
    explicit LatencyTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    [[nodiscard]] DataTable* table() const { return m_table; }

private:
    RowsModel<LatencyRow>* m_rows;
    DataTable* m_table;
};

} // namespace loadstone::ui
