// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/group_worker.h"

#include "base/thread_placement.h"
#include "storage/group_life.h"

#include <fmt/format.h>

#include <algorithm>
#include <pthread.h>
#include <sys/prctl.h>

namespace loadstone::storage {
namespace {

constexpr auto kLongestWait = std::chrono::milliseconds(20); // until orders are looked for again

} // namespace

void LetGo::operator()(GroupLife* life) const
{
    GroupWorker& worker = life->worker;
    if (life->loop.drain(worker.m_unanswered.empty() ? worker.m_setup.patience : Nanoseconds(0))) {
        delete life;
        worker.forgetUnderway();
        return;
    }
    worker.leaveUnanswered(life->device->pending());
    keepForEver(life);
}

void GroupWorker::leaveUnanswered(std::size_t transfers)
{
    if (!m_unanswered.empty())
        return;
    std::string folders = group().options.logFolder.string();
    for (const std::filesystem::path& folder : group().options.databaseFolders)
        folders += ", " + folder.string();
    m_unanswered = fmt::format(
        "{} transfers were never completed; look at what the kernel's log says of the volumes of {}",
        transfers, folders);
}

Result<HeldLife> GroupLife::begin(StorageSetup& setup, GroupWorker& worker)
{
    DeviceOptions options = setup.device;
    options.interrupted = &worker.m_stop;
    auto device = setup.makeDevice(options);
    if (!device)
        return device.error();
    worker.tellDevice(**device);
    auto placed = std::make_unique<PlacedDevice>(
        *std::move(device), [&setup](const std::filesystem::path& path) { return setup.volumeOf(path); });
    worker.m_seen = {};
    worker.m_damaged = {};
    worker.m_answered = {};
    worker.m_reads = worker.m_writes = 0;
    return HeldLife(new GroupLife(std::move(placed), worker));
}

void GroupWorker::tellDevice(const Device& device)
{
    const auto* const files = dynamic_cast<const FileDevice*>(&device);
    if (files != nullptr && m_devicesTold.insert(files->description()).second)
        say(Severity::info, files->description());
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
    m_thread = std::thread([this] {
        run();
        m_end.reached();
    });
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
    m_end.await(m_thread);
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
    m_threadId.store(thisThreadId(), std::memory_order_relaxed);
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
        const bool brokenOff = !done && done.error().code == boost::system::errc::operation_canceled;
        if (m_stop.load(std::memory_order_acquire) && brokenOff)
            done = {};
        if (done && !m_unanswered.empty())
            done = fail(m_unanswered);
        {
            const std::lock_guard lock(m_mutex);
            if (!done && m_failure.empty())
                m_failure = fmt::format("{}: {}", group().options.name, done.error().message);
            m_levels = {};
            m_fulfilled.store(m_obeyed, std::memory_order_release);
        }
        if (!m_unanswered.empty())
            m_end.never();
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
    watchTransfers(life);
    publish(life, false);
    tellBusy();
}

} // namespace loadstone::storage
