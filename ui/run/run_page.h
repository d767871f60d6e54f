// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QPointer>
#include <QWidget>

#include <filesystem>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QSettings;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace loadstone::ui {

class AuditTab;
class ChartPanel;
class ErrorsTab;
class LatencyTab;
class LoadTab;
class LogTab;
class NotesTab;
class ResultsTab;
class RunFeed;
class ScoreTab;
class SourcesDialog;
class StorageTab;

/// One run: chart above, tables below. The same page for a run that this program drives, one that another
/// process is writing, and one of the past with its replay: a live run is a recording that grows.
class RunPage : public QWidget {
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent = nullptr);

    void open(const std::filesystem::path& file);
    /// A recording was opened here, and what is shown is why it cannot be read.
    [[nodiscard]] bool isBroken() const { return m_broken; }
    void reopen();
    /// Which run the page is for, known before its recording is open.
    void setRunId(const RunId& id) { m_id = id; }
    [[nodiscard]] const RunId& runId() const { return m_id; }
    [[nodiscard]] std::shared_ptr<const RunView> view() const { return m_view; }
    [[nodiscard]] std::shared_ptr<const RunHeader> header() const { return m_header; }
    [[nodiscard]] ChartPanel* chartPanel() const { return m_panel; }
    /// Shown while no run is open.
    void setPlaceholder(const QString& html);
    /// From the history, which keeps them beside the recording.
    void setNote(const QString& note, const QStringList& tags);
    /// The history does not have the run (any more).
    void setUnlisted();
    [[nodiscard]] bool isDeleted() const { return m_deleted; }
    /// Saves the note if it was changed: before the page turns to another run or goes.
    void flush();
    /// What became of a change that was asked for while the run `id` was shown here.
    void noteDone(const RunId& id, const QString& note, bool saved);
    void tagsDone(const RunId& id, const QStringList& after, bool saved);
    /// Gives up what is not saved.
    void drop();
    /// Opens the list of what is attached to the run's recording, where a source can be moved. It closes with the run.
    void showSources();

    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void headerChanged();
    void broken(const QString& message);
    void figuresChanged(const loadstone::ui::RunFigures& figures);
    void annotationWanted(const loadstone::Annotation& annotation);
    void noteEdited(const QString& note);
    void tagsEdited(const QStringList& before, const QStringList& after);

private:
    void buildTabs();
    void setHeader(std::shared_ptr<const RunHeader> header);
    void show(std::shared_ptr<const RunView> view);
    void updateQuery();
    void updateTitle();
    void setMark();
    void showFailure(const QString& message);
    void chooseTarget();
    void setDeleted(bool deleted);

    RunFeed* m_feed;
    RunId m_id;
    bool m_listed = false, m_deleted = false, m_broken = false;
    std::shared_ptr<const RunHeader> m_header;
    std::shared_ptr<const RunView> m_view;
    QPointer<SourcesDialog> m_sources; // while it is open
    QStackedWidget* m_stack;
    QLabel* m_placeholder;
    QLabel* m_title;
    QWidget* m_targetRow; // only where there are several
    QComboBox* m_target;
    QSplitter* m_splitter;
    ChartPanel* m_panel;
    QTabWidget* m_tabs;
    ResultsTab* m_results;
    ScoreTab* m_score;
    LoadTab* m_load;
    StorageTab* m_storage;
    LatencyTab* m_latencies;
    ErrorsTab* m_errors;
    AuditTab* m_audit;
    LogTab* m_log;
    QPlainTextEdit* m_plan;
    NotesTab* m_notes;
};

} // namespace loadstone::ui
