// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace loadstone::ui {

/// Writes what `paint` draws as vectors, in one step: what was there stays when it fails. `size` in pixels, `resolution` the screen's, in
/// dots per inch: text then has the size that its place was measured for. False when the file cannot be written.
bool writeSvgFile(const QString& file, QSize size, int resolution, const QString& title,
    const std::function<void(QPainter&)>& paint);

} // namespace loadstone::ui
