// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a group's worker puts its group under load, and what a recovery test does with it.
#include "storage/group_life.h"

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
constexpr auto kLongestWithoutLog = std::chrono::minutes(1);

} // namespace

void GroupWorker::startLoad(GroupLife& life, bool paced)
{
    const plan::StorageLoad& load = test().load;
    OperationMix mix;
    mix.insert = load.insert;
    mix.erase = load.erase;
    mix.replace = load.replace;
    mix.lazyCommits = load.lazyCommits;
    mix.operations = load.operations;
    life.load.emplace(life.loop, *life.group, group().contents, mix, hashOf({ m_orders.seed, m_index }),
        transactionWatch());
    const unsigned sessions = test().threadsPerGroup();
    if (!paced) {
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
double GroupWorker::share() const
{
    return static_cast<double>(m_setup.groups[m_index].options.databaseFolders.size())
        / static_cast<double>(test().databases());
}

void GroupWorker::adjustLoad(GroupLife& life)
{
    const double load = m_adjusted.exchange(0, std::memory_order_acq_rel);
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
void GroupWorker::settle(GroupLife& life, Nanoseconds sinceBegin, std::uint64_t transfers)
{
    const Settling::State state =
        life.settling->update(sinceBegin, transfers, life.group->cleaner().depth(), life.load->waiting() > 0);
    if (state == Settling::State::changing)
        return;
    life.settling.reset();
    if (state == Settling::State::settled)
        say(Severity::info, "the load has settled at its target");
    else
        say(Severity::warning,
            "transactions have been waiting for two minutes: the sessions do not bear the target, and the "
            "load "
            "is measured as it is");
}

Task<> GroupWorker::pace(GroupLife& life)
{
    const MonoTime begin = life.loop.now();
    const std::uint64_t reads = m_reads, writes = m_writes; // of opening the group
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
            life.steering->update(
                now - begin, m_reads - reads, m_writes - writes, life.load->counts().transactions);
            if (life.settling)
                settle(life, now - begin, m_reads - reads + m_writes - writes);
            steer = now + kSteerEvery;
            due = std::min(due, now + interval());
        }
        for (; due <= now; due += interval()) {
            m_recorder.record(m_series.slip(), now - due);
            if (life.load->waiting() < kMostWaiting) {
                life.load->due(due);
            } else if (!tooMany) {
                tooMany = true;
                say(Severity::warning,
                    fmt::format("{} transactions are due that the sessions have not come to: further ones "
                                "are left out",
                        kMostWaiting));
            }
            if (life.load->waiting() >= kMostWaiting) { // nor is there an end to looking at them one by one
                const auto leftOut = static_cast<std::uint64_t>((now - due) / interval());
                count(m_series.of(m_index, StorageSeries::kDue), leftOut);
                count(m_series.of(m_index, StorageSeries::kCutOff), leftOut);
                due = now + interval();
                break;
            }
        }
    }
    life.pacing = false;
}

Result<void> GroupWorker::load()
{
    auto made = GroupLife::begin(m_setup, *this);
    if (!made)
        return made.error();
    GroupLife& life = **made;
    const auto opened = openGroup(life);
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    startLoad(life, test().load.pacing != plan::StoragePacing::threads);
    if (const plan::StorageMaintenance& maintenance = test().maintenance; maintenance.enabled) {
        const Maintenance::Options options { static_cast<std::size_t>(maintenance.readSize),
            maintenance.interval };
        for (std::size_t i = 0; i < group().options.databaseFolders.size(); ++i) {
            life.maintenance.push_back(
                std::make_unique<Maintenance>(life.loop, *life.group, static_cast<std::uint8_t>(i), options));
            life.loop.spawn(life.maintenance.back()->run());
        }
    }
    if (test().logReaders() > 0) {
        life.logCopies.emplace(life.loop, *life.group, test().logReaders());
        life.loop.spawn(life.logCopies->run());
    }
    const Cache& cache = life.group->cache();
    bool filled = false;
    while (!interrupted() && !life.group->failure()) {
        turn(life);
        adjustLoad(life);
        if (filled) {
            if (!life.settling)
                m_fulfilled.store(m_obeyed, std::memory_order_release);
            continue;
        }
        std::uint64_t pages = 0;
        for (std::size_t i = 0; i < cache.databases(); ++i)
            pages += life.group->usedPages(static_cast<std::uint8_t>(i));
        // A database smaller than the cache cannot fill it.
        const auto wanted = static_cast<std::uint64_t>(
            plan::StorageTest::kWarm * static_cast<double>(std::min<std::uint64_t>(cache.frames(), pages)));
        progress(cache.used(), wanted);
        if (cache.used() < wanted)
            continue;
        filled = true;
        say(Severity::info,
            fmt::format("the cache is filled: {} of {}", formatBytes(cache.used() * cache.pageSize()),
                formatBytes(cache.frames() * cache.pageSize())));
        const plan::StorageLoad& load = test().load;
        if (life.steering && !load.tuning) // which has rules of its own
            life.settling.emplace(load.targetIops * share(), load.margin, group().options.checkpointDepth);
    }
    publish(life, true);
    if (life.group->failure())
        return *life.group->failure();
    if (m_stop)
        return {};
    life.end();
    while (life.busy() && !m_stop && !life.group->failure())
        turn(life);
    publish(life, true);
    if (m_stop || life.group->failure())
        return m_stop ? Result<void>() : Result<void>(*life.group->failure());
    const LoadCounts& counts = life.load->counts();
    const Result<void> closed = closeGroup(life);
    if (closed)
        say(Severity::info,
            fmt::format("{} transactions: {} inserted, {} deleted ({} of them in the place of inserts, for "
                        "want of room), {} replaced, {} read; {} given up because another session was "
                        "quicker;{} all pages are on the disk",
                counts.transactions, counts.inserts, counts.erases, counts.erasedForRoom, counts.replaces,
                counts.reads, counts.conflicts,
                life.logCopies ? fmt::format(" {} log files were used again before a copy had read them;",
                    life.logCopies->filesMissed())
                               : ""));
    return closed;
}

Result<void> GroupWorker::generate()
{
    auto made = GroupLife::begin(m_setup, *this);
    if (!made)
        return made.error();
    GroupLife& life = **made;
    const LogGeometry& log = group().options.log;
    const std::uint64_t files = m_orders.step->logs;
    // So deep that pages are written for want of memory alone, as far as they can be.
    const auto opened = openGroup(life, (files + 2) * log.fileSize);
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    life.group->cleaner().holdCheckpoint(true);
    startLoad(life, false);
    const LogWriter& writer = life.group->log();
    const std::uint64_t first = log.fileOf(writer.end());
    LogPosition written = writer.end();
    std::uint64_t completed = m_completed;
    MonoTime before = monoNow();
    Nanoseconds vain {}; // what sessions did since the log has grown
    while (!m_stop && !life.group->failure() && log.fileOf(writer.durable()) < first + files) {
        turn(life);
        progress(log.fileOf(writer.durable()) - first, files);
        const MonoTime now = monoNow();
        if (writer.end() != written)
            vain = {};
        else if (m_completed != completed
            || life.device->pending() == 0) // not while a device does not answer
            vain += now - before;
        written = writer.end();
        completed = m_completed;
        before = now;
        if (vain > kLongestWithoutLog)
            return fail(fmt::format(
                "{}: no change has been logged for {}: the mix does not give the log files to replay",
                group().options.name, formatLatency(kLongestWithoutLog)));
    }
    publish(life, true);
    if (life.group->failure())
        return *life.group->failure();
    if (!m_stop)
        say(Severity::info, fmt::format("{} log files generated; the group crashes now", files));
    return {};
}

Result<void> GroupWorker::replay()
{
    auto life = GroupLife::begin(m_setup, *this);
    if (!life)
        return life.error();
    const auto opened = openGroup(**life);
    if (!opened || !*opened)
        return opened ? Result<void>() : Result<void>(opened.error());
    return closeGroup(**life);
}

} // namespace loadstone::storage
