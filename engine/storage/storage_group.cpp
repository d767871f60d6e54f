// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/storage_group.h"

#include <fmt/format.h>

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

StorageGroup::~StorageGroup() = default;

Task<Result<void>> StorageGroup::create()
{
    Device& device = m_loop.device();
    for (std::size_t i = 0; i < m_options.databaseFolders.size(); ++i) {
        const std::filesystem::path path = m_options.databasePath(i);
        const Result<FileId> file =
            device.create(path, m_options.pagesPerDatabase * m_options.pageSize, m_options.files());
        if (!file)
            co_return file.error();
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
        device.close(*file);
    }
    const Result<FileId> copies =
        device.create(m_options.copiesPath(), PageCopies::fileSize(m_options.pageSize), m_options.files());
    if (!copies)
        co_return copies.error();
    device.close(*copies);
    const Result<void> made = co_await m_logFiles.makeAtLeast(m_options.logFiles);
    if (!made)
        co_return made.error();
    // The checkpoint comes last: without one there is no group.
    const Result<FileId> file =
        device.create(m_options.checkpointPath(), 2 * CheckpointFile::kBlock, m_options.files());
    if (!file)
        co_return file.error();
    CheckpointFile checkpoints(m_loop, *file, m_options.checkpointPath().string(), m_options.durability);
    Checkpoint first;
    first.fileSize = m_options.log.fileSize;
    first.segment = m_options.log.segment;
    first.signature = m_options.signature;
    first.pageSize = m_options.pageSize;
    first.databases = static_cast<std::uint32_t>(m_options.databaseFolders.size());
    first.clean = 1;
    const Result<void> written = co_await checkpoints.write(first);
    device.close(*file);
    co_return written;
}

Task<Result<void>> StorageGroup::openFiles()
{
    Device& device = m_loop.device();
    std::vector<Cache::File> files;
    m_pages.clear();
    m_space.clear();
    m_trees.clear();
    for (std::size_t i = 0; i < m_options.databaseFolders.size(); ++i) {
        const std::string path = m_options.databasePath(i).string();
        const Result<FileId> file = device.open(path, m_options.files());
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
    const Result<FileId> copies = device.open(m_options.copiesPath(), m_options.files());
    if (!copies)
        co_return copies.error();
    m_copies = std::make_unique<PageCopies>(
        m_loop, m_cache, *copies, m_options.copiesPath().string(), m_options.durability);
    device.useMemory(m_copies->memory());
    co_return Result<void>();
}

Task<Result<Recovery>> StorageGroup::open()
{
    const std::string path = m_options.checkpointPath().string();
    const Result<FileId> file = m_loop.device().open(path, m_options.files());
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
            "{}: of a storage group with pages of {} bytes, {} databases and log files of {} bytes"
            " in segments of {}, and not the one asked for",
            path, checkpoint->pageSize, checkpoint->databases, checkpoint->fileSize, checkpoint->segment));
    const Result<void> opened = co_await openFiles();
    if (!opened)
        co_return opened.error();
    const Result<void> logs = co_await m_logFiles.openAll(m_options.log.fileOf(checkpoint->position));
    if (!logs)
        co_return logs.error();
    const Result<Recovery> recovered = co_await recover(*checkpoint);
    m_isOpen = recovered.has_value();
    if (!recovered)
        m_cache.failWith(recovered.error()); // so that nothing more is written, nor a checkpoint by close()
    co_return recovered;
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
            for (const std::byte byte : (*frame)->page.bytes().subspan(sizeof(PageHeader)))
                m_used[i] += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(byte)));
            m_cache.unpin(**frame);
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

Task<Result<void>> StorageGroup::close()
{
    if (!m_cleaner)
        co_return fail("the storage group is not open");
    m_cleaner->stop();
    while (m_running > 2) // the cleaner ends first: it needs the log
        co_await m_ended.wait();
    m_log->stop();
    while (m_running > 0)
        co_await m_ended.wait();
    if (m_cache.failure())
        co_return *m_cache.failure();
    co_return Result<void>();
}

} // namespace loadstone::storage
