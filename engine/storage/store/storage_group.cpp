// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/store/storage_group.h"

#include "storage/device/transfers.h"
#include "storage/log/log_reader.h"
#include "storage/page/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace loadstone::storage {

std::filesystem::path GroupOptions::databasePath(std::size_t index) const
{
    return databaseFolders[index] / fmt::format("{}-{}.database", name, index + 1);
}

std::filesystem::path GroupOptions::checkpointPath() const
{
    return logFolder / (name + ".checkpoint");
}

std::filesystem::path GroupOptions::copiesPath() const
{
    return databaseFolders.front() / (name + ".copies");
}

StorageGroup::StorageGroup(Loop& loop, GroupOptions options)
    : m_loop(loop)
    , m_options(std::move(options))
    , m_cache(loop, m_options.pageSize, m_options.cacheBytes / m_options.pageSize)
    , m_logFiles(loop, m_options.logFolder, m_options.logPrefix(), m_options.log, m_options.signature,
          m_options.files())
{
    loop.device().useMemory(m_cache.memory());
}

StorageGroup::~StorageGroup()
{
    m_loop.drain();
    closeFiles();
    m_loop.device().forgetMemory(m_cache.memory());
    if (m_copies)
        m_loop.device().forgetMemory(m_copies->memory());
}

Task<Result<void>> StorageGroup::create()
{
    std::vector<std::filesystem::path> made;
    const Result<void> created = co_await createFiles(made);
    closeFiles();
    if (!created)
        for (const std::filesystem::path& path : made)
            static_cast<void>(m_loop.device().remove(path)); // what went wrong first is told
    co_return created;
}

Result<FileId> StorageGroup::createFile(const std::filesystem::path& path, std::uint64_t size)
{
    const Result<FileId> file = m_loop.device().create(path, size, m_options.files());
    if (file)
        m_files.push_back({ *file, path.string() });
    return file;
}

Result<FileId> StorageGroup::openFile(const std::filesystem::path& path)
{
    const Result<FileId> file = m_loop.device().open(path, m_options.files());
    if (file)
        m_files.push_back({ *file, path.string() });
    return file;
}

void StorageGroup::closeFiles()
{
    for (const OpenFile& one : m_files)
        m_loop.device().close(one.file);
    m_files.clear();
    m_logFiles.closeAll();
}

/// `made` gets the files that are there then and were not before, also when it fails.
Task<Result<void>> StorageGroup::createFiles(std::vector<std::filesystem::path>& made)
{
    for (std::size_t i = 0; i < m_options.databaseFolders.size(); ++i) {
        const std::filesystem::path path = m_options.databasePath(i);
        const Result<FileId> file = createFile(path, m_options.pagesPerDatabase * m_options.pageSize);
        if (!file)
            co_return file.error();
        made.push_back(path);
        DatabaseHeader header;
        header.signature = m_options.signature + 1 + static_cast<std::uint32_t>(i);
        header.group = m_options.signature;
        header.index = static_cast<std::uint32_t>(i);
        header.pageSize = m_options.pageSize;
        header.pages = m_options.pagesPerDatabase;
        const Result<void> formatted =
            co_await formatDatabase(m_loop, *file, path.string(), header, m_options.durability);
        if (!formatted)
            co_return formatted.error();
    }
    const Result<FileId> copies =
        createFile(m_options.copiesPath(), PageCopies::fileSize(m_options.pageSize));
    if (!copies)
        co_return copies.error();
    made.push_back(m_options.copiesPath());
    const Result<void> logs = co_await m_logFiles.makeAtLeast(m_options.logFiles);
    for (std::size_t slot = 0; slot < m_logFiles.count(); ++slot)
        made.push_back(LogFiles::pathOf(m_options.logFolder, m_options.logPrefix(), slot));
    if (!logs)
        co_return logs.error();
    // The checkpoint comes last: without one there is no group.
    const Result<FileId> file = createFile(m_options.checkpointPath(), 2 * CheckpointFile::kBlock);
    if (!file)
        co_return file.error();
    made.push_back(m_options.checkpointPath());
    CheckpointFile checkpoints(m_loop, *file, m_options.checkpointPath().string(), m_options.durability);
    Checkpoint first;
    first.fileSize = m_options.log.fileSize;
    first.segment = m_options.log.segment;
    first.signature = m_options.signature;
    first.pageSize = m_options.pageSize;
    first.databases = static_cast<std::uint32_t>(m_options.databaseFolders.size());
    first.clean = 1;
    co_return co_await checkpoints.write(first);
}

Task<Result<void>> StorageGroup::openDatabases()
{
    Device& device = m_loop.device();
    std::vector<Cache::File> files;
    m_pages.clear();
    m_space.clear();
    m_trees.clear();
    for (std::size_t i = 0; i < m_options.databaseFolders.size(); ++i) {
        const std::string path = m_options.databasePath(i).string();
        const Result<FileId> file = openFile(path);
        if (!file)
            co_return file.error();
        const Result<DatabaseHeader> header = co_await readDatabaseHeader(m_loop, *file, path);
        if (!header)
            co_return header.error();
        if (header->group != m_options.signature || header->index != i
            || header->pageSize != m_options.pageSize)
            co_return fail(fmt::format(
                "{}: a database of another storage group or page size ({} bytes)", path, header->pageSize));
        files.push_back({ *file, header->signature, path });
        m_pages.push_back(header->pages);
        const auto database = static_cast<std::uint8_t>(i);
        m_space.push_back(std::make_unique<SpaceMap>(database, m_options.pageSize));
        m_trees.emplace_back(database, kRootPage, m_options.pageSize, *m_space.back());
    }
    m_cache.setFiles(std::move(files));
    const Result<FileId> copies = openFile(m_options.copiesPath());
    if (!copies)
        co_return copies.error();
    if (m_copies)
        device.forgetMemory(m_copies->memory());
    m_copies = std::make_unique<PageCopies>(
        m_loop, m_cache, *copies, m_options.copiesPath().string(), m_options.durability);
    device.useMemory(m_copies->memory());
    co_return Result<void>();
}

Task<Result<Checkpoint>> StorageGroup::openFiles()
{
    const std::string path = m_options.checkpointPath().string();
    const Result<FileId> file = openFile(path);
    if (!file)
        co_return file.error();
    m_checkpointFile = std::make_unique<CheckpointFile>(m_loop, *file, path, m_options.durability);
    const Result<Checkpoint> checkpoint = co_await m_checkpointFile->read();
    if (!checkpoint)
        co_return checkpoint.error();
    const bool same = checkpoint->signature == m_options.signature && checkpoint->geometry() == m_options.log
        && checkpoint->pageSize == m_options.pageSize
        && checkpoint->databases == m_options.databaseFolders.size();
    if (!same)
        co_return fail(fmt::format(
            "{}: belongs to a storage group with pages of {} bytes, {} databases and log files of {} bytes"
            " in segments of {}, not to the group of the plan",
            path, checkpoint->pageSize, checkpoint->databases, checkpoint->fileSize, checkpoint->segment));
    const Result<void> opened = co_await openDatabases();
    if (!opened)
        co_return opened.error();
    const Result<void> logs = co_await m_logFiles.openAll(m_options.log.fileOf(checkpoint->position));
    if (!logs)
        co_return logs.error();
    co_return *checkpoint;
}

/// A process that was killed may have left writes that can be read, and would be gone with the power. What recovery reads
/// it builds on.
Task<Result<void>> StorageGroup::flushFiles()
{
    for (const OpenFile& one : m_files) {
        const Result<void> flushed = co_await flushFile(m_loop, one.file, IoClass::databaseWrite, one.path);
        if (!flushed)
            co_return flushed.error();
    }
    co_return co_await m_logFiles.flushAll();
}

Task<Result<Recovery>> StorageGroup::open()
{
    m_recovery = {};
    const Result<Checkpoint> checkpoint = co_await openFiles();
    Result<void> done;
    if (!checkpoint)
        done = checkpoint.error();
    if (done) // more are wanted than they were made with
        done = co_await m_logFiles.makeAtLeast(m_options.logFiles);
    if (done && !planted(Mutant::noFlushOnOpen))
        done = co_await flushFiles();
    if (done)
        done = co_await recover(*checkpoint);
    m_isOpen = done.has_value();
    if (done)
        co_return m_recovery;
    m_cache.failWith(done.error()); // so that nothing more is written, nor a checkpoint by close()
    co_await endOwn();
    closeFiles();
    co_return done.error();
}

/// Once through the log: pages can only be written, and memory freed, when its end is known. Begins a new epoch there.
Task<Result<void>> StorageGroup::findLogEnd(Checkpoint& checkpoint)
{
    const LogGeometry& geometry = m_options.log;
    LogReader scan(m_loop, m_logFiles, checkpoint);
    for (;;) {
        const Result<std::optional<LogReader::Group>> group = co_await scan.next();
        if (!group)
            co_return group.error();
        if (!*group)
            break;
    }
    m_recovery.to = scan.end();
    if (m_recovery.to > m_recovery.from)
        m_recovery.logFiles = geometry.fileOf(m_recovery.to - 1) - geometry.fileOf(m_recovery.from) + 1;
    // Nothing is written to the log before it is on the disk that a new epoch has begun.
    if (!planted(Mutant::epochKept))
        checkpoint.epoch = std::max(checkpoint.epoch, scan.epoch()) + 1;
    checkpoint.clean = 0;
    const Result<void> written = co_await m_checkpointFile->write(checkpoint);
    if (!written)
        co_return written.error();
    const std::string partial = scan.partial();
    start(scan.end(), std::as_bytes(std::span(partial)), checkpoint.epoch, checkpoint);
    co_return co_await m_log->secureEnd(scan.endedInShadow());
}

Task<Result<void>> StorageGroup::recover(Checkpoint checkpoint)
{
    m_recovery.needed = checkpoint.clean == 0;
    m_recovery.from = checkpoint.position;
    const MonoTime begin = m_loop.now();
    if (m_recovery.needed) {
        const Result<std::size_t> restored = co_await m_copies->restore(checkpoint.position);
        if (!restored)
            co_return restored.error();
        m_recovery.restoredPages = *restored;
    }
    const Result<void> secured = co_await findLogEnd(checkpoint);
    if (!secured)
        co_return secured.error();
    m_cleaner->setReplayed(checkpoint.position);
    m_loop.spawn(runOwn(m_log->run()));
    m_loop.spawn(runOwn(m_log->prepareFiles()));
    m_loop.spawn(runOwn(m_cleaner->run()));
    m_running = 3;

    LogReplay replay(m_loop, m_cache, m_logFiles, *m_cleaner, m_pages, m_recovery);
    const Result<LogPosition> newest = co_await replay.run(checkpoint);
    if (!newest)
        co_return newest.error();
    const Result<void> counted = co_await countUsedPages();
    if (!counted)
        co_return counted.error();
    if (*newest > m_recovery.to + 1)
        co_return fail(
            fmt::format("{}: a page has changes that the log does not have: the end of the log is lost",
                m_logFiles.pathOf(m_options.log.fileOf(m_recovery.to))));
    m_recovery.time = m_loop.now() - begin;
    co_return Result<void>();
}

Task<Result<void>> StorageGroup::countUsedPages()
{
    m_used.assign(m_pages.size(), 0);
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const auto database = static_cast<std::uint8_t>(i);
        const PageNumber stretch = stretchOf(m_options.pageSize);
        for (std::uint64_t first = 0; first < m_pages[i]; first += stretch) {
            const PageNumber number = mapOf(static_cast<PageNumber>(first), m_options.pageSize);
            const PageId id { database, number };
            const Result<Frame*> frame = co_await m_cache.fetch(id, IoClass::databaseRead);
            if (!frame)
                co_return frame.error();
            std::uint64_t used = 0;
            for (const std::byte byte : (*frame)->page.bytes().subspan(sizeof(PageHeader)))
                used += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(byte)));
            m_cache.unpin(**frame);
            const std::uint64_t all = std::min<std::uint64_t>(stretch, m_pages[i] - first);
            m_space[i]->setFree(number, static_cast<std::uint32_t>(all - std::min(all, used)));
            m_used[i] += used;
        }
    }
    co_return Result<void>();
}

Task<> StorageGroup::runOwn(Task<> task)
{
    co_await task;
    if (m_log->failure())
        m_cache.failWith(*m_log->failure());
    --m_running;
    m_ended.wakeAll(m_loop);
}

void StorageGroup::start(
    LogPosition end, std::span<const std::byte> partial, std::uint32_t epoch, const Checkpoint& checkpoint)
{
    m_log = std::make_unique<LogWriter>(
        m_loop, m_logFiles, m_options.logBuffer, end, epoch, partial, [this] { return m_cleaner->onDisk(); },
        m_options.durability);
    m_cleaner = std::make_unique<Cleaner>(m_loop, m_cache, *m_log, *m_copies, *m_checkpointFile, checkpoint,
        m_options.checkpointDepth, m_options.durability);
}

Task<> StorageGroup::endOwn()
{
    if (m_running == 0)
        co_return;
    m_cleaner->stop();
    while (m_running > 2) // the cleaner ends first: it needs the log
        co_await m_ended.wait();
    m_log->stop();
    while (m_running > 0)
        co_await m_ended.wait();
}

Task<Result<void>> StorageGroup::close()
{
    if (!m_cleaner)
        co_return fail("the storage group is not open");
    co_await endOwn();
    closeFiles();
    if (m_cache.failure())
        co_return *m_cache.failure();
    co_return Result<void>();
}

} // namespace loadstone::storage
