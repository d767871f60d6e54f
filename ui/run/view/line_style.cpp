// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/line_style.h"

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kColour = QStringLiteral("colour"), kWidth = QStringLiteral("width"),
              kPen = QStringLiteral("pen"), kShown = QStringLiteral("shown"),
              kScale = QStringLiteral("scale"), kThreshold = QStringLiteral("threshold"),
              kGroup = QStringLiteral("group");
}

QVariantMap savedStyle(const LineStyle& style)
{
    QVariantMap map { { kWidth, style.width }, { kPen, static_cast<int>(style.pen) },
        { kShown, style.shown } };
    if (style.colour.isValid())
        map.insert(kColour, style.colour.name());
    if (style.scale)
        map.insert(kScale, *style.scale);
    if (!style.group.isEmpty())
        map.insert(kGroup, style.group);
    if (style.threshold)
        map.insert(kThreshold, *style.threshold);
    return map;
}

LineStyle styleOf(const QVariantMap& saved)
{
    LineStyle style;
    style.colour = QColor(saved.value(kColour).toString());
    style.width = std::clamp(saved.value(kWidth, 1).toInt(), 1, 8);
    const int pen = saved.value(kPen, static_cast<int>(Qt::SolidLine)).toInt();
    if (pen >= static_cast<int>(Qt::SolidLine) && pen <= static_cast<int>(Qt::DashDotDotLine))
        style.pen = static_cast<Qt::PenStyle>(pen);
    style.shown = saved.value(kShown, true).toBool();
    if (const double scale = saved.value(kScale).toDouble(); scale > 0)
        style.scale = scale;
    style.group = saved.value(kGroup).toString();
    if (saved.contains(kThreshold))
        style.threshold = saved.value(kThreshold).toDouble();
    return style;
}

} // namespace loadstone::ui
