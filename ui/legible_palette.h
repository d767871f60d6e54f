// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace loadstone::ui {

/// Gives the application's palette colours for hints ("Search…" in an empty field) and links where the desktop's own cannot be read:
/// some desktops have a dark palette and leave hints black and links dark blue. GUI thread, once there is an application.
void makeHintsLegible();

} // namespace loadstone::ui
