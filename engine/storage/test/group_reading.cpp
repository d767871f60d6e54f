// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_reading.h"

#include "storage/store/backup_file.h"

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

Result<void> GroupReading::run()
{
    auto life = GroupLife::begin(m_context);
    if (!life)
        return life.error();
    if (const auto closed = (*life)->requireClosed(); !closed || m_context.stopped())
        return closed;
    for (std::size_t i = 0; i < m_context.group().options.databaseFolders.size() && !m_context.stopped(); ++i)
        if (const auto done = readDatabase(**life, i); !done)
            return done.error();
    if (m_backup || m_context.stopped())
        return {};
    return readLog(**life);
}

Result<void> GroupReading::readDatabase(GroupLife& life, std::size_t index)
{
    const GroupOptions& options = m_context.group().options;
    const plan::StorageTestStep& step = *m_context.orders.step;
    const std::filesystem::path path = options.databasePath(index);
    FileOptions how = options.files();
    how.writable = false;
    const Result<FileId> file = life.device->open(path, how);
    if (!file)
        return file.error();
    const auto header = life.drive(readDatabaseHeader(life.loop, *file, path.string()));
    if (!header)
        return {};
    if (!*header)
        return header->error();
    if ((*header)->filled == 0)
        return fail(path.string()
            + ": is not completely filled, so it cannot be checked; fill it first (loadstone storage init "
              "continues where it was interrupted)");
    const std::uint64_t size = life.device->size(*file);
    std::optional<BackupFile> copy;
    if (m_backup && !step.to.empty()) {
        auto made =
            BackupFile::make(*life.device, std::filesystem::path(step.to) / path.filename(), size, options);
        if (!made)
            return made.error();
        copy.emplace(*std::move(made));
    }
    const StorageSeries::Database& own = m_context.database(index);
    const auto add = [&](series::CountHandle which, std::uint64_t& told, std::uint64_t found) {
        m_context.meter.count(which, found - told);
        told = found;
    };
    DatabaseVerification told;
    std::size_t damagesTold = 0;
    VerificationOptions verification;
    verification.readSize = step.readSize;
    verification.readers = step.readers;
    verification.ioClass = m_backup ? IoClass::backup : IoClass::checksum;
    verification.progress = [&](const DatabaseVerification& found) {
        add(own.seen, told.seen, found.seen);
        add(own.bad, told.bad, found.bad);
        add(own.correctable, told.correctable, found.correctable);
        add(own.wrongPage, told.wrongPage, found.wrongPage);
        add(own.bytesSeen, told.bytes, found.bytes);
        while (damagesTold < found.damages.size())
            m_context.report.sayDamage(found.damages[damagesTold++]);
        m_context.report.progress(index * size + found.bytes, options.databaseFolders.size() * size);
        return !m_context.stopped();
    };
    if (copy)
        verification.copy = [&](std::uint64_t offset, std::span<std::byte> bytes) {
            return copy->write(life.loop, offset, bytes);
        };
    m_context.meter.beginBusy(m_context.database(index).checkTime);
    const auto verified = life.drive(readAll(life.loop, *file, path.string(), verification, copy));
    m_context.meter.endBusy();
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
    m_context.report.say(result.sound() ? Severity::info : Severity::error,
        fmt::format("{}: {} pages {} in {}: {} bad, {} correctable, {} with another page's number",
            path.string(), result.seen, m_backup ? "backed up" : "checked", formatLatency(result.time),
            result.bad, result.correctable, result.wrongPage));
    return {};
}

Result<void> GroupReading::readLog(GroupLife& life)
{
    const GroupOptions& options = m_context.group().options;
    const auto checkpoint = life.drive(life.readCheckpoint());
    if (!checkpoint)
        return {};
    if (!*checkpoint)
        return checkpoint->error();
    FileOptions how = options.files();
    how.writable = false;
    VerificationOptions verification;
    verification.readSize = m_context.orders.step->readSize;
    verification.readers = m_context.orders.step->readers;
    std::uint64_t files = 0;
    while (life.device->exists(LogFiles::pathOf(options.logFolder, options.logPrefix(), files)))
        ++files;
    const std::uint64_t all = files * options.log.fileSize;
    const StorageSeries::Group& own = m_context.counts();
    const auto add = [&](series::CountHandle which, std::uint64_t& told, std::uint64_t found) {
        m_context.meter.count(which, found - told);
        told = found;
    };
    LogVerification told;
    std::size_t damagesTold = 0;
    const auto tell = [&](const LogVerification& found) {
        add(own.logFilesSeen, told.files, found.files);
        add(own.badLogFiles, told.badFiles, found.badFiles);
        add(own.segmentsSeen, told.segments, found.segments);
        add(own.badSegments, told.badSegments, found.badSegments);
        add(own.logBytesSeen, told.bytes, found.bytes);
        while (damagesTold < found.damages.size())
            m_context.report.sayDamage(found.damages[damagesTold++]);
    };
    verification.logProgress = [&](const LogVerification& found) {
        tell(found);
        m_context.report.progress(found.bytes, all);
        return !m_context.stopped();
    };
    m_context.meter.beginBusy(m_context.counts().logCheckTime);
    const auto verified = life.drive(
        verifyLog(life.loop, options.logFolder, options.logPrefix(), **checkpoint, how, verification));
    m_context.meter.endBusy();
    if (!verified)
        return {};
    if (!*verified)
        return verified->error();
    const LogVerification& result = **verified;
    tell(result);
    m_context.report.say(result.sound() ? Severity::info : Severity::error,
        fmt::format("{} log files checked in {}: {} bad, and {} of {} segments", result.files,
            formatLatency(result.time), result.badFiles, result.badSegments, result.segments));
    return {};
}

} // namespace loadstone::storage
