// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace loadstone::ui {

/// Where files were exported to last; before that the user's documents, or the home folder where there are none.
QString exportFolder();
/// The next export begins beside this file.
void keepExportFolder(const QString& file);

} // namespace loadstone::ui
