// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/page/database_file.h"
#include "storage/page/tree.h"
#include "storage/store/cleaner.h"
#include "storage/store/recovery.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::storage {

struct GroupOptions {
    std::string name = "group-1"; ///< the beginning of its files' names
    std::vector<std::filesystem::path> databaseFolders; ///< one database each, in this order
    std::filesystem::path logFolder;
    std::uint32_t signature = 0; ///< tells its files from all other groups'
    Identity owner {}; ///< the identity of its files; none: they have none, as those of simulated devices
    std::uint32_t pageSize = 8192;
    std::uint64_t pagesPerDatabase = 0;
    std::size_t cacheBytes = 64U << 20;
    std::size_t logBuffer = 4608U << 10; ///< bytes
    LogGeometry log;
    std::size_t logFiles = 4; ///< made beforehand
    std::uint64_t checkpointDepth = 20U << 20; ///< bytes of log
    bool direct = true;
    Durability durability = Durability::writeThrough;
    [[nodiscard]] std::filesystem::path databasePath(std::size_t index) const;
    [[nodiscard]] std::filesystem::path checkpointPath() const;
    [[nodiscard]] std::filesystem::path copiesPath() const; ///< of the double-write file
    [[nodiscard]] std::string logPrefix() const { return name + "-"; }
    [[nodiscard]] FileOptions files() const { return { direct, true, durability, owner, 0 }; }
};

/// One change of a transaction.
struct Change {
    enum class Kind : std::uint8_t { insert, erase, replace, patch } kind = Kind::insert;
    std::uint8_t database = 0;
    Key key = 0;
    std::uint16_t offset = 0; ///< patch
    std::span<const std::byte> value;
};

enum class CommitOutcome : std::uint8_t {
    committed,
    conflict, ///< a key was there already, or was not: nothing was changed
    full, ///< the database has no free page: nothing was changed
    failed ///< the store has failed; failure() says why
};

enum class CommitMode : std::uint8_t {
    durable, ///< it is on the disk when commit() returns
    lazy ///< it will be, after all transactions before it
};

/// Databases that share a cache and a log: a page store of one worker thread. Transactions are sets of changes that are made
/// all at once, when they are committed; a crash leaves the whole of each or nothing, and none without those before it.
class StorageGroup {
public:
    StorageGroup(Loop& loop, GroupOptions options);
    StorageGroup(const StorageGroup&) = delete;
    StorageGroup& operator=(const StorageGroup&) = delete;
    /// Its coroutines have ended, or were abandoned with their loop. Waits for I/O, and leaves the device without a file
    /// or memory of its own. What was not closed has to be recovered.
    ~StorageGroup();

    /// Makes the files of an empty group. Fails where any of them is there; then none is there that was not before.
    Task<Result<void>> create();
    /// Opens it, after a crash with all that was durable. Where that fails no file is left open.
    Task<Result<Recovery>> open();
    /// What open() has done so far, for showing it meanwhile: kept up to date from turn to turn of the loop.
    [[nodiscard]] const Recovery& recovering() const noexcept { return m_recovery; }
    /// Writes all that was changed, and closes its files. Nothing else may run.
    Task<Result<void>> close();
    struct Record {
        Key key = 0;
        std::string value;
    };
    /// Reads the record with the lowest key not below `key`; an empty optional where there is none.
    Task<Result<std::optional<Record>>> seek(std::uint8_t database, Key key);
    /// The changes' values live until it returns. `end` is set, where it is committed, to where its records end in the log:
    /// as soon as they are in the log's buffer. Transactions are in the order of their ends.
    Task<CommitOutcome> commit(std::span<const Change> changes, CommitMode mode, LogPosition* end = nullptr);

    /// Pages of a database that are in use, and that its file has room for.
    [[nodiscard]] std::uint64_t usedPages(std::uint8_t database) const noexcept { return m_used[database]; }
    [[nodiscard]] std::uint64_t pages(std::uint8_t database) const noexcept { return m_pages[database]; }
    /// open() has succeeded.
    [[nodiscard]] bool isOpen() const noexcept { return m_isOpen; }
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return m_cache.failure(); }
    /// Ends all work with this failure.
    void failWith(Error error) { m_cache.failWith(std::move(error)); }
    [[nodiscard]] const GroupOptions& options() const noexcept { return m_options; }
    [[nodiscard]] Cache& cache() noexcept { return m_cache; }
    [[nodiscard]] const LogFiles& logFiles() const noexcept { return m_logFiles; }
    [[nodiscard]] LogWriter& log() noexcept { return *m_log; }
    [[nodiscard]] Cleaner& cleaner() noexcept { return *m_cleaner; }

private:
    class Pages; // what one transaction has pinned
    Task<Result<void>> createFiles(std::vector<std::filesystem::path>& made);
    Result<FileId> createFile(const std::filesystem::path& path, std::uint64_t size);
    Result<FileId> openFile(const std::filesystem::path& path);
    Task<Result<Checkpoint>> openFiles();
    Task<Result<void>> openDatabases();
    Task<Result<void>> flushFiles();
    void closeFiles();
    Task<Result<void>> countUsedPages();
    Task<Result<void>> findLogEnd(Checkpoint& checkpoint);
    Task<Result<void>> recover(Checkpoint checkpoint);
    /// Waits for what an edit missed. False: the store has failed.
    Task<bool> getOver(Hindrance hindrance, PageId page, Pages& pages, std::size_t taken);
    void apply(PageEdit& edit, const Change& change);
    void start(LogPosition end, std::span<const std::byte> partial, std::uint32_t epoch,
        const Checkpoint& checkpoint);
    Task<> runOwn(Task<> task);
    Task<> endOwn();
    struct OpenFile {
        FileId file;
        std::string path;
    };
    Loop& m_loop;
    GroupOptions m_options;
    std::vector<OpenFile> m_files; // all but the log's
    Recovery m_recovery;
    Cache m_cache;
    std::vector<std::uint64_t> m_pages, m_used; // of each database
    std::vector<std::unique_ptr<SpaceMap>> m_space;
    std::vector<Tree> m_trees;
    LogFiles m_logFiles;
    std::unique_ptr<CheckpointFile> m_checkpointFile;
    std::unique_ptr<PageCopies> m_copies;
    std::unique_ptr<LogWriter> m_log;
    std::unique_ptr<Cleaner> m_cleaner;
    std::size_t m_running = 0; // coroutines of its own
    bool m_isOpen = false;
    Waiters m_ended;
};

} // namespace loadstone::storage
