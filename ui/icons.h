// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace loadstone::ui {

/// One of resources/icons by its name without ".svg". Drawn in the palette's own ink at every size, so that
/// it is sharp on any display and legible on light and dark; colours other than black in the picture stay as
/// they are.
QIcon icon(const QString& name);

} // namespace loadstone::ui
