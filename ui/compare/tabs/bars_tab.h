// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/tabs/compare_tab.h"

class QCheckBox;
class QComboBox;

namespace loadstone::ui {

class BarChart;
class PointsTable;

/// Any figure of all columns as bars, with every run as a dot and the ratio to a chosen column as a line.
class BarsTab : public CompareTab {
    Q_OBJECT
public:
    explicit BarsTab(QWidget* parent = nullptr);

    void show(std::shared_ptr<const CompareView> view) override;
    [[nodiscard]] bool hasPicture() const override { return true; }
    [[nodiscard]] QImage picture() override;
    bool writeSvg(const QString& file) override;
    [[nodiscard]] std::vector<ReportTable> data() const override { return { m_points }; }
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;
    [[nodiscard]] BarChart* chart() const { return m_chart; }
    [[nodiscard]] QComboBox* figures() const { return m_figure; }

private:
    void fillFigures();
    void draw();

    struct Choice {
        RowKey key;
        QString words;
    };
    std::shared_ptr<const CompareView> m_view;
    std::vector<Choice> m_choices;
    QString m_wanted;
    int m_reference = -1; // that the user clicked; -1: the baseline
    ReportTable m_points;
    QComboBox* m_figure;
    QCheckBox* m_ratios;
    BarChart* m_chart;
    PointsTable* m_table;
};

} // namespace loadstone::ui
