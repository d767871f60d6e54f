// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace loadstone::ui {

/// The leftmost column of a table a second time, over it, where it stays while the table scrolls sideways under it. Selection and rows
/// are those of the table.
class FrozenColumn : public QTableView {
    Q_OBJECT
public:
    explicit FrozenColumn(QTableView& table);
    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void wheelEvent(QWheelEvent* event) override;

private:
    void place();

    QTableView& m_table;
};

} // namespace loadstone::ui
