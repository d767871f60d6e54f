// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <QAbstractTableModel>
#include <QColor>

#include <string>
#include <vector>

namespace loadstone::ui {

/// The runs of an overlay: whether each one is shown, and by how much the user has moved it.
class OverlayRunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId { Name, Shift, Remark, ColumnCount };
    struct Run {
        std::string id;
        QString name, remark;
        QColor colour;
        bool shown = true;
        Nanoseconds byHand {};
        bool operator==(const Run&) const = default;
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<Run> runs);
    void setRemarks(const std::vector<QString>& remarks);
    [[nodiscard]] const std::vector<Run>& runs() const { return m_runs; }
    void setShift(int row, Nanoseconds byHand);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void edited(); ///< which runs are shown, or where they lie

private:
    std::vector<Run> m_runs;
};

/// "-1:30", "90", "90 s", "0.5": seconds, or minutes and seconds with a colon; false: it is neither.
bool parseShift(const QString& typed, Nanoseconds& shift);

} // namespace loadstone::ui
