// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_picture.h"

#include "charts/performance_chart.h"
#include "charts/svg_file.h"
#include "format.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loadstone::ui {

namespace {

enum Cell { Name, Unit, Scale, Last, Average, Minimum, Maximum, Covered, CellCount };

struct LegendRow {
    QPen pen; ///< of the line; none in the heading
    std::array<QString, CellCount> cells;
};

/// Values of a part of the window, which are not to be compared with those of all of it.
bool isPart(const ChartLine& line)
{
    return line.shown && line.statistics.samples != 0 && line.coverage < kEnoughCovered;
}

/// `scaled`: lines are drawn times their scale, and not each in its own values.
std::vector<LegendRow> legendOf(const std::vector<ChartLine>& lines, bool scaled)
{
    const bool parts = std::ranges::any_of(lines, isPart);
    std::vector<LegendRow> rows { { Qt::NoPen,
        { translated("Counter"), translated("Unit"), scaled ? translated("Scale") : QString(),
            translated("Last"), translated("Average"), translated("Minimum"), translated("Maximum"),
            parts ? translated("Covered") : QString() } } };
    for (const ChartLine& line : lines) {
        if (!line.shown)
            continue;
        const auto value = [any = line.statistics.samples != 0, unit = line.unit](double v) {
            return formatIn(any ? v : std::numeric_limits<double>::quiet_NaN(), unit);
        };
        rows.push_back({ QPen(line.colour, std::max(2, line.width), line.style, Qt::FlatCap),
            { line.computer.isEmpty() ? line.name : QStringLiteral("%1, %2").arg(line.name, line.computer),
                line.unit, scaled ? formatScale(line.scale) : QString(), value(line.statistics.last),
                value(line.statistics.average), value(line.statistics.minimum),
                value(line.statistics.maximum),
                parts && line.statistics.samples != 0 ? formatShare(line.coverage) : QString() } });
    }
    return rows;
}

/// The chart with what it needs to be understood alone: above it the run, below it its legend.
class ChartPicture {
public:
    explicit ChartPicture(PerformanceChart& chart)
        : m_chart(chart)
        , m_body(chart.pictureBody())
        , m_metrics(chart.font())
        , m_rowHeight(std::ceil(m_metrics.height()) + 3)
        , m_chartTop(chart.title().isEmpty() ? 0 : m_rowHeight + kPad)
        , m_isHeatMap(m_body == nullptr && chart.showsHeatMap())
        , m_onScreen(chart.chartSize())
    {
        if (!m_isHeatMap)
            m_rows = legendOf(chart.lines(), m_body != nullptr || chart.chartLayout() != ChartLayout::lanes);
        // In a low window the chart is a strip, with axes that have no room for their titles.
        const int least = static_cast<int>(kLeastHeight * m_onScreen.width());
        if (m_body == nullptr && m_onScreen.height() < least)
            m_chart.setChartSize({ m_onScreen.width(), least });
    }
    ~ChartPicture()
    {
        if (m_chart.chartSize() != m_onScreen)
            m_chart.setChartSize(m_onScreen);
    }
    ChartPicture(const ChartPicture&) = delete;
    ChartPicture& operator=(const ChartPicture&) = delete;
    [[nodiscard]] QSize size() const
    {
        const double legend = m_rowHeight * static_cast<double>(m_isHeatMap ? 2 : m_rows.size() + 1);
        const QSize middle = middleSize();
        return { middle.width(), static_cast<int>(m_chartTop + middle.height() + legend + 2 * kPad) };
    }
    void paint(QPainter& painter) const
    {
        const QRectF middle(QPointF(0, m_chartTop), QSizeF(middleSize()));
        painter.fillRect(QRectF(QPointF(0, 0), QSizeF(size())), m_chart.palette().color(QPalette::Base));
        if (m_body == nullptr)
            m_chart.renderTo(painter, middle);
        else if (m_body->pictureHeight() > 0)
            m_body->paintPicture(painter, middle.toRect());
        QFont bold = m_chart.font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(m_chart.palette().color(QPalette::Text));
        drawText(painter, { kPad, kPad / 2, middle.width() - 2 * kPad, m_rowHeight }, Qt::AlignLeft,
            m_chart.title());
        painter.setFont(m_chart.font());
        if (m_isHeatMap)
            paintShades(painter, middle.bottom() + kPad);
        else
            paintLegend(painter, middle.bottom() + kPad);
    }

private:
    static constexpr double kPad = 10, kSwatch = 24; // pixels
    static constexpr double kLeastHeight = 0.45; // of the width
    static constexpr int kLeastWidth = 800; // pixels: a chart that has not been shown yet has no size

    [[nodiscard]] QSize middleSize() const
    {
        const QSize chart = m_chart.chartSize();
        return m_body == nullptr ? chart
                                 : QSize(std::max(kLeastWidth, chart.width()), m_body->pictureHeight());
    }
    /// From a thousandth of a column to all of it.
    void paintShades(QPainter& painter, double top) const
    {
        const bool dark = m_chart.palette().color(QPalette::Base).lightness() < 128;
        constexpr int kShades = 60, kShade = 3; // pixels
        const auto write = [&](const QString& text, double& x) {
            painter.setPen(m_chart.palette().color(QPalette::Text));
            const double width = m_metrics.horizontalAdvance(text) + 2;
            drawText(painter, { x, top, width, m_rowHeight }, Qt::AlignLeft, text);
            x += width + kPad;
        };
        double x = kPad;
        write(translated("Share of what ended in a column:"), x);
        write(QStringLiteral("0.1 %"), x);
        for (int i = 0; i < kShades; ++i)
            painter.fillRect(QRectF(x + i * kShade, top + 2, kShade + 0.5, m_rowHeight - 5),
                heatColour(std::pow(10, 3.0 * i / (kShades - 1) - 3), dark));
        x += kShades * kShade + kPad;
        write(translated("100 %, logarithmic. Lines: the 50th, 95th and 99th percentile."), x);
    }
    void drawText(QPainter& painter, const QRectF& box, Qt::Alignment side, const QString& text) const
    {
        const QString fitting = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, box.width());
        painter.drawText(box, static_cast<int>(side | Qt::AlignVCenter), fitting);
    }
    void paintLegend(QPainter& painter, double top) const
    {
        const double whole = middleSize().width() - 2 * kPad;
        std::array<double, CellCount> widths {};
        double others = kSwatch;
        for (std::size_t c = 0; c < CellCount; ++c) {
            for (const LegendRow& row : m_rows)
                widths[c] = std::max(widths[c], m_metrics.horizontalAdvance(row.cells[c]) + 2);
            others += c == Name ? 0 : widths[c] + 2 * kPad;
        }
        widths[Name] = std::clamp(whole - others, 0.0, widths[Name]);
        const QColor ink = m_chart.palette().color(QPalette::Text);
        for (const LegendRow& row : m_rows) {
            double x = kPad;
            painter.setPen(row.pen);
            const double middle = top + m_rowHeight / 2;
            if (row.pen.style() != Qt::NoPen)
                painter.drawLine(QPointF(x, middle), QPointF(x + kSwatch - 6, middle));
            x += kSwatch;
            painter.setPen(ink);
            for (std::size_t c = 0; c < CellCount; ++c) {
                drawText(painter, { x, top, widths[c], m_rowHeight },
                    c < Scale ? Qt::AlignLeft : Qt::AlignRight, row.cells[c]);
                x += widths[c] + 2 * kPad;
            }
            top += m_rowHeight;
        }
        const TimeWindow window = m_chart.statisticsWindow();
        const Nanoseconds origin = m_chart.origin(); // of the time axis above
        const auto& start = m_chart.wallClock();
        const auto when = [&](Nanoseconds at) {
            return start ? formatWhen(*start + at) : formatMoment(at - origin);
        };
        drawText(painter, { kPad, top, whole, m_rowHeight }, Qt::AlignLeft,
            (std::ranges::any_of(m_chart.lines(), isPart)
                    ? translated(
                        "Values are over the time from %1 to %2, or over the share of it that is covered.")
                    : translated("All values are over the time from %1 to %2."))
                .arg(when(window.begin), when(window.end)));
    }

    PerformanceChart& m_chart;
    const PictureBody* m_body; // null: the chart itself
    QFontMetricsF m_metrics;
    double m_rowHeight, m_chartTop;
    bool m_isHeatMap;
    std::vector<LegendRow> m_rows;
    QSize m_onScreen;
};

} // namespace

QImage chartImage(PerformanceChart& chart)
{
    const ChartPicture picture(chart);
    QImage image(picture.size() * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.paint(painter);
    return image;
}

bool writeChartSvg(PerformanceChart& chart, const QString& file, const QString& title)
{
    const ChartPicture picture(chart);
    return writeSvgFile(
        file, picture.size(), chart.logicalDpiX(), title, [&](QPainter& painter) { picture.paint(painter); });
}

} // namespace loadstone::ui
