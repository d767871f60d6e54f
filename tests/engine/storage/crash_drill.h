// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/storage/memory_device.h"
#include "storage/store/storage_group.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace loadstone::test {

/// A small storage group on a MemoryDisk that lives through crashes, with a model of what must be in it.
class CrashDrill {
public:
    CrashDrill(
        std::uint64_t seed, std::uint32_t pageSize, std::uint32_t segment, storage::Durability durability);
    ~CrashDrill();

    /// Opens the group, checks that it has what it must, has sessions change it for a while, and lets the power go: while it
    /// is being opened, too. Now and then its process alone is killed. What is wrong, if anything.
    std::optional<std::string> life();

    std::uint64_t crashes = 0, crashesWhileOpening = 0, kills = 0, cleanCloses = 0;
    std::uint64_t durableCommits = 0, lazyCommits = 0, lostLazy = 0, keptUnanswered = 0;
    std::uint64_t restoredPages = 0, replayed = 0, tornWrites = 0, shadowsRead = 0;

private:
    struct Written; // a transaction
    struct Life; // a group between two crashes
    void endLife(Life& life);
    std::optional<std::string> check(Life& life, storage::LogPosition end);
    std::optional<std::string> checkPages() const;
    Random m_random;
    storage::GroupOptions m_options;
    MemoryDisk m_disk;
    std::vector<std::shared_ptr<Written>> m_written; // not yet known to be part of m_state
    std::map<std::pair<unsigned, storage::Key>, std::string> m_state;
    std::uint64_t m_counter = 0;
};

} // namespace loadstone::test
