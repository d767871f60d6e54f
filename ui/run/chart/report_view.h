// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace loadstone::ui {

class LegendModel;

/// The chart's lines as numbers that are legible from afar: last, average, minimum and maximum of each shown line over the statistics
/// window, as PerfMon's report. It shares its selection with the legend.
class ReportView : public QTableView {
    Q_OBJECT
public:
    ReportView(LegendModel* model, QItemSelectionModel* selection, QWidget* parent = nullptr);
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

private:
    void hideRows();

    LegendModel* m_model;
};

} // namespace loadstone::ui
