// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include "charts/performance_chart.h"
#include "export_folder.h"
#include "format.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace loadstone::ui {

namespace {

/// ", 00:20 to 01:20"; nothing where the whole run is exported.
QString partOf(ExportFormat format, const std::optional<TimeWindow>& window)
{
    return !window || format == ExportFormat::archive
        ? QString()
        : Exporter::tr(", %1 to %2").arg(formatMoment(window->begin), formatMoment(window->end));
}

} // namespace

Exporter::Exporter(HistoryStore& notes, const std::filesystem::path& historyFolder, QWidget* window)
    : QObject(window)
    , m_notes(notes)
    , m_store(historyFolder)
    , m_window(window)
{
}

Exporter::~Exporter() = default;

QString Exporter::folder() const
{
    return exportFolder();
}

void Exporter::remember(const QString& file)
{
    keepExportFolder(file);
}

QString Exporter::askFile(const QString& title, const QString& name, const QString& filter)
{
    // The dialog knows neither the suffix that will be added nor what CSV really writes: mayWrite() asks.
    const QString file = QFileDialog::getSaveFileName(
        m_window, title, QDir(folder()).filePath(name), filter, nullptr, QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty())
        remember(file);
    return file;
}

bool Exporter::mayWrite(const QStringList& files)
{
    QStringList there;
    std::copy_if(files.begin(), files.end(), std::back_inserter(there),
        [](const QString& file) { return QFileInfo::exists(file); });
    if (there.isEmpty())
        return true;
    QMessageBox box(QMessageBox::Question, tr("Export"),
        there.size() == 1 ? tr("%1 is there already.").arg(there[0])
                          : tr("%1 of these files are there already.").arg(there.size()),
        QMessageBox::Cancel, m_window);
    box.setInformativeText(tr("Overwrite?"));
    if (there.size() > 1)
        box.setDetailedText(there.join(QLatin1Char('\n')));
    auto* overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == overwrite;
}

void Exporter::exportRuns(
    const std::vector<RunSummary>& runs, ExportFormat format, const std::optional<TimeWindow>& window)
{
    emit starting();
    const auto kinds = exportKinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const ExportKind& k) { return k.format == format; });
    const auto part = format == ExportFormat::archive ? std::nullopt : window;
    const auto name = [&](const RunSummary& run) { return withSuffix(exportName(run, part), kind->suffix); };
    const QString kindName = QString(kind->name).remove(QLatin1Char('&'));
    QStringList files;
    if (runs.size() == 1) {
        const QString file = askFile(tr("Export: %1%2").arg(kindName, partOf(format, window)), name(runs[0]),
            QStringLiteral("%1 (*.%2)").arg(kindName, kind->suffix));
        if (file.isEmpty())
            return;
        files.append(withSuffix(file, kind->suffix));
    } else {
        const QString into = QFileDialog::getExistingDirectory(
            m_window, tr("Export %1 runs into folder").arg(runs.size()), folder());
        if (into.isEmpty())
            return;
        keepExportFolder(QDir(into).filePath(QStringLiteral("run")));
        for (const RunSummary& run : runs) {
            QString file = QDir(into).filePath(name(run));
            if (files.contains(file)) // begun in the same second
                file = QDir(into).filePath(withSuffix(text(run.id.text()), kind->suffix));
            files.append(file);
        }
    }
    exportTo(runs, format, files, window);
}

void Exporter::exportTo(const std::vector<RunSummary>& runs, ExportFormat format, const QStringList& files,
    const std::optional<TimeWindow>& window)
{
    QStringList targets;
    for (const QString& file : files)
        targets.append(exportedFiles(format, file));
    if (!mayWrite(targets))
        return;
    for (std::size_t i = 0; i < runs.size(); ++i)
        enqueue({ runs[i].id, format, files[static_cast<qsizetype>(i)], window });
}

void Exporter::showReport(const RunSummary& run, const std::optional<TimeWindow>& window)
{
    emit starting();
    if (!m_reports)
        m_reports = std::make_unique<QTemporaryDir>();
    if (m_reports->isValid())
        enqueue({ run.id, ExportFormat::html,
            m_reports->filePath(text(run.id.text()) + QStringLiteral(".html")), window, true });
    else
        emit problem(m_reports->errorString());
}

void Exporter::enqueue(Job job)
{
    emit message(tr("Writing %1…").arg(exportedFiles(job.format, job.file).join(QStringLiteral(", "))));
    ++m_pending;
    // The two stores have a thread each: only behind what the other one has to save does the export see it.
    m_notes.run([](History&) { return Result<void>(); }, this,
        [this, job = std::move(job)](const Result<void>&) { write(job); });
}

void Exporter::write(const Job& job)
{
    const QStringList files = exportedFiles(job.format, job.file);
    m_store.run([job, to = std::filesystem::path(bytes(job.file))](
                    History& history) { return exportRun(history, job.id, job.format, to, job.window); },
        this,
        [this, names = files.join(QStringLiteral(", ")), part = partOf(job.format, job.window),
            first = files.front(), show = job.show](Result<void> done) {
            if (done)
                emit written(tr("Written: %1%2").arg(names, part), first);
            if (done && show)
                QDesktopServices::openUrl(QUrl::fromLocalFile(first));
            if (!done)
                emit problem(text(done.error().message));
            if (--m_pending == 0)
                emit finished();
        });
}

void Exporter::exportChart(PerformanceChart& chart, const QString& name, bool svg)
{
    const QString suffix = svg ? QStringLiteral("svg") : QStringLiteral("png");
    const QString chosen =
        askFile(tr("Export chart"), withSuffix(name, suffix), QStringLiteral("*.%1").arg(suffix));
    if (chosen.isEmpty())
        return;
    const QString file = withSuffix(chosen, suffix);
    if (!mayWrite({ file }))
        return;
    const bool done = svg ? writeChartSvg(chart, file, name) : chartImage(chart).save(file);
    if (done)
        emit written(tr("Written: %1").arg(file), file);
    else
        emit problem(tr("%1 could not be written.").arg(file));
}

} // namespace loadstone::ui
