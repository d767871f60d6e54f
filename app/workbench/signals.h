// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

/// Calls `asked` in the GUI thread when the system asks the program to end: SIGINT, SIGTERM, SIGHUP. The same signal
/// once more ends it at once. A closed pipe or connection is an error of the write and no reason to die. For the
/// program's whole life; call it once.
void onSignalToEnd(QObject* receiver, std::function<void()> asked);
