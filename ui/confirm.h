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

/// The name for a TOML file that is to be written, with ".toml" where none was typed; what exists is replaced only after a question. Empty:
/// nothing is to be written.
QString askTomlFile(QWidget* parent, const QString& title, const QString& suggested, const QString& filter);
/// The name that was typed, with its ending; asks before a file is replaced of which the dialog did not know. Empty as above.
QString withTomlEnding(QWidget* parent, const QString& title, const QString& typed);

} // namespace loadstone::ui
