// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/tabs/result_tables.h"
#include "run/view/run_view.h"

#include <QWidget>

class QLineEdit;

namespace loadstone::ui {

class DataTable;

/// The event log with the marks that were set in it, filtered by a search; marks are set here.
class LogTab : public QWidget {
    Q_OBJECT
public:
    explicit LogTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    [[nodiscard]] DataTable* table() const { return m_table; }

signals:
    void markWanted();
    /// The user activated the event at this time.
    void timeChosen(loadstone::Nanoseconds at);

private:
    RowsModel<LogRow>* m_rows;
    DataTable* m_table;
    QLineEdit* m_search;
};

} // namespace loadstone::ui
