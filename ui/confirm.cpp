// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "confirm.h"

namespace loadstone::ui {

bool confirmLoss(
    QWidget* parent, const QString& title, const QString& question, QMessageBox::StandardButton goOn)
{
    return QMessageBox::question(parent, title, question, goOn | QMessageBox::Cancel, QMessageBox::Cancel)
        == goOn;
}

} // namespace loadstone::ui
