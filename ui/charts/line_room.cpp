// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/line_room.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadstone::ui {

namespace {
constexpr double kRoomColumn = 8; // pixels
constexpr double kRoomGap = 3; // between a line and the words beside it
constexpr double kRoomMargin = 6; // between the plot's edge and words
}

LineRoom::LineRoom(const ChartMapping& map, const std::vector<LineStroke>& strokes, std::size_t lane,
    std::vector<double> limits)
    : m_plot(map.plot)
    , m_limits(std::move(limits))
    , m_columns(static_cast<std::size_t>(std::max(1.0, std::ceil(map.plot.width() / kRoomColumn))))
{
    for (const LineStroke& stroke : strokes) {
        if (stroke.lane != lane)
            continue;
        for (const QList<QPointF>& piece : stroke.pieces) {
            if (piece.isEmpty())
                continue;
            QPointF last = map.at(piece.first());
            add(last, last); // it may be a dot
            for (qsizetype i = 1; i < piece.size(); ++i) {
                const QPointF next = map.at(piece[i]);
                add(last, next);
                last = next;
            }
        }
    }
}

int LineRoom::columnAt(double x) const
{
    return static_cast<int>(
        std::clamp((x - m_plot.left()) / kRoomColumn, 0.0, static_cast<double>(m_columns.size()) - 1));
}

void LineRoom::add(const QPointF& from, const QPointF& to)
{
    if (std::max(from.x(), to.x()) < m_plot.left() || std::min(from.x(), to.x()) > m_plot.right())
        return;
    const double width = to.x() - from.x();
    const auto heightAt = [&](double x) {
        return width > 0 ? from.y() + (to.y() - from.y()) * std::clamp((x - from.x()) / width, 0.0, 1.0)
                         : to.y();
    };
    const int last = columnAt(to.x());
    for (int column = columnAt(from.x()); column <= last; ++column) {
        const double left = m_plot.left() + kRoomColumn * column;
        double top = heightAt(left), bottom = width > 0 ? heightAt(left + kRoomColumn) : from.y();
        if (top > bottom)
            std::swap(top, bottom);
        auto& runs = m_columns[static_cast<std::size_t>(column)];
        if (!runs.empty() && runs.back().first <= bottom && top <= runs.back().second) // mostly the same line
            runs.back() = { std::min(top, runs.back().first), std::max(bottom, runs.back().second) };
        else
            runs.emplace_back(top, bottom);
    }
}

int LineRoom::crossed(const QRectF& box) const
{
    int count = 0;
    for (int column = columnAt(box.left()); column <= columnAt(box.right()); ++column)
        count += std::ranges::any_of(m_columns[static_cast<std::size_t>(column)],
                     [&](const auto& run) { return run.first <= box.bottom() && run.second >= box.top(); })
            ? 1
            : 0;
    return count;
}

bool LineRoom::belongsTo(double y, const QRectF& box) const
{
    const double own = std::abs(box.center().y() - y);
    return std::ranges::none_of(m_limits, [&](double other) {
        const bool isOther = std::abs(other - y) > 0.5;
        const bool isOnIt = other > box.top() - 1 && other < box.bottom() + 1;
        return isOther && (isOnIt || std::abs(box.center().y() - other) < own);
    });
}

QRectF LineRoom::placeAt(double y, const QSizeF& size, const std::vector<QRectF>& taken) const
{
    constexpr int kRows = 2; // words further away would not be taken for those of the line
    QRectF best;
    int least = 0;
    for (int row = 0; row < kRows; ++row)
        for (double left = m_plot.left() + kRoomMargin; left + size.width() <= m_plot.right();
             left += 2 * kRoomColumn)
            for (const double top :
                { y - kRoomGap - (row + 1) * size.height(), y + kRoomGap + row * size.height() }) {
                const QRectF box(QPointF(left, top), size);
                if (box.top() <= m_plot.top() || box.bottom() >= m_plot.bottom() || !belongsTo(y, box)
                    || std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
                    continue;
                const int count = crossed(box);
                if (best.isNull() || (count < least && (row == 0 || count == 0))) {
                    best = box;
                    least = count;
                }
                if (least == 0)
                    return best;
            }
    return best;
}

} // namespace loadstone::ui
