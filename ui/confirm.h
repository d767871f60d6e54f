// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace loadstone::ui {

/// Asks before something is lost; true: go on. Enter and Esc choose Cancel. `goOn` is the button's name.
bool confirmLoss(QWidget* parent, const QString& title, const QString& question,
    QMessageBox::StandardButton goOn = QMessageBox::Yes);

/// What becomes of a file that another program has written since it was read.
enum class ConflictAnswer { cancel, overwrite, saveAs };
/// Enter and Esc choose Cancel.
ConflictAnswer askConflict(QWidget* parent, const QString& title, const QString& words);

} // namespace loadstone::ui
