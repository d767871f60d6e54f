// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_loading.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::storage {
namespace {

/// What an operation of the mix costs to begin with: a leaf or two that are not in the cache, and nearly as many writes. The
/// steering learns the rest.
constexpr double kReadsOfOperation = 1.15, kWritesOfOperation = 1;
constexpr auto kSteerEvery = std::chrono::seconds(1);
constexpr std::size_t kMostWaiting = 100'000; // transactions

} // namespace

void GroupLoading::startLoad(GroupLife& life)
{
    const plan::StorageLoad& load = m_context.test().load;
    const unsigned sessions = m_context.test().threadsPerGroup();
    life.makeLoad();
    if (load.pacing == plan::StoragePacing::threads) {
        life.load->setSessions(sessions);
        return;
    }
    const double target = load.targetIops * share();
    life.steering.emplace(target, kReadsOfOperation * load.operations, kWritesOfOperation * load.operations);
    life.load->startPaced(sessions);
    life.pacing = true;
    life.loop.spawn(pace(life));
}

/// Of the databases' transfers: databases have equal parts of them.
double GroupLoading::share() const
{
    return static_cast<double>(m_context.group().options.databaseFolders.size())
        / static_cast<double>(m_context.test().databases());
}

void GroupLoading::adjustLoad(GroupLife& life)
{
    const double load = m_context.control.takeAdjusted();
    if (load <= 0)
        return;
    if (life.steering) {
        life.steering->setTarget(load * share());
        life.load->forgetDue(); // what a rate that was too high has left would hide how a lower one does
    } else {
        life.load->setSessions(static_cast<unsigned>(load));
    }
}

/// Looks whether the load has come to its target.
void GroupLoading::settle(GroupLife& life, Nanoseconds sinceBegin, std::uint64_t transfers)
{
    const Settling::State state =
        life.settling->update(sinceBegin, transfers, life.group->cleaner().depth(), life.load->waiting() > 0);
    if (state == Settling::State::changing)
        return;
    life.settling.reset();
    if (state == Settling::State::settled)
        m_context.report.say(Severity::info, "the load has settled at its target");
    else
        m_context.report.say(Severity::warning,
            "transactions have been waiting for two minutes: the sessions cannot reach the target, and the "
            "load is measured as it is");
}

Task<> GroupLoading::pace(GroupLife& life)
{
    const MonoTime begin = life.loop.now();
    GroupMeter& meter = m_context.meter;
    const std::uint64_t reads = meter.databaseReads(),
                        writes = meter.databaseWrites(); // of opening the group
    const auto interval = [&] {
        return Nanoseconds(std::max<std::int64_t>(1, std::llround(1e9 / life.steering->rate())));
    };
    MonoTime due = begin, steer = begin + kSteerEvery;
    bool tooMany = false;
    while (!life.ending && !life.group->failure()) {
        // Where transactions are a minute apart, the end must not wait for the next one.
        const MonoTime next = std::min(due, steer);
        co_await life.loop.until(next);
        const MonoTime now = life.loop.now();
        if (now >= steer) {
            const std::uint64_t read = meter.databaseReads() - reads,
                                written = meter.databaseWrites() - writes;
            life.steering->update(now - begin, read, written, life.load->counts().transactions);
            if (life.settling)
                settle(life, now - begin, read + written);
            steer = now + kSteerEvery;
            due = std::min(due, now + interval());
        }
        for (; due <= now; due += interval()) {
            meter.recordSlip(now - due);
            if (life.load->waiting() < kMostWaiting) {
                life.load->due(due);
            } else if (!tooMany) {
                tooMany = true;
                m_context.report.say(Severity::warning,
                    fmt::format(
                        "{} transactions are due that no session has begun: further ones are left out",
                        kMostWaiting));
            }
            if (life.load->waiting() >= kMostWaiting) { // nor is there an end to looking at them one by one
                const auto leftOut = static_cast<std::uint64_t>((now - due) / interval());
                meter.count(m_context.counts().due, leftOut);
                meter.count(m_context.counts().cutOff, leftOut);
                due = now + interval();
                break;
            }
        }
    }
    life.pacing = false;
}

void GroupLoading::startMaintenance(GroupLife& life)
{
    const plan::StorageTest& test = m_context.test();
    if (test.maintenance.enabled) {
        const Maintenance::Options options { static_cast<std::size_t>(test.maintenance.readSize),
            test.maintenance.interval };
        for (std::size_t i = 0; i < m_context.group().options.databaseFolders.size(); ++i) {
            life.maintenance.push_back(
                std::make_unique<Maintenance>(life.loop, *life.group, static_cast<std::uint8_t>(i), options));
            life.loop.spawn(life.maintenance.back()->run());
        }
    }
    if (test.logReaders() > 0) {
        life.logCopies.emplace(life.loop, *life.group, test.logReaders());
        life.loop.spawn(life.logCopies->run());
    }
}

/// Whether the cache is filled as far as it is to be before the load counts.
bool GroupLoading::isWarm(GroupLife& life)
{
    const Cache& cache = life.group->cache();
    std::uint64_t pages = 0;
    for (std::size_t i = 0; i < cache.databases(); ++i)
        pages += life.group->usedPages(static_cast<std::uint8_t>(i));
    // A database smaller than the cache cannot fill it.
    const auto wanted = static_cast<std::uint64_t>(
        plan::StorageTest::kWarm * static_cast<double>(std::min<std::uint64_t>(cache.frames(), pages)));
    m_context.report.progress(cache.used(), wanted);
    if (cache.used() < wanted)
        return false;
    m_context.report.say(Severity::info,
        fmt::format("the cache is filled: {} of {}", formatBytes(cache.used() * cache.pageSize()),
            formatBytes(cache.frames() * cache.pageSize())));
    return true;
}

/// Until there are other orders.
void GroupLoading::keepUp(GroupLife& life)
{
    const plan::StorageLoad& load = m_context.test().load;
    bool filled = false;
    while (!m_context.control.interrupted() && !life.group->failure()) {
        life.turn();
        adjustLoad(life);
        if (filled) {
            if (!life.settling)
                m_context.control.fulfil();
            continue;
        }
        filled = isWarm(life);
        if (filled && life.steering && !load.tuning) // which has rules of its own
            life.settling.emplace(
                load.targetIops * share(), load.margin, m_context.group().options.checkpointDepth);
    }
}

Result<void> GroupLoading::run()
{
    auto made = GroupLife::begin(m_context);
    if (!made)
        return made.error();
    GroupLife& life = **made;
    const auto opened = life.open();
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    startLoad(life);
    startMaintenance(life);
    keepUp(life);
    life.publish();
    if (life.group->failure())
        return *life.group->failure();
    if (m_context.stopped())
        return {};
    life.end();
    while (life.busy() && !m_context.stopped() && !life.group->failure())
        life.turn();
    life.publish();
    if (m_context.stopped() || life.group->failure())
        return m_context.stopped() ? Result<void>() : Result<void>(*life.group->failure());
    return close(life);
}

Result<void> GroupLoading::close(GroupLife& life)
{
    const LoadCounts& counts = life.load->counts();
    const Result<void> closed = life.close();
    if (counts.erasedForRoom > 0)
        m_context.report.say(Severity::warning,
            fmt::format("databases were full: {} of {} inserts became deletes, so the load is not the plan's "
                        "mix; a larger growth_reserve, or new databases after `storage clean`, give room",
                counts.erasedForRoom, counts.erasedForRoom + counts.inserts));
    if (closed)
        m_context.report.say(Severity::info,
            fmt::format(
                "{} transactions: {} inserted, {} deleted ({} of them instead of inserts, because the "
                "database was full), {} replaced, {} read; {} given up because another session was "
                "quicker;{} all pages are on the disk",
                counts.transactions, counts.inserts, counts.erases, counts.erasedForRoom, counts.replaces,
                counts.reads, counts.conflicts,
                life.logCopies ? fmt::format(" {} log files were used again before a copy had read them;",
                    life.logCopies->filesMissed())
                               : ""));
    return closed;
}

} // namespace loadstone::storage
