// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "confirm.h"

#include "format.h"

namespace loadstone::ui {

bool confirmLoss(
    QWidget* parent, const QString& title, const QString& question, QMessageBox::StandardButton goOn)
{
    return QMessageBox::question(parent, title, question, goOn | QMessageBox::Cancel, QMessageBox::Cancel)
        == goOn;
}

ConflictAnswer askConflict(QWidget* parent, const QString& title, const QString& words)
{
    QMessageBox box(QMessageBox::Warning, title, words, QMessageBox::Cancel, parent);
    box.setInformativeText(translated("Overwrite replaces what is in the file. Save as keeps both."));
    const auto* over = box.addButton(translated("&Overwrite"), QMessageBox::DestructiveRole);
    const auto* other = box.addButton(translated("Save &as…"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == over ? ConflictAnswer::overwrite
        : box.clickedButton() == other ? ConflictAnswer::saveAs
                                       : ConflictAnswer::cancel;
}

} // namespace loadstone::ui
