// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace loadstone::ui {

/// What the small picture of a cell shows: every repeat of a case above every repeat of the baseline, on one axis.
struct DotPicture {
    std::vector<double> baseline, own; ///< values of the runs
    std::optional<double> baselineMean, ownMean;
    /// Within so much of the baseline's mean nothing is shown; drawn as a band.
    std::optional<double> critical;
    double low = 0, high = 1; ///< of the axis; the same for all cells of a row
};

/// The axis that all dots of a row fit on, with the bands.
std::pair<double, double> dotAxis(const std::vector<DotPicture>& pictures);
/// Dots of the case are filled, those of the baseline hollow: never by colour alone.
void paintDots(
    QPainter& painter, const QRectF& area, const DotPicture& picture, const QPalette& palette, bool selected);

} // namespace loadstone::ui
