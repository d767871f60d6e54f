// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/tabs/compare_tab.h"

#include <loadstone/quantile_shift.h>

#include <atomic>

class QComboBox;
class QLabel;

namespace loadstone::ui {

class CurveChart;
class HistoryStore;
class PointsTable;

/// By how much each percentile of a latency differs from the baseline, from its histograms, computed on the store's thread while the tab
/// is in sight.
class QuantileTab : public CompareTab {
    Q_OBJECT
public:
    explicit QuantileTab(HistoryStore& store, QWidget* parent = nullptr);
    ~QuantileTab() override;

    void show(std::shared_ptr<const CompareView> view) override;
    [[nodiscard]] bool hasPicture() const override { return true; }
    [[nodiscard]] QImage picture() override;
    bool writeSvg(const QString& file) override;
    [[nodiscard]] std::vector<ReportTable> data() const override { return { m_points }; }
    [[nodiscard]] CurveChart* chart() const { return m_chart; }
    [[nodiscard]] QComboBox* latencies() const { return m_latency; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Answer;
    void ask();
    void take(const Answer& answer);
    void draw();

    HistoryStore& m_store;
    std::shared_ptr<const CompareView> m_view;
    std::shared_ptr<const Answer> m_answer;
    std::shared_ptr<std::atomic<bool>> m_stop;
    bool m_visible = false, m_due = false;
    QString m_wanted; // the latency that the user chose, by its name
    ReportTable m_points;
    QComboBox *m_latency, *m_mix, *m_as;
    QLabel* m_words;
    CurveChart* m_chart;
    PointsTable* m_table;
};

} // namespace loadstone::ui
