// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace loadstone::ui {

/// What published reports used for a key, with title, publisher and date: one sentence; empty: nothing is known.
QString publishedValue(const std::string& path);
/// The words about a field, which end with its path in brackets, with what published reports used.
QString withPublished(const QString& about);

} // namespace loadstone::ui
