// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/rows_model.h"

#include <QTableView>

#include <algorithm>
#include <functional>

class QMimeData;
class QSettings;
class QSortFilterProxyModel;

namespace loadstone::ui {

/// A table for figures: sortable, rows selected whole, copied with their header as tab-separated text
/// (Ctrl+C, or the whole table from the context menu). Columns fit their content until the user moves them.
class DataTable : public QTableView {
    Q_OBJECT
public:
    explicit DataTable(QWidget* parent = nullptr);

    /// Puts a sorting proxy between; the model stays the caller's.
    void setSource(QAbstractItemModel* model);
    [[nodiscard]] QSortFilterProxyModel* proxy() const { return m_proxy; }
    /// Rows of the source model that are selected, in the order of the screen.
    [[nodiscard]] QList<int> selectedSourceRows() const;
    /// The row of the source model with the focus; -1 without one.
    [[nodiscard]] int currentSourceRow() const;
    /// Chooses it, and it alone, without scrolling there; -1: none.
    void setCurrentSourceRow(int row);

    [[nodiscard]] QString asText(bool onlySelected) const;
    /// The leftmost column stays in sight when the others are scrolled sideways. Once, after setSource().
    void freezeFirstColumn();
    /// No column is made wider than this to fit its content, in pixels.
    void setWidestColumn(int width) { m_widest = width; }
    /// Columns from this one on are hidden until they are chosen in the header's menu, which offers all columns.
    void offerColumns(int firstHidden);
    /// Rows can be dragged away; `dragged`: what of these rows of the source model.
    void setRowDrag(std::function<QMimeData*(const QList<int>& rows)> dragged);
    /// saveColumns() and restoreColumns() keep the order of the rows, too: for lists, in which a person looks for the same things each
    /// time. The figures of another run are in the order of their reports.
    void keepSortOrder() { m_keepsOrder = true; }
    void saveColumns(QSettings& settings, const QString& key) const;
    void restoreColumns(const QSettings& settings, const QString& key);

public slots:
    void copySelected();
    void copyAll();

protected:
    void startDrag(Qt::DropActions actions) override;
    /// Home and End go to the first and last row: rows are chosen whole.
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
    void fitColumns();
    void showColumn(int column, bool shown);
    [[nodiscard]] int headerWidth(int column) const;

    QSortFilterProxyModel* m_proxy;
    int m_widest = 480; // pixels
    bool m_columnsChosen = false; // by the user: now or in an earlier session
    bool m_fitting = false;
    bool m_keepsOrder = false;
    std::function<QMimeData*(const QList<int>& rows)> m_drag;
};

/// Gives the model behind `table` new rows. The focus stays on the row that is the `same`, whatever its number is now;
/// there is none when that row has gone.
template <class Row, class Same = std::equal_to<Row>>
void replaceRows(DataTable& table, RowsModel<Row>& model, std::vector<Row> rows, Same same = {})
{
    int row = table.currentSourceRow();
    if (row < 0)
        return model.setRows(std::move(rows));
    const Row current = model.rows()[static_cast<std::size_t>(row)];
    const auto isCurrent = [&](const Row& r) { return same(r, current); };
    model.setRows(std::move(rows));
    const std::vector<Row>& now = model.rows();
    row = table.currentSourceRow();
    if (row >= 0 && isCurrent(now[static_cast<std::size_t>(row)]))
        return;
    const auto it = std::find_if(now.begin(), now.end(), isCurrent);
    table.setCurrentSourceRow(it == now.end() ? -1 : static_cast<int>(it - now.begin()));
}

} // namespace loadstone::ui
