// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/run/worker.h"

namespace loadstone::mail {

/// Carries out `action` on the worker's thread, and then whatever the worker has for it to go on with.
Task<void> playActions(Worker& worker, std::optional<Appointment> action);

/// The user of a mailbox ends an IDLE that has lasted long, and begins another one; no action of the load.
Task<void> renewIdle(WorkerContext& context, std::uint32_t mailbox);

} // namespace loadstone::mail
