// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace loadstone::ui {

/// Columns grow with what is written into them, up to `widest` pixels; what a person has made wider stays so. GUI thread.
inline void widenColumns(QTableView& view, int widest = 260)
{
    QHeaderView* header = view.horizontalHeader();
    for (int column = 0; column < header->count(); ++column) {
        if (header->stretchLastSection() && column + 1 == header->count())
            continue;
        const int before = header->sectionSize(column);
        view.resizeColumnToContents(column);
        header->resizeSection(column, std::max(before, std::min(header->sectionSize(column), widest)));
    }
}

} // namespace loadstone::ui
