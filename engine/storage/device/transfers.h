// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/loop.h"

#include <string>

namespace loadstone::storage {

// One transfer with its error in words. For everything that is not done a thousand times a second.

/// `path`: for the message.
Task<Result<void>> readAt(Loop& loop, FileId file, std::uint64_t offset, std::span<std::byte> into,
    IoClass ioClass, std::string path);
/// Durable when it returns.
Task<Result<void>> writeAt(Loop& loop, FileId file, std::uint64_t offset, std::span<std::byte> from,
    IoClass ioClass, std::string path, Durability durability);
/// Everything that was written to the file by then is durable when it returns, what an earlier process left, too.
Task<Result<void>> flushFile(Loop& loop, FileId file, IoClass ioClass, std::string path);
/// "PATH: WHAT failed: No space left on device"
Error transferError(const std::string& path, const char* what, int error);

} // namespace loadstone::storage
