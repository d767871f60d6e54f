// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "confirm.h"

#include "format.h"

#include <QFileDialog>
#include <QFileInfo>

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

QString withTomlEnding(QWidget* parent, const QString& title, const QString& typed)
{
    if (typed.isEmpty() || !QFileInfo(typed).suffix().isEmpty())
        return typed;
    const QString named = typed + QStringLiteral(".toml");
    const bool replaces = QFileInfo::exists(named);
    return !replaces || confirmLoss(parent, title, translated("%1 exists. Replace it?").arg(named))
        ? named
        : QString();
}

QString askTomlFile(QWidget* parent, const QString& title, const QString& suggested, const QString& filter)
{
    return withTomlEnding(parent, title, QFileDialog::getSaveFileName(parent, title, suggested, filter));
}

} // namespace loadstone::ui
