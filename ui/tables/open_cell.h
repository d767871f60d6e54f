// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace loadstone::ui {

/// Where somebody types in a cell of a table or tree within this widget: takes what was typed into the model, and ends the editing.
void closeOpenCell(const QWidget& within);

} // namespace loadstone::ui
