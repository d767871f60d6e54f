// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace loadstone::ui {

/// What is seen of a table as tab-separated lines, with the headings first: all rows, or those that are selected.
QString rowsAsText(const QTableView& table, bool onlySelected);
/// Ctrl+C copies the selected rows, and not the current cell alone.
void copyRows(QTableView& table);

} // namespace loadstone::ui
