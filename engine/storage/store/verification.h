// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/loop.h"
#include "storage/log/checkpoint_file.h"
#include "storage/log/log_format.h"
#include "storage/page/damage.h"
#include "storage/page/database_file.h"
#include "storage/page/space_map.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace loadstone::storage {

struct DatabaseVerification;
struct LogVerification;

struct VerificationOptions {
    std::size_t readSize = 64U << 10; ///< bytes
    std::size_t readers = 32; ///< reads that are on their way at once
    IoClass ioClass = IoClass::checksum;
    std::size_t mostDamages = 1000; ///< that are told one by one
    /// Called with what was found so far, after every read of a database; and of a log, whose segments are judged when all
    /// its files have been read. What is told so is told even if the rest cannot be read. False: stop.
    std::function<bool(const DatabaseVerification&)> progress;
    std::function<bool(const LogVerification&)> logProgress;
    /// Of a database: awaited with every stretch that was read, as it was read; offset in bytes. A copy of the database.
    std::function<Task<Result<void>>(std::uint64_t, std::span<std::byte>)> copy;
};

/// What reading every page of a database came to.
struct DatabaseVerification {
    std::uint64_t seen = 0; ///< pages
    std::uint64_t unused = 0; ///< of these free, and never written
    std::uint64_t bad = 0, correctable = 0, wrongPage = 0;
    std::uint64_t bytes = 0;
    Nanoseconds time {};
    bool stopped = false;
    std::vector<Damage>
        damages; ///< in the order of their pages; while it goes on, in that in which they were found
    [[nodiscard]] bool sound() const noexcept { return bad + correctable + wrongPage == 0; }
};
/// Reads and checks all pages of an open database that nobody writes to. Changes nothing, also not what it could correct.
Task<Result<DatabaseVerification>> verifyDatabase(
    Loop& loop, FileId file, std::string path, VerificationOptions options);

/// What reading all log files of a storage group came to.
struct LogVerification {
    std::uint64_t files = 0; ///< with a part of the log
    std::uint64_t segments = 0; ///< of the log, to its end
    std::uint64_t badSegments = 0, badFiles = 0; ///< badFiles: cut, missing, or with a damaged header
    std::uint64_t bytes = 0;
    LogPosition end = 0; ///< what is known to have been durable
    Nanoseconds time {};
    std::vector<Damage> damages;
    [[nodiscard]] bool sound() const noexcept { return badSegments + badFiles == 0; }
};
/// Reads and checks the log files of a group that is not open: all that lie in `folder` and begin with `prefix`. What a crash
/// left unfinished behind the log's end is no damage. `checkpoint`: the group's.
Task<Result<LogVerification>> verifyLog(Loop& loop, std::filesystem::path folder, std::string prefix,
    Checkpoint checkpoint, FileOptions files, VerificationOptions options);

} // namespace loadstone::storage
