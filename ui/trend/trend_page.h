// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/history_store.h"
#include "pages/page.h"

#include <loadstone/plan_trend.h>
#include <loadstone/table.h>

#include <atomic>

class QComboBox;
class QLabel;
class QProgressBar;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace loadstone::ui {

class CurveChart;
class PointsTable;

/// A figure over all runs of one plan: a dot for each run, and from ten runs on a question where it may have changed. Runs are read on
/// a thread of its own.
class TrendPage : public Page {
    Q_OBJECT
public:
    /// `like`: a run of the plan.
    TrendPage(HistoryStore& store, const std::filesystem::path& history, const RunSummary& like,
        QWidget* parent = nullptr);
    ~TrendPage() override;

    [[nodiscard]] CurveChart* chart() const { return m_chart; }
    [[nodiscard]] QComboBox* figures() const { return m_figure; }
    [[nodiscard]] const PlanTrend& trend() const { return m_trend; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString tip() const override;
    [[nodiscard]] QIcon picture() const override;
    [[nodiscard]] QList<QAction*> actionsOf(PageMenu menu) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("comparing"); }
    [[nodiscard]] bool canClose() const override { return true; }
    void activated() override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

signals:
    void openWanted(const loadstone::RunId& id);
    void read(); ///< all runs have been read

private:
    struct Kept;
    void makeActions();
    void layOut();
    void ask();
    void fillFigures();
    void draw();
    void writePicture(bool svg);
    void writeNumbers();

    HistoryStore& m_store;
    std::string m_planName, m_title;
    std::vector<RunSummary> m_listed; // that were read
    std::shared_ptr<Kept> m_kept;
    std::vector<ComparedRun> m_runs;
    std::vector<TrendChoice> m_choices;
    PlanTrend m_trend;
    ReportTable m_points;
    QString m_wanted;
    std::shared_ptr<std::atomic<bool>> m_stop;
    QComboBox* m_figure;
    CurveChart* m_chart;
    PointsTable* m_table;
    QLabel *m_questions, *m_empty;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QStackedWidget* m_stack;
    QSplitter* m_split;
    QList<QAction*> m_exports;
    HistoryStore m_reading; // last: its thread ends before the rest goes
};

} // namespace loadstone::ui
