// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/backup_file.h"

#include "storage/device/transfers.h"

namespace loadstone::storage {
namespace {

constexpr const char* kPurpose = "database backup";

} // namespace

Result<BackupFile> BackupFile::make(
    Device& device, std::filesystem::path path, std::uint64_t size, const GroupOptions& group)
{
    auto claimed = ClaimedFile::claim(path);
    if (!claimed)
        return claimed.error();
    const bool fits = claimed->exists() && claimed->size() == size;
    if (claimed->exists() && !fits) {
        if (const auto removed = claimed->remove(); !removed)
            return removed.error();
        claimed = ClaimedFile::claim(path);
        if (!claimed)
            return claimed.error();
    }
    BackupFile backup(*std::move(claimed));
    FileOptions options = group.files();
    options.durability = Durability::flushed;
    options.owner = backup.m_claimed.identity();
    const Result<FileId> file = fits ? device.open(path, options) : device.create(path, size, options);
    if (!file)
        return file.error();
    backup.m_file = *file;
    if (const auto marked = backup.m_claimed.mark(kPurpose, false); !marked)
        return marked.error();
    return backup;
}

Task<Result<void>> BackupFile::write(Loop& loop, std::uint64_t offset, std::span<std::byte> bytes) const
{
    IoRequest request;
    request.kind = IoKind::write;
    request.ioClass = IoClass::backupWrite;
    request.file = m_file;
    request.data = bytes.data();
    request.offset = offset;
    request.length = static_cast<std::uint32_t>(bytes.size());
    const int error = co_await loop.transfer(request);
    if (error != 0)
        co_return transferError(m_claimed.path().string(), "writing", error);
    co_return Result<void>();
}

Task<Result<void>> BackupFile::finish(Loop& loop)
{
    IoRequest flush;
    flush.kind = IoKind::flush;
    flush.ioClass = IoClass::backupWrite;
    flush.file = m_file;
    const int error = co_await loop.transfer(flush);
    if (error != 0)
        co_return transferError(m_claimed.path().string(), "flushing", error);
    co_return m_claimed.mark(kPurpose, true);
}

} // namespace loadstone::storage
