// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_overlay.h"

#include "charts/heat_map_picture.h"
#include "format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr std::size_t kMostRows = 9; // a longer box would hide the lines that it is about
constexpr double kBoxPad = 7, kBoxGap = 6;

QString said(const char* source)
{
    return QCoreApplication::translate("chart", source);
}

struct BoxRow {
    QColor colour;
    QString name, value;
};

/// A line that the pointer's box may name.
struct Candidate {
    const LineStroke* stroke = nullptr;
    CursorValue value;
    double distance = 0; ///< from the pointer, in pixels; the selected line's is below 0
};

QString headingAt(Nanoseconds at, const ChartDecor& decor)
{
    QString heading = decor.start ? formatMoment(at, decor.start) : formatMoment(at - decor.origin);
    const Phase* in = nullptr;
    for (const Phase& phase : decor.phases) // where one ends and the next begins, the next
        if (phase.begin <= at && at <= phase.end)
            in = &phase;
    if (in == nullptr)
        return heading;
    heading += QStringLiteral("  ·  ");
    if (!in->mixName.empty())
        heading += text(in->mixName) + QStringLiteral(", ");
    return heading + phaseName(in->kind);
}

/// `apart`: other lines' values are not means of stretches of that length.
QString valueText(const CursorValue& value, const QString& unit, bool apart)
{
    if (!value.known())
        return said("missing");
    QString shown = formatValue(value.value);
    if (!unit.isEmpty())
        shown += QLatin1Char(' ') + unit;
    if (value.age >= std::chrono::seconds(2)) // a tick is a second
        shown += said(", %1 s old").arg(formatValue(std::round(seconds(value.age))));
    if (apart && value.stretch > Nanoseconds(0))
        shown += said(", mean of %1").arg(formatElapsedExact(value.stretch));
    return shown;
}

double boxRowHeight(const QFontMetricsF& metrics)
{
    return metrics.height() + 1;
}

/// So many rows the box has room for, besides its heading. In a low chart it goes up over the names of the phases.
std::size_t rowsFitting(const ChartMapping& map, const QFontMetricsF& metrics)
{
    const double room = map.plot.bottom() - 2 * kBoxGap - 2 * kBoxPad;
    return static_cast<std::size_t>(std::max(2.0, room / boxRowHeight(metrics) - 1));
}

/// The pointer's box is on the half of the plot where the pointer is not.
bool isBoxOnTheRight(const ChartMapping& map, double x)
{
    return x < map.plot.center().x();
}

void paintBox(QPainter& painter, const ChartMapping& map, double x, const QString& heading,
    const std::vector<BoxRow>& rows, const QPalette& palette)
{
    constexpr double kSwatch = 14, kPad = kBoxPad, kBetween = 14;
    const QFontMetricsF metrics(painter.font());
    const double rowHeight = boxRowHeight(metrics);
    double names = 0, values = 0;
    for (const BoxRow& row : rows) {
        names = std::max(names, metrics.horizontalAdvance(row.name));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    const double width =
        std::max(metrics.horizontalAdvance(heading), kSwatch + names + kBetween + values) + 2 * kPad;
    const double height = rowHeight * (static_cast<double>(rows.size()) + 1) + 2 * kPad;
    const bool right = isBoxOnTheRight(map, x);
    const QRectF box(right ? map.plot.right() - width - kBoxGap : map.plot.left() + kBoxGap,
        std::clamp(map.plot.bottom() - kBoxGap - height, kBoxGap, map.plot.top() + kBoxGap), width, height);
    QColor fill = palette.color(QPalette::Base), frame = palette.color(QPalette::Text);
    fill.setAlpha(235);
    frame.setAlpha(120);
    painter.setPen(QPen(frame, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(palette.color(QPalette::Text));
    double top = box.top() + kPad;
    painter.drawText(
        QRectF(box.left() + kPad, top, width, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, heading);
    for (const BoxRow& row : rows) {
        top += rowHeight;
        painter.fillRect(QRectF(box.left() + kPad, top + rowHeight / 2 - 1.5, 9, 3), row.colour);
        const QRectF line(box.left() + kPad + kSwatch, top, width - 2 * kPad - kSwatch, rowHeight);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

/// All shown lines' values, and a dot where each is drawn.
std::vector<Candidate> paintDots(QPainter& painter, const ChartBelow& below, const ChartDecor& decor,
    Nanoseconds at, const QPalette& palette)
{
    std::vector<Candidate> all;
    for (const LineStroke& stroke : below.strokes) {
        const ChartLine& line = below.lines[stroke.line];
        const ChartMapping& map = below.lanes[stroke.lane];
        Candidate one { &stroke, valueAt(line.bands, at), 0 };
        const double y = one.value.known() ? map.y(one.value.value * stroke.scale) : map.plot.bottom();
        if (decor.pointer)
            one.distance = std::abs(y - decor.pointer->y());
        if (static_cast<int>(stroke.line) == below.selected)
            one.distance = -1;
        all.push_back(one);
        const double x = map.x(one.value.place);
        if (!one.value.known() || y < map.plot.top() || y > map.plot.bottom() || x < map.plot.left()
            || x > map.plot.right())
            continue;
        painter.setBrush(line.colour);
        painter.setPen(QPen(palette.color(QPalette::Base), 1));
        painter.drawEllipse(QPointF(x, y), 3.5, 3.5);
    }
    return all;
}

} // namespace

void paintCursors(
    QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette)
{
    const QColor colour = palette.color(QPalette::Highlight);
    const auto inside = [&](Nanoseconds at) {
        return std::clamp(map.x(at), map.plot.left(), map.plot.right());
    };
    if (const auto window = decor.cursors.window()) {
        QColor fill = colour;
        fill.setAlpha(40);
        painter.fillRect(QRectF(QPointF(inside(window->begin), map.plot.top()),
                             QPointF(inside(window->end), map.plot.bottom())),
            fill);
    }
    const QFontMetricsF metrics(painter.font());
    const auto paint = [&](const std::optional<Nanoseconds>& at, const QString& name) {
        if (!at || *at < map.time.begin || *at > map.time.end)
            return;
        const double x = map.x(*at);
        painter.setPen(QPen(colour, 1.5));
        painter.drawLine(QPointF(x, map.plot.top()), QPointF(x, map.plot.bottom()));
        const QSizeF size(metrics.horizontalAdvance(name) + 8, metrics.height());
        const double left =
            std::clamp(x - size.width() / 2, map.plot.left(), map.plot.right() - size.width());
        const QRectF flag(QPointF(left, map.plot.top()), size); // marks have their names below
        painter.fillRect(flag, colour);
        painter.setPen(palette.color(QPalette::HighlightedText));
        painter.drawText(flag, Qt::AlignCenter, name);
    };
    const QString lock = decor.cursors.locked ? QStringLiteral("=") : QString();
    if (decor.cursors.a && decor.cursors.a == decor.cursors.b) { // else one flag hides the other
        paint(decor.cursors.a, QStringLiteral("A B") + lock);
        return;
    }
    paint(decor.cursors.a, QStringLiteral("A") + lock);
    paint(decor.cursors.b, QStringLiteral("B") + lock);
}

void paintPointer(
    QPainter& painter, const ChartBelow& below, const ChartDecor& decor, const QPalette& palette)
{
    const ChartMapping& whole = below.whole;
    if (!decor.cursor || *decor.cursor < whole.time.begin || *decor.cursor > whole.time.end)
        return;
    const Nanoseconds at = *decor.cursor;
    const double x = whole.x(at);
    painter.setPen(QPen(palette.color(QPalette::Text), 1));
    painter.drawLine(QPointF(x, whole.plot.top()), QPointF(x, whole.plot.bottom()));
    std::vector<BoxRow> rows;
    QString heading = headingAt(at, decor);
    if (below.heatMap != nullptr) {
        const auto y = decor.pointer ? std::optional(decor.pointer->y()) : std::nullopt;
        for (const QString& sentence : heatMapFacts(*below.heatMap, whole.plot, at, y))
            rows.push_back({ Qt::transparent, sentence, {} });
        paintBox(painter, whole, x, heading, rows, palette);
        return;
    }
    std::vector<Candidate> all = paintDots(painter, below, decor, at, palette);
    std::stable_sort(all.begin(), all.end(),
        [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
    const std::size_t most = std::min(rowsFitting(whole, QFontMetricsF(painter.font())), kMostRows);
    // The last row says "and 2 more".
    const std::size_t hidden = all.size() > most ? all.size() - (most - 1) : 0;
    all.resize(all.size() - hidden);
    std::sort(all.begin(), all.end(),
        [](const Candidate& a, const Candidate& b) { return a.stroke->line < b.stroke->line; });
    const auto known = std::ranges::find_if(all, [](const Candidate& one) { return one.value.known(); });
    const Nanoseconds stretch = known == all.end() ? Nanoseconds(0) : known->value.stretch;
    const bool apart = std::ranges::any_of(
        all, [&](const Candidate& one) { return one.value.known() && one.value.stretch != stretch; });
    for (const Candidate& one : all) {
        const ChartLine& line = below.lines[one.stroke->line];
        rows.push_back({ line.colour, line.name, valueText(one.value, line.unit, apart) });
    }
    if (!apart && stretch > Nanoseconds(0))
        heading += said("  ·  means of %1").arg(formatElapsedExact(stretch));
    if (hidden != 0)
        rows.push_back({ Qt::transparent, said("and %1 more").arg(hidden), {} });
    paintBox(painter, whole, x, heading, rows, palette);
}

void paintNotice(QPainter& painter, const ChartMapping& map, const ChartDecor& decor, const QPalette& palette)
{
    const QString& notice = decor.notice;
    if (notice.isEmpty())
        return;
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(notice) + 16, metrics.height() + 6);
    const bool isBoxRight = decor.cursor && isBoxOnTheRight(map, map.x(*decor.cursor));
    const double left = isBoxRight ? map.plot.left() + 6 : map.plot.right() - size.width() - 6;
    const QRectF box(QPointF(left, map.plot.bottom() - size.height() - 6), size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Highlight));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(palette.color(QPalette::HighlightedText));
    painter.drawText(box, Qt::AlignCenter, notice);
}

} // namespace loadstone::ui
