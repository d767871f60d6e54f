// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a group's worker makes its files, fills them, and opens and closes what is there.
#include "storage/backup_file.h"
#include "storage/file_mark.h"
#include "storage/filling.h"
#include "storage/group_life.h"
#include "storage/initial_tree.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <numeric>

namespace loadstone::storage {

Result<void> GroupWorker::make()
{
    if (group().mark.state() != GroupMark::State::made)
        if (const auto created = create(); !created || m_stop)
            return created;
    if (const auto reserved = reserveBackups(); !reserved)
        return reserved;
    if (const auto filled = fill(); !filled || m_stop)
        return filled;
    return closeAfterCrash();
}

/// A backup must not find out after hours of load that there is no space for it.
Result<void> GroupWorker::reserveBackups()
{
    const GroupOptions& options = group().options;
    HeldLife life;
    for (const plan::StorageTestStep& step : test().tests)
        for (std::size_t i = 0; i < options.databaseFolders.size(); ++i) {
            const std::filesystem::path copy =
                std::filesystem::path(step.to) / options.databasePath(i).filename();
            if (m_setup.purpose != StoragePurpose::run || step.to.empty() || m_stop)
                continue;
            const std::uint64_t size = options.pagesPerDatabase * options.pageSize;
            {
                const auto claimed = ClaimedFile::claim(copy);
                if (!claimed)
                    return claimed.error();
                if (claimed->exists() && claimed->size() == size)
                    continue;
            } // and let go again, so that it can be made anew
            if (!life) {
                auto begun = GroupLife::begin(m_setup, *this);
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

Result<void> GroupWorker::create()
{
    StorageSetup::Group& own = group();
    auto life = GroupLife::begin(m_setup, *this); // before anything is left behind
    if (!life)
        return life.error();
    if (const auto begun = own.mark.begin(m_setup.plan.seed); !begun)
        return begun.error();
    own.options.signature = own.mark.signature();
    own.options.owner = own.mark.identity();
    own.makeContents();
    say(Severity::info,
        fmt::format("makes {} database file{} of {} and {} log files", own.options.databaseFolders.size(),
            own.options.databaseFolders.size() == 1 ? "" : "s",
            formatBytes(own.options.pagesPerDatabase * own.options.pageSize), own.options.logFiles));
    StorageGroup& store = (*life)->group.emplace((*life)->loop, own.options);
    const auto created = drive(**life, store.create());
    if (!created)
        return {};
    if (!*created) {
        own.mark.withdraw(); // what was made is removed again
        return created->error();
    }
    return own.mark.finish();
}

Task<Result<bool>> GroupWorker::fillDatabaseOf(GroupLife& life, std::size_t index)
{
    const StorageSetup::Group& own = m_setup.groups[m_index];
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
            progress(std::accumulate(m_filled.begin(), m_filled.end(), std::uint64_t { 0 }), all);
            return !m_stop.load(std::memory_order_acquire) && !m_fillingFailed;
        };
        if (header->filledPages > 0)
            say(Severity::info,
                fmt::format("{}: goes on with filling it, from page {} on", path, header->filledPages));
        const MonoTime begin = life.loop.now();
        filled = co_await fillDatabase(life.loop, *file, path, *header, tree, own.options.durability, how);
        if (filled && *filled)
            say(Severity::info,
                fmt::format("{}: filled with {} records in {}", path, own.mark.make().records,
                    formatLatency(life.loop.now() - begin)));
    }
    life.device->close(*file);
    co_return filled;
}

Result<void> GroupWorker::fill()
{
    auto life = GroupLife::begin(m_setup, *this);
    if (!life)
        return life.error();
    // All at once: they may lie on different disks. Not with drive(): a filling that is stopped first writes how far it has come.
    m_filled.assign(group().options.databaseFolders.size(), 0);
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
        turn(**life);
    return result;
}

Task<Result<Checkpoint>> GroupWorker::readCheckpoint(GroupLife& life)
{
    const GroupOptions& options = m_setup.groups[m_index].options;
    FileOptions how = options.files();
    how.writable = false;
    const std::string path = options.checkpointPath().string();
    const Result<FileId> file = life.device->open(path, how);
    if (!file)
        co_return file.error();
    CheckpointFile checkpoints(life.loop, *file, path, options.durability);
    const Result<Checkpoint> checkpoint = co_await checkpoints.read();
    life.device->close(*file);
    co_return checkpoint;
}

Result<void> GroupWorker::closeAfterCrash()
{
    auto life = GroupLife::begin(m_setup, *this);
    if (!life)
        return life.error();
    const auto checkpoint = drive(**life, readCheckpoint(**life));
    if (!checkpoint)
        return {};
    if (!*checkpoint)
        return checkpoint->error();
    if ((*checkpoint)->clean != 0)
        return {};
    const auto opened = openGroup(**life);
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    return closeGroup(**life);
}

Result<bool> GroupWorker::openGroup(GroupLife& life, std::optional<std::uint64_t> checkpointDepth)
{
    GroupOptions options = group().options;
    options.checkpointDepth = checkpointDepth.value_or(options.checkpointDepth);
    StorageGroup& store = life.group.emplace(life.loop, std::move(options));
    const MonoTime begin = monoNow();
    std::optional<Result<Recovery>> opened;
    const auto root = [](Task<Result<Recovery>> task, std::optional<Result<Recovery>>& into) -> Task<> {
        into.emplace(co_await task);
    };
    life.loop.spawn(root(store.open(), opened));
    using S = StorageSeries;
    std::uint64_t told = 0; // log files
    while (!opened && !m_stop.load(std::memory_order_acquire)) {
        turn(life);
        const Recovery& recovering = store.recovering();
        progress(recovering.filesReplayed, recovering.logFiles);
        if (recovering.needed && !m_busy)
            beginBusy(m_series.of(m_index, S::kRecoveryTime), begin);
        count(m_series.of(m_index, S::kLogsReplayed), recovering.filesReplayed - told);
        told = recovering.filesReplayed;
    }
    endBusy();
    if (!opened)
        return false;
    tellDevice(life.device->device()); // with the memory that the group has registered
    if (!*opened) {
        publish(life, true);
        return opened->error();
    }
    const Recovery& recovery = **opened;
    if (!recovery.needed)
        return true;
    count(m_series.of(m_index, S::kTransactionsReplayed), recovery.transactions);
    count(m_series.of(m_index, S::kPagesRestored), recovery.restoredPages);
    say(Severity::info,
        fmt::format(
            "had not been closed: {} transactions of {} log files replayed in {}, {} torn pages put back "
            "from their copies",
            recovery.transactions, recovery.logFiles, formatLatency(monoNow() - begin),
            recovery.restoredPages));
    return true;
}

Result<void> GroupWorker::closeGroup(GroupLife& life)
{
    const auto closed = drive(life, life.group->close());
    publish(life, true);
    return closed.value_or(Result<void>());
}

Result<void> GroupWorker::requireClosed(GroupLife& life)
{
    const auto checkpoint = drive(life, readCheckpoint(life));
    if (!checkpoint)
        return {};
    if (!*checkpoint)
        return checkpoint->error();
    if ((*checkpoint)->clean == 0)
        return fail(
            "was not closed, so that pages may be torn that recovery puts right; recover it first (loadstone "
            "storage recover)");
    return {};
}

} // namespace loadstone::storage
