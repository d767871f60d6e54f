// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/counter_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace loadstone::counters {

/// A process to watch and the name it gets as a counter instance ("loadstone", "dovecot").
struct WatchedProcess {
    pid_t pid = 0;
    std::string instance;
};

/// \Process(instance)\… of each of `processes`: processor time, memory, file descriptors, threads. A process
/// that is gone reads as missing, even when its number is given to another.
std::unique_ptr<CounterSource> makeProcessCounters(
    const std::vector<WatchedProcess>& processes, const std::filesystem::path& proc = "/proc");

} // namespace loadstone::counters
