// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_export.h"

#include "charts/performance_chart.h"

#include <loadstone/report.h>

#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QSvgGenerator>

namespace loadstone::ui {

namespace {
QString translated(const char* source)
{
    return QCoreApplication::translate("export", source);
}
}

std::vector<ExportKind> exportKinds()
{
    return { { ExportFormat::archive, translated("One-file archive"), QStringLiteral("loadstone") },
        { ExportFormat::html, translated("HTML report"), QStringLiteral("html") },
        { ExportFormat::csv, translated("CSV tables"), QStringLiteral("csv") },
        { ExportFormat::json, translated("JSON"), QStringLiteral("json") } };
}

QString withSuffix(const QString& file, const QString& suffix)
{
    const QString ending = QLatin1Char('.') + suffix;
    return file.endsWith(ending, Qt::CaseInsensitive) ? file : file + ending;
}

QStringList exportedFiles(ExportFormat format, const QString& file)
{
    if (format != ExportFormat::csv)
        return { file };
    const QString stem = file.left(file.lastIndexOf(QLatin1Char('.')));
    return { stem + QStringLiteral("-counters.csv"), stem + QStringLiteral("-results.csv") };
}

Result<void> exportRun(
    History& history, const RunId& id, ExportFormat format, const std::filesystem::path& to)
{
    if (format == ExportFormat::archive)
        return history.exportArchive(id, to);
    const auto recording = history.openRun(id);
    if (!recording)
        return recording.error();
    switch (format) {
    case ExportFormat::html:
        return writeHtmlReport(*recording, to);
    case ExportFormat::csv:
        return writeCsv(*recording, to);
    default:
        return writeJson(*recording, to);
    }
}

QImage chartImage(PerformanceChart& chart)
{
    const QSize size = chart.chartSize();
    QImage image(size * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    image.fill(chart.palette().color(QPalette::Base));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    chart.renderTo(painter, QRectF(QPointF(0, 0), QSizeF(size)));
    return image;
}

bool writeChartSvg(PerformanceChart& chart, const QString& file, const QString& title)
{
    QSvgGenerator generator;
    generator.setFileName(file);
    generator.setSize(chart.chartSize());
    generator.setViewBox(QRect(QPoint(0, 0), chart.chartSize()));
    generator.setTitle(title);
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    chart.renderTo(painter, QRectF(QPointF(0, 0), QSizeF(chart.chartSize())));
    return painter.end() && QFileInfo(file).size() > 0;
}

} // namespace loadstone::ui
