// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/tabs/assessment_tables.h"
#include "run/view/run_view.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QSettings;
class QSplitter;

namespace loadstone::ui {

class DataTable;

/// What the tests of a storage plan came to, in the tables that its report has: one at a time, chosen from a list.
class StorageTab : public QWidget {
    Q_OBJECT
public:
    explicit StorageTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

private:
    void showChosen();

    QSplitter* m_splitter;
    QListWidget* m_list;
    DataTable* m_table;
    RowsModel<TextRow>* m_rows;
    QLabel* m_note;
    QLabel* m_empty;
    std::vector<ReportTable> m_tables;
    std::vector<std::string> m_headings; // of the table that is shown
};

} // namespace loadstone::ui
