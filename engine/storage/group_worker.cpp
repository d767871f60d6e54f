// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/group_worker.h"

#include "analysis/io_series.h"
#include "base/thread_placement.h"
#include "storage/group_life.h"
#include "storage/raw_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <pthread.h>
#include <sys/prctl.h>

namespace loadstone::storage {
namespace {

constexpr auto kLongestWait = std::chrono::milliseconds(20); // until orders are looked for again
constexpr auto kPublishEvery = std::chrono::milliseconds(50);

} // namespace

Result<std::unique_ptr<GroupLife>> GroupLife::begin(StorageSetup& setup, GroupWorker& worker)
{
    auto device = setup.makeDevice(setup.device);
    if (!device)
        return device.error();
    if (!worker.m_deviceTold) {
        worker.m_deviceTold = true;
        if (const auto* file = dynamic_cast<const FileDevice*>(device->get()))
            worker.say(Severity::info, file->description());
    }
    auto placed = std::make_unique<PlacedDevice>(
        *std::move(device), [&setup](const std::filesystem::path& path) { return setup.volumeOf(path); });
    worker.m_seen = {};
    worker.m_reads = worker.m_writes = 0;
    return std::make_unique<GroupLife>(std::move(placed), worker);
}

GroupWorker::GroupWorker(StorageSetup& setup, std::size_t group, const StorageSeries& series)
    : m_setup(setup)
    , m_index(group)
    , m_series(series)
    , m_recorder(series.histograms().size(), series.counts())
{
    for (std::size_t i = 0; i < group; ++i)
        m_firstDatabase += setup.groups[i].options.databaseFolders.size();
}

GroupWorker::~GroupWorker()
{
    stop();
    join();
}

void GroupWorker::start(MonoTime origin)
{
    m_origin = origin;
    m_thread = std::thread([this] { run(); });
    ::pthread_getcpuclockid(m_thread.native_handle(), &m_cpuClock);
}

void GroupWorker::obey(const GroupOrders& orders)
{
    const std::lock_guard lock(m_mutex);
    m_next = orders;
    m_generation.fetch_add(1, std::memory_order_release);
    m_wake.notify_all();
}

void GroupWorker::stop()
{
    m_stop.store(true, std::memory_order_release);
    const std::lock_guard lock(m_mutex);
    m_wake.notify_all();
}

void GroupWorker::join()
{
    if (m_thread.joinable())
        m_thread.join();
}

bool GroupWorker::fulfilled() const
{
    return m_fulfilled.load(std::memory_order_acquire) == m_generation.load(std::memory_order_acquire);
}

std::string GroupWorker::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

Nanoseconds GroupWorker::cpuTime() const
{
    timespec used {};
    if (m_cpuClock == 0 || ::clock_gettime(m_cpuClock, &used) != 0)
        return {};
    return std::chrono::seconds(used.tv_sec) + Nanoseconds(used.tv_nsec);
}

std::vector<RunEvent> GroupWorker::takeEvents()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_events, {});
}

std::map<std::pair<std::string, int>, std::uint64_t> GroupWorker::takeErrors()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_errors, {});
}

GroupWorker::Levels GroupWorker::levels() const
{
    const std::lock_guard lock(m_mutex);
    return m_levels;
}

bool GroupWorker::interrupted() const noexcept
{
    return m_stop.load(std::memory_order_acquire) || m_generation.load(std::memory_order_acquire) != m_obeyed;
}

void GroupWorker::say(Severity severity, std::string text)
{
    const Nanoseconds at = monoNow() - m_origin;
    const std::lock_guard lock(m_mutex);
    m_events.push_back({ at, severity, fmt::format("{}: {}", group().options.name, text) });
}

void GroupWorker::progress(std::uint64_t done, std::uint64_t toDo)
{
    const std::lock_guard lock(m_mutex);
    m_levels.done = done;
    m_levels.toDo = toDo;
}

void GroupWorker::run()
{
    nameThisThread(fmt::format("storage {}", m_index + 1));
    ::prctl(PR_SET_TIMERSLACK, 1UL); // the kernel's 50 us of leisure would be slip
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return interrupted(); });
            if (m_stop.load(std::memory_order_acquire))
                return;
            m_obeyed = m_generation.load(std::memory_order_relaxed);
            m_orders = m_next;
            m_levels = {};
            if (!m_failure.empty())
                m_orders = {};
        }
        m_busy.reset();
        // Thread entry: a broken invariant or no memory ends the run, not the program.
        Result<void> done;
        try {
            done = carryOut();
        } catch (const std::bad_alloc&) {
            done = fail("there is not enough memory; write a smaller database.cache_maximum");
        } catch (const std::exception& e) {
            done = fail(e.what());
        }
        const std::lock_guard lock(m_mutex);
        if (!done && m_failure.empty())
            m_failure = fmt::format("{}: {}", group().options.name, done.error().message);
        m_levels = {};
        m_fulfilled.store(m_obeyed, std::memory_order_release);
    }
}

Result<void> GroupWorker::carryOut()
{
    switch (m_orders.what) {
    case What::nothing:
        break;
    case What::make:
        return make();
    case What::load:
        return load();
    case What::generate:
        return generate();
    case What::replay:
        return replay();
    case What::backup:
        return read(true);
    case What::verify:
        return read(false);
    }
    return {};
}

void GroupWorker::beginBusy(std::uint32_t counter, MonoTime since)
{
    m_busy = counter;
    m_busySince = since;
}

void GroupWorker::tellBusy()
{
    if (!m_busy)
        return;
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(monoNow() - m_busySince);
    if (passed.count() <= 0)
        return;
    m_busySince += passed; // what is left of a millisecond comes with the next one
    count(*m_busy, static_cast<std::uint64_t>(passed.count()));
}

void GroupWorker::endBusy()
{
    tellBusy();
    m_busy.reset();
}

void GroupWorker::turn(GroupLife& life)
{
    life.loop.turn(kLongestWait);
    publish(life, false);
    tellBusy();
}

void GroupWorker::measure(const GroupLife& life, std::span<const IoCompletion> completions)
{
    m_recorder.write([&](metrics::Slab& slab) {
        for (const IoCompletion& one : completions) {
            const std::size_t volume = life.device->volume(one.file),
                              kind = StorageSeries::kindOf(one.kind, one.ioClass);
            ++slab.counts[StorageSeries::transfers(volume, kind)];
            if (one.error != 0) {
                ++slab.counts[StorageSeries::failed(volume, kind)];
                continue;
            }
            const Nanoseconds service = one.done - one.issued;
            slab.counts[StorageSeries::bytes(volume, kind)] += one.length;
            slab.histograms[StorageSeries::service(volume, kind)].record(service);
            slab.histograms[StorageSeries::queued(volume, kind)].record(one.issued - one.queued);
            const auto add = [&](StorageSeries::GroupCount transfers, StorageSeries::GroupSum time) {
                ++slab.counts[m_series.of(m_index, transfers)];
                slab.counts[m_series.of(m_index, time)] += static_cast<std::uint64_t>(service.count());
            };
            if (one.kind == IoKind::read && one.ioClass == IoClass::databaseRead) {
                ++m_reads;
                add(StorageSeries::kReads, StorageSeries::kReadTime);
            } else if (one.kind == IoKind::write && one.ioClass == IoClass::databaseWrite) {
                ++m_writes;
                add(StorageSeries::kWrites, StorageSeries::kWriteTime);
            } else if (one.kind == IoKind::write && one.ioClass == IoClass::logWrite) {
                slab.counts[m_series.of(m_index, StorageSeries::kLogBytes)] += one.length;
                add(StorageSeries::kLogWrites, StorageSeries::kLogWriteTime);
            }
        }
    });
    for (const IoCompletion& one : completions) {
        if (one.error == 0)
            continue;
        const std::size_t kind = StorageSeries::kindOf(one.kind, one.ioClass);
        const std::string what = kind == StorageSeries::kFlush ? "Flush" : toString(one.ioClass);
        const std::lock_guard lock(m_mutex);
        ++m_errors[{ analysis::ioInstance(m_setup.volumes[life.device->volume(one.file)], what), one.error }];
    }
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
    m_seen.maintenancePages = 0;
    for (const auto& one : life.maintenance)
        m_seen.maintenancePages += one->counts().pages;
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
        add(S::kMaintenancePages, before.maintenancePages, m_seen.maintenancePages);
        add(S::kLogCopies, before.logCopies, m_seen.logCopies);
    });
    noteMaintenance(life);
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

void GroupWorker::noteMaintenance(const GroupLife& life)
{
    m_seen.damages.resize(life.maintenance.size());
    for (std::size_t i = 0; i < life.maintenance.size(); ++i) // one of each database
        for (const std::vector<Damage>& damages = life.maintenance[i]->damages();
             m_seen.damages[i] < damages.size(); ++m_seen.damages[i]) {
            const Damage& damage = damages[m_seen.damages[i]];
            noteDamage(damage);
            count(m_series.of(databaseIndex(i),
                      damage.kind == Damage::Kind::correctable     ? StorageSeries::kCorrectable
                          : damage.kind == Damage::Kind::wrongPage ? StorageSeries::kWrongPage
                                                                   : StorageSeries::kBad),
                1);
        }
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
        where = fmt::format("log file {}", damage.number);
        what = "is missing";
        break;
    }
    say(Severity::error, fmt::format("{}: {} {}", damage.path, where, what));
}

} // namespace loadstone::storage
