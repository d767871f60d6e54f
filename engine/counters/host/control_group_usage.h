// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/host/host_part.h"

namespace loadstone::counters {

/// The files that makeControlGroupUsage() needs. `groups`: paths below the root of the control groups, as "system.slice/x.service".
KernelRequest controlGroupFiles(const std::vector<std::string>& groups);
/// \Control Group(path)\…: processor time, memory and bytes of I/O of control groups, version 1 or 2, which are looked for where
/// systemd mounts them: below /sys/fs/cgroup.
std::unique_ptr<HostPart> makeControlGroupUsage(const std::vector<std::string>& groups);

} // namespace loadstone::counters
