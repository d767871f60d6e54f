// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"
#include "run/view/window_bar.h"

#include <QTabWidget>

class QSettings;

namespace loadstone::ui {

class AuditTab;
class ErrorsTab;
class LatencyTab;
class LoadTab;
class LogTab;
class NotesTab;
class PlanView;
class ReadingsTab;
class ResultsTab;
class ScoreTab;
class StorageTab;

/// The tables below the chart of a run's page. What takes long is asked for only while its tab is in front.
class RunTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit RunTabs(QWidget* parent = nullptr);

    /// Another run, or another of its targets: leaves out the tabs that have nothing to say of it.
    void setHeader(const RunHeader& header);
    void show(const RunView& view);
    using QWidget::show;
    /// What the tab in front wants to see; the window is the page's.
    void fillQuery(RunQuery& query) const;
    /// Of the tab in front.
    [[nodiscard]] TabScope scope() const;
    [[nodiscard]] NotesTab* notes() const { return m_notes; }
    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void queryChanged();
    void markWanted();
    void timeChosen(loadstone::Nanoseconds at);
    void enlargeWanted(); ///< or small again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    ResultsTab* m_results;
    ScoreTab* m_score;
    LoadTab* m_load;
    StorageTab* m_storage;
    LatencyTab* m_latencies;
    ReadingsTab* m_readings;
    ErrorsTab* m_errors;
    AuditTab* m_audit;
    LogTab* m_log;
    PlanView* m_plan;
    NotesTab* m_notes;
};

} // namespace loadstone::ui
