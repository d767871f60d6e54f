// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/file_mark.h"
#include "storage/device/loop.h"
#include "storage/store/storage_group.h"

namespace loadstone::storage {

/// The copy of a database that a backup makes. It goes over an earlier one, but over nothing that is not Loadstone's.
class BackupFile {
public:
    /// `size`: of the database, bytes. The space is reserved. `group`: whose database it is.
    static Result<BackupFile> make(
        Device& device, std::filesystem::path path, std::uint64_t size, const GroupOptions& group);
    /// `bytes` live until it returns.
    Task<Result<void>> write(Loop& loop, std::uint64_t offset, std::span<std::byte> bytes) const;
    /// All is durable, and says so in its mark.
    Task<Result<void>> finish(Loop& loop);
    void close(Device& device) const { device.close(m_file); }

private:
    explicit BackupFile(ClaimedFile claimed)
        : m_claimed(std::move(claimed))
    {
    }
    ClaimedFile m_claimed;
    FileId m_file = 0;
};

} // namespace loadstone::storage
