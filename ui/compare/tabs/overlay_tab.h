// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_cursors.h"
#include "charts/chart_line.h"
#include "compare/tabs/compare_tab.h"
#include "compare/tabs/overlay_readout.h"
#include "compare/tabs/overlay_source.h"
#include "compare/view/overlay_axis.h"
#include "run/view/run_view.h"
#include "tables/rows_model.h"

class QAction;
class QComboBox;
class QLabel;
class QSplitter;
class QTimer;
class QToolButton;

namespace loadstone::ui {

class CursorStrip;
class DataTable;
class OverlayRunsModel;
class PerformanceChart;

/// Counters of several runs over one time axis, aligned at what the user chooses, with cursors that lie at the same place of all runs.
/// Each run is read on a thread of its own, in bands of smallest and largest values.
class OverlayTab : public CompareTab {
    Q_OBJECT
public:
    explicit OverlayTab(QWidget* parent = nullptr);
    ~OverlayTab() override;

    void show(std::shared_ptr<const CompareView> view) override;
    [[nodiscard]] bool hasPicture() const override { return true; }
    [[nodiscard]] QImage picture() override;
    bool writeSvg(const QString& file) override;
    [[nodiscard]] std::vector<ReportTable> data() const override;
    void saveTo(QSettings& settings) const override;
    void restoreFrom(const QSettings& settings) override;

    [[nodiscard]] PerformanceChart* chart() const { return m_chart; }
    [[nodiscard]] DataTable* readouts() const { return m_readoutTable; }
    [[nodiscard]] OverlayRunsModel* runs() const { return m_runsModel; }
    void setAlign(OverlayAlign align);
    /// As all runs share them, see commonLinesOf().
    void setKeys(std::vector<LineKey> keys);
    [[nodiscard]] const std::vector<LineKey>& keys() const { return m_keys; }
    [[nodiscard]] const OverlayAxis& axis() const { return m_axis; }
    /// Runs whose lines have not come yet.
    [[nodiscard]] int awaited() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    using Source = OverlaySource;
    QWidget* makeBar();
    void makeReadouts();
    void openRuns();
    void chooseUsual();
    void addCounters();
    void align();
    void ask();
    void take(Source& source, std::shared_ptr<const RunView> view);
    void draw();
    void readOut();
    [[nodiscard]] std::vector<ChartLine> makeLines();
    [[nodiscard]] std::vector<Source*> shownSources() const;

    std::shared_ptr<const CompareView> m_view;
    std::vector<std::unique_ptr<Source>> m_sources;
    std::vector<LineKey> m_keys;
    std::vector<QString> m_savedKeys; // of the last session, until there are runs
    OverlayAxis m_axis;
    std::vector<std::pair<const Source*, std::size_t>> m_lineOf; // source and key of each line of the chart
    bool m_visible = false; // nothing is read for what nobody sees
    PerformanceChart* m_chart;
    CursorStrip* m_strip;
    OverlayRunsModel* m_runsModel;
    DataTable *m_runsTable, *m_readoutTable;
    RowsModel<OverlayReadout>* m_readoutRows;
    QComboBox *m_alignment, *m_load, *m_layout;
    QLabel* m_words;
    QAction *m_add, *m_remove;
    QTimer *m_drawing, *m_resting;
    TimeWindow m_read {}; // of the axis; what was last asked for
    QSplitter *m_rows, *m_columns;
};

} // namespace loadstone::ui
