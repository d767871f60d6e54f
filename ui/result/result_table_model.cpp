// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "result/result_table_model.h"

#include "format.h"

#include <QColor>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr qsizetype kMostPasted = 1'000'000; // characters
constexpr const char* kPlaces[] = { "figure", "system", "load", "mix", "source" };

std::string arrayOf(const QStringList& texts)
{
    std::string all = "[";
    for (qsizetype i = 0; i < texts.size(); ++i)
        all += (i == 0 ? "" : ", ") + tomlText(bytes(texts[i]));
    return all + "]";
}

QStringList splitQuoted(const QString& line, QChar between)
{
    QStringList cells;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (c == QLatin1Char('"')) {
            if (quoted && i + 1 < line.size() && line[i + 1] == QLatin1Char('"')) {
                cell += c;
                ++i;
            } else {
                quoted = !quoted;
            }
        } else if (c == between && !quoted) {
            cells.append(cell.trimmed());
            cell.clear();
        } else {
            cell += c;
        }
    }
    cells.append(cell.trimmed());
    return cells;
}

} // namespace

std::vector<QStringList> cellsOf(const QString& lines)
{
    std::vector<QStringList> all;
    QString text = lines.left(kMostPasted);
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).replace(QLatin1Char('\r'), QLatin1Char('\n'));
    while (text.endsWith(QLatin1Char('\n')))
        text.chop(1);
    // A comma may stand between thousands: it divides only where a line has quotes, and neither tabs nor semicolons.
    const QChar between = text.contains(QLatin1Char('\t')) ? QLatin1Char('\t')
        : text.contains(QLatin1Char(';'))                  ? QLatin1Char(';')
        : text.contains(QLatin1Char('"'))                  ? QLatin1Char(',')
                                                           : QLatin1Char('\t');
    for (const QString& line : text.split(QLatin1Char('\n')))
        all.push_back(splitQuoted(line, between));
    return all;
}

ResultTableModel::ResultTableModel(ResultModel& model, QObject* parent)
    : QAbstractTableModel(parent)
    , m_model(model)
{
    connect(&m_model, &ResultModel::changed, this, &ResultTableModel::follow);
}

std::string ResultTableModel::tablePath() const
{
    return "table[" + std::to_string(m_table) + "]";
}

std::string ResultTableModel::pathOf(int row, int column) const
{
    const std::string path = tablePath() + ".rows[" + std::to_string(row) + "].";
    return column < PlaceCount ? path + kPlaces[column]
                               : path + "cells[" + std::to_string(column - PlaceCount) + "]";
}

void ResultTableModel::setTable(int table)
{
    m_table = table;
    beginResetModel();
    m_rows.clear();
    m_columns.clear();
    endResetModel();
    follow();
}

void ResultTableModel::follow()
{
    const Document& document = m_model.document();
    QStringList columns;
    std::vector<Row> rows;
    if (m_table >= 0 && static_cast<std::size_t>(m_table) < document.size("table")) {
        const std::string table = tablePath();
        for (std::size_t i = 0; i < document.size(table + ".columns"); ++i)
            columns.append(
                text(document.getText(table + ".columns[" + std::to_string(i) + "]").value_or("")));
        for (std::size_t r = 0; r < document.size(table + ".rows"); ++r) {
            Row row;
            const std::string path = table + ".rows[" + std::to_string(r) + "].";
            for (int place = 0; place < PlaceCount; ++place)
                row.places[static_cast<std::size_t>(place)] =
                    text(document.getText(path + kPlaces[place]).value_or(""));
            for (std::size_t c = 0; c < document.size(path + "cells"); ++c)
                row.cells.append(
                    text(document.getText(path + "cells[" + std::to_string(c) + "]").value_or("")));
            rows.push_back(std::move(row));
        }
    }
    if (columns == m_columns && rows.size() == m_rows.size()) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    endResetModel();
}

bool ResultTableModel::writeCells(
    Document& document, int row, const QStringList& cells, std::string& problem) const
{
    const auto done = document.set(tablePath() + ".rows[" + std::to_string(row) + "].cells", arrayOf(cells));
    if (!done)
        problem = done.error().message;
    return done.has_value();
}

bool ResultTableModel::paste(const QModelIndex& at, const QString& lines)
{
    const std::vector<QStringList> pasted = cellsOf(lines);
    const int fromRow = at.isValid() ? at.row() : rowCount(),
              fromColumn = at.isValid() ? at.column() : static_cast<int>(PlaceCount);
    const int columns = columnCount();
    const std::vector<Row> before = m_rows;
    const std::string table = tablePath();
    return m_model.edit([&](Document& document) -> Result<void> {
        return document.change("paste", [&](Document& edited) -> Result<void> {
            for (std::size_t i = 0; i < pasted.size(); ++i) {
                const int row = fromRow + static_cast<int>(i);
                Row now = static_cast<std::size_t>(row) < before.size()
                    ? before[static_cast<std::size_t>(row)]
                    : Row {};
                while (now.cells.size() < cellColumns())
                    now.cells.append(QString());
                if (static_cast<std::size_t>(row) >= before.size())
                    if (const auto added = edited.append(table + ".rows", "cells = " + arrayOf(now.cells));
                        !added)
                        return added.error();
                bool anyCell = false;
                for (int c = 0; c < pasted[i].size() && fromColumn + c < columns; ++c) {
                    const int column = fromColumn + c;
                    if (column >= PlaceCount) {
                        now.cells[column - PlaceCount] = pasted[i][c];
                        anyCell = true;
                    } else if (!pasted[i][c].isEmpty()) {
                        if (const auto set = edited.setText(pathOf(row, column), bytes(pasted[i][c])); !set)
                            return set.error();
                    }
                }
                std::string problem;
                if (anyCell && !writeCells(edited, row, now.cells, problem))
                    return fail(problem);
            }
            return {};
        });
    });
}

bool ResultTableModel::addRow()
{
    QStringList cells;
    for (int i = 0; i < cellColumns(); ++i)
        cells.append(QString());
    return m_table >= 0 && m_model.edit([&](Document& document) {
        return document.append(tablePath() + ".rows", "cells = " + arrayOf(cells));
    });
}

bool ResultTableModel::removeRow(int row)
{
    return row >= 0 && row < rowCount() && m_model.edit([&](Document& document) {
        return document.remove(tablePath() + ".rows", static_cast<std::size_t>(row));
    });
}

bool ResultTableModel::addColumn(const QString& name)
{
    QStringList columns = m_columns;
    columns.append(name);
    return m_table >= 0 && m_model.edit([&](Document& document) -> Result<void> {
        return document.change("add a column", [&](Document& edited) -> Result<void> {
            if (const auto done = edited.set(tablePath() + ".columns", arrayOf(columns)); !done)
                return done.error();
            for (int row = 0; row < rowCount(); ++row) {
                QStringList cells = m_rows[static_cast<std::size_t>(row)].cells;
                while (cells.size() < columns.size())
                    cells.append(QString());
                std::string problem;
                if (!writeCells(edited, row, cells, problem))
                    return fail(problem);
            }
            return {};
        });
    });
}

bool ResultTableModel::renameColumn(int cell, const QString& name)
{
    QStringList columns = m_columns;
    if (cell < 0 || cell >= columns.size())
        return false;
    columns[cell] = name;
    return m_model.edit(
        [&](Document& document) { return document.set(tablePath() + ".columns", arrayOf(columns)); });
}

bool ResultTableModel::removeColumn(int cell)
{
    QStringList columns = m_columns;
    if (cell < 0 || cell >= columns.size() || columns.size() == 1)
        return false;
    columns.removeAt(cell);
    return m_model.edit([&](Document& document) -> Result<void> {
        return document.change("remove a column", [&](Document& edited) -> Result<void> {
            if (const auto done = edited.set(tablePath() + ".columns", arrayOf(columns)); !done)
                return done.error();
            for (int row = 0; row < rowCount(); ++row) {
                QStringList cells = m_rows[static_cast<std::size_t>(row)].cells;
                if (cell < cells.size())
                    cells.removeAt(cell);
                std::string problem;
                if (!writeCells(edited, row, cells, problem))
                    return fail(problem);
            }
            return {};
        });
    });
}

int ResultTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ResultTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(PlaceCount) + static_cast<int>(m_columns.size());
}

QVariant ResultTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::EditRole) {
        if (index.column() < PlaceCount)
            return row.places[static_cast<std::size_t>(index.column())];
        const int cell = index.column() - PlaceCount;
        return cell < row.cells.size() ? row.cells[cell] : QString();
    }
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (index.column() < PlaceCount ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const std::string path = pathOf(index.row(), index.column());
    for (const Problem& problem : m_model.problems())
        if (problem.field == path) {
            if (role == Qt::ToolTipRole)
                return text(
                    problem.remedy.empty() ? problem.message : problem.message + "; " + problem.remedy);
            if (role == Qt::ForegroundRole)
                return QGuiApplication::palette().color(QPalette::Base).lightness() < 128
                    ? QColor(0xff, 0xa0, 0x8c)
                    : QColor(0xb0, 0x3a, 0x1e);
        }
    return {};
}

bool ResultTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    if (index.column() < PlaceCount)
        return m_model.setValue(pathOf(index.row(), index.column()), value.toString());
    QStringList cells = m_rows[static_cast<std::size_t>(index.row())].cells;
    while (cells.size() < cellColumns())
        cells.append(QString());
    const QString words = value.toString().trimmed();
    if (cells[index.column() - PlaceCount] == words)
        return true;
    cells[index.column() - PlaceCount] = words;
    return m_model.edit([&](Document& document) -> Result<void> {
        std::string problem;
        return writeCells(document, index.row(), cells, problem) ? Result<void>()
                                                                 : Result<void>(fail(problem));
    });
}

QVariant ResultTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (section < 0 || section >= columnCount())
        return {};
    if (role == Qt::DisplayRole) {
        static const QStringList places { tr("Figure"), tr("System"), tr("Load"), tr("Mix"), tr("Source") };
        return section < PlaceCount ? places[section] : m_columns[section - PlaceCount];
    }
    if (role == Qt::ToolTipRole)
        return section < PlaceCount
            ? tr("Where the column does not say it, or differently in this row")
            : tr(
                "The id of a system, of a figure, or of both: \"ex1: processor\"; a double click renames it");
    return {};
}

Qt::ItemFlags ResultTableModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (m_model.isEditable())
        flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace loadstone::ui
