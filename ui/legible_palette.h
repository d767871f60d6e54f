// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace loadstone::ui {

/// Gives the application's palette a colour for hints ("Search…" in an empty field) where the desktop's own cannot be read: some
/// desktops have a dark palette and leave this one black. GUI thread, once there is an application.
void makeHintsLegible();

} // namespace loadstone::ui
