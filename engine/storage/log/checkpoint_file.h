// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/aligned_memory.h"
#include "storage/device/loop.h"
#include "storage/log/log_format.h"

#include <filesystem>
#include <string>

namespace loadstone::storage {

/// Where recovery begins, and what it has to know of its group. Written alternately to two blocks of a small file: one of
/// them is always whole.
struct Checkpoint {
    std::uint64_t hash = 0; ///< of the rest of its block
    char magic[8] {};
    std::uint64_t sequence = 0; ///< the higher one of the two blocks is valid
    LogPosition position = 0; ///< every change whose records are before is on the disk
    std::uint64_t fileSize = 0; ///< of a log file
    std::uint32_t segment = 0; ///< of the log
    std::uint32_t signature = 0; ///< of the storage group
    std::uint32_t epoch = 0; ///< of the life that wrote this: the newest one
    std::uint32_t positionEpoch = 0; ///< the log from `position` on was written in this epoch or later ones
    std::uint32_t pageSize = 0;
    std::uint32_t databases = 0;
    std::uint32_t clean = 0; ///< 1: the group was closed, and nothing has changed since
    std::uint32_t reserved = 0;
    [[nodiscard]] LogGeometry geometry() const noexcept { return { segment, fileSize }; }
};

class CheckpointFile {
public:
    static constexpr std::size_t kBlock = 4096;
    /// In an open file of two blocks.
    CheckpointFile(Loop& loop, FileId file, std::string path, Durability durability);

    /// Reads the valid one; an Error where neither is.
    Task<Result<Checkpoint>> read();
    /// Writes it over the older one. Fills in magic and sequence.
    Task<Result<void>> write(Checkpoint checkpoint);

private:
    Loop& m_loop;
    FileId m_file;
    std::string m_path;
    Durability m_durability;
    AlignedMemory m_block;
    std::uint64_t m_sequence = 0;
};

} // namespace loadstone::storage
