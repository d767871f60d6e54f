// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_export.h"

#include "format.h"

#include <loadstone/report.h>

#include <QFileInfo>
#include <QRegularExpression>

namespace loadstone::ui {

std::vector<ExportKind> exportKinds()
{
    return { { ExportFormat::archive, translated("One-file &archive"), QStringLiteral("loadstone") },
        { ExportFormat::html, translated("&HTML report"), QStringLiteral("html") },
        { ExportFormat::csv, translated("&CSV tables"), QStringLiteral("csv") },
        { ExportFormat::json, translated("&JSON"), QStringLiteral("json") },
        { ExportFormat::xlsx, translated("E&xcel workbook"), QStringLiteral("xlsx") } };
}

QString exportName(const RunSummary& run, const std::optional<TimeWindow>& window)
{
    static const QRegularExpression refused(QStringLiteral("[\\x00-\\x1f/\\\\:*?\"<>|]+"));
    constexpr int kLongest =
        80; // characters: with start and suffix below what file systems take, also in UTF-8
    QString title =
        text(run.title).replace(refused, QStringLiteral("-")).simplified().left(kLongest).trimmed();
    while (title.startsWith(QLatin1Char('.'))) // a hidden file
        title.remove(0, 1);
    // Runs of one plan differ in their start alone.
    const QString start =
        formatWhen(run.started).remove(QLatin1Char(':')).replace(QLatin1Char(' '), QLatin1Char('-'));
    const QString name = title.isEmpty() ? text(run.id.text()) : QStringLiteral("%1 %2").arg(title, start);
    return !window ? name
                   : QStringLiteral("%1, %2-%3")
                         .arg(name, formatMoment(window->begin), formatMoment(window->end))
                         .remove(QLatin1Char(':'));
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

Result<void> exportRun(History& history, const RunId& id, ExportFormat format,
    const std::filesystem::path& to, const std::optional<TimeWindow>& window)
{
    if (format == ExportFormat::archive)
        return history.exportArchive(id, to);
    const auto recording = history.openRun(id);
    if (!recording)
        return recording.error();
    switch (format) {
    case ExportFormat::html:
        return writeHtmlReport(*recording, to, window);
    case ExportFormat::csv:
        return writeCsv(*recording, to, window);
    case ExportFormat::xlsx:
        return writeXlsx(*recording, to, window);
    default:
        return writeJson(*recording, to, window);
    }
}

} // namespace loadstone::ui
