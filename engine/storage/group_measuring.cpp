// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a group's worker records of its transfers, its page store and its load, and what it says of damage.
#include "analysis/io_series.h"
#include "storage/group_life.h"
#include "storage/raw_series.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace loadstone::storage {
namespace {

constexpr auto kPublishEvery = std::chrono::milliseconds(50);
constexpr std::size_t kMostDamagesTold = 1000; // one by one, in the test log
constexpr auto kLongTransfer = std::chrono::seconds(30); // without any completion while some are under way
constexpr auto kLostTransfer = std::chrono::minutes(5); // longer than drivers try

} // namespace

/// Tells of a device that does not answer, which a transfer alone would never do.
void GroupWorker::watchTransfers(const GroupLife& life)
{
    const MonoTime now = monoNow();
    if (life.device->pending() == 0 || m_completed != m_completedBefore || m_answered == MonoTime()) {
        if (m_silent)
            say(Severity::warning,
                fmt::format("transfers are completed again, after {}", formatLatency(now - m_answered)));
        m_silent = false;
        m_completedBefore = m_completed;
        m_answered = now;
    } else if (!m_silent && now - m_answered > kLongTransfer) {
        m_silent = true;
        say(Severity::error,
            fmt::format("{} transfers are under way, and none of them has been completed for {}",
                life.device->pending(), formatLatency(kLongTransfer)));
    } else if (m_unanswered.empty() && now - m_answered > kLostTransfer) {
        leaveUnanswered(life.device->pending());
        m_stop.store(true, std::memory_order_release);
    }
}

void GroupWorker::submitting(const GroupLife& life, std::span<IoRequest> requests)
{
    using S = StorageSeries;
    const MonoTime now = life.loop.now();
    const bool flushed = group().options.durability == Durability::flushed;
    const std::lock_guard inside(m_gate);
    for (IoRequest& one : requests) {
        const std::size_t volume = life.device->volume(one.file);
        metrics::Underway::Entry entry;
        entry.intended = now;
        entry.kind = S::age(volume, S::kindOf(one.kind, one.ioClass));
        if (flushed && one.kind == IoKind::flush && one.ioClass == IoClass::logWrite) {
            metrics::Underway::Entry write; // which is not complete before its flush is
            write.intended = m_logWriteIssued;
            write.kind = S::age(volume, static_cast<std::size_t>(IoClass::logWrite));
            entry.actor = m_underway.begin(write) + 1;
        }
        one.place = m_underway.begin(entry);
    }
}

void GroupWorker::measure(const GroupLife& life, std::span<const IoCompletion> completions)
{
    m_completed += completions.size();
    {
        const std::lock_guard inside(m_gate);
        m_recorder.write([&](metrics::Slab& slab) {
            for (const IoCompletion& one : completions)
                record(life, one, slab);
        });
        for (const IoCompletion& one : completions) {
            if (const std::uint32_t write = m_underway.entries()[one.place].actor; write > 0)
                m_underway.end(write - 1);
            m_underway.end(one.place);
        }
    }
    for (const IoCompletion& one : completions) {
        if (one.error == 0)
            continue;
        const std::size_t kind = StorageSeries::kindOf(one.kind, one.ioClass);
        const std::string what = kind == StorageSeries::kFlush ? "Flush" : toString(one.ioClass);
        const std::lock_guard lock(m_mutex);
        ++m_errors[{ analysis::ioInstance(m_setup.volumes[life.device->volume(one.file)], what), one.error }];
    }
}

void GroupWorker::record(const GroupLife& life, const IoCompletion& one, metrics::Slab& slab)
{
    using S = StorageSeries;
    const bool flushed = group().options.durability == Durability::flushed;
    const std::size_t volume = life.device->volume(one.file), kind = S::kindOf(one.kind, one.ioClass);
    ++slab.counts[S::transfers(volume, kind)];
    if (one.error != 0) {
        ++slab.counts[S::failed(volume, kind)];
        return;
    }
    if (one.kind != IoKind::flush)
        slab.counts[S::bytes(volume, kind)] += one.length;
    slab.histograms[S::queued(volume, kind)].record(one.issued - one.queued);
    const auto complete = [&](std::size_t as, Nanoseconds time) {
        slab.histograms[S::service(volume, as)].record(time);
    };
    const auto add = [&](S::GroupCount transfers, S::GroupSum sum, Nanoseconds time) {
        ++slab.counts[m_series.of(m_index, transfers)];
        slab.counts[m_series.of(m_index, sum)] += static_cast<std::uint64_t>(time.count());
    };
    const Nanoseconds time = one.done - one.issued;
    const bool ofLog = one.ioClass == IoClass::logWrite;
    if (!ofLog || one.kind == IoKind::flush)
        complete(kind, time);
    if (ofLog && one.kind == IoKind::write) {
        m_logWriteIssued = one.issued; // a group writes its log one write after the other
        slab.counts[m_series.of(m_index, S::kLogBytes)] += one.length;
    }
    if (ofLog && one.kind == (flushed ? IoKind::flush : IoKind::write)) { // now it is durable
        complete(static_cast<std::size_t>(IoClass::logWrite), one.done - m_logWriteIssued);
        add(S::kLogWrites, S::kLogWriteTime, one.done - m_logWriteIssued);
    } else if (one.kind == IoKind::read && one.ioClass == IoClass::databaseRead) {
        ++m_reads;
        add(S::kReads, S::kReadTime, time);
    } else if (one.kind == IoKind::write && one.ioClass == IoClass::databaseWrite) {
        ++m_writes;
        add(S::kWrites, S::kWriteTime, time);
    }
}

TransactionWatch GroupWorker::transactionWatch()
{
    using S = StorageSeries;
    TransactionWatch watch;
    watch.due = [this](MonoTime intended) {
        metrics::Underway::Entry entry;
        entry.intended = intended;
        entry.kind = m_series.transactionAge();
        const std::lock_guard inside(m_gate);
        count(m_series.of(m_index, S::kDue), 1);
        return m_underway.begin(entry);
    };
    watch.begun = [this] { count(m_series.of(m_index, S::kBegun), 1); };
    watch.forgotten = [this](std::uint32_t place) {
        const std::lock_guard inside(m_gate);
        m_underway.end(place);
    };
    watch.ended = [this](std::uint32_t place, const TransactionTimes& times) {
        const std::lock_guard inside(m_gate);
        m_recorder.write([&](metrics::Slab& slab) {
            ++slab.counts[m_series.of(m_index, S::kTransactions)];
            slab.histograms[m_series.response()].record(times.done - times.intended);
            slab.histograms[m_series.transactionService()].record(times.done - times.begun);
        });
        m_underway.end(place);
    };
    return watch;
}

void GroupWorker::forgetUnderway()
{
    const std::lock_guard inside(m_gate);
    const auto entries = m_underway.entries();
    const auto cutOff = std::count_if(entries.begin(), entries.end(),
        [&](const auto& entry) { return entry.kind == m_series.transactionAge(); });
    count(m_series.of(m_index, StorageSeries::kCutOff), static_cast<std::uint64_t>(cutOff));
    m_underway = {};
}

void GroupWorker::collect(metrics::Slab& slab, MonoTime until)
{
    metrics::Slab* full = nullptr;
    {
        const std::lock_guard inside(m_gate);
        for (const metrics::Underway::Entry& entry : m_underway.entries())
            if (entry.kind != metrics::Underway::kNothing)
                slab.histograms[entry.kind].record(until - entry.intended);
        full = &m_recorder.switchOver();
    }
    metrics::Recorder::empty(*full, slab);
}

void GroupWorker::publish(GroupLife& life, bool now)
{
    const MonoTime time = monoNow();
    if (!life.group || (!now && time - m_published < kPublishEvery))
        return;
    m_published = time;
    StorageGroup& store = *life.group;
    const Seen before = m_seen;
    m_seen.cache = store.cache().counts();
    if (store.isOpen()) {
        m_seen.log = store.log().counts();
        m_seen.cleaner = store.cleaner().counts();
    }
    if (life.load)
        m_seen.load = life.load->counts();
    m_seen.maintenance.clear();
    for (const auto& one : life.maintenance)
        m_seen.maintenance.push_back(one->counts());
    if (life.logCopies)
        m_seen.logCopies = life.logCopies->filesRead();
    using S = StorageSeries;
    m_recorder.write([&](metrics::Slab& slab) {
        const auto add = [&](S::GroupCount which, std::uint64_t old, std::uint64_t fresh) {
            slab.counts[m_series.of(m_index, which)] += fresh - old;
        };
        const LoadCounts &was = before.load, &is = m_seen.load;
        add(S::kStalls, before.cache.stalls, m_seen.cache.stalls);
        add(S::kCacheRequests, before.cache.requests, m_seen.cache.requests);
        add(S::kCacheMisses, before.cache.misses, m_seen.cache.misses);
        add(S::kPagesFlushed, before.cleaner.pages, m_seen.cleaner.pages);
        add(S::kCheckpoints, before.cleaner.checkpoints, m_seen.cleaner.checkpoints);
        add(S::kLogStalls, before.log.stalls, m_seen.log.stalls);
        add(S::kLogFiles, before.log.filesBegun, m_seen.log.filesBegun);
        add(S::kInserted, was.inserts, is.inserts);
        add(S::kDeleted, was.erases, is.erases);
        add(S::kReplaced, was.replaces, is.replaces);
        add(S::kRetrieved, was.reads, is.reads);
        add(S::kDurableCommits, was.durableCommits, is.durableCommits);
        add(S::kLazyCommits, was.lazyCommits, is.lazyCommits);
        add(S::kWrongRecords, was.wrongRecords, is.wrongRecords);
        for (std::size_t i = 0; i < m_seen.maintenance.size(); ++i) { // one of each database
            Maintenance::Counts seen;
            if (i < before.maintenance.size())
                seen = before.maintenance[i];
            const Maintenance::Counts& fresh = m_seen.maintenance[i];
            add(S::kMaintenancePages, seen.pages, fresh.pages);
            slab.counts[m_series.of(databaseIndex(i), S::kSeen)] += fresh.pages - seen.pages;
            slab.counts[m_series.of(databaseIndex(i), S::kBytesSeen)] += fresh.bytes - seen.bytes;
        }
        add(S::kLogCopies, before.logCopies, m_seen.logCopies);
    });
    noteDamages(life);
    if (before.load.wrongRecords == 0 && m_seen.load.wrongRecords > 0)
        say(Severity::error, life.load->wrongRecord());
    std::uint64_t pages = 0;
    if (store.isOpen())
        for (std::size_t i = 0; i < store.cache().databases(); ++i)
            pages += store.usedPages(static_cast<std::uint8_t>(i));
    const std::lock_guard lock(m_mutex);
    m_levels.cache = store.cache().used() * store.cache().pageSize();
    m_levels.size = pages * store.cache().pageSize();
    m_levels.depth = store.isOpen() ? store.cleaner().depth() : 0;
    m_levels.waiting = life.load ? life.load->waiting() : 0;
    m_levels.sessions = life.load ? life.load->running() : 0;
    m_levels.rate = life.steering ? life.steering->rate() : 0;
}

/// Damaged pages that the load or its maintenance has met since the last time.
void GroupWorker::noteDamages(GroupLife& life)
{
    using S = StorageSeries;
    const auto note = [&](const PageDamages& damages, std::size_t& noted) {
        for (; noted < damages.all().size(); ++noted) {
            const Damage& damage = damages.all()[noted];
            if (!m_damaged.pages.emplace(damage.path, damage.number).second)
                continue;
            if (m_damaged.pages.size() <= kMostDamagesTold)
                noteDamage(damage);
            std::size_t database = group().options.databaseFolders.size() - 1;
            while (database > 0 && group().options.databasePath(database) != damage.path)
                --database;
            const S::DatabaseCount which = damage.kind == Damage::Kind::correctable ? S::kCorrectable
                : damage.kind == Damage::Kind::wrongPage                            ? S::kWrongPage
                                                                                    : S::kBad;
            count(m_series.of(databaseIndex(database), which), 1);
        }
    };
    note(life.group->cache().damages(), m_damaged.ofLoad);
    m_damaged.ofMaintenance.resize(life.maintenance.size());
    for (std::size_t i = 0; i < life.maintenance.size(); ++i)
        note(life.maintenance[i]->damages(), m_damaged.ofMaintenance[i]);
}

void GroupWorker::noteDamage(const Damage& damage)
{
    const char* what = "is damaged";
    std::string where = fmt::format("page {}", damage.number);
    switch (damage.kind) {
    case Damage::Kind::correctable:
        what = "has one wrong bit";
        break;
    case Damage::Kind::wrongPage:
        what = "is another page";
        break;
    case Damage::Kind::badPage:
        what = "has a wrong checksum";
        break;
    case Damage::Kind::badSegment:
        where = fmt::format("segment {}", damage.number);
        break;
    case Damage::Kind::badHeader:
        where = "its header";
        break;
    case Damage::Kind::cut:
        where = "the file";
        what = "is not as long as it was made";
        break;
    case Damage::Kind::missing:
        where = fmt::format("file {} of the log", damage.number + 1); // a person counts from one
        what = "is missing";
        break;
    }
    say(Severity::error, fmt::format("{}: {} {}", damage.path, where, what));
}

} // namespace loadstone::storage
