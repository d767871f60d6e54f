// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

#include <QWidget>

class QAction;
class QComboBox;
class QSettings;
class QSplitter;

namespace loadstone::ui {

class LegendModel;
class LegendView;
class PerformanceChart;
class ReplayBar;
class ValueBoxes;

/// The upper half of a run's page: chart, replay bar, value boxes and legend, and what one can do with them.
class ChartPanel : public QWidget {
    Q_OBJECT
public:
    explicit ChartPanel(QWidget* parent = nullptr);

    /// Another recording: lines are looked up in it, the view is reset.
    void setHeader(const RunHeader& header);
    void show(std::shared_ptr<const RunView> view);
    using QWidget::show;
    void clear();
    void setReplay(bool on); ///< the slider is for runs that have ended

    /// What the chart needs to be filled; the page adds its tables' wishes.
    void fillQuery(RunQuery& query) const;
    [[nodiscard]] PerformanceChart* chart() const { return m_chart; }
    [[nodiscard]] ReplayBar* replay() const { return m_replay; }
    [[nodiscard]] LegendModel* legend() const { return m_legend; }
    [[nodiscard]] std::optional<TimeWindow> selection() const { return m_selection; }
    void setSelection(std::optional<TimeWindow> window);
    /// For the window's view menu.
    [[nodiscard]] QList<QAction*> viewActions() const { return m_actions; }

    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void queryChanged();
    void selectionChanged(std::optional<loadstone::TimeWindow> window);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeActions();
    QWidget* makeToolBar();
    void addDefaultLines();
    void applyLines();
    void showSelected();
    void addCounters();
    void showContextMenu(const QPoint& at);

    LegendModel* m_legend;
    PerformanceChart* m_chart;
    ReplayBar* m_replay;
    ValueBoxes* m_boxes;
    LegendView* m_legendView;
    QComboBox* m_follow;
    QSplitter* m_splitter;
    QList<QAction*> m_actions;
    QAction* m_add {};
    QAction* m_remove {};
    QAction* m_properties {};
    QAction* m_highlight {};
    QAction* m_wallClock {};
    QAction* m_reset {};
    QAction* m_defaults {};
    QList<QAction*> m_drags;
    std::optional<TimeWindow> m_selection;
    std::shared_ptr<const RunView> m_view;
    RunHeader m_header;
    std::shared_ptr<const std::vector<SourceInfo>> m_sources; // that the legend knows
    bool m_automatic = true; // the lines are the default ones, until the user changes them
    bool m_choosing = false; // ... and this change is ours
};

} // namespace loadstone::ui
