// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QVariant>

#include <optional>

namespace loadstone::ui {

/// How the user wants a line drawn; remembered between sessions.
struct LineStyle {
    QColor colour;
    int width = 1; ///< pixels, 1 to 8
    Qt::PenStyle pen = Qt::SolidLine;
    bool shown = true;
    std::optional<double> scale; ///< none: automatic
    std::optional<double> threshold; ///< in the line's own unit
    QString group; ///< lines of one unit and group share scale and lane; empty: those of one object do
    bool operator==(const LineStyle&) const = default;
};

/// As settings keep it.
QVariantMap savedStyle(const LineStyle& style);
/// The other way. What makes no sense becomes what a new line has; the colour is invalid then.
LineStyle styleOf(const QVariantMap& saved);

} // namespace loadstone::ui
