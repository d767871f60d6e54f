// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Longer than most: the painters of all that a chart consists of, which share its mapping and labels.
#include "charts/chart_scene.h"

#include "charts/chart_lanes.h"
#include "charts/line_picture.h"
#include "charts/line_room.h"
#include "charts/range_picture.h"
#include "format.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmapCache>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kFar = 1e6; // pixels; an infinite value still points upwards

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
    if (high <= low || (logarithmic && !(scaled > 0)))
        return plot.bottom();
    const double share =
        logarithmic ? std::log(scaled / low) / std::log(high / low) : (scaled - low) / (high - low);
    return plot.bottom() - share * plot.height();
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
    if (plot.height() <= 0)
        return low;
    const double share = (plot.bottom() - y) / plot.height();
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
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

    // Replayed, a phase that went on ends where nothing more is known; so it does live.
    const auto known = [&](Nanoseconds end) {
        return decor.shownUntil ? std::min(end, *decor.shownUntil) : end;
    };
    for (std::size_t i = 0; i < decor.phases.size();) {
        // Phases of one mix stand together below its name.
        std::size_t next = i;
        while (next < decor.phases.size() && decor.phases[next].mix == decor.phases[i].mix)
            ++next;
        const QRectF whole = stretch(map, decor.phases[i].begin, known(decor.phases[next - 1].end));
        for (std::size_t p = i; p < next; ++p) {
            const Phase& phase = decor.phases[p];
            const QRectF band = stretch(map, phase.begin, known(phase.end));
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
    if (decor.shownUntil && *decor.shownUntil < map.time.end) {
        const QRectF unknown = stretch(map, *decor.shownUntil, map.time.end);
        QColor colour = palette.color(QPalette::Window);
        colour.setAlpha(170);
        painter.fillRect(unknown, colour);
        painter.setPen(QPen(palette.color(QPalette::Highlight), 2));
        painter.drawLine(unknown.topLeft(), unknown.bottomLeft());
    }
}

namespace {

/// On a screen long paths with antialiasing cost fifty times what their parts cost: the rasteriser sorts all their edges. A file
/// has them whole.
bool isScreen(const QPainter& painter)
{
    return painter.paintEngine() != nullptr && painter.paintEngine()->type() == QPaintEngine::Raster;
}

void paintDashes(QPainter& painter, const QPolygonF& path)
{
    constexpr qsizetype kPart = 16;
    const QPen whole = painter.pen();
    QPen pen = whole;
    pen.setCapStyle(Qt::FlatCap);
    double drawn = 0; // so far, in the pen's widths: dashes go on from part to part
    for (qsizetype first = 0; first + 1 < path.size(); first += kPart) {
        const qsizetype last = std::min(first + kPart, path.size() - 1);
        pen.setDashOffset(drawn);
        painter.setPen(pen);
        painter.drawPolyline(path.constData() + first, static_cast<int>(last - first + 1));
        for (qsizetype i = first; i < last; ++i)
            drawn += QLineF(path[i], path[i + 1]).length() / std::max(pen.widthF(), 1.0);
    }
    painter.setPen(whole);
}

} // namespace

void paintPath(QPainter& painter, const QPolygonF& path)
{
    const bool isThin = painter.pen().widthF() <= 1; // and has no outline to be filled
    if (!isThin && isScreen(painter) && painter.pen().style() != Qt::SolidLine)
        paintDashes(painter, path);
    else if (!isThin && isScreen(painter) && hasEvenScale(painter))
        paintLinePixels(painter, path);
    else
        painter.drawPolyline(path);
}

QList<QPolygonF> partsWithin(const QPolygonF& path, const QRectF& area)
{
    QList<QPolygonF> parts;
    QPolygonF part;
    for (qsizetype i = 0; i + 1 < path.size(); ++i) {
        const QPointF from = path[i], by = path[i + 1] - from;
        double first = 0, last = 1; // of the way, within the area (Liang and Barsky, 1984)
        const auto cut = [&](double step, double room) {
            if (step == 0)
                return room >= 0;
            const double at = room / step;
            (step < 0 ? first : last) = step < 0 ? std::max(first, at) : std::min(last, at);
            return first <= last;
        };
        const bool isIn = cut(-by.x(), from.x() - area.left()) && cut(by.x(), area.right() - from.x())
            && cut(-by.y(), from.y() - area.top()) && cut(by.y(), area.bottom() - from.y());
        if (isIn && (part.isEmpty() || first > 0)) {
            if (part.size() > 1)
                parts.append(part);
            part = { from + by * first };
        }
        if (isIn)
            part.append(from + by * last);
        if ((!isIn || last < 1) && !part.isEmpty()) {
            parts.append(part);
            part.clear();
        }
    }
    if (part.size() > 1)
        parts.append(part);
    return parts;
}

void paintRanges(QPainter& painter, const ChartMapping& map, const LineStroke& stroke)
{
    painter.save();
    painter.setClipRect(map.plot);
    painter.setPen(Qt::NoPen);
    QColor fill = stroke.pen.color();
    fill.setAlpha(56);
    painter.setBrush(fill);
    for (QPolygonF range : stroke.ranges) {
        for (QPointF& point : range)
            point = map.at(point);
        if (isScreen(painter) && hasEvenScale(painter))
            paintRangePixels(painter, map.plot, std::move(range));
        else if (isScreen(painter))
            painter.drawPolygon(range);
        else // Qt writes no clipping into SVG files
            painter.drawPolygon(range.intersected(QPolygonF(map.plot)));
    }
    painter.restore();
}

constexpr double kEdge = 2;

void paintStroke(QPainter& painter, const ChartMapping& map, const LineStroke& stroke)
{
    painter.save();
    // A line at the end of the value axis lies on the plot's edge, and all of its width is to be seen there.
    const QRectF area = map.plot.adjusted(0, -kEdge, 0, kEdge);
    painter.setClipRect(area);
    painter.setPen(stroke.pen);
    painter.setBrush(Qt::NoBrush);
    QPolygonF path;
    for (const QList<QPointF>& piece : stroke.pieces) {
        path.clear();
        for (const QPointF& point : piece) {
            const QPointF at = map.at(point);
            path.append({ std::clamp(at.x(), -kFar, kFar), std::clamp(at.y(), -kFar, kFar) });
        }
        if (path.size() > 1 && !isScreen(painter)) { // Qt writes no clipping into SVG files
            for (const QPolygonF& part : partsWithin(path, area))
                paintPath(painter, part);
            continue;
        }
        if (path.size() > 1) {
            paintPath(painter, path);
            continue;
        }
        if (!area.contains(path.first()))
            continue;
        const double radius = stroke.pen.widthF() / 2 + 1;
        painter.setPen(Qt::NoPen);
        painter.setBrush(stroke.pen.color());
        painter.drawEllipse(path.first(), radius, radius);
        painter.setPen(stroke.pen);
        painter.setBrush(Qt::NoBrush);
    }
    painter.restore();
}

namespace {

std::vector<ChartLimit> limitsOf(const ChartLine& line)
{
    std::vector<ChartLimit> limits = line.limits;
    if (line.threshold)
        limits.push_back({ *line.threshold,
            translated("limit %1 %2").arg(formatValue(*line.threshold), line.unit).trimmed() });
    return limits;
}

/// With a rim in the colour of the ground: legible over lines, and the lines stay in sight between the letters.
void paintWords(QPainter& painter, const QPointF& baseline, const QString& words, const QPalette& palette)
{
    QColor rim = palette.color(QPalette::Base);
    rim.setAlpha(200);
    // A file's words may be shown in another font, which no outline of this one fits.
    if (!isScreen(painter)) {
        const QFontMetricsF metrics(painter.font());
        painter.fillRect(QRectF(baseline.x() - 1, baseline.y() - metrics.ascent(),
                             metrics.horizontalAdvance(words) + 2, metrics.height()),
            rim);
        return painter.drawText(baseline, words);
    }
    // Strokes of letters cost more than all lines of a lane; the same words stand in each picture while one pans.
    const double scale = painter.deviceTransform().m11(); // of the screen, or of a picture with more pixels
    const QString key = QStringLiteral("words/%1/%2/%3/%4/%5")
                            .arg(words, painter.font().key(), painter.pen().color().name(QColor::HexArgb),
                                rim.name(QColor::HexArgb), QString::number(scale));
    constexpr int kRim = 3; // pixels: its width, and the margin for letters that overhang their box
    QPixmap picture;
    if (!QPixmapCache::find(key, &picture)) {
        const QFontMetricsF metrics(painter.font());
        const QSizeF size(metrics.horizontalAdvance(words) + 4 * kRim, metrics.height() + 2 * kRim);
        picture = QPixmap((size * scale).toSize());
        picture.setDevicePixelRatio(scale);
        picture.fill(Qt::transparent);
        QPainter letters(&picture);
        letters.setRenderHint(QPainter::Antialiasing);
        letters.setFont(painter.font());
        letters.setPen(painter.pen());
        const QPointF at(2 * kRim, kRim + std::ceil(metrics.ascent()));
        QPainterPath outline;
        outline.addText(at, painter.font(), words);
        letters.strokePath(outline, QPen(rim, kRim, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        letters.drawText(at, words);
        letters.end();
        QPixmapCache::insert(key, picture);
    }
    const QFontMetricsF metrics(painter.font());
    const QPointF corner = baseline - QPointF(2 * kRim, kRim + std::ceil(metrics.ascent()));
    painter.drawPixmap(QPointF(std::round(corner.x()), std::round(corner.y())), picture);
}

} // namespace

namespace {

/// Where a limit of a stroke's line is; none: it is out of sight.
std::optional<double> limitHeight(const ChartMapping& map, const LineStroke& stroke, const ChartLimit& limit)
{
    if (map.logarithmic && !(limit.value > 0))
        return std::nullopt; // below all decades
    const double y = map.y(limit.value * stroke.scale);
    return y < map.plot.top() || y > map.plot.bottom() ? std::nullopt : std::optional(y);
}

} // namespace

std::vector<double> limitHeights(const ChartMapping& map, const std::vector<LineStroke>& strokes,
    const std::vector<ChartLine>& lines, std::size_t lane)
{
    std::vector<double> heights;
    for (const LineStroke& stroke : strokes) {
        if (stroke.lane != lane)
            continue;
        for (const ChartLimit& limit : limitsOf(lines[stroke.line]))
            if (const auto y = limitHeight(map, stroke, limit))
                heights.push_back(*y);
    }
    return heights;
}

void paintLimits(QPainter& painter, const ChartMapping& map, const LineStroke& stroke, const ChartLine& line,
    const LineRoom& room, std::vector<QRectF>& taken, const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    for (const ChartLimit& limit : limitsOf(line)) {
        const auto height = limitHeight(map, stroke, limit);
        if (!height)
            continue;
        const double y = *height;
        painter.setPen(QPen(line.colour, 1.5, Qt::DashLine));
        painter.drawLine(QPointF(map.plot.left(), y), QPointF(map.plot.right(), y));
        const QString words = QStringLiteral("%1 %2").arg(line.name, limit.label);
        const QRectF box = room.placeAt(y, { metrics.horizontalAdvance(words), metrics.height() }, taken);
        if (box.isNull())
            continue;
        taken.push_back(box);
        paintWords(painter, { box.left(), box.top() + metrics.ascent() }, words, palette);
    }
}

namespace {

/// The values at which a lane has labels: round ones, as many as are legible.
std::vector<double> laneTicks(const QFontMetricsF& metrics, const ChartMapping& map)
{
    const auto ticksOf = [&](double step) {
        std::vector<double> ticks;
        for (double n = std::ceil(map.low / step - 1e-9); n * step <= map.high && ticks.size() < 50; ++n)
            ticks.push_back(n == 0 ? 0 : n * step);
        return ticks;
    };
    const int most = std::max(1, static_cast<int>(map.plot.height() / (metrics.height() * 1.6)));
    if (map.logarithmic) {
        // Low lanes have no room for all labels; decades come before what lies within them.
        const auto apart = [&](const std::vector<double>& all) {
            std::vector<double> some;
            for (const double value : all)
                if (some.empty() || map.y(some.back()) - map.y(value) >= metrics.height())
                    some.push_back(value);
            return some;
        };
        constexpr int kAll = 1000;
        if (auto decades = apart(decadeTicks(map.low, map.high, kAll)); decades.size() > 1)
            return decades;
        return apart(decadeTicks(map.low, map.high, most));
    }
    const auto ticks = ticksOf(valueStep(map.low, map.high, most));
    if (ticks.size() > 1)
        return ticks;
    // One label, which is mostly 0, tells nothing: closer ones do while they do not touch.
    for (int more = 1; more <= 3; ++more) {
        const double closer = valueStep(map.low, map.high, most + more);
        if (map.plot.height() * closer / (map.high - map.low) < metrics.height())
            break;
        if (const auto closerTicks = ticksOf(closer); closerTicks.size() > 1)
            return closerTicks;
    }
    // A lane without any number has no values.
    for (int more = most; ticks.empty() && more < most + 20; ++more)
        if (auto closerTicks = ticksOf(valueStep(map.low, map.high, more)); !closerTicks.empty()) {
            closerTicks.resize(1);
            return closerTicks;
        }
    return ticks;
}

/// "0.001", and not "0.001000": of decades the digits behind the first one say nothing.
QString tickText(const ChartMapping& map, double value)
{
    QString label = formatValue(value);
    const auto point = label.indexOf(QLocale().decimalPoint());
    if (!map.logarithmic || point < 0)
        return label;
    while (label.endsWith(QLatin1Char('0')))
        label.chop(1);
    if (label.endsWith(QLocale().decimalPoint()))
        label.chop(1);
    return label;
}

} // namespace

double laneLabelWidth(const QFont& font, const ChartMapping& map, double scale)
{
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const double value : laneTicks(metrics, map))
        width = std::max(width, metrics.horizontalAdvance(tickText(map, value / scale)));
    return width;
}

QRectF paintOwnAxis(
    QPainter& painter, const ChartMapping& map, const ChartLine& line, double scale, const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    painter.setPen(palette.color(QPalette::Text));
    for (const double value : laneTicks(metrics, map))
        painter.drawText(QRectF(map.plot.right() + 5, map.y(value) - metrics.height() / 2,
                             laneLabelWidth(painter.font(), map, scale) + 2, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, tickText(map, value / scale));
    painter.setPen(QPen(line.colour, 2));
    painter.drawLine(map.plot.topRight(), map.plot.bottomRight());
    QString title = line.name;
    if (!line.unit.isEmpty())
        title += QStringLiteral(" [%1]").arg(line.unit);
    title = metrics.elidedText(title, Qt::ElideRight, map.plot.width() / 2);
    const double width = metrics.horizontalAdvance(title) + 6;
    painter.setPen(palette.color(QPalette::Text));
    const QRectF box(map.plot.right() - width - 4, map.plot.top() + 1, width, metrics.height());
    painter.drawText(box, Qt::AlignCenter, title);
    return box;
}

QRectF paintLaneAxis(
    QPainter& painter, const ChartMapping& map, const QString& title, const QPalette& palette)
{
    const QFontMetricsF metrics(painter.font());
    QColor ink = palette.color(QPalette::Text), grid = ink;
    grid.setAlpha(36);
    for (const double value : laneTicks(metrics, map)) {
        const double y = map.y(value);
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(map.plot.left(), y), QPointF(map.plot.right(), y));
        painter.setPen(ink);
        // Within the lane: the next one's first label is near this one's last.
        const double top = std::clamp(y - metrics.height() / 2, map.plot.top() - metrics.descent(),
            std::max(map.plot.top(), map.plot.bottom() - metrics.ascent()));
        painter.drawText(QRectF(0, top, map.plot.left() - 5, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, tickText(map, value));
    }
    grid.setAlpha(110);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(map.plot.topLeft(), map.plot.bottomLeft());
    painter.drawLine(map.plot.bottomLeft(), map.plot.bottomRight());
    if (title.isEmpty())
        return {};
    const QString shown = metrics.elidedText(title, Qt::ElideRight, map.plot.width() - 12);
    painter.setPen(ink);
    const QPointF at(map.plot.left() + 7, map.plot.top() + 1);
    paintWords(painter, { at.x(), at.y() + metrics.ascent() }, shown, palette);
    return { at, QSizeF(metrics.horizontalAdvance(shown), metrics.height()) };
}

std::vector<PlacedMark> placeMarks(const QFont& font, const ChartMapping& map, const ChartDecor& decor)
{
    constexpr int kRows = 3;
    const QFontMetricsF metrics(font);
    double ends[kRows];
    std::fill(std::begin(ends), std::end(ends), map.plot.left());
    std::vector<PlacedMark> placed;
    for (const ChartMark& mark : decor.marks) {
        const double x = map.x(mark.at);
        if (x < map.plot.left() || x > map.plot.right())
            continue;
        const QString words = metrics.elidedText(mark.text, Qt::ElideRight, map.plot.width() / 3);
        const double width = metrics.horizontalAdvance(words);
        const double left = x + 4 + width > map.plot.right() ? x - 4 - width : x + 4;
        const auto free =
            std::find_if(std::begin(ends), std::end(ends), [&](double end) { return left >= end; });
        const auto row = free == std::end(ends) ? std::min_element(std::begin(ends), std::end(ends)) : free;
        *row = std::max(*row, left + width + 6);
        const double up = 5 + static_cast<double>(row - std::begin(ends)) * metrics.height();
        placed.push_back(
            { x, words, QRectF(left, map.plot.bottom() - up - metrics.ascent(), width, metrics.height()) });
    }
    return placed;
}

void paintMarks(
    QPainter& painter, const ChartMapping& map, const std::vector<PlacedMark>& marks, const QPalette& palette)
{
    const double ascent = QFontMetricsF(painter.font()).ascent();
    painter.setPen(QPen(palette.color(QPalette::Text), 1, Qt::DashDotLine));
    for (const PlacedMark& mark : marks) {
        painter.drawLine(QPointF(mark.x, map.plot.top()), QPointF(mark.x, map.plot.bottom()));
        paintWords(painter, { mark.box.left(), mark.box.top() + ascent }, mark.words, palette);
    }
}

} // namespace loadstone::ui
