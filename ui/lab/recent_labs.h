// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <filesystem>

namespace loadstone::ui {

/// The files of labs that were opened, saved or chosen last, the latest first; some may have gone since.
QStringList recentLabs();
void rememberLab(const std::filesystem::path& file);

} // namespace loadstone::ui
