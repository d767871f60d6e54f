// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a group's worker reads all its databases and logs and checks them: to verify them, and as a backup does.
#include "storage/backup_file.h"
#include "storage/group_life.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <filesystem>

namespace loadstone::storage {
namespace {

/// A backup is over when its copy is durable.
Task<Result<DatabaseVerification>> readAll(
    Loop& loop, FileId file, std::string path, VerificationOptions options, std::optional<BackupFile>& copy)
{
    Task<Result<DatabaseVerification>> reading = verifyDatabase(loop, file, path, options);
    Result<DatabaseVerification> verified = co_await reading;
    if (copy && verified && !verified->stopped) {
        const Result<void> finished = co_await copy->finish(loop);
        if (!finished)
            co_return finished.error();
    }
    co_return verified;
}

} // namespace

Result<void> GroupWorker::read(bool backup)
{
    auto life = GroupLife::begin(m_setup, *this);
    if (!life)
        return life.error();
    if (const auto closed = requireClosed(**life); !closed || m_stop)
        return closed;
    for (std::size_t i = 0; i < group().options.databaseFolders.size() && !m_stop; ++i)
        if (const auto done = readDatabase(**life, i, backup); !done)
            return done.error();
    if (backup || m_stop)
        return {};
    return readLog(**life);
}

Result<void> GroupWorker::readDatabase(GroupLife& life, std::size_t index, bool backup)
{
    const GroupOptions& options = group().options;
    const plan::StorageTestStep& step = *m_orders.step;
    const std::filesystem::path path = options.databasePath(index);
    FileOptions how = options.files();
    how.writable = false;
    const Result<FileId> file = life.device->open(path, how);
    if (!file)
        return file.error();
    const auto header = drive(life, readDatabaseHeader(life.loop, *file, path.string()));
    if (!header)
        return {};
    if (!*header)
        return header->error();
    if ((*header)->filled == 0)
        return fail(path.string()
            + ": is not filled to its end, so that there is nothing to check it by; fill it first (loadstone "
              "storage init goes on where it was interrupted)");
    const std::uint64_t size = life.device->size(*file);
    std::optional<BackupFile> copy;
    if (backup && !step.to.empty()) {
        auto made =
            BackupFile::make(*life.device, std::filesystem::path(step.to) / path.filename(), size, options);
        if (!made)
            return made.error();
        copy.emplace(*std::move(made));
    }
    using S = StorageSeries;
    const auto add = [&](S::DatabaseCount which, std::uint64_t& told, std::uint64_t found) {
        count(m_series.of(databaseIndex(index), which), found - told);
        told = found;
    };
    DatabaseVerification told;
    std::size_t damagesTold = 0;
    VerificationOptions verification;
    verification.readSize = step.readSize;
    verification.readers = step.readers;
    verification.ioClass = backup ? IoClass::backup : IoClass::checksum;
    verification.progress = [&](const DatabaseVerification& found) {
        add(S::kSeen, told.seen, found.seen);
        add(S::kBad, told.bad, found.bad);
        add(S::kCorrectable, told.correctable, found.correctable);
        add(S::kWrongPage, told.wrongPage, found.wrongPage);
        add(S::kBytesSeen, told.bytes, found.bytes);
        while (damagesTold < found.damages.size())
            noteDamage(found.damages[damagesTold++]);
        progress(index * size + found.bytes, options.databaseFolders.size() * size);
        return !m_stop.load(std::memory_order_acquire);
    };
    if (copy)
        verification.copy = [&](std::uint64_t offset, std::span<std::byte> bytes) {
            return copy->write(life.loop, offset, bytes);
        };
    beginBusy(m_series.of(databaseIndex(index), StorageSeries::kCheckTime));
    const auto verified = drive(life, readAll(life.loop, *file, path.string(), verification, copy));
    endBusy();
    if (!verified)
        return {};
    life.device->close(*file);
    if (!*verified)
        return verified->error();
    const DatabaseVerification& result = **verified;
    if (result.stopped)
        return {};
    if (copy)
        copy->close(*life.device);
    say(result.sound() ? Severity::info : Severity::error,
        fmt::format("{}: {} pages {} in {}: {} bad, {} correctable, {} with another page's number",
            path.string(), result.seen, backup ? "backed up" : "checked", formatLatency(result.time),
            result.bad, result.correctable, result.wrongPage));
    return {};
}

Result<void> GroupWorker::readLog(GroupLife& life)
{
    const GroupOptions& options = group().options;
    const auto checkpoint = drive(life, readCheckpoint(life));
    if (!checkpoint)
        return {};
    if (!*checkpoint)
        return checkpoint->error();
    FileOptions how = options.files();
    how.writable = false;
    VerificationOptions verification;
    verification.readSize = m_orders.step->readSize;
    verification.readers = m_orders.step->readers;
    std::uint64_t files = 0;
    while (life.device->exists(LogFiles::pathOf(options.logFolder, options.logPrefix(), files)))
        ++files;
    const std::uint64_t all = files * options.log.fileSize;
    using S = StorageSeries;
    const auto add = [&](S::GroupCount which, std::uint64_t& told, std::uint64_t found) {
        count(m_series.of(m_index, which), found - told);
        told = found;
    };
    LogVerification told;
    std::size_t damagesTold = 0;
    const auto tell = [&](const LogVerification& found) {
        add(S::kLogFilesSeen, told.files, found.files);
        add(S::kBadLogFiles, told.badFiles, found.badFiles);
        add(S::kSegmentsSeen, told.segments, found.segments);
        add(S::kBadSegments, told.badSegments, found.badSegments);
        add(S::kLogBytesSeen, told.bytes, found.bytes);
        while (damagesTold < found.damages.size())
            noteDamage(found.damages[damagesTold++]);
    };
    verification.logProgress = [&](const LogVerification& found) {
        tell(found);
        progress(found.bytes, all);
        return !m_stop.load(std::memory_order_acquire);
    };
    beginBusy(m_series.of(m_index, StorageSeries::kLogCheckTime));
    const auto verified = drive(
        life, verifyLog(life.loop, options.logFolder, options.logPrefix(), **checkpoint, how, verification));
    endBusy();
    if (!verified)
        return {};
    if (!*verified)
        return verified->error();
    const LogVerification& result = **verified;
    tell(result);
    say(result.sound() ? Severity::info : Severity::error,
        fmt::format("{} log files checked in {}: {} bad, and {} of {} segments", result.files,
            formatLatency(result.time), result.badFiles, result.badSegments, result.segments));
    return {};
}

} // namespace loadstone::storage
