// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/figure_axis.h"
#include "charts/figure_chart.h"

namespace loadstone::ui {

/// A point of a curve. `words` say what it is of and what it shows.
struct CurvePoint {
    double x = 0, y = 0;
    QString words;
    std::optional<double> low, high; ///< of the range around it; drawn as a light band
    bool hollow = false; ///< less certain than others: a lower bound, an invalid run
};

/// Where something of a curve changes.
struct CurveMark {
    double x = 0, y = 0;
    QString words;
};

/// One system, case or figure: points in the order of x.
struct Curve {
    QString name;
    QColor colour;
    int marker = 0; ///< a shape of paintMarker()
    bool line = true; ///< false: the points alone
    /// Between two pieces there is a point that is not known: a gap, never a line.
    std::vector<std::vector<CurvePoint>> pieces;
    std::vector<CurveMark> marks; ///< the knee
    bool endsEarly = false; ///< others go on to higher loads: a bar at its last point
};

/// Curves over a load, a percentile or the number of a run. Points that are not known are gaps; a curve that stops early ends there.
class CurveChart : public FigureChart {
    Q_OBJECT
public:
    using FigureChart::FigureChart;

    void setCurves(std::vector<Curve> curves);
    [[nodiscard]] const std::vector<Curve>& curves() const { return m_curves; }
    void setTitles(const QString& x, const QString& y);
    /// Labels of the x axis instead of round numbers; empty: round numbers.
    void setXTicks(std::vector<std::pair<double, QString>> ticks);
    /// Whether 0 lies on each axis.
    void setFromZero(bool x, bool y);
    void setLogarithmic(bool y);
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    /// Levels across the plot, such as a limit or no difference.
    void setLevels(std::vector<std::pair<double, QString>> levels);

protected:
    void paintChart(QPainter& painter, const QRectF& area) const override;
    std::vector<FigureSpot> spotsWithin(const QRectF& area) const override;
    [[nodiscard]] bool isEmpty() const override;

private:
    [[nodiscard]] FigurePlot plotWithin(const QRectF& area) const;
    [[nodiscard]] std::vector<LegendEntry> legend() const;
    void paintCurve(QPainter& painter, const FigurePlot& plot, const Curve& curve) const;
    void paintLevels(QPainter& painter, const FigurePlot& plot) const;

    std::vector<Curve> m_curves;
    QString m_xTitle, m_yTitle;
    std::vector<std::pair<double, QString>> m_xTicks, m_levels;
    bool m_xFromZero = false, m_yFromZero = true, m_logarithmic = false;
};

} // namespace loadstone::ui
