// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"
#include "tables/figure_column.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSettings;

namespace loadstone::ui {

class Banner;
class DataTable;

/// The score of the run over the page's window, with a percentile and weights that are chosen here, and the table that it comes
/// from.
class ScoreTab : public QWidget {
    Q_OBJECT
public:
    explicit ScoreTab(QWidget* parent = nullptr);
    void show(const RunView& view);
    using QWidget::show;
    [[nodiscard]] ScoreQuery query() const;
    [[nodiscard]] DataTable* table() const { return m_table; }
    /// As findWeights() takes them; empty: those of the run's profile.
    void chooseWeights(const QString& name);

    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void queryChanged();

private:
    void openWeights();
    void showScore(const Score& score);

    double m_percentile = 95; // of the table's heading; before the rows, which take it
    RowsModel<FiguresRow>* m_rows;
    QDoubleSpinBox* m_percentileBox;
    QComboBox* m_weights;
    QWidget* m_result;
    QLabel* m_score;
    QLabel* m_how;
    Banner* m_problem;
    QWidget* m_empty;
    DataTable* m_table;
};

} // namespace loadstone::ui
