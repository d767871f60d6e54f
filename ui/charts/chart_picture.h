// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRect>
#include <QString>

class QPainter;

namespace loadstone::ui {

class PerformanceChart;

/// What a picture shows in place of the chart, where its lines are on the screen in another form.
class PictureBody {
public:
    virtual ~PictureBody() = default;
    [[nodiscard]] virtual int pictureHeight() const = 0; ///< pixels; 0: the legend's numbers are all
    virtual void paintPicture(QPainter& painter, const QRect& area) const = 0;
};

// A picture is the chart as it stands, or its body, between the run's title and a legend of the lines that it shows. That of a heat map is
// of its shades.

/// At twice its size on the screen.
QImage chartImage(PerformanceChart& chart);
/// As vectors. False when the file cannot be written.
bool writeChartSvg(PerformanceChart& chart, const QString& file, const QString& title);

} // namespace loadstone::ui
