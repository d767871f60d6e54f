// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/overlay_runs_model.h"

#include "format.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

bool parseShift(const QString& typed, Nanoseconds& shift)
{
    static const QRegularExpression form(
        QStringLiteral("^([+-]?)(?:(\\d{1,4}):)?(?:(\\d{1,2}):)?(\\d{1,7}(?:\\.\\d{1,3})?)\\s*s?$"));
    const QRegularExpressionMatch match = form.match(typed.trimmed());
    if (!match.hasMatch())
        return false;
    const QString first = match.captured(2), second = match.captured(3);
    double amount = match.captured(4).toDouble();
    if (!first.isEmpty() && second.isEmpty())
        amount += first.toDouble() * 60;
    else if (!first.isEmpty())
        amount += first.toDouble() * 3600 + second.toDouble() * 60;
    if (amount > 366 * 86400.0)
        return false;
    shift = Nanoseconds(std::llround((match.captured(1) == QLatin1String("-") ? -amount : amount) * 1e9));
    return true;
}

void OverlayRunsModel::setRuns(std::vector<Run> runs)
{
    if (runs == m_runs)
        return;
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

void OverlayRunsModel::setRemarks(const std::vector<QString>& remarks)
{
    for (std::size_t i = 0; i < std::min(remarks.size(), m_runs.size()); ++i)
        if (m_runs[i].remark != remarks[i]) {
            m_runs[i].remark = remarks[i];
            emit dataChanged(index(static_cast<int>(i), Remark), index(static_cast<int>(i), Remark));
        }
}

void OverlayRunsModel::setShift(int row, Nanoseconds byHand)
{
    if (row < 0 || row >= rowCount() || m_runs[static_cast<std::size_t>(row)].byHand == byHand)
        return;
    m_runs[static_cast<std::size_t>(row)].byHand = byHand;
    emit dataChanged(index(row, Shift), index(row, Shift));
    emit edited();
}

int OverlayRunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int OverlayRunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OverlayRunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Run& run = m_runs[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        switch (index.column()) {
        case Name:
            return run.name;
        case Shift:
            return formatElapsedExact(run.byHand);
        default:
            return run.remark;
        }
    if (role == Qt::CheckStateRole && index.column() == Name)
        return run.shown ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::DecorationRole && index.column() == Name)
        return run.colour;
    if (role == Qt::TextAlignmentRole && index.column() == Shift)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return index.column() == Shift ? tr("By how much the run is moved, in seconds or m:ss; Ctrl+Left and "
                                            "Ctrl+Right move it by a second")
                                       : run.name;
    return {};
}

bool OverlayRunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    Run& run = m_runs[static_cast<std::size_t>(index.row())];
    if (role == Qt::CheckStateRole && index.column() == Name) {
        run.shown = value.toInt() == Qt::Checked;
        emit dataChanged(index, index);
        emit edited();
        return true;
    }
    Nanoseconds shift {};
    if (role != Qt::EditRole || index.column() != Shift || !parseShift(value.toString(), shift))
        return false;
    setShift(index.row(), shift);
    return true;
}

QVariant OverlayRunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Run");
    case Shift:
        return tr("Moved by");
    default:
        return tr("Remark");
    }
}

Qt::ItemFlags OverlayRunsModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == Name)
        flags |= Qt::ItemIsUserCheckable;
    if (index.column() == Shift)
        flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace loadstone::ui
