// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/store/maintenance.h"
#include "storage/test/group_context.h"

#include <set>

namespace loadstone::storage {

class GroupLife;

/// What is recorded of a group's page store and of those that work on it, while the group is open: what they have counted since
/// the last time, levels, and damaged pages that they have met. The worker's thread.
class StoreMeter {
public:
    explicit StoreMeter(GroupContext& context)
        : m_context(context)
    {
    }
    /// Some times a second; `now`: in any case.
    void publish(GroupLife& life, bool now);

private:
    /// Counters as they were last recorded.
    struct Seen {
        Cache::Counts cache;
        LogCounts log;
        Cleaner::Counts cleaner;
        LoadCounts load;
        std::vector<Maintenance::Counts> maintenance; // of each database
        std::uint64_t logCopies = 0;
    };
    [[nodiscard]] Seen look(GroupLife& life) const;
    void record(const Seen& before);
    void noteDamages(GroupLife& life);
    void note(const PageDamages& damages, std::size_t& noted);
    GroupContext& m_context;
    Seen m_seen;
    MonoTime m_published {};
    // Damaged pages that were counted; the load and a database's maintenance may find the same ones.
    std::size_t m_ofLoad = 0;
    std::vector<std::size_t> m_ofMaintenance;
    std::set<std::pair<std::string, std::uint64_t>> m_damaged;
};

} // namespace loadstone::storage
