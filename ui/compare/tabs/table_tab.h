// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/tabs/compare_tab.h"

class QLabel;
class QSplitter;
class QTextBrowser;

namespace loadstone::ui {

class ComparisonModel;
class ComparisonTable;

/// The figures of all columns, and what there is to know of the chosen cell.
class TableTab : public CompareTab {
    Q_OBJECT
public:
    explicit TableTab(QWidget* parent = nullptr);

    void show(std::shared_ptr<const CompareView> view) override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;
    [[nodiscard]] ComparisonModel* model() const { return m_model; }
    [[nodiscard]] ComparisonTable* table() const { return m_table; }
    [[nodiscard]] QTextBrowser* detail() const { return m_detail; }

signals:
    void moveWanted(int from, int to);
    void removeWanted(int column);

private:
    void explainCell(const QModelIndex& index);

    ComparisonModel* m_model;
    ComparisonTable* m_table;
    QTextBrowser* m_detail;
    QSplitter* m_split;
    QLabel* m_count;
};

} // namespace loadstone::ui
