// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/result_tables.h"

#include <QWidget>

class QLabel;

namespace loadstone::ui {

class DataTable;

/// The table of results per mix, below it the delivery audit in a sentence; above it why a run is not valid, and what was done
/// to the mailboxes before.
class ResultsTab : public QWidget {
    Q_OBJECT
public:
    explicit ResultsTab(QWidget* parent = nullptr);
    void show(const RunResults& results);
    using QWidget::show;

private:
    RowsModel<MixResult>* m_mixes;
    std::vector<std::string> m_actions;
    DataTable* m_table;
    QLabel* m_warning;
    QLabel* m_audit;
    QLabel* m_preparations;
    QLabel* m_empty;
};

} // namespace loadstone::ui
