// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/recent_labs.h"

#include "format.h"

#include <QFileInfo>
#include <QSettings>

namespace loadstone::ui {

namespace {
const QString kRecent = QStringLiteral("lab/recent");
constexpr int kMostRecent = 8;
}

QStringList recentLabs()
{
    return QSettings().value(kRecent).toStringList();
}

void rememberLab(const std::filesystem::path& file)
{
    QStringList recent = recentLabs();
    const QString name = QFileInfo(text(file.string())).absoluteFilePath();
    recent.removeAll(name);
    recent.prepend(name);
    QSettings().setValue(kRecent, recent.mid(0, kMostRecent));
}

} // namespace loadstone::ui
