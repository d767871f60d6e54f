// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"
#include "storage/device/file_identity.h"
#include "storage/page/record_content.h"
#include "storage/store/storage_group.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::storage {

/// How a storage group's files were made. What a plan may change later without making them again (cache, sessions, checkpoint
/// depth, durability) is no part of it.
struct GroupMake {
    std::uint32_t pageSize = 8192;
    std::uint64_t pagesPerDatabase = 0;
    std::uint64_t records = 0; ///< that each database is filled with
    LogGeometry log;
    RecordShape shape;
    std::vector<std::filesystem::path> databaseFolders;
    bool operator==(const GroupMake&) const = default;
};

/// A storage group's files, and the exclusive use of them while the object lives. Its mark, a small text file in the folder of
/// its log ("group-1.loadstone"), is written before the first of them and removed after the last. The mark says its own inode and
/// file system, and the group's random identity, which each of the files ends with (file_identity.h): files without it are
/// somebody else's and never written to, and a mark that was copied or put in another one's place counts for nothing. Where the
/// databases lie is for the plan to say: a mark that says otherwise is refused.
class GroupMark {
public:
    enum class State : std::uint8_t {
        none, ///< there are no files
        making, ///< they were being made when all ended: none of them is of use
        made
    };
    /// An Error: files of these names are there that are not Loadstone's, the group was made otherwise than `wanted`, or
    /// another run is using it. `options`: names and folders alone count.
    static Result<GroupMark> claim(const GroupOptions& options, const GroupMake& wanted);
    /// The mark of the group with that name, log folder and folders of databases, to remove it; none where there is none.
    static Result<std::optional<GroupMark>> find(const std::filesystem::path& logFolder,
        const std::string& name, const std::vector<std::filesystem::path>& databaseFolders);

    [[nodiscard]] State state() const noexcept { return m_state; }
    [[nodiscard]] const Identity& identity() const noexcept { return m_identity; } ///< of each of its files
    [[nodiscard]] std::uint32_t signature() const noexcept { return m_signature; }
    [[nodiscard]] std::uint64_t seed() const noexcept { return m_seed; } ///< of the records
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    [[nodiscard]] const GroupMake& make() const noexcept { return m_make; }
    /// All files that the group has now, the mark not included.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;

    /// Before the first file is made; what an earlier making has left goes. Draws a signature. Durable.
    Result<void> begin(std::uint64_t seed);
    /// After the last one was.
    Result<void> finish();
    /// After begin(), where nothing was made: there is no group, and no mark.
    void withdraw();
    /// Removes all files, then the mark.
    Result<void> remove();

private:
    GroupMark(std::filesystem::path path, std::string name);
    [[nodiscard]] bool isUnwritten() const;
    Result<void> read();
    Result<void> write(State state);
    Result<void> hold(int flags);
    Result<void> holdFiles();
    Result<void> removeFiles();
    std::filesystem::path m_path;
    std::string m_name;
    GroupMake m_make;
    std::optional<GroupMake> m_wanted; // of a group in the making: what it is to become
    State m_state = State::none;
    Identity m_identity;
    std::uint32_t m_signature = 0;
    std::uint64_t m_seed = 0;
    FileDescriptor m_lock; // of the mark, which stays one file as long as the group is there
    std::vector<FileDescriptor>
        m_fileLocks; // of the databases and the checkpoint: whoever has them has the group
};

} // namespace loadstone::storage
