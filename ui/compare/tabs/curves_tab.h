// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/tabs/compare_tab.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSplitter;

namespace loadstone::ui {

class CurveChart;
class PointsTable;

/// A figure of all columns over load, with the table of its points beside it.
class CurvesTab : public CompareTab {
    Q_OBJECT
public:
    explicit CurvesTab(QWidget* parent = nullptr);

    void show(std::shared_ptr<const CompareView> view) override;
    [[nodiscard]] bool hasPicture() const override { return true; }
    [[nodiscard]] QImage picture() override;
    bool writeSvg(const QString& file) override;
    [[nodiscard]] std::vector<ReportTable> data() const override { return { m_points }; }
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;
    [[nodiscard]] CurveChart* chart() const { return m_chart; }
    [[nodiscard]] QComboBox* figures() const { return m_figure; }

private:
    void fillFigures();
    void draw();

    std::shared_ptr<const CompareView> m_view;
    std::vector<CurveChoice> m_choices; // in the order of the box
    QString m_wanted; // the figure that the user chose last, by its words
    ReportTable m_points;
    std::vector<double> m_loads; // of its lines
    QComboBox *m_figure, *m_axis;
    QCheckBox* m_logarithmic;
    QLabel* m_remarks;
    CurveChart* m_chart;
    PointsTable* m_table;
    QSplitter* m_split;
};

} // namespace loadstone::ui
