// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/performance_chart.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QImage>

namespace loadstone::ui {

/// One second each, with the same value from its begin to its end.
inline std::vector<CounterBand> secondsOf(int begin, const std::vector<double>& values)
{
    std::vector<CounterBand> bands;
    for (const double value : values) {
        bands.push_back(
            { std::chrono::seconds(begin), std::chrono::seconds(begin + 1), value, value, value });
        ++begin;
    }
    return bands;
}

inline ChartLine lineOf(
    const QString& name, const QString& unit, const QColor& colour, std::vector<CounterBand> bands)
{
    ChartLine line;
    line.name = name;
    line.unit = unit;
    line.colour = colour;
    line.width = 2;
    line.whole = wholeExtent(bands);
    line.bands = std::move(bands);
    return line;
}

/// Shown and laid out, of a run of 100 s.
inline PerformanceChart& shownChart(PerformanceChart& chart)
{
    chart.resize(800, 400);
    chart.setLength(std::chrono::seconds(100), std::chrono::seconds(100));
    chart.show();
    for (int i = 0; i < 3; ++i) // the axes are laid out by events
        QApplication::processEvents();
    return chart;
}

inline QWidget* surfaceOf(PerformanceChart& chart)
{
    return chart.findChild<QAbstractScrollArea*>()->viewport();
}

inline QImage pictureOf(QWidget& widget)
{
    for (int i = 0; i < 3; ++i)
        QApplication::processEvents();
    return widget.grab().toImage();
}

inline int countOf(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    return count;
}

} // namespace loadstone::ui
