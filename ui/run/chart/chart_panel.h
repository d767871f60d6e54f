// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/chart/shown_set.h"
#include "run/view/goto_time.h"
#include "run/view/run_view.h"

#include <QWidget>

#include <filesystem>
#include <string>
#include <vector>

class QAction;
class QMenu;
class QSettings;
class QSplitter;
class QStackedWidget;

namespace loadstone::ui {

class BarView;
class CursorStrip;
class GoToBar;
class LegendModel;
class LegendView;
class PerformanceChart;
class RangeChoice;
class ReplayBar;
class ReportView;
class SetChoice;
class ValueBoxes;
enum class ValueRange;

/// How a run's lines are shown.
enum class ChartView { lines, lanes, heatMap, bars, report };

/// The upper half of a run's page: chart, replay bar, value boxes and legend, and what one can do with them.
class ChartPanel : public QWidget {
    Q_OBJECT
public:
    explicit ChartPanel(QWidget* parent = nullptr);

    /// Another recording: lines are looked up in it, the view is reset. It begins with its usual counters, or with the counter set
    /// that the page shows.
    void setHeader(const RunHeader& header);
    /// The file of that recording: what derived counters are checked against.
    void setRecording(const std::filesystem::path& file) { m_recording = file; }
    void show(std::shared_ptr<const RunView> view);
    using QWidget::show;
    void clear();
    void setReplay(bool on); ///< the slider is for runs that have ended

    /// What the chart needs to be filled; the page adds its tables' wishes.
    void fillQuery(RunQuery& query) const;
    [[nodiscard]] PerformanceChart* chart() const { return m_chart; }
    [[nodiscard]] ReplayBar* replay() const { return m_replay; }
    [[nodiscard]] LegendModel* legend() const { return m_legend; }
    [[nodiscard]] LegendView* legendView() const { return m_legendView; }
    [[nodiscard]] std::optional<TimeWindow> selection() const { return m_selection; }
    void setSelection(std::optional<TimeWindow> window);
    /// For the window's view menu.
    [[nodiscard]] QList<QAction*> viewActions() const { return m_actions; }

    void setView(ChartView view);
    [[nodiscard]] ChartView view() const { return m_shownAs; }
    /// A counter set by its name; empty, or one that the run has no line of: the run's usual counters.
    void chooseSet(const QString& name);
    [[nodiscard]] QString counterSet() const;
    /// Adds lines, selects the first of them and scrolls to it.
    void addLines(const std::vector<LineKey>& keys);
    void goTo(const TypedTime& time);
    /// What stays as it is while the run goes on, or follows its end again.
    void freeze(bool on);

    void saveTo(QSettings& settings) const;
    void restoreFrom(const QSettings& settings);

signals:
    void chartWanted(); ///< by the user: the chart is to be seen
    void queryChanged();
    void selectionChanged(std::optional<loadstone::TimeWindow> window);
    void markWanted(loadstone::Nanoseconds at); ///< since the run's start; may lie beyond its end

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* makeAction(const QString& text, const char* picture, const QKeySequence& keys, bool checkable);
    void makeActions();
    void makeLineActions();
    void makeMouseActions();
    void makeViewActions();
    void makeTimeActions();
    QWidget* makeToolBar();
    QWidget* makeBoxesRow();
    void connectParts();
    [[nodiscard]] bool sameLines(const RunView& view) const;
    [[nodiscard]] std::vector<LineKey> attachedLines() const; ///< of sources that the run has
    void removeLost(const std::vector<LineKey>& attached);
    void keysChanged();
    void stylesChanged();
    /// Of the selected line, or of the first that is a percentile.
    [[nodiscard]] std::optional<HeatMapQuery> heatMapQuery() const;
    /// Of its pictures: of which run they are, and what is against it.
    void nameChart(const RunVerdict* outcome);
    /// `set`: the lines' counter set, where it is not the present one.
    void removeLines(const QList<int>& rows, const QString& set = {});
    void bringBack(); ///< what the last removal took, then what the one before it took, and so on
    void forgetRemovals();
    void addUsualLines();
    void applySet();
    void applyLines();
    void applyView();
    void applyCursors();
    void showSelected();
    void showRange();
    void fitLegend();
    void addCounters();
    void refreshDerived();
    void askValueRange();
    void chooseValueRange(ValueRange mode);
    void showLegendMenu(const QPoint& at);
    void showChartMenu(const QPoint& at);
    void addFileActions(QMenu& menu);
    void addTimeActions(QMenu& menu, std::optional<Nanoseconds> at);
    void copyPicture() const;
    [[nodiscard]] TypedTimeContext typedTimeContext() const;
    [[nodiscard]] Nanoseconds markTime() const;

    LegendModel* m_legend;
    PerformanceChart* m_chart;
    ReplayBar* m_replay;
    ValueBoxes* m_boxes;
    LegendView* m_legendView;
    BarView* m_bars;
    ReportView* m_report;
    QStackedWidget* m_pictures;
    QWidget* m_boxesRow {};
    CursorStrip* m_cursorStrip;
    GoToBar* m_goTo;
    RangeChoice* m_range;
    ShownSet m_shownSet;
    SetChoice* m_set;
    QSplitter* m_splitter;
    QList<QAction*> m_actions;
    QAction* m_add {};
    QAction* m_remove {};
    QAction* m_removeAll {};
    QAction* m_bringBack {};
    /// The lines before a removal, and what they were: a set, the usual ones, or the page's own.
    struct LinesBefore {
        QString set;
        bool automatic = false;
        std::vector<std::pair<LineKey, LineStyle>> lines;
    };
    std::vector<LinesBefore> m_removedFrom; // the last one at the end
    QAction* m_properties {};
    QAction* m_highlight {};
    QAction* m_wallClock {};
    QAction* m_reset {};
    QAction* m_defaults {};
    QAction* m_freeze {};
    QAction* m_logarithmic {};
    QAction* m_mark {};
    QAction* m_goToTime {};
    QList<QAction*> m_drags;
    QList<QAction*> m_views; // in the order of ChartView
    QList<QAction*> m_valueRanges;
    std::optional<TimeWindow> m_selection;
    std::shared_ptr<const RunView> m_view;
    RunHeader m_header;
    std::filesystem::path m_recording;
    std::vector<std::string> m_typedDerived; // the user's definitions
    std::shared_ptr<const std::vector<SourceInfo>> m_sources; // that the legend knows, and the next two
    std::shared_ptr<const std::vector<ComputerFacts>> m_computers;
    std::shared_ptr<const std::vector<CounterInfo>> m_derived;
    ChartView m_shownAs = ChartView::lines;
    std::optional<int> m_legendHeight; // that the user gave it, more than which it never has
    bool m_automatic = true; // the lines are the usual ones, until the user changes them
    bool m_choosing = false; // ... and this change is ours
    bool m_setDue = false; // the counter set waits for the sources, which come with the first view
    bool m_held = false; // the chart shows an earlier time of a run that goes on, or went on then
    bool m_used = false; // the page has shown a run
};

} // namespace loadstone::ui
