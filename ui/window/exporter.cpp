// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include "charts/performance_chart.h"
#include "format.h"
#include "history/history_store.h"

#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kFolder = QStringLiteral("export/folder");
}

Exporter::Exporter(HistoryStore& store, QWidget* window)
    : QObject(window)
    , m_store(store)
    , m_window(window)
{
}

QString Exporter::folder() const
{
    return QSettings()
        .value(kFolder, QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
        .toString();
}

void Exporter::remember(const QString& file)
{
    QSettings().setValue(kFolder, QFileInfo(file).path());
}

void Exporter::exportRuns(const std::vector<RunSummary>& runs, ExportFormat format)
{
    const auto kinds = exportKinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const ExportKind& k) { return k.format == format; });
    if (runs.size() == 1) {
        const QString proposed =
            QDir(folder()).filePath(text(runs[0].id.text()) + QLatin1Char('.') + kind->suffix);
        const QString file = QFileDialog::getSaveFileName(m_window, tr("Export: %1").arg(kind->name),
            proposed, QStringLiteral("%1 (*.%2)").arg(kind->name, kind->suffix));
        if (file.isEmpty())
            return;
        remember(file);
        write(runs[0].id, format, file);
        return;
    }
    const QString into = QFileDialog::getExistingDirectory(
        m_window, tr("Export %1 runs into folder").arg(runs.size()), folder());
    if (into.isEmpty())
        return;
    QSettings().setValue(kFolder, into);
    for (const RunSummary& run : runs)
        write(run.id, format, QDir(into).filePath(text(run.id.text()) + QLatin1Char('.') + kind->suffix));
}

void Exporter::write(const RunId& id, ExportFormat format, const QString& file)
{
    emit message(tr("Writing %1…").arg(file));
    m_store.run([id, format, to = std::filesystem::path(bytes(file))](
                    History& history) { return exportRun(history, id, format, to); },
        this,
        [this, file](Result<void> done) {
            if (done)
                emit message(tr("Written: %1").arg(file));
            else
                QMessageBox::warning(m_window, tr("Export"), text(done.error().message));
        });
}

void Exporter::exportChart(PerformanceChart& chart, const QString& name, bool svg)
{
    const QString suffix = svg ? QStringLiteral("svg") : QStringLiteral("png");
    const QString file = QFileDialog::getSaveFileName(m_window, tr("Export chart"),
        QDir(folder()).filePath(name + QLatin1Char('.') + suffix), QStringLiteral("*.%1").arg(suffix));
    if (file.isEmpty())
        return;
    remember(file);
    const bool done = svg ? writeChartSvg(chart, file, name) : chartImage(chart).save(file);
    if (done)
        emit message(tr("Written: %1").arg(file));
    else
        QMessageBox::warning(m_window, tr("Export"), tr("%1 could not be written.").arg(file));
}

} // namespace loadstone::ui
