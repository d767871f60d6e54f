// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_view.h"

#include <QWidget>

#include <filesystem>

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
class LogTab;
class NotesTab;
class ResultsTab;
class RunFeed;

/// One run: chart above, tables below. The same page for a run that this program drives, one that another
/// process is writing, and one of the past with its replay: a live run is a recording that grows.
class RunPage : public QWidget {
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent = nullptr);

    void open(const std::filesystem::path& file);
    [[nodiscard]] const std::filesystem::path& file() const;
    [[nodiscard]] std::shared_ptr<const RunView> view() const { return m_view; }
    [[nodiscard]] std::shared_ptr<const RunHeader> header() const { return m_header; }
    [[nodiscard]] ChartPanel* chartPanel() const { return m_panel; }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    /// Shown while no run is open.
    void setPlaceholder(const QString& html);
    /// From the history, which keeps them beside the recording.
    void setNote(const QString& note, const QStringList& tags);

    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void headerChanged();
    void figuresChanged(const loadstone::ui::RunFigures& figures);
    void annotationWanted(const loadstone::Annotation& annotation);
    void noteSaved(const QString& note, const QStringList& tags);

private:
    void buildTabs();
    void setHeader(std::shared_ptr<const RunHeader> header);
    void show(std::shared_ptr<const RunView> view);
    void updateQuery();
    void updateTitle();
    void setMark();
    void showFailure(const QString& message);

    RunFeed* m_feed;
    std::shared_ptr<const RunHeader> m_header;
    std::shared_ptr<const RunView> m_view;
    QStackedWidget* m_stack;
    QLabel* m_placeholder;
    QLabel* m_title;
    QSplitter* m_splitter;
    ChartPanel* m_panel;
    QTabWidget* m_tabs;
    ResultsTab* m_results;
    LatencyTab* m_latencies;
    ErrorsTab* m_errors;
    AuditTab* m_audit;
    LogTab* m_log;
    QPlainTextEdit* m_plan;
    NotesTab* m_notes;
};

} // namespace loadstone::ui
