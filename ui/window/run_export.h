// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_picture.h"

#include <loadstone/history.h>

#include <QStringList>

#include <filesystem>

namespace loadstone::ui {

enum class ExportFormat { archive, html, csv, json, xlsx };

struct ExportKind {
    ExportFormat format;
    QString name; ///< "HTML report"
    QString suffix; ///< "html"
};
std::vector<ExportKind> exportKinds();
/// The name of a run's export without suffix: its title and start, and the window where it is not of the whole run; without what file
/// systems refuse.
QString exportName(const RunSummary& run, const std::optional<TimeWindow>& window = {});
/// `file`, ending in `.suffix`: appended where it is missing.
QString withSuffix(const QString& file, const QString& suffix);
/// What exporting to `file` really writes: CSV becomes two files beside it.
QStringList exportedFiles(ExportFormat format, const QString& file);

/// On a worker's thread: opens the recording again and writes it.
Result<void> exportRun(History& history, const RunId& id, ExportFormat format,
    const std::filesystem::path& to, const std::optional<TimeWindow>& window = {});

} // namespace loadstone::ui
