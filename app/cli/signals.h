// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace loadstone::cli {

/// Lets `handler` take SIGINT, SIGTERM and SIGHUP, those aside that are ignored: whoever started the program with nohup
/// meant it. A reader of our output that goes away ends nothing.
void catchSignals(void (*handler)(int));

} // namespace loadstone::cli
