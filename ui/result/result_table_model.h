// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "result/result_model.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace loadstone::ui {

/// One table of a published result as a grid: what each row is of, then the numbers as printed. A change is written into the document.
class ResultTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// The columns in front of the cells.
    enum Place { Figure, System, Load, Mix, Source, PlaceCount };

    explicit ResultTableModel(ResultModel& model, QObject* parent = nullptr);

    void setTable(int table); ///< index; -1: none
    [[nodiscard]] int table() const { return m_table; }
    [[nodiscard]] int cellColumns() const { return static_cast<int>(m_columns.size()); }
    [[nodiscard]] const QStringList& columnNames() const { return m_columns; }

    /// Cells in lines of tabs, commas or semicolons, as spreadsheets and reports have them, written from a cell on; rows that are
    /// lacking are added. One step of undo.
    bool paste(const QModelIndex& at, const QString& lines);
    bool addRow();
    bool removeRow(int row);
    bool addColumn(const QString& name);
    bool renameColumn(int cell, const QString& name);
    bool removeColumn(int cell);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        std::array<QString, PlaceCount> places;
        QStringList cells;
        bool operator==(const Row&) const = default;
    };
    void follow();
    [[nodiscard]] std::string tablePath() const;
    [[nodiscard]] std::string pathOf(int row, int column) const;
    bool writeCells(Document& document, int row, const QStringList& cells, std::string& problem) const;

    ResultModel& m_model;
    int m_table = -1;
    QStringList m_columns;
    std::vector<Row> m_rows;
};

/// Lines of cells apart: by tabs where there are any, else by semicolons or commas that are not within quotes or numbers.
std::vector<QStringList> cellsOf(const QString& lines);

} // namespace loadstone::ui
