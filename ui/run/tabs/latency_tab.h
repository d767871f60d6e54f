// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"
#include "tables/rows_model.h"

#include <QWidget>

class QLabel;
class QSettings;

namespace loadstone::ui {

class DataTable;
class WindowChoice;

/// Response and service times per action and command, over a window that is chosen here.
class LatencyTab : public QWidget {
    Q_OBJECT
public:
    explicit LatencyTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    [[nodiscard]] WindowChoice* choice() const { return m_choice; }
    [[nodiscard]] DataTable* table() const { return m_table; }

private:
    RowsModel<LatencyRow>* m_rows;
    WindowChoice* m_choice;
    QLabel* m_window;
    DataTable* m_table;
};

} // namespace loadstone::ui
