// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_picture.h"

#include "charts/performance_chart.h"
#include "format.h"

#include <QFileInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loadstone::ui {

namespace {

enum Cell { Name, Unit, Scale, Average, Maximum, CellCount };

struct LegendRow {
    QPen pen; ///< of the line; none in the heading
    std::array<QString, CellCount> cells;
};

std::vector<LegendRow> legendOf(const std::vector<ChartLine>& lines)
{
    std::vector<LegendRow> rows { { Qt::NoPen,
        { translated("Counter"), translated("Unit"), translated("Scale"), translated("Average"),
            translated("Maximum") } } };
    for (const ChartLine& line : lines) {
        if (!line.shown)
            continue;
        const auto value = [any = line.statistics.samples != 0, unit = line.unit](double v) {
            return formatIn(any ? v : std::numeric_limits<double>::quiet_NaN(), unit);
        };
        rows.push_back({ QPen(line.colour, std::max(2, line.width), Qt::SolidLine, Qt::FlatCap),
            { line.name, line.unit, formatScale(line.scale), value(line.statistics.average),
                value(line.statistics.maximum) } });
    }
    return rows;
}

/// The chart with what it needs to be understood alone: above it the run, below it its legend.
class ChartPicture {
public:
    explicit ChartPicture(PerformanceChart& chart)
        : m_chart(chart)
        , m_metrics(chart.font())
        , m_rowHeight(std::ceil(m_metrics.height()) + 3)
        , m_chartTop(chart.title().isEmpty() ? 0 : m_rowHeight + kPad)
        , m_rows(legendOf(chart.lines()))
        , m_onScreen(chart.chartSize())
    {
        // In a low window the chart is a strip, with axes that have no room for their titles.
        const int least = static_cast<int>(kLeastHeight * m_onScreen.width());
        if (m_onScreen.height() < least)
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
        const double legend = m_rowHeight * static_cast<double>(m_rows.size() + 1); // and a sentence below
        const QSize chart = m_chart.chartSize();
        return { chart.width(), static_cast<int>(m_chartTop + chart.height() + legend + 2 * kPad) };
    }
    void paint(QPainter& painter) const
    {
        const QRectF chart(QPointF(0, m_chartTop), QSizeF(m_chart.chartSize()));
        painter.fillRect(QRectF(QPointF(0, 0), QSizeF(size())), m_chart.palette().color(QPalette::Base));
        m_chart.renderTo(painter, chart);
        QFont bold = m_chart.font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(m_chart.palette().color(QPalette::Text));
        drawText(painter, { kPad, kPad / 2, chart.width() - 2 * kPad, m_rowHeight }, Qt::AlignLeft,
            m_chart.title());
        painter.setFont(m_chart.font());
        paintLegend(painter, chart.bottom() + kPad);
    }

private:
    static constexpr double kPad = 10, kSwatch = 24; // pixels
    static constexpr double kLeastHeight = 0.45; // of the width

    void drawText(QPainter& painter, const QRectF& box, Qt::Alignment side, const QString& text) const
    {
        const QString fitting = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, box.width());
        painter.drawText(box, static_cast<int>(side | Qt::AlignVCenter), fitting);
    }
    void paintLegend(QPainter& painter, double top) const
    {
        const double whole = m_chart.chartSize().width() - 2 * kPad;
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
        drawText(painter, { kPad, top, whole, m_rowHeight }, Qt::AlignLeft,
            translated("Average and maximum are over the time from %1 to %2.")
                .arg(formatMoment(window.begin), formatMoment(window.end)));
    }

    PerformanceChart& m_chart;
    QFontMetricsF m_metrics;
    double m_rowHeight, m_chartTop;
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
    QSvgGenerator generator;
    generator.setFileName(file);
    generator.setSize(picture.size());
    generator.setViewBox(QRect(QPoint(0, 0), picture.size()));
    generator.setResolution(chart.logicalDpiX()); // text has the size that its place was measured for
    generator.setTitle(title.toHtmlEscaped()); // which Qt 6.4 writes as it is
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    picture.paint(painter);
    return painter.end() && QFileInfo(file).size() > 0;
}

} // namespace loadstone::ui
