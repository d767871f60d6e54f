// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/result_tables.h"

#include <QWidget>

class QLabel;

namespace loadstone::ui {

class DataTable;

/// The table of results per mix, below it what the delivery audit found; above it why a run is not valid.
class ResultsTab : public QWidget {
    Q_OBJECT
public:
    explicit ResultsTab(QWidget* parent = nullptr);
    void show(const RunResults& results);
    using QWidget::show;

private:
    RowsModel<MixResult>* m_mixes;
    RowsModel<AuditException>* m_exceptions;
    std::vector<std::string> m_actions;
    DataTable* m_table;
    DataTable* m_findings;
    QLabel* m_warning;
    QLabel* m_audit;
    QLabel* m_empty;
};

} // namespace loadstone::ui
