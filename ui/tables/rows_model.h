// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace loadstone::ui {

/// Sort by this role: numbers as numbers, not as their text.
constexpr int kSortRole = Qt::UserRole;

/// One column of a table of `Row`s. Only `title` and `text` are needed.
template <class Row>
struct Column {
    QString title, tip;
    std::function<QString(const Row&)> text;
    std::function<QVariant(const Row&)> order; ///< a number; makes the column right-aligned. None: by text
    std::function<QVariant(const Row&, int role)> extra; ///< decoration, colours, tool tips
    bool leftAligned = false; ///< in spite of `order`: dates

    [[nodiscard]] int alignment() const
    {
        return static_cast<int>(Qt::AlignVCenter | (order && !leftAligned ? Qt::AlignRight : Qt::AlignLeft));
    }
};

/// A read-only table over a vector of values. Given as many rows as before it reports changed data, given more below
/// the old ones inserted rows, so that selections and scroll positions stay; else a reset.
template <class Row>
class RowsModel : public QAbstractTableModel {
public:
    explicit RowsModel(std::vector<Column<Row>> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent)
        , m_columns(std::move(columns))
    {
    }

    void setRows(std::vector<Row> rows)
    {
        if (rows == m_rows)
            return;
        if (rows.size() == m_rows.size() && !rows.empty()) {
            m_rows = std::move(rows);
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        if (rows.size() > m_rows.size() && !m_rows.empty()
            && std::equal(m_rows.begin(), m_rows.end(), rows.begin())) {
            beginInsertRows({}, rowCount(), static_cast<int>(rows.size()) - 1);
            m_rows = std::move(rows);
            endInsertRows();
            return;
        }
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    void setColumns(std::vector<Column<Row>> columns)
    {
        beginResetModel();
        m_columns = std::move(columns);
        endResetModel();
    }
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const Row& row = m_rows[static_cast<std::size_t>(index.row())];
        const Column<Row>& column = m_columns[static_cast<std::size_t>(index.column())];
        if (role == Qt::DisplayRole)
            return column.text(row);
        if (role == kSortRole)
            return orderOf(column, row);
        if (column.extra)
            if (QVariant value = column.extra(row, role); value.isValid())
                return value;
        if (role == Qt::TextAlignmentRole)
            return column.alignment();
        return {};
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const Column<Row>& column = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return column.title;
        if (role == Qt::ToolTipRole && !column.tip.isEmpty())
            return column.tip;
        if (role == Qt::TextAlignmentRole)
            return column.alignment();
        return {};
    }

private:
    static QVariant orderOf(const Column<Row>& column, const Row& row)
    {
        QVariant value = column.order ? column.order(row) : QVariant(column.text(row));
        // NaN is in no order to anything and would leave all the other rows unsorted.
        const bool missing = value.userType() == QMetaType::Double && std::isnan(value.toDouble());
        return missing ? QVariant() : value;
    }

    std::vector<Column<Row>> m_columns;
    std::vector<Row> m_rows;
};

} // namespace loadstone::ui
