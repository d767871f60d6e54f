// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host_counters.h"

namespace loadstone::counters {

// The parts of the host's counters, each a source of its own; they may have no counters at all.
std::unique_ptr<CounterSource> makeProcessorCounters(const KernelFolders& folders);
std::unique_ptr<CounterSource> makeMemoryCounters(const KernelFolders& folders);
std::unique_ptr<CounterSource> makeDiskCounters(const KernelFolders& folders);
std::unique_ptr<CounterSource> makeNetworkCounters(const KernelFolders& folders);
std::unique_ptr<CounterSource> makePressureCounters(const KernelFolders& folders);

} // namespace loadstone::counters
