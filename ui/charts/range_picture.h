// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

class QPainter;

namespace loadstone::ui {

/// As large in both directions, and not turned: a pixel of a picture is one of the device.
bool hasEvenScale(const QPainter& painter);
/// Fills an outline of lineRanges(), in the painter's coordinates, with the brush's colour where it lies within `plot`, as a
/// picture of pixels: of a thousand narrow bands that costs a quarter of what polygons cost. Needs hasEvenScale().
void paintRangePixels(QPainter& painter, const QRectF& plot, QPolygonF outline);

} // namespace loadstone::ui
