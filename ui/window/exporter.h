// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"
#include "window/run_export.h"

#include <memory>

class QTemporaryDir;
class QWidget;

namespace loadstone::ui {

/// The export menu: asks where to, writes beside, reports. It acts on the run or runs that the window names. It has
/// a thread and a History of its own: a large export must not hold up the list of runs and its notes. It reads after the notes that are
/// being saved when it is asked for.
class Exporter : public QObject {
    Q_OBJECT
public:
    /// `notes`: the store that saves what is edited in the window; it outlives this.
    Exporter(HistoryStore& notes, const std::filesystem::path& historyFolder, QWidget* window);
    ~Exporter() override;

    /// `window`: what the tables are over; an archive has the whole run all the same.
    void exportRuns(const std::vector<RunSummary>& runs, ExportFormat format,
        const std::optional<TimeWindow>& window = {});
    /// Where to is known: one name per run. Asks once when any of the files is there already.
    void exportTo(const std::vector<RunSummary>& runs, ExportFormat format, const QStringList& files,
        const std::optional<TimeWindow>& window = {});
    void exportChart(PerformanceChart& chart, const QString& name, bool svg);
    /// Writes the run's HTML report to a folder of temporary files and shows it in the browser.
    void showReport(const RunSummary& run, const std::optional<TimeWindow>& window = {});
    /// Exports that are not written yet.
    [[nodiscard]] int pending() const { return m_pending; }

signals:
    void starting(); ///< before anything is read: what is edited can still be saved
    void message(const QString& text);
    void written(const QString& text, const QString& file); ///< `file`: to open, the first of several
    void problem(const QString& text);
    void finished(); ///< the last of those that were pending is over, well or not

private:
    struct Job {
        RunId id;
        ExportFormat format;
        QString file;
        std::optional<TimeWindow> window;
        bool show = false; ///< in the browser, once it is written
    };
    void enqueue(Job job);
    void write(const Job& job);
    [[nodiscard]] QString askFile(const QString& title, const QString& name, const QString& filter);
    [[nodiscard]] bool mayWrite(const QStringList& files);
    [[nodiscard]] QString folder() const;
    void remember(const QString& file);

    HistoryStore& m_notes;
    HistoryStore m_store;
    QWidget* m_window;
    int m_pending = 0;
    std::unique_ptr<QTemporaryDir> m_reports; // of showReport(), once it was used; goes with the program
};

} // namespace loadstone::ui
