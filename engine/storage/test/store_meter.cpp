// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/store_meter.h"

#include "storage/test/group_life.h"

namespace loadstone::storage {
namespace {

constexpr auto kPublishEvery = std::chrono::milliseconds(50);
constexpr std::size_t kMostDamagesTold = 1000; // one by one, in the test log

} // namespace

StoreMeter::Seen StoreMeter::look(GroupLife& life) const
{
    Seen seen = m_seen;
    StorageGroup& store = *life.group;
    seen.cache = store.cache().counts();
    if (store.isOpen()) {
        seen.log = store.log().counts();
        seen.cleaner = store.cleaner().counts();
    }
    if (life.load)
        seen.load = life.load->counts();
    seen.maintenance.clear();
    for (const auto& one : life.maintenance)
        seen.maintenance.push_back(one->counts());
    if (life.logCopies)
        seen.logCopies = life.logCopies->filesRead();
    return seen;
}

void StoreMeter::record(const Seen& before)
{
    const StorageSeries::Group& own = m_context.counts();
    m_context.meter.write([&](metrics::Slab& slab) {
        const auto add = [&](series::CountHandle which, std::uint64_t old, std::uint64_t fresh) {
            slab[which] += fresh - old;
        };
        const LoadCounts &was = before.load, &is = m_seen.load;
        add(own.stalls, before.cache.stalls, m_seen.cache.stalls);
        add(own.cacheRequests, before.cache.requests, m_seen.cache.requests);
        add(own.cacheMisses, before.cache.misses, m_seen.cache.misses);
        add(own.pagesFlushed, before.cleaner.pages, m_seen.cleaner.pages);
        add(own.checkpoints, before.cleaner.checkpoints, m_seen.cleaner.checkpoints);
        add(own.logStalls, before.log.stalls, m_seen.log.stalls);
        add(own.logFiles, before.log.filesBegun, m_seen.log.filesBegun);
        add(own.inserted, was.inserts, is.inserts);
        add(own.deleted, was.erases, is.erases);
        add(own.replaced, was.replaces, is.replaces);
        add(own.retrieved, was.reads, is.reads);
        add(own.durableCommits, was.durableCommits, is.durableCommits);
        add(own.lazyCommits, was.lazyCommits, is.lazyCommits);
        add(own.wrongRecords, was.wrongRecords, is.wrongRecords);
        for (std::size_t i = 0; i < m_seen.maintenance.size(); ++i) { // one of each database
            Maintenance::Counts seen;
            if (i < before.maintenance.size())
                seen = before.maintenance[i];
            const Maintenance::Counts& fresh = m_seen.maintenance[i];
            const StorageSeries::Database& database = m_context.database(i);
            add(own.maintenancePages, seen.pages, fresh.pages);
            add(database.seen, seen.pages, fresh.pages);
            add(database.bytesSeen, seen.bytes, fresh.bytes);
        }
        add(own.logCopies, before.logCopies, m_seen.logCopies);
    });
}

void StoreMeter::publish(GroupLife& life, bool now)
{
    const MonoTime time = monoNow();
    if (!life.group || (!now && time - m_published < kPublishEvery))
        return;
    m_published = time;
    const Seen before = std::exchange(m_seen, look(life));
    record(before);
    noteDamages(life);
    if (before.load.wrongRecords == 0 && m_seen.load.wrongRecords > 0)
        m_context.report.say(Severity::error, life.load->wrongRecord());
    StorageGroup& store = *life.group;
    std::uint64_t pages = 0;
    if (store.isOpen())
        for (std::size_t i = 0; i < store.cache().databases(); ++i)
            pages += store.usedPages(static_cast<std::uint8_t>(i));
    GroupLevels levels;
    levels.cache = store.cache().used() * store.cache().pageSize();
    levels.size = pages * store.cache().pageSize();
    levels.depth = store.isOpen() ? store.cleaner().depth() : 0;
    levels.waiting = life.load ? life.load->waiting() : 0;
    levels.sessions = life.load ? life.load->running() : 0;
    levels.rate = life.steering ? life.steering->rate() : 0;
    m_context.report.show(levels);
}

/// Damaged pages that the load or its maintenance has met since the last time.
void StoreMeter::noteDamages(GroupLife& life)
{
    note(life.group->cache().damages(), m_ofLoad);
    m_ofMaintenance.resize(life.maintenance.size());
    for (std::size_t i = 0; i < life.maintenance.size(); ++i)
        note(life.maintenance[i]->damages(), m_ofMaintenance[i]);
}

void StoreMeter::note(const PageDamages& damages, std::size_t& noted)
{
    const GroupOptions& options = m_context.group().options;
    for (; noted < damages.all().size(); ++noted) {
        const Damage& damage = damages.all()[noted];
        if (!m_damaged.emplace(damage.path, damage.number).second)
            continue;
        if (m_damaged.size() <= kMostDamagesTold)
            m_context.report.sayDamage(damage);
        std::size_t database = options.databaseFolders.size() - 1;
        while (database > 0 && options.databasePath(database) != damage.path)
            --database;
        const StorageSeries::Database& own = m_context.database(database);
        m_context.meter.count(damage.kind == Damage::Kind::correctable ? own.correctable
                : damage.kind == Damage::Kind::wrongPage               ? own.wrongPage
                                                                       : own.bad,
            1);
    }
}

} // namespace loadstone::storage
