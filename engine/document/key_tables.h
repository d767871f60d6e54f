// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/key_rows.h"
#include "document/lab_keys.h"

#include <loadstone/keys.h>

#include <span>

/// The tables of keys, one for each kind of file. Any thread.
namespace loadstone::document {

std::span<const KeyRow> planKeys();
std::span<const KeyRow> profileKeys();
// labKeys() is in lab_keys.h.

// The pieces of planKeys(), in its order. Paths are complete.
KeyRows headKeys(); ///< at the top
KeyRows targetKeys(); ///< [target], [[targets]]
KeyRows workloadKeys(); ///< [workload], [[workloads]], [rehearsal], [profile]
KeyRows mixKeys(); ///< [mix], [[mixes]], of mail and raw device tests
KeyRows pauseKeys(); ///< think times and pauses: of them, and of [[workloads]]; paths below the table
KeyRows judgementKeys(); ///< [criteria], [queues], [health]
KeyRows counterKeys(); ///< [[counters]], [[derived]]
KeyRows rawTestKeys(); ///< [device], [io]
KeyRows storageTestKeys(); ///< [database], [load], ... [[tests]]

} // namespace loadstone::document
