// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_folder.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace loadstone::ui {

namespace {
const QString kKept = QStringLiteral("export/folder");
}

QString exportFolder()
{
    // A dialog that is given a folder that is not there opens where the last one was, such as among the shipped plans.
    for (const QString& folder : { QSettings().value(kKept).toString(),
             QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) })
        if (!folder.isEmpty() && QFileInfo(folder).isDir())
            return folder;
    return QDir::homePath();
}

void keepExportFolder(const QString& file)
{
    QSettings().setValue(kKept, QFileInfo(file).path());
}

} // namespace loadstone::ui
