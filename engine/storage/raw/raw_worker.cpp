// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/raw/raw_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <sys/prctl.h>

namespace loadstone::storage {
namespace {

constexpr std::uint64_t kMostLookedAt = 1'000'000; // transfers that are due and not begun

RawSeries::Sort sortOf(const IoCompletion& completion)
{
    return completion.kind == IoKind::read ? RawSeries::kRead
        : completion.kind == IoKind::write ? RawSeries::kWrite
                                           : RawSeries::kFlush;
}

} // namespace

RawWorker::RawWorker(const plan::RawTest& test, const RawSeries& series, Share share)
    : m_test(test)
    , m_series(series)
    , m_share(share)
    , m_recorder(series.list())
{
    for (const plan::RawLoad& load : test.mixes)
        m_mostDepth =
            std::max(m_mostDepth, Share { share.index, std::min(share.count, load.depth) }.of(load.depth));
    m_slots.resize(m_mostDepth);
    for (unsigned i = m_mostDepth; i-- > 0;)
        m_free.push_back(i);
    m_batch.reserve(m_mostDepth);
    m_slips.reserve(m_mostDepth);
}

RawWorker::~RawWorker()
{
    stop();
    join();
}

Result<void> RawWorker::prepare(const FileOptions& what)
{
    m_memory = AlignedMemory(std::size_t { m_mostDepth } * m_test.block);
    m_fillMemory = AlignedMemory(kFillDepth * kFillBlock);
    fillWithRandom(m_memory.bytes(), hashOf({ static_cast<std::uint64_t>(m_test.size), m_share.index }));
    DeviceOptions options;
    options.backend = backendOf(m_test.backEnd);
    options.depth = std::max<unsigned>(m_mostDepth, kFillDepth);
    options.poll = m_test.poll;
    std::error_code none;
    if (m_test.direct && !std::filesystem::is_block_file(m_test.path, none))
        options.folders.push_back(std::filesystem::path(m_test.path).parent_path());
    auto device = makeDevice(options);
    if (!device)
        return device.error();
    m_device = *std::move(device);
    if (m_test.direct && m_test.block % m_device->block() != 0)
        return loadstone::fail(
            fmt::format("{}: direct I/O needs blocks of {} bytes there; write io.block = \"{} B\" or more",
                m_test.path, m_device->block(), m_device->block()));
    FileOptions file = what;
    file.direct = m_test.direct;
    file.durability = m_test.durability == plan::RawDurability::writeThrough ? Durability::writeThrough
                                                                             : Durability::flushed;
    const auto opened = m_device->open(m_test.path, file);
    if (!opened)
        return opened.error();
    m_file = *opened;
    file.durability = Durability::flushed;
    const auto fillFile = m_device->open(m_test.path, file);
    if (!fillFile)
        return fillFile.error();
    m_fillFile = *fillFile;
    m_device->useMemory(m_memory.bytes());
    return {};
}

void RawWorker::start()
{
    m_thread = std::thread([this] {
        try { // a broken invariant or no memory ends the run, not the program
            run();
        } catch (const std::exception& e) {
            {
                const std::lock_guard lock(m_mutex);
                m_failure = e.what();
            }
            std::array<IoCompletion, 64> rest;
            while (m_device->pending() > 0)
                m_device->reap(rest, kLongestWait);
        }
        m_end.reached();
    });
    m_clock.follow(m_thread);
}

void RawWorker::obey(const RawOrders& orders)
{
    const std::lock_guard lock(m_mutex);
    m_next = orders;
    m_filled.store(false, std::memory_order_relaxed);
    m_generation.fetch_add(1, std::memory_order_release);
    m_wake.notify_all();
}

void RawWorker::stop()
{
    m_stop.store(true, std::memory_order_release);
    const std::lock_guard lock(m_mutex);
    m_wake.notify_all();
}

void RawWorker::join()
{
    m_end.await(m_thread);
}

std::map<std::pair<RawSeries::Sort, int>, std::uint64_t> RawWorker::takeErrors()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_errors, {});
}

std::string RawWorker::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

bool RawWorker::disturbed() const noexcept
{
    return m_stop.load(std::memory_order_acquire) || m_generation.load(std::memory_order_acquire) != m_obeyed;
}

void RawWorker::run()
{
    nameThisThread(fmt::format("raw {}", m_share.index));
    m_threadId.store(thisThreadId(), std::memory_order_relaxed);
    ::prctl(PR_SET_TIMERSLACK, 1UL); // the kernel's 50 us of leisure would be slip
    while (!m_stop.load(std::memory_order_acquire)) {
        if (m_generation.load(std::memory_order_acquire) != m_obeyed) {
            const std::lock_guard lock(m_mutex);
            m_obeyed = m_generation.load(std::memory_order_relaxed);
            takeOrders(m_next);
        }
        if (m_failed)
            m_orders.what = RawOrders::What::nothing;
        switch (m_orders.what) {
        case RawOrders::What::nothing:
            if (m_device->pending() > 0)
                await(monoNow() + kLongestWait);
            else
                waitForOrders();
            break;
        case RawOrders::What::fill:
            fill();
            break;
        case RawOrders::What::load:
            issue();
            break;
        }
    }
    MonoTime answered = monoNow();
    for (std::size_t before = m_device->pending(); before > 0;) {
        await(monoNow() + kLongestWait);
        const std::size_t now = m_device->pending();
        if (now != before)
            answered = monoNow();
        else if (monoNow() - answered > kPatience)
            leaveUnanswered();
        before = now;
    }
    // Here, because only this thread may take them out of the ring's table: until then the kernel holds them open, and the
    // volume cannot be unmounted.
    m_device->close(m_fillFile);
    m_device->close(m_file);
}

void RawWorker::leaveUnanswered()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_failure.empty())
            m_failure = fmt::format(
                "{}: {} transfers were never completed; see what the kernel's log says about its volume",
                m_test.path, m_device->pending());
    }
    keepForEver(std::move(m_device));
    keepForEver(std::move(m_memory));
    keepForEver(std::move(m_fillMemory));
    m_end.never();
}

void RawWorker::waitForOrders()
{
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return disturbed(); });
}

void RawWorker::takeOrders(const RawOrders& orders)
{
    const std::lock_guard inside(m_gate);
    m_orders = orders;
    m_due.reset();
    m_scheduled.reset();
    if (orders.what != RawOrders::What::load)
        return;
    const plan::RawLoad& load = orders.load;
    const Share share { m_share.index, std::min(m_share.count, load.depth) };
    m_depth = share.index < share.count ? share.of(load.depth) : 0;
    if (m_depth == 0) { // more workers than transfers at once
        m_orders.what = RawOrders::What::nothing;
        return;
    }
    m_offsets.emplace(m_test, share, hashOf({ orders.seed, share.index, 1 }));
    m_random = Random(hashOf({ orders.seed, share.index, 2 }));
    if (load.perSecond > 0) {
        m_due.emplace(load, orders.begin, share, hashOf({ orders.seed, share.index, 3 }));
        m_scheduled = m_due;
    }
    m_roomSince = orders.begin;
}

RawSeries::Sort RawWorker::draw(Random& random, double readShare)
{
    return readShare >= 1 || (readShare > 0 && random.uniform() < readShare) ? RawSeries::kRead
                                                                             : RawSeries::kWrite;
}

void RawWorker::add(MonoTime due, MonoTime now)
{
    const std::uint32_t slot = m_free.back();
    m_free.pop_back();
    ++m_used;
    Slot& state = m_slots[slot];
    state.due = due;
    state.offset = m_offsets->next();
    state.sort = state.at = draw(m_random, m_orders.load.readShare);
    state.issued = now;
    state.used = true;
    const bool reads = state.sort == RawSeries::kRead;
    IoRequest request;
    request.tag = slot;
    request.data = m_memory.data() + std::size_t { slot } * m_test.block;
    request.offset = state.offset;
    request.length = m_test.block;
    request.file = m_file;
    request.kind = reads ? IoKind::read : IoKind::write;
    request.ioClass = reads ? IoClass::databaseRead : m_series.writes();
    request.queued = due;
    if (!reads) {
        constexpr std::size_t kStampEvery = 4096; // so that no two blocks are alike
        for (std::size_t at = 0; at < m_test.block; at += kStampEvery) {
            const std::array<std::uint64_t, 2> stamp { ++m_stamp, state.offset + at };
            std::memcpy(request.data + at, stamp.data(), sizeof stamp);
        }
    }
    m_batch.push_back(request);
    if (m_due)
        m_slips.push_back(now - std::max(due, m_roomSince));
}

void RawWorker::issue()
{
    const MonoTime now = monoNow();
    m_batch.clear();
    m_slips.clear();
    std::uint64_t scheduled = 0;
    {
        const std::lock_guard inside(m_gate);
        if (m_due) {
            for (; m_used < m_depth && m_due->next() <= now; m_due->pass())
                add(m_due->next(), now);
            for (; m_scheduled->next() <= now; m_scheduled->pass())
                ++scheduled;
        } else {
            while (m_used < m_depth)
                add(now, now);
        }
        if (!m_batch.empty() || scheduled > 0)
            m_recorder.write([&](metrics::Slab& slab) {
                slab[m_series.schedule().scheduled] += m_due ? scheduled : 0;
                slab[m_series.schedule().issued] += m_batch.size();
                for (const IoRequest& request : m_batch)
                    ++slab[m_series.asked(m_slots[request.tag].sort).begun];
                for (const Nanoseconds slip : m_slips)
                    slab[m_series.slip()].record(slip);
            });
    }
    if (!m_batch.empty())
        m_device->submit(m_batch);
    m_inFlight.store(m_used, std::memory_order_relaxed);
    const MonoTime longest = now + kLongestWait;
    const bool full = m_used >= m_depth;
    await(m_due && !full ? std::min(longest, m_due->next()) : longest);
    if (full && m_used < m_depth)
        m_roomSince = monoNow();
}

void RawWorker::await(MonoTime until)
{
    if (m_device->pending() == 0) {
        m_device->sleepUntil(until);
        return;
    }
    std::array<IoCompletion, 64> completions;
    const Nanoseconds wait = std::max(Nanoseconds(0), Nanoseconds(until - monoNow()));
    const std::size_t given = m_device->reap(completions, wait);
    settle({ completions.data(), given });
}

void RawWorker::addFlush(std::uint64_t slot)
{
    IoRequest flush;
    flush.tag = slot;
    flush.file = m_file;
    flush.kind = IoKind::flush;
    flush.ioClass = m_series.writes();
    flush.queued = monoNow();
    m_batch.push_back(flush);
}

void RawWorker::settle(std::span<const IoCompletion> completions)
{
    if (completions.empty())
        return;
    const bool flushes = m_test.durability == plan::RawDurability::flushed;
    m_batch.clear();
    const MonoTime now = monoNow();
    {
        const std::lock_guard inside(m_gate);
        m_recorder.write([&](metrics::Slab& slab) {
            for (const IoCompletion& done : completions) {
                const Slot& slot = m_slots[done.tag];
                const RawSeries::Sort sort = sortOf(done);
                const RawSeries::OfSort& own = m_series.of(sort);
                ++slab[own.transfers];
                if (done.error != 0) {
                    ++slab[own.failed];
                    ++slab[m_series.asked(slot.sort).failed];
                    continue;
                }
                slab[own.bytes] += done.length;
                slab[own.service].record(done.done - done.issued);
                slab[own.queued].record(done.issued - done.queued);
                // A write that is flushed has its response when the flush is done.
                if (sort != RawSeries::kWrite || !flushes)
                    slab[m_series.of(slot.sort).response].record(done.done - slot.due);
            }
        });
        for (const IoCompletion& done : completions) {
            Slot& slot = m_slots[done.tag];
            if (done.error == 0 && flushes && done.kind == IoKind::write) {
                addFlush(done.tag);
                slot.at = RawSeries::kFlush;
                slot.issued = now;
                continue;
            }
            slot.used = false;
            m_free.push_back(static_cast<std::uint32_t>(done.tag));
            --m_used;
        }
    }
    for (const IoCompletion& done : completions)
        if (done.error != 0)
            fail(done, m_slots[done.tag].offset);
    if (!m_batch.empty())
        m_device->submit(m_batch);
    m_inFlight.store(m_used, std::memory_order_relaxed);
}

void RawWorker::collect(
    metrics::Slab& slab, MonoTime until, std::array<std::uint64_t, RawSeries::kFlush>& waiting)
{
    metrics::Slab* full = nullptr;
    std::optional<DueTimes> due;
    Random random { 0 };
    double interval = 0, readShare = 1; // ns
    {
        const std::lock_guard inside(m_gate);
        for (const Slot& slot : m_slots) {
            if (!slot.used)
                continue;
            slab[m_series.of(slot.sort).age].record(until - slot.due);
            slab[m_series.of(slot.at).deviceAge].record(until - slot.issued);
        }
        due = m_due;
        random = m_random;
        readShare = m_orders.load.readShare;
        if (due)
            interval = 1e9 * std::min(m_share.count, m_orders.load.depth) / m_orders.load.perSecond;
        full = &m_recorder.switchOver();
    }
    metrics::Recorder::empty(*full, slab);
    if (!due)
        return;
    // As issue() will draw them.
    std::uint64_t seen = 0;
    for (; due->next() <= until && seen < kMostLookedAt; due->pass(), ++seen) {
        const RawSeries::Sort sort = draw(random, readShare);
        slab[m_series.of(sort).age].record(until - due->next());
        ++waiting[sort];
    }
    if (due->next() <= until) { // the others are not looked at one by one
        const auto rest =
            static_cast<std::uint64_t>(static_cast<double>((until - due->next()).count()) / interval);
        const RawSeries::Sort sort = draw(random, readShare);
        slab[m_series.of(sort).age].record(Nanoseconds(0), rest);
        waiting[sort] += rest;
    }
}

void RawWorker::fail(const IoCompletion& completion, std::uint64_t offset)
{
    const char* what = completion.kind == IoKind::read ? "read"
        : completion.kind == IoKind::write             ? "write"
                                                       : "flush";
    const boost::system::error_code code(completion.error, boost::system::system_category());
    const std::lock_guard lock(m_mutex);
    ++m_errors[{ sortOf(completion), completion.error }];
    if (m_failure.empty())
        m_failure = completion.kind == IoKind::flush
            ? fmt::format("{}: flush: {}", m_test.path, code.message())
            : fmt::format(
                "{}: {} of {} bytes at {}: {}", m_test.path, what, completion.length, offset, code.message());
    m_failed = true;
}

} // namespace loadstone::storage
