// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/loop.h"
#include "storage/log/log_format.h"

#include <filesystem>
#include <map>
#include <vector>

namespace loadstone::storage {

/// The files of a storage group's log: which of them has which part of it. A file whose part is no longer needed is used
/// again for a later one.
class LogFiles {
public:
    /// `folder`: the log's; files are named `prefix` with a number behind.
    LogFiles(Loop& loop, std::filesystem::path folder, std::string prefix, const LogGeometry& geometry,
        std::uint32_t signature, const FileOptions& options);

    /// Where the files lie, counted from 0 in the order in which they were made.
    [[nodiscard]] static std::filesystem::path pathOf(
        const std::filesystem::path& folder, const std::string& prefix, std::size_t slot);
    [[nodiscard]] const LogGeometry& geometry() const noexcept { return m_geometry; }
    [[nodiscard]] std::uint32_t signature() const noexcept { return m_signature; }

    /// Opens all that are there, and reads which part each has. An Error: a file is of another group or geometry, one is missing
    /// between others, or one with a part from `needed` on cannot tell that any more. A file that was being made when all
    /// ended is removed.
    Task<Result<void>> openAll(std::uint64_t needed);
    /// What was written to them is durable when it returns.
    Task<Result<void>> flushAll();
    /// Closes all that are open. No I/O of theirs is pending.
    void closeAll();
    /// The file with a part of the log; nothing where none has it.
    [[nodiscard]] std::optional<FileId> find(std::uint64_t number) const;
    /// For messages: the path of that file, or what it would be called where there is none.
    [[nodiscard]] std::string pathOf(std::uint64_t number) const;
    /// The numbers of all parts that there are, ascending.
    [[nodiscard]] std::vector<std::uint64_t> numbers() const;

    /// Makes a file ready for a part: one whose part is below `needed` is used again, or else there is a new one.
    Task<Result<FileId>> prepare(std::uint64_t number, std::uint64_t needed);
    /// Makes files until there are that many, so that none has to be made under load. Blocks.
    Task<Result<void>> makeAtLeast(std::size_t files);
    [[nodiscard]] std::size_t count() const noexcept { return m_slots.size(); }
    [[nodiscard]] std::uint64_t created() const noexcept { return m_created; }

private:
    struct Slot {
        std::filesystem::path path;
        FileId file = 0;
        std::optional<std::uint64_t> number; // the part it has; none: never used, or its header is torn
    };
    [[nodiscard]] std::filesystem::path pathOfSlot(std::size_t slot) const
    {
        return pathOf(m_folder, m_prefix, slot);
    }
    Task<Result<std::size_t>> makeSlot();
    Task<Result<void>> fillWithZeros(const Slot& slot);
    Task<Result<bool>> readSlot(Slot& slot, std::uint64_t needed);
    Task<Result<void>> checkUnnumbered(const Slot& slot, std::uint64_t needed);
    Loop& m_loop;
    std::filesystem::path m_folder;
    std::string m_prefix;
    LogGeometry m_geometry;
    std::uint32_t m_signature;
    FileOptions m_options;
    std::vector<Slot> m_slots;
    std::uint64_t m_created = 0;
};

} // namespace loadstone::storage
