// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_scene.h"

#include "format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kFar = 1e6; // pixels; an infinite value still points upwards

QString translated(const char* source)
{
    return QCoreApplication::translate("chart", source);
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < 128;
}

QColor phaseColour(PhaseKind kind, bool dark)
{
    QColor colour;
    switch (kind) {
    case PhaseKind::measurement:
        colour = QColor(46, 134, 222);
        break;
    case PhaseKind::rampUp:
    case PhaseKind::rampDown:
        colour = QColor(128, 128, 128);
        break;
    case PhaseKind::quiet:
        return Qt::transparent;
    case PhaseKind::initialisation:
    case PhaseKind::cleanUp:
        colour = QColor(39, 150, 96);
        break;
    case PhaseKind::drain:
        colour = QColor(214, 137, 16);
        break;
    }
    colour.setAlpha(dark ? 44 : 28);
    return colour;
}

/// `text` in `box`; where it does not fit, elided or, with `whole`, nothing.
void paintLabel(QPainter& painter, const QRectF& box, const QString& text, bool whole)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF room = box.adjusted(2, 0, -2, 0);
    if (metrics.horizontalAdvance(text) <= room.width())
        painter.drawText(room, Qt::AlignHCenter | Qt::AlignVCenter, text);
    else if (!whole && room.width() > metrics.averageCharWidth() * 5)
        painter.drawText(room, Qt::AlignHCenter | Qt::AlignVCenter,
            metrics.elidedText(text, Qt::ElideRight, room.width()));
}

QRectF stretch(const ChartMapping& map, Nanoseconds begin, Nanoseconds end)
{
    const double left = std::clamp(map.x(begin), map.plot.left(), map.plot.right());
    const double right = std::clamp(map.x(end), map.plot.left(), map.plot.right());
    return { left, map.plot.top(), right - left, map.plot.height() };
}

} // namespace

double ChartMapping::x(Nanoseconds at) const
{
    const double span = seconds(time.end - time.begin);
    return span <= 0 ? plot.left() : plot.left() + seconds(at - time.begin) / span * plot.width();
}

double ChartMapping::y(double scaled) const
{
    return high <= low ? plot.bottom() : plot.bottom() - (scaled - low) / (high - low) * plot.height();
}

QPointF ChartMapping::at(const QPointF& point) const
{
    return { x(Nanoseconds(std::llround(point.x() * 1e9))), y(point.y()) };
}

Nanoseconds ChartMapping::timeAt(double x) const
{
    if (plot.width() <= 0)
        return time.begin;
    const double share = (x - plot.left()) / plot.width();
    return time.begin
        + Nanoseconds(std::llround(share * static_cast<double>((time.end - time.begin).count())));
}

double ChartMapping::valueAt(double y) const
{
    return plot.height() <= 0 ? low : low + (plot.bottom() - y) / plot.height() * (high - low);
}

QColor lineColour(const QColor& chosen, const QPalette& palette)
{
    return isDark(palette) && chosen.lightness() < 140 ? chosen.lighter(150) : chosen;
}

double phaseStripHeight(const QFont& font)
{
    return 2 * QFontMetricsF(font).height() + 6;
}

void paintPhases(QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette)
{
    const bool dark = isDark(palette);
    const double row = QFontMetricsF(painter.font()).height() + 2;
    QColor line = palette.color(QPalette::Text);
    line.setAlpha(70);
    const QFont plain = painter.font();
    QFont bold = plain;
    bold.setBold(true);

    for (std::size_t i = 0; i < decor.phases.size();) {
        // Phases of one mix stand together below its name.
        std::size_t next = i;
        while (next < decor.phases.size() && decor.phases[next].mix == decor.phases[i].mix)
            ++next;
        const QRectF whole = stretch(map, decor.phases[i].begin, decor.phases[next - 1].end);
        for (std::size_t p = i; p < next; ++p) {
            const Phase& phase = decor.phases[p];
            const QRectF band = stretch(map, phase.begin, phase.end);
            if (band.width() <= 0)
                continue;
            const QRectF name(band.left(), map.plot.top() - row - 1, band.width(), row);
            painter.fillRect(band.united(name), phaseColour(phase.kind, dark));
            painter.setPen(QPen(line, 0, Qt::DotLine));
            painter.drawLine(QPointF(band.left(), name.top()), band.bottomLeft());
            painter.setPen(palette.color(QPalette::Text));
            paintLabel(painter, name, phaseName(phase.kind), true);
        }
        if (decor.phases[i].mix >= 0 && whole.width() > 0) {
            painter.setFont(bold);
            const QRectF name(whole.left(), map.plot.top() - 2 * row - 2, whole.width(), row);
            painter.setPen(QPen(line, 0));
            painter.drawLine(name.topLeft(), QPointF(name.left(), map.plot.bottom()));
            painter.setPen(palette.color(QPalette::Text));
            paintLabel(painter, name, text(decor.phases[i].mixName), false);
            painter.setFont(plain);
        }
        i = next;
    }
    if (decor.selection) {
        const QRectF band = stretch(map, decor.selection->begin, decor.selection->end);
        QColor colour = palette.color(QPalette::Highlight);
        colour.setAlpha(60);
        painter.fillRect(band, colour);
        painter.setPen(QPen(palette.color(QPalette::Highlight), 1));
        painter.drawLine(band.topLeft(), band.bottomLeft());
        painter.drawLine(band.topRight(), band.bottomRight());
    }
    if (decor.shownUntil && *decor.shownUntil < map.time.end) {
        const QRectF unknown = stretch(map, *decor.shownUntil, map.time.end);
        QColor colour = palette.color(QPalette::Window);
        colour.setAlpha(170);
        painter.fillRect(unknown, colour);
        painter.setPen(QPen(palette.color(QPalette::Highlight), 2));
        painter.drawLine(unknown.topLeft(), unknown.bottomLeft());
    }
}

void paintRanges(QPainter& painter, const ChartMapping& map, const std::vector<ChartLine>& lines)
{
    painter.save();
    painter.setClipRect(map.plot);
    painter.setPen(Qt::NoPen);
    for (const ChartLine& line : lines) {
        if (!line.shown)
            continue;
        QColor fill = line.colour;
        fill.setAlpha(56);
        painter.setBrush(fill);
        for (QPolygonF& range : lineRanges(line.bands, line.scale)) {
            for (QPointF& point : range)
                point = map.at(point);
            painter.drawPolygon(range);
        }
    }
    painter.restore();
}

constexpr double kEdge = 2;

void paintStrokes(QPainter& painter, const ChartMapping& map, const std::vector<LineStroke>& strokes)
{
    painter.save();
    // A line at 100 or 0 lies on the plot's edge, and all of its width is to be seen there.
    painter.setClipRect(map.plot.adjusted(0, -kEdge, 0, kEdge));
    painter.setBrush(Qt::NoBrush);
    QPolygonF path;
    for (const LineStroke& stroke : strokes) {
        painter.setPen(stroke.pen);
        for (const QList<QPointF>& piece : stroke.pieces) {
            path.clear();
            for (const QPointF& point : piece) {
                const QPointF at = map.at(point);
                path.append({ std::clamp(at.x(), -kFar, kFar), std::clamp(at.y(), -kFar, kFar) });
            }
            painter.drawPolyline(path);
        }
    }
    painter.restore();
}

void paintThresholds(QPainter& painter, const ChartMapping& map, const std::vector<ChartLine>& lines)
{
    const QFontMetricsF metrics(painter.font());
    for (const ChartLine& line : lines) {
        if (!line.shown || !line.threshold)
            continue;
        const double y = map.y(*line.threshold * line.scale);
        if (y < map.plot.top() || y > map.plot.bottom())
            continue;
        painter.setPen(QPen(line.colour, 1.5, Qt::DashLine));
        painter.drawLine(QPointF(map.plot.left(), y), QPointF(map.plot.right(), y));
        const QString label =
            translated("%1 limit %2 %3").arg(line.name, formatValue(*line.threshold), line.unit).trimmed();
        const double above = y - 3 - metrics.descent();
        const double baseline = above - metrics.ascent() > map.plot.top() ? above : y + metrics.ascent() + 2;
        painter.drawText(QPointF(map.plot.left() + 6, baseline), label);
    }
}

void paintMarks(QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    for (const ChartMark& mark : decor.marks) {
        const double x = map.x(mark.at);
        if (x < map.plot.left() || x > map.plot.right())
            continue;
        painter.setPen(QPen(palette.color(QPalette::Text), 1, Qt::DashDotLine));
        painter.drawLine(QPointF(x, map.plot.top()), QPointF(x, map.plot.bottom()));
        painter.setPen(palette.color(QPalette::Text));
        const QString label = metrics.elidedText(mark.text, Qt::ElideRight, map.plot.width() / 3);
        const double width = metrics.horizontalAdvance(label);
        const double left = x + 4 + width > map.plot.right() ? x - 4 - width : x + 4;
        painter.drawText(QPointF(left, map.plot.bottom() - 5), label);
    }
}

void paintCursor(QPainter& painter, const ChartMapping& map, const ChartDecor& decor,
    const std::vector<ChartLine>& lines, const QPalette& palette)
{
    if (!decor.cursor || *decor.cursor < map.time.begin || *decor.cursor > map.time.end)
        return;
    struct Row {
        QColor colour;
        QString name, value;
    };
    const Nanoseconds at = *decor.cursor;
    const double x = map.x(at);
    QColor pen = palette.color(QPalette::Text);
    painter.setPen(QPen(pen, 1));
    painter.drawLine(QPointF(x, map.plot.top()), QPointF(x, map.plot.bottom()));

    const QFontMetricsF metrics(painter.font());
    const double rowHeight = metrics.height() + 1;
    const auto most = static_cast<std::size_t>(std::max(1.0, (map.plot.height() - 30) / rowHeight - 2));
    std::vector<Row> rows;
    std::size_t hidden = 0;
    for (const ChartLine& line : lines) {
        if (!line.shown)
            continue;
        if (rows.size() >= most) {
            ++hidden;
            continue;
        }
        const CounterBand* band = bandAt(line.bands, at);
        QString value = band == nullptr ? translated("missing") : formatValue(band->average);
        if (band != nullptr && !line.unit.isEmpty())
            value += QLatin1Char(' ') + line.unit;
        rows.push_back({ line.colour, line.name, value });
        if (band != nullptr) {
            const double y = map.y(band->average * line.scale);
            if (y >= map.plot.top() && y <= map.plot.bottom()) {
                painter.setBrush(line.colour);
                painter.setPen(QPen(palette.color(QPalette::Base), 1));
                painter.drawEllipse(QPointF(x, y), 3.5, 3.5);
            }
        }
    }
    if (hidden != 0)
        rows.push_back({ Qt::transparent, translated("and %1 more").arg(hidden), {} });

    QString heading = formatElapsedExact(at);
    for (const Phase& phase : decor.phases)
        if (phase.begin <= at && at <= phase.end) {
            heading += QStringLiteral("  ·  ");
            if (!phase.mixName.empty())
                heading += text(phase.mixName) + QStringLiteral(", ");
            heading += phaseName(phase.kind);
            break;
        }
    double names = 0, values = 0;
    for (const Row& row : rows) {
        names = std::max(names, metrics.horizontalAdvance(row.name));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    constexpr double kSwatch = 14, kPad = 7, kBetween = 14;
    const double width =
        std::max(metrics.horizontalAdvance(heading), kSwatch + names + kBetween + values) + 2 * kPad;
    const double height = rowHeight * (static_cast<double>(rows.size()) + 1) + 2 * kPad;
    double left = x + 12;
    if (left + width > map.plot.right())
        left = std::max(map.plot.left(), x - 12 - width);
    const QRectF box(left, map.plot.top() + 6, width, height);
    QColor fill = palette.color(QPalette::Base);
    fill.setAlpha(235);
    pen.setAlpha(120);
    painter.setPen(QPen(pen, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(palette.color(QPalette::Text));
    double top = box.top() + kPad;
    painter.drawText(
        QRectF(box.left() + kPad, top, width, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, heading);
    for (const Row& row : rows) {
        top += rowHeight;
        painter.fillRect(QRectF(box.left() + kPad, top + rowHeight / 2 - 1.5, 9, 3), row.colour);
        const QRectF line(box.left() + kPad + kSwatch, top, width - 2 * kPad - kSwatch, rowHeight);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

} // namespace loadstone::ui
