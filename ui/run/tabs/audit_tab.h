// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/tabs/result_tables.h"

#include <QWidget>

class QLabel;

namespace loadstone::ui {

class DataTable;
struct RunView;

/// What became of the messages that the server accepted, and each one that something is to be said about.
class AuditTab : public QWidget {
    Q_OBJECT
public:
    explicit AuditTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;

private:
    void show(const RunResults& results, bool toItsEnd);

    RowsModel<AuditException>* m_rows;
    RowsModel<Figure>* m_figures;
    QLabel* m_sentence;
    DataTable* m_table;
    DataTable* m_figureTable;
};

} // namespace loadstone::ui
