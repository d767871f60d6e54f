// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/run_header.h>

#include <QString>

#include <vector>

class QMimeData;

namespace loadstone::ui {

/// Runs of the history that are dragged to another page.
inline const QString kRunsMimeType = QStringLiteral("application/x-loadstone-runs");
QMimeData* dragOf(const std::vector<RunId>& runs);
/// Empty: it has none. What came from elsewhere is checked.
std::vector<RunId> runsOf(const QMimeData& data);

} // namespace loadstone::ui
