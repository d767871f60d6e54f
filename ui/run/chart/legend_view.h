// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace loadstone::ui {

class LegendModel;

/// The legend below the chart: colours as swatches, the scale as a choice, properties by double click.
class LegendView : public QTableView {
    Q_OBJECT
public:
    explicit LegendView(LegendModel* model, QWidget* parent = nullptr);

    [[nodiscard]] QList<int> selectedRows() const;
    [[nodiscard]] int currentRow() const { return currentIndex().row(); }
    /// Colour, width, scale and threshold of a row's line, in a dialog.
    void editProperties(int row);

signals:
    void currentRowChanged(int row);

private:
    LegendModel* m_model;
};

} // namespace loadstone::ui
