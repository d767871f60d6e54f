// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/test/group_meter.h"

#include <algorithm>
#include <mutex>

namespace loadstone::storage {

GroupMeter::GroupMeter(
    const StorageSetup& setup, std::size_t group, const StorageSeries& series, GroupReport& report)
    : m_setup(setup)
    , m_index(group)
    , m_series(series)
    , m_own(series.group(group))
    , m_report(report)
    , m_recorder(series.list())
{
}

void GroupMeter::submitting(const PlacedDevice& device, MonoTime now, std::span<IoRequest> requests)
{
    const bool flushed = options().durability == Durability::flushed;
    const std::lock_guard inside(m_gate);
    for (IoRequest& one : requests) {
        const std::size_t volume = device.volume(one.file);
        metrics::Underway::Entry entry;
        entry.intended = now;
        entry.kind = m_series.io(volume, StorageSeries::classOf(one.kind, one.ioClass)).age.id();
        if (flushed && one.kind == IoKind::flush && one.ioClass == IoClass::logWrite) {
            metrics::Underway::Entry write; // which is not complete before its flush is
            write.intended = m_logWriteIssued;
            write.kind = m_series.io(volume, IoClass::logWrite).age.id();
            entry.actor = m_underway.begin(write) + 1;
        }
        one.place = m_underway.begin(entry);
    }
}

void GroupMeter::completed(const PlacedDevice& device, std::span<const IoCompletion> completions)
{
    {
        const std::lock_guard inside(m_gate);
        m_recorder.write([&](metrics::Slab& slab) {
            for (const IoCompletion& one : completions)
                record(device, one, slab);
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
        const Subject subject = Subject::ofVolume(
            m_setup.volumes[device.volume(one.file)], StorageSeries::classOf(one.kind, one.ioClass));
        m_report.addError(instanceOf({ Quantity::transferTime, subject }), one.error);
    }
}

void GroupMeter::record(const PlacedDevice& device, const IoCompletion& one, metrics::Slab& slab)
{
    const bool flushed = options().durability == Durability::flushed;
    const std::size_t volume = device.volume(one.file);
    const StorageSeries::Io& io = m_series.io(volume, StorageSeries::classOf(one.kind, one.ioClass));
    ++slab[io.transfers];
    if (one.error != 0) {
        ++slab[io.failed];
        return;
    }
    if (one.kind != IoKind::flush)
        slab[io.bytes] += one.length;
    slab[io.queued].record(one.issued - one.queued);
    const auto add = [&](series::CountHandle transfers, series::CountHandle sum, Nanoseconds taken) {
        ++slab[transfers];
        slab[sum] += static_cast<std::uint64_t>(taken.count());
    };
    const Nanoseconds time = one.done - one.issued;
    const bool ofLog = one.ioClass == IoClass::logWrite;
    if (!ofLog || one.kind == IoKind::flush)
        slab[io.service].record(time);
    if (ofLog && one.kind == IoKind::write) {
        m_logWriteIssued = one.issued; // a group writes its log one write after the other
        slab[m_own.logBytes] += one.length;
    }
    if (ofLog && one.kind == (flushed ? IoKind::flush : IoKind::write)) { // now it is durable
        slab[m_series.io(volume, IoClass::logWrite).service].record(one.done - m_logWriteIssued);
        add(m_own.logWrites, m_own.logWriteTime, one.done - m_logWriteIssued);
    } else if (one.kind == IoKind::read && one.ioClass == IoClass::databaseRead) {
        ++m_reads;
        add(m_own.reads, m_own.readTime, time);
    } else if (one.kind == IoKind::write && one.ioClass == IoClass::databaseWrite) {
        ++m_writes;
        add(m_own.writes, m_own.writeTime, time);
    }
}

TransactionWatch GroupMeter::transactionWatch()
{
    TransactionWatch watch;
    watch.due = [this](MonoTime intended) {
        metrics::Underway::Entry entry;
        entry.intended = intended;
        entry.kind = m_series.transactions().age.id();
        const std::lock_guard inside(m_gate);
        count(m_own.due, 1);
        return m_underway.begin(entry);
    };
    watch.begun = [this] { count(m_own.begun, 1); };
    watch.forgotten = [this](std::uint32_t place) {
        const std::lock_guard inside(m_gate);
        m_underway.end(place);
    };
    watch.ended = [this](std::uint32_t place, const TransactionTimes& times) {
        const std::lock_guard inside(m_gate);
        m_recorder.write([&](metrics::Slab& slab) {
            ++slab[m_own.transactions];
            slab[m_series.transactions().response].record(times.done - times.intended);
            slab[m_series.transactions().service].record(times.done - times.begun);
        });
        m_underway.end(place);
    };
    return watch;
}

void GroupMeter::forgetUnderway()
{
    const std::lock_guard inside(m_gate);
    const auto entries = m_underway.entries();
    const auto cutOff = std::count_if(entries.begin(), entries.end(),
        [&](const auto& entry) { return entry.kind == m_series.transactions().age.id(); });
    count(m_own.cutOff, static_cast<std::uint64_t>(cutOff));
    m_underway = {};
}

void GroupMeter::collect(metrics::Slab& slab, MonoTime until)
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

void GroupMeter::beginBusy(series::CountHandle counter, MonoTime since)
{
    m_busy = counter;
    m_busySince = since;
}

void GroupMeter::tellBusy()
{
    if (!m_busy)
        return;
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(monoNow() - m_busySince);
    if (passed.count() <= 0)
        return;
    m_busySince += passed; // what is left of a millisecond comes with the next one
    count(*m_busy, static_cast<std::uint64_t>(passed.count()));
}

void GroupMeter::endBusy()
{
    tellBusy();
    if (m_busy
        && monoNow() - m_busySince >= std::chrono::microseconds(500)) // else short work has too high a rate
        count(*m_busy, 1);
    m_busy.reset();
}

} // namespace loadstone::storage
