// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>

class QPainter;

namespace loadstone::ui {

/// Draws a path, in the painter's coordinates, with the painter's pen as a picture of pixels: the coverage of a pixel is how near its
/// centre lies to the path, so that ends and corners are round. Of a thousand steep parts that costs a quarter of what the
/// painter's own lines cost. The pen is solid and wider than a pixel. Needs hasEvenScale().
void paintLinePixels(QPainter& painter, const QPolygonF& path);

} // namespace loadstone::ui
