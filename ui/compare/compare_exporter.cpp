// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_exporter.h"

#include "compare/tabs/compare_tab.h"
#include "confirm.h"
#include "export_folder.h"
#include "format.h"
#include "history/history_store.h"
#include "window/run_export.h"

#include <loadstone/table_formats.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr ComparisonFormat kFormats[] = { ComparisonFormat::text, ComparisonFormat::markdown,
    ComparisonFormat::csv, ComparisonFormat::json, ComparisonFormat::html, ComparisonFormat::xlsx };

/// Without what file systems refuse.
QString fileName(const QString& title)
{
    static const QRegularExpression refused(QStringLiteral("[\\x00-\\x1f/\\\\:*?\"<>|]+"));
    constexpr int kLongest = 80;
    QString name = QString(title).replace(refused, QStringLiteral("-")).simplified().left(kLongest).trimmed();
    while (name.startsWith(QLatin1Char('.')))
        name.remove(0, 1);
    return name.isEmpty() ? QStringLiteral("comparison") : name;
}

Result<void> writeFile(const QString& file, const std::string& content)
{
    QSaveFile to(file);
    if (!to.open(QIODevice::WriteOnly)
        || to.write(content.data(), static_cast<qint64>(content.size()))
            != static_cast<qint64>(content.size())
        || !to.commit())
        return fail(bytes(file) + ": " + bytes(to.errorString()));
    return {};
}

} // namespace

QString nameOf(ComparisonFormat format)
{
    switch (format) {
    case ComparisonFormat::text:
        return CompareExporter::tr("Text");
    case ComparisonFormat::markdown:
        return CompareExporter::tr("Markdown");
    case ComparisonFormat::csv:
        return CompareExporter::tr("CSV");
    case ComparisonFormat::json:
        return CompareExporter::tr("JSON");
    case ComparisonFormat::html:
        return CompareExporter::tr("HTML");
    case ComparisonFormat::xlsx:
        break;
    }
    return CompareExporter::tr("Excel workbook (XLSX)");
}

QString suffixOf(ComparisonFormat format)
{
    static const char* const kSuffixes[] = { "txt", "md", "csv", "json", "html", "xlsx" };
    return QLatin1String(kSuffixes[static_cast<std::size_t>(format)]);
}

CompareExporter::CompareExporter(HistoryStore& store, QWidget* window)
    : QObject(window)
    , m_store(store)
    , m_window(window)
{
    makeActions();
}

void CompareExporter::makeActions()
{
    for (const ComparisonFormat format : kFormats) {
        auto* action = new QAction(tr("Comparison as %1…").arg(nameOf(format)), this);
        connect(action, &QAction::triggered, this, [this, format] { askAndWrite(format); });
        m_whole.append(action);
    }
    for (const bool svg : { false, true }) {
        auto* action = new QAction(svg ? tr("Picture as SVG…") : tr("Picture as PNG…"), this);
        connect(action, &QAction::triggered, this, [this, svg] { askPicture(svg); });
        m_pictures.append(action);
    }
    auto* copy = new QAction(tr("&Copy the picture"), this);
    connect(copy, &QAction::triggered, this, [this] {
        if (m_tab == nullptr)
            return;
        if (const QImage image = m_tab->picture(); !image.isNull()) {
            QApplication::clipboard()->setImage(image);
            emit message(tr("The picture is in the clipboard."));
        }
    });
    m_pictures.append(copy);
    m_data = new QAction(tr("&Numbers of the picture as CSV…"), this);
    connect(m_data, &QAction::triggered, this, &CompareExporter::askData);
    auto* line = new QAction(this);
    line->setSeparator(true);
    m_actions = m_whole;
    m_actions.append(line);
    m_actions += m_pictures;
    m_actions.append(m_data);
    updateActions();
}

void CompareExporter::setView(std::shared_ptr<const CompareView> view, const QString& title)
{
    m_view = std::move(view);
    m_title = title;
    updateActions();
}

void CompareExporter::setTab(CompareTab* tab)
{
    m_tab = tab;
    updateActions();
}

void CompareExporter::updateActions()
{
    const bool any = m_view && m_view->comparison;
    for (QAction* action : m_whole)
        action->setEnabled(any);
    for (QAction* action : m_pictures)
        action->setEnabled(any && m_tab != nullptr && m_tab->hasPicture());
    m_data->setEnabled(any && m_tab != nullptr && !m_tab->data().empty());
}

QString CompareExporter::askFile(const QString& title, const QString& suffix)
{
    const QString folder = exportFolder();
    const QString file = QFileDialog::getSaveFileName(m_window, title,
        QDir(folder).filePath(withSuffix(fileName(m_title), suffix)), QStringLiteral("*.%1").arg(suffix));
    if (file.isEmpty())
        return {};
    keepExportFolder(file);
    const QString named = withSuffix(file, suffix);
    const bool unasked = named != file && QFileInfo::exists(named); // the dialog knew the other name alone
    return !unasked || confirmLoss(m_window, title, tr("%1 exists. Replace it?").arg(named)) ? named
                                                                                             : QString();
}

void CompareExporter::askAndWrite(ComparisonFormat format)
{
    if (const QString file = askFile(tr("Export the comparison as %1").arg(nameOf(format)), suffixOf(format));
        !file.isEmpty())
        writeTo(format, file);
}

void CompareExporter::askPicture(bool svg)
{
    const QString file =
        askFile(tr("Export the picture"), svg ? QStringLiteral("svg") : QStringLiteral("png"));
    if (!file.isEmpty() && !writePicture(file))
        QMessageBox::warning(m_window, tr("Export"), tr("%1 could not be written.").arg(file));
}

void CompareExporter::askData()
{
    const QString file = askFile(tr("Export the numbers of the picture"), QStringLiteral("csv"));
    if (!file.isEmpty() && !writeData(file))
        QMessageBox::warning(m_window, tr("Export"), tr("%1 could not be written.").arg(file));
}

bool CompareExporter::writePicture(const QString& file)
{
    if (m_tab == nullptr)
        return false;
    const bool done = file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ? m_tab->writeSvg(file)
                                                                                : m_tab->picture().save(file);
    if (done)
        emit written(file);
    return done;
}

bool CompareExporter::writeData(const QString& file)
{
    if (m_tab == nullptr || !writeFile(file, formatTablesCsv(m_tab->data())))
        return false;
    emit written(file);
    return true;
}

void CompareExporter::writeTo(ComparisonFormat format, const QString& file)
{
    if (!m_view || !m_view->comparison)
        return;
    emit message(tr("Writing %1…").arg(file));
    m_store.run(
        [view = m_view, title = bytes(m_title), format, file](History&) -> Result<void> {
            ComparisonReport report;
            report.title = title;
            report.comparison = *view->comparison;
            report.configuration = view->configuration;
            // Of what the tables have: totals and other details would be hundreds.
            const auto hasRow = [&](const RowKey& key) {
                return std::ranges::any_of(report.comparison.mixes, [&](const ComparisonMix& mix) {
                    return std::ranges::find(mix.rows, key, &ComparisonRow::key) != mix.rows.end();
                });
            };
            for (const CurveChoice& choice : view->curves)
                if (hasRow(choice.key))
                    report.curves.push_back(loadCurves(view->columns, choice.key));
            return writeComparison(report, format, bytes(file));
        },
        this,
        [this, file](const Result<void>& done) {
            if (done)
                emit written(file);
            else {
                emit message(tr("%1 was not written.").arg(file));
                QMessageBox::warning(m_window, tr("Export"), text(done.error().message));
            }
        });
}

} // namespace loadstone::ui
