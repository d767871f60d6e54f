// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace loadstone::cli {

/// Notes from now on each SIGINT, SIGTERM and SIGHUP that asks for the end, those aside that are ignored: whoever started the
/// program with nohup meant it. A reader of our output that goes away ends nothing.
void catchSignals();

/// The number of the last one; 0: none came.
int stopSignal();
/// How often it was asked for.
int stopRequests();

} // namespace loadstone::cli
