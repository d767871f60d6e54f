// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/run/worker.h"

namespace loadstone::mail {

/// Carries out `first` on the worker's thread, and then whatever the worker has for it to go on with.
Task<void> playActions(Worker& worker, Action first);

/// The user of `action.mailbox` ends an IDLE that has lasted long, and begins another one; no action of the load.
Task<void> renewIdle(WorkerContext& context, Action action);

} // namespace loadstone::mail
