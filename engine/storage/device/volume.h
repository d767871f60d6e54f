// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace loadstone::storage {

/// What a path for test data lies on, before anything is written there.
struct Volume {
    std::string name; ///< as the host's disk counters call it ("nvme0n1p2"), else the mount's folder
    std::uint64_t device = 0; ///< st_dev of what lies there
    std::uint64_t bytesFree = 0; ///< to this user; of a block device all that it has
    bool isBlockDevice = false; ///< the path itself is one
    std::string shared; ///< "NFS", "SMB", ...: a network or a program stands between; empty: neither
    bool inMemory = false; ///< tmpfs: nothing there outlives a restart
};

constexpr std::uint64_t kSpare = std::uint64_t { 64 } << 20; ///< bytes that tests leave to others on a volume

/// An Error: the folder of `path` is not there.
Result<Volume> volumeOf(const std::filesystem::path& path);

} // namespace loadstone::storage
