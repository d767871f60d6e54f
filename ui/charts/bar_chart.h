// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/figure_axis.h"
#include "charts/figure_chart.h"

namespace loadstone::ui {

/// A figure of one case, or none.
struct Bar {
    std::optional<double> value;
    QString text; ///< the value as tables print it; without one why
    std::vector<double> dots; ///< of each repeat
    QString words; ///< what it is of and what it shows
    bool hollow = false; ///< of an invalid or not comparable case
    bool bound = false; ///< the value is at least that large: its ratio to others is not known
};

/// Bars that stand together: one for each series.
struct BarGroup {
    QString name; ///< of a mix or a figure
    std::vector<Bar> bars;
};

/// A figure over cases as bars from 0, with every repeat as a dot. Beside the bars a line shows the ratio of each one to that of the
/// chosen series in its group, on an axis of its own at the right. A click on a bar, or Enter, emits activated().
class BarChart : public FigureChart {
    Q_OBJECT
public:
    using FigureChart::FigureChart;

    void setBars(std::vector<QString> series, std::vector<BarGroup> groups);
    [[nodiscard]] const std::vector<BarGroup>& groups() const { return m_groups; }
    void setValueTitle(const QString& title);
    /// Each bar is compared with that of this series in its group; -1: no line of ratios.
    void setReference(int series);
    [[nodiscard]] int reference() const { return m_reference; }
    /// The ratio of a bar to its group's reference; none where one of them is missing or the reference is 0.
    [[nodiscard]] std::optional<double> ratio(std::size_t group, std::size_t series) const;

protected:
    void paintChart(QPainter& painter, const QRectF& area) const override;
    std::vector<FigureSpot> spotsWithin(const QRectF& area) const override;
    [[nodiscard]] bool isEmpty() const override;

private:
    [[nodiscard]] FigurePlot plotWithin(const QRectF& area) const;
    [[nodiscard]] FigureAxis ratioAxis(int most) const;
    [[nodiscard]] QRectF barAt(const FigurePlot& plot, std::size_t group, std::size_t series) const;
    [[nodiscard]] std::vector<LegendEntry> legend() const;
    void paintBar(QPainter& painter, const FigurePlot& plot, std::size_t group, std::size_t series) const;
    void paintValue(QPainter& painter, const FigurePlot& plot, std::size_t group, std::size_t series) const;
    void paintRatios(QPainter& painter, const FigurePlot& plot) const;

    std::vector<QString> m_series;
    std::vector<BarGroup> m_groups;
    QString m_valueTitle;
    int m_reference = -1;
};

/// "0.765": a ratio of two figures.
QString ratioText(double ratio);

} // namespace loadstone::ui
