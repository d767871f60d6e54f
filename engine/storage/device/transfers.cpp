// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/device/transfers.h"

#include <fmt/format.h>

#include <system_error>

namespace loadstone::storage {

Error transferError(const std::string& path, const char* what, int error)
{
    return fail(fmt::format("{}: {} failed: {}", path, what, std::generic_category().message(error)),
        { error, boost::system::generic_category() });
}

Task<Result<void>> readAt(Loop& loop, FileId file, std::uint64_t offset, std::span<std::byte> into,
    IoClass ioClass, std::string path)
{
    IoRequest request;
    request.ioClass = ioClass;
    request.file = file;
    request.data = into.data();
    request.offset = offset;
    request.length = static_cast<std::uint32_t>(into.size());
    const int error = co_await loop.transfer(request);
    if (error != 0)
        co_return transferError(path, "reading", error);
    co_return Result<void>();
}

Task<Result<void>> writeAt(Loop& loop, FileId file, std::uint64_t offset, std::span<std::byte> from,
    IoClass ioClass, std::string path, Durability durability)
{
    IoRequest request;
    request.kind = IoKind::write;
    request.ioClass = ioClass;
    request.file = file;
    request.data = from.data();
    request.offset = offset;
    request.length = static_cast<std::uint32_t>(from.size());
    int error = co_await loop.transfer(request);
    if (error == 0 && durability == Durability::flushed) {
        IoRequest flush;
        flush.kind = IoKind::flush;
        flush.ioClass = ioClass;
        flush.file = file;
        error = co_await loop.transfer(flush);
    }
    if (error != 0)
        co_return transferError(path, "writing", error);
    co_return Result<void>();
}

Task<Result<void>> flushFile(Loop& loop, FileId file, IoClass ioClass, std::string path)
{
    IoRequest flush;
    flush.kind = IoKind::flush;
    flush.ioClass = ioClass;
    flush.file = file;
    const int error = co_await loop.transfer(flush);
    if (error != 0)
        co_return transferError(path, "flushing", error);
    co_return Result<void>();
}

} // namespace loadstone::storage
