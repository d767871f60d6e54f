// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/chart_files.h"

#include "charts/chart_picture.h"
#include "charts/performance_chart.h"
#include "export_folder.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSaveFile>

#include <algorithm>
#include <map>
#include <ranges>

namespace loadstone::ui {

namespace {

QString field(const QString& text)
{
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'))
        && !text.contains(QLatin1Char('\n')))
        return text;
    return QStringLiteral("\"%1\"").arg(QString(text).replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

QString number(double value)
{
    return QString::number(value, 'g', 15);
}

bool hasRange(const ChartLine& line)
{
    return std::any_of(
        line.bands.begin(), line.bands.end(), [](const CounterBand& b) { return b.minimum != b.maximum; });
}

QString suffixOf(ChartFile kind)
{
    return kind == ChartFile::png ? QStringLiteral("png")
        : kind == ChartFile::svg  ? QStringLiteral("svg")
                                  : QStringLiteral("csv");
}

bool writeText(const QString& file, const QString& text)
{
    QSaveFile out(file);
    return out.open(QIODevice::WriteOnly) && out.write(text.toUtf8()) >= 0 && out.commit();
}

} // namespace

QString chartCsv(const std::vector<ChartLine>& lines, TimeWindow visible)
{
    const auto isVisible = [&](const CounterBand& band) {
        return visible.begin < band.end && band.begin < visible.end;
    };
    QStringList heading { QStringLiteral("begin [s]"), QStringLiteral("end [s]") };
    std::map<std::pair<Nanoseconds, Nanoseconds>, QStringList> rows;
    for (const ChartLine& line : lines)
        if (line.shown)
            for (const CounterBand& band : line.bands | std::views::filter(isVisible))
                rows[{ band.begin, band.end }];
    for (const ChartLine& line : lines) {
        if (!line.shown)
            continue;
        const bool range = hasRange(line);
        const QString name =
            line.unit.isEmpty() ? line.name : QStringLiteral("%1 [%2]").arg(line.name, line.unit);
        heading.append(field(name));
        if (range) {
            heading.append(field(name + QStringLiteral(", minimum")));
            heading.append(field(name + QStringLiteral(", maximum")));
        }
        for (const CounterBand& band : line.bands | std::views::filter(isVisible)) {
            QStringList& row = rows[{ band.begin, band.end }];
            row.append(number(band.average));
            if (range)
                row.append({ number(band.minimum), number(band.maximum) });
        }
        for (auto& [time, row] : rows) // those without a sample
            while (row.size() < heading.size() - 2)
                row.append(QString());
    }
    QString csv = heading.join(QLatin1Char(',')) + QLatin1Char('\n');
    for (const auto& [time, row] : rows)
        csv +=
            QStringLiteral("%1,%2,%3\n")
                .arg(number(seconds(time.first)), number(seconds(time.second)), row.join(QLatin1Char(',')));
    return csv;
}

void saveChart(QWidget& parent, PerformanceChart& chart, ChartFile kind, const QString& name)
{
    const QString suffix = suffixOf(kind);
    const QString folder = exportFolder();
    QFileDialog dialog(&parent, QFileDialog::tr("Save chart"), folder, QStringLiteral("*.%1").arg(suffix));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix); // known to the dialog, which asks before it overwrites
    dialog.selectFile(name + QLatin1Char('.') + suffix);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return;
    const QString file = dialog.selectedFiles().first();
    keepExportFolder(file);
    const bool done = kind == ChartFile::csv ? writeText(file, chartCsv(chart.lines(), chart.visible()))
        : kind == ChartFile::svg             ? writeChartSvg(chart, file, name)
                                             : chartImage(chart).save(file);
    if (!done)
        QMessageBox::warning(&parent, QFileDialog::tr("Save chart"),
            QFileDialog::tr("%1 could not be written. Is there room, and may you write there?").arg(file));
}

} // namespace loadstone::ui
