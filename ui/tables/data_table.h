// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

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

    [[nodiscard]] QString asText(bool onlySelected) const;
    void saveColumns(QSettings& settings, const QString& key) const;
    void restoreColumns(const QSettings& settings, const QString& key);

public slots:
    void copySelected();
    void copyAll();

private:
    void fitColumns();
    [[nodiscard]] int headerWidth(int column) const;

    QSortFilterProxyModel* m_proxy;
    bool m_columnsChosen = false; // by the user: now or in an earlier session
    bool m_fitting = false;
};

} // namespace loadstone::ui
