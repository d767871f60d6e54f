// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/history.h>

#include <QImage>
#include <QStringList>

#include <filesystem>

namespace loadstone::ui {

class PerformanceChart;

enum class ExportFormat { archive, html, csv, json };

struct ExportKind {
    ExportFormat format;
    QString name; ///< "HTML report"
    QString suffix; ///< "html"
};
std::vector<ExportKind> exportKinds();
/// `file`, ending in `.suffix`: appended where it is missing.
QString withSuffix(const QString& file, const QString& suffix);
/// What exporting to `file` really writes: CSV becomes two files beside it.
QStringList exportedFiles(ExportFormat format, const QString& file);

/// On a worker's thread: opens the recording again and writes it.
Result<void> exportRun(
    History& history, const RunId& id, ExportFormat format, const std::filesystem::path& to);

// A picture is the chart as it stands, between the run's title and a legend of the lines that it shows.

/// At twice its size on the screen.
QImage chartImage(PerformanceChart& chart);
/// As vectors. False when the file cannot be written.
bool writeChartSvg(PerformanceChart& chart, const QString& file, const QString& title);

} // namespace loadstone::ui
