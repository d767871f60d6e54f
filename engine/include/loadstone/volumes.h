// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace loadstone {

/// A mounted file system of this machine, as a place for test data.
struct LocalVolume {
    std::filesystem::path mount; ///< "/srv"
    std::string device; ///< as the host's disk counters call it: "nvme0n1p2"; else what is mounted
    std::string filesystem; ///< "ext4"
    std::uint64_t size = 0, free = 0; ///< bytes; free: to this user
    /// A folder on it in which this user may make others; empty: none was found.
    std::filesystem::path folder;
    std::string refusal; ///< why it is no place for a test; empty: it is one
    std::string caution; ///< what to know before it is used; empty: nothing
    bool operator==(const LocalVolume&) const = default;
};

/// The file systems that are mounted here, by their mount points; what only the kernel shows (/proc and the like) is left out, and a file
/// system that is mounted again is listed once. Writes nothing. May block where a network file system does not answer. Any thread.
Result<std::vector<LocalVolume>> localVolumes();
/// The same of a text like that of /proc/self/mountinfo, which is not trusted.
std::vector<LocalVolume> volumesIn(const std::string& mountinfo);

} // namespace loadstone
