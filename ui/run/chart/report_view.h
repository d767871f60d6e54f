// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_picture.h"

#include <QTableView>

namespace loadstone::ui {

class LegendModel;

/// The chart's lines as numbers that are legible from afar: last, average, minimum and maximum of each shown line over the statistics
/// window, as PerfMon's report. It shares its selection with the legend.
class ReportView : public QTableView, public PictureBody {
    Q_OBJECT
public:
    ReportView(LegendModel* model, QItemSelectionModel* selection, QWidget* parent = nullptr);
    /// The numbers are those of a picture's legend.
    [[nodiscard]] int pictureHeight() const override { return 0; }
    void paintPicture(QPainter& /*painter*/, const QRect& /*area*/) const override { }
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

private:
    void hideRows();

    LegendModel* m_model;
};

} // namespace loadstone::ui
