// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/bar_view.h"

#include "charts/chart_scene.h"
#include "format.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {
constexpr double kScaleEnd = 100; // of scaled values, as the chart's axis
constexpr int kPad = 8; // pixels
constexpr double kNameShare = 0.32, kValueShare = 0.14; // of the width
constexpr int kMostRowHeight = 56;

QString valueText(double value, const QString& unit)
{
    const QString text = formatIn(value, unit);
    return text.contains(QLatin1Char(' ')) || unit.isEmpty() ? text : QStringLiteral("%1 %2").arg(text, unit);
}
} // namespace

/// What is scrolled.
class BarView::Bars : public QWidget {
public:
    explicit Bars(BarView* view)
        : m_view(view)
    {
        setAccessibleName(BarView::tr("Bars of the chosen counters"));
    }
    void setLines(std::vector<ChartLine> lines)
    {
        m_lines = std::move(lines);
        m_shown.clear();
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if (m_lines[i].shown)
                m_shown.push_back(i);
        setMinimumHeight(heading() + static_cast<int>(m_shown.size()) * leastRow());
        update();
    }
    void setSelected(int line)
    {
        m_selected = line;
        update();
    }

    /// All of them, however much the view has room for.
    [[nodiscard]] int wholeHeight() const
    {
        return heading() + static_cast<int>(m_shown.size()) * (leastRow() + kPad);
    }
    void paint(QPainter& painter, const QRect& area, int selected) const
    {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(area, palette().base());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        const bool limits =
            std::ranges::any_of(m_lines, [](const ChartLine& line) { return line.shown && line.threshold; });
        const QString words = m_shown.empty()
            ? BarView::tr("No counters. Ctrl+I adds some.")
            : BarView::tr("Bar: average. Thin line: minimum to maximum. Mark: last.%1 Each times its scale.")
                  .arg(limits ? BarView::tr(" Dashed: limit.") : QString());
        painter.drawText(QRect(area.left() + kPad, area.top(), area.width() - 2 * kPad, heading()),
            Qt::AlignVCenter | Qt::AlignLeft,
            fontMetrics().elidedText(words, Qt::ElideRight, area.width() - 2 * kPad));
        for (std::size_t row = 0; row < m_shown.size(); ++row)
            paintRow(painter, rowRect(area, row), m_lines[m_shown[row]],
                static_cast<int>(m_shown[row]) == selected);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        paint(painter, rect(), m_selected);
    }
    void mousePressEvent(QMouseEvent* event) override
    {
        for (std::size_t row = 0; row < m_shown.size(); ++row)
            if (rowRect(rect(), row).contains(event->position().toPoint()))
                emit m_view->lineClicked(static_cast<int>(m_shown[row]));
    }

private:
    [[nodiscard]] int leastRow() const { return fontMetrics().height() + 8; }
    [[nodiscard]] int heading() const { return fontMetrics().height() + 10; }
    [[nodiscard]] QRect rowRect(const QRect& area, std::size_t row) const
    {
        const int rows = std::max(1, static_cast<int>(m_shown.size()));
        const int height = std::clamp((area.height() - heading()) / rows, leastRow(), kMostRowHeight);
        return { area.left(), area.top() + heading() + static_cast<int>(row) * height, area.width(), height };
    }
    /// What the bars of all lines have room for, in scaled values.
    [[nodiscard]] std::pair<double, double> range() const
    {
        double low = 0, high = kScaleEnd;
        for (const std::size_t i : m_shown) {
            const ChartLine& line = m_lines[i];
            if (line.statistics.samples == 0)
                continue;
            low = std::min(low, line.statistics.minimum * line.scale);
            high = std::max(high, line.statistics.maximum * line.scale);
        }
        return { low, high };
    }
    /// Room for the widest value, which is never cut; the names and bars have what is left.
    [[nodiscard]] int valueWidth(int whole) const
    {
        QFont bold = font();
        bold.setBold(true);
        const QFontMetrics metrics(bold);
        int width = static_cast<int>(whole * kValueShare);
        for (const std::size_t i : m_shown)
            width = std::max(width,
                metrics.horizontalAdvance(valueText(m_lines[i].statistics.average, m_lines[i].unit))
                    + 2 * kPad);
        return width;
    }
    void paintRow(QPainter& painter, const QRect& row, const ChartLine& line, bool selected) const
    {
        if (selected)
            painter.fillRect(row, palette().color(QPalette::AlternateBase));
        const int names = static_cast<int>(row.width() * kNameShare);
        const int values = valueWidth(row.width());
        QFont font = this->font();
        font.setBold(selected);
        painter.setFont(font);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(row.left() + kPad, row.top(), names - 2 * kPad, row.height()),
            Qt::AlignVCenter | Qt::AlignRight,
            QFontMetrics(font).elidedText(line.name, Qt::ElideRight, names - 2 * kPad));
        painter.drawText(QRect(row.right() - values, row.top(), values - kPad, row.height()),
            Qt::AlignVCenter | Qt::AlignRight, valueText(line.statistics.average, line.unit));
        const QRectF track(row.left() + names, row.top() + row.height() * 0.2,
            row.width() - names - values - kPad, row.height() * 0.6);
        painter.fillRect(track, palette().color(QPalette::AlternateBase));
        if (track.width() <= 0)
            return;
        if (line.statistics.samples == 0)
            return; // blank: missing is not 0
        const auto [low, high] = range();
        const auto x = [&, low = low, high = high](double value) {
            return track.left() + (value * line.scale - low) / (high - low) * track.width();
        };
        const CounterStatistics& s = line.statistics;
        const QColor colour = lineColour(line.colour, palette());
        painter.fillRect(
            QRectF(QPointF(x(0), track.top()), QPointF(x(s.average), track.bottom())).normalized(), colour);
        const QColor ink = palette().color(QPalette::Text);
        const double middle = track.center().y();
        painter.setPen(QPen(ink, 1.5));
        painter.drawLine(QPointF(x(s.minimum), middle), QPointF(x(s.maximum), middle));
        painter.setBrush(palette().base());
        painter.drawEllipse(QPointF(x(s.last), middle), 3.5, 3.5);
        painter.setBrush(Qt::NoBrush);
        if (line.threshold)
            paintLimit(painter, track, x(*line.threshold), valueText(*line.threshold, line.unit));
    }

    /// A limit beyond the track is not where it would seem to be: it stands there in words.
    void paintLimit(QPainter& painter, const QRectF& track, double at, const QString& limit) const
    {
        painter.setPen(QPen(palette().color(QPalette::Text), 1.5, Qt::DashLine));
        if (track.left() <= at && at <= track.right())
            painter.drawLine(QPointF(at, track.top() - 2), QPointF(at, track.bottom() + 2));
        else
            painter.drawText(track.adjusted(kPad, 0, -kPad, 0),
                Qt::AlignVCenter | (at < track.left() ? Qt::AlignLeft : Qt::AlignRight),
                at < track.left() ? BarView::tr("◂ limit %1").arg(limit)
                                  : BarView::tr("limit %1 ▸").arg(limit));
    }

    BarView* m_view;
    std::vector<ChartLine> m_lines;
    std::vector<std::size_t> m_shown;
    int m_selected = -1;
};

BarView::BarView(QWidget* parent)
    : QScrollArea(parent)
    , m_bars(new Bars(this))
{
    setWidget(m_bars);
    setWidgetResizable(true);
    setFrameShape(NoFrame);
}

void BarView::setLines(std::vector<ChartLine> lines)
{
    m_bars->setLines(std::move(lines));
}

void BarView::setSelectedLine(int line)
{
    m_bars->setSelected(line);
}

int BarView::pictureHeight() const
{
    return m_bars->wholeHeight();
}

void BarView::paintPicture(QPainter& painter, const QRect& area) const
{
    m_bars->paint(painter, area, -1);
}

} // namespace loadstone::ui
