// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/host_counters.h"

#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace loadstone::counters {

/// A thread of this process that makes load.
struct LoadThread {
    Subject subject; ///< a worker, or the storage group that it serves
    pid_t id = 0; ///< the kernel's; 0: it does not run yet
};

/// What kept this process from running: \Loadstone Generator(...)\% Run Queue Wait of each load thread and of the one that waited
/// longest, and \Loadstone Generator(_Total)\% Throttled Time. `threads` gives the same subjects each time, and ids once they run; it is
/// called by the thread that samples.
std::unique_ptr<CounterSource> makeGeneratorCounters(
    std::function<std::vector<LoadThread>()> threads, const KernelFolders& folders = {});

} // namespace loadstone::counters
