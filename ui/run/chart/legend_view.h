// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace loadstone::ui {

class LegendModel;

/// The legend below the chart: colours as swatches, the scale as a choice, properties by double click. While it has the focus the
/// arrow keys walk the lines.
class LegendView : public QTableView {
    Q_OBJECT
public:
    explicit LegendView(LegendModel* model, QWidget* parent = nullptr);

    [[nodiscard]] QList<int> selectedRows() const;
    [[nodiscard]] int currentRow() const { return currentIndex().row(); }
    /// Selects the row alone and scrolls to it.
    void choose(int row);
    /// Colour, width, style, scale and limit of the rows' lines, in a dialog.
    void editProperties(const QList<int>& rows);
    /// The columns of values at the chart's cursors.
    void showCursors(bool first, bool second);
    /// With all rows and the heading; a legend without rows has room for a sentence.
    [[nodiscard]] int wholeHeight() const;
    [[nodiscard]] int heightOfWholeRows(int height) const; ///< at most `height` pixels, but one row

signals:
    void currentRowChanged(int row);
    void focusChanged();

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    LegendModel* m_model;
};

} // namespace loadstone::ui
