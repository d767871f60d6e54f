// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace loadstone::ui {

class ComparisonModel;

/// The table of a comparison. A click on a column's head makes it the baseline, dragging the head moves the column; with the keyboard B
/// makes the cell's column the baseline, Ctrl+Left and Ctrl+Right move it, Delete takes it out. Space folds the lines below a heading.
class ComparisonTable : public QTableView {
    Q_OBJECT
public:
    explicit ComparisonTable(ComparisonModel& model, QWidget* parent = nullptr);

    /// Headings and cells with tabs between them, as spreadsheets take them.
    [[nodiscard]] QString asText(bool onlySelected) const;
    void copySelected();
    void copyAll();

signals:
    void baselineWanted(int column); ///< of the comparison
    void moveWanted(int from, int to); ///< likewise
    void removeWanted(int column);
    void currentCellChanged(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void layOut();
    void showHeaderMenu(const QPoint& at);
    void toggle(const QModelIndex& index);

    ComparisonModel& m_model;
    bool m_moving = false; // the section goes back to its place
    int m_laidOut = -1; // columns whose widths were chosen
};

} // namespace loadstone::ui
