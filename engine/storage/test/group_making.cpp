// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_making.h"

#include "storage/device/file_mark.h"
#include "storage/page/filling.h"
#include "storage/page/initial_tree.h"
#include "storage/store/backup_file.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <numeric>

namespace loadstone::storage {

Result<void> GroupMaking::run()
{
    if (m_context.group().mark.state() != GroupMark::State::made)
        if (const auto created = create(); !created || m_context.stopped())
            return created;
    if (const auto reserved = reserveBackups(); !reserved)
        return reserved;
    if (const auto filled = fill(); !filled || m_context.stopped())
        return filled;
    return closeAfterCrash();
}

/// A backup must not find out after hours of load that there is no space for it.
Result<void> GroupMaking::reserveBackups()
{
    const GroupOptions& options = m_context.group().options;
    HeldLife life;
    for (const plan::StorageTestStep& step : m_context.test().tests)
        for (std::size_t i = 0; i < options.databaseFolders.size(); ++i) {
            const std::filesystem::path copy =
                std::filesystem::path(step.to) / options.databasePath(i).filename();
            if (m_context.setup.purpose != StoragePurpose::run || step.to.empty() || m_context.stopped())
                continue;
            const std::uint64_t size = options.pagesPerDatabase * options.pageSize;
            {
                const auto claimed = ClaimedFile::claim(copy);
                if (!claimed)
                    return claimed.error();
                if (claimed->exists() && claimed->size() == size)
                    continue;
            } // and let go again, so that it can be made again
            if (!life) {
                auto begun = GroupLife::begin(m_context);
                if (!begun)
                    return begun.error();
                life = *std::move(begun);
            }
            auto made = BackupFile::make(*life->device, copy, size, options);
            if (!made)
                return made.error();
            made->close(*life->device);
        }
    return {};
}

Result<void> GroupMaking::create()
{
    StorageSetup::Group& own = m_context.group();
    auto life = GroupLife::begin(m_context); // before anything is left behind
    if (!life)
        return life.error();
    if (const auto begun = own.mark.begin(m_context.setup.plan.seed); !begun)
        return begun.error();
    own.options.signature = own.mark.signature();
    own.options.owner = own.mark.identity();
    own.makeContents();
    m_context.report.say(Severity::info,
        fmt::format("makes {} database file{} of {} and {} log files", own.options.databaseFolders.size(),
            own.options.databaseFolders.size() == 1 ? "" : "s",
            formatBytes(own.options.pagesPerDatabase * own.options.pageSize), own.options.logFiles));
    StorageGroup& store = (*life)->group.emplace((*life)->loop, own.options);
    const auto created = (*life)->drive(store.create());
    if (!created)
        return {};
    if (!*created) {
        own.mark.withdraw(); // what was made is removed again
        return created->error();
    }
    return own.mark.finish();
}

Task<Result<bool>> GroupMaking::fillDatabaseOf(GroupLife& life, std::size_t index)
{
    const StorageSetup::Group& own = m_context.group();
    const std::string path = own.options.databasePath(index).string();
    const Result<FileId> file = life.device->open(path, own.options.files());
    if (!file)
        co_return file.error();
    Result<DatabaseHeader> header = co_await readDatabaseHeader(life.loop, *file, path);
    if (!header)
        co_return header.error();
    if (header->group != own.options.signature || header->index != index
        || header->pageSize != own.options.pageSize)
        co_return fail(path + ": a database of another storage group");
    Result<bool> filled = true;
    const InitialTree tree(
        own.mark.make().records, own.options.pageSize, header->signature, own.contents[index]);
    const std::uint64_t all = tree.end() * own.options.databaseFolders.size();
    m_filled[index] = header->filled == 0 ? header->filledPages : tree.end();
    if (header->filled == 0) {
        FillingOptions how;
        how.progress = [&](std::uint64_t done) {
            m_filled[index] = done;
            m_context.report.progress(
                std::accumulate(m_filled.begin(), m_filled.end(), std::uint64_t { 0 }), all);
            return !m_context.stopped() && !m_fillingFailed;
        };
        if (header->filledPages > 0)
            m_context.report.say(
                Severity::info, fmt::format("{}: filling continues at page {}", path, header->filledPages));
        const MonoTime begin = life.loop.now();
        filled = co_await fillDatabase(life.loop, *file, path, *header, tree, own.options.durability, how);
        if (filled && *filled)
            m_context.report.say(Severity::info,
                fmt::format("{}: filled with {} records in {}", path, own.mark.make().records,
                    formatLatency(life.loop.now() - begin)));
    }
    life.device->close(*file);
    co_return filled;
}

Result<void> GroupMaking::fill()
{
    auto life = GroupLife::begin(m_context);
    if (!life)
        return life.error();
    // All at once: they may lie on different disks. Not with drive(): a filling that is stopped first writes how far it has come.
    m_filled.assign(m_context.group().options.databaseFolders.size(), 0);
    m_fillingFailed = false;
    std::size_t running = m_filled.size();
    Result<void> result;
    const auto root = [](Task<Result<bool>> task, std::size_t& left, bool& failed,
                          Result<void>& into) -> Task<> {
        const Result<bool> filled = co_await task;
        --left;
        if (filled)
            co_return;
        failed = true; // which ends the others
        if (into)
            into = filled.error();
    };
    for (std::size_t i = 0; i < m_filled.size(); ++i)
        (*life)->loop.spawn(root(fillDatabaseOf(**life, i), running, m_fillingFailed, result));
    while (running > 0)
        (*life)->turn();
    return result;
}

Result<void> GroupMaking::closeAfterCrash()
{
    auto life = GroupLife::begin(m_context);
    if (!life)
        return life.error();
    const auto checkpoint = (*life)->drive((*life)->readCheckpoint());
    if (!checkpoint)
        return {};
    if (!*checkpoint)
        return checkpoint->error();
    if ((*checkpoint)->clean != 0)
        return {};
    const auto opened = (*life)->open();
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    return (*life)->close();
}

} // namespace loadstone::storage
