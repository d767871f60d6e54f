// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/counter_source.h"

#include <filesystem>
#include <memory>

namespace loadstone::counters {

/// Where the kernel's files are; tests have their own.
struct KernelFolders {
    std::filesystem::path proc = "/proc", sys = "/sys";
};

/// The counters of this machine, from procfs and sysfs under PerfMon's names: processors, memory, disks,
/// network, TCP and stall times. What the kernel does not offer is left out; at most 64 processors, 32 disks
/// and 32 interfaces.
std::unique_ptr<CounterSource> makeHostCounters(const KernelFolders& folders = {});

} // namespace loadstone::counters
