// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/recorder.h"
#include "metrics/underway.h"
#include "storage/device/placed_device.h"
#include "storage/load/load.h"
#include "storage/test/group_report.h"
#include "storage/test/storage_series.h"
#include "storage/test/storage_setup.h"

#include <optional>

namespace loadstone::storage {

/// What is recorded of a group's transfers and transactions, and of the time that its work takes. The worker's thread, but for
/// collect().
class GroupMeter {
public:
    GroupMeter(
        const StorageSetup& setup, std::size_t group, const StorageSeries& series, GroupReport& report);

    /// The control thread: adds what was recorded since the last call, and the ages at `until` of what is under way or due.
    void collect(metrics::Slab& slab, MonoTime until);

    void count(series::CountHandle what, std::uint64_t n) { m_recorder.count(what, n); }
    void recordSlip(Nanoseconds slip) { m_recorder.record(m_series.slip(), slip); }
    /// Several changes at once, see Recorder.
    template <class F>
    void write(F&& change)
    {
        m_recorder.write(std::forward<F>(change));
    }

    /// Before transfers go to the device, and when they are complete.
    void submitting(const PlacedDevice& device, MonoTime now, std::span<IoRequest> requests);
    void completed(const PlacedDevice& device, std::span<const IoCompletion> completions);
    /// Keeps account of transactions as long as it lives.
    [[nodiscard]] TransactionWatch transactionWatch();
    /// What is under way will not end: the load is cut off.
    void forgetUnderway();

    /// Database transfers since forgetTransfers(), for the pacing.
    [[nodiscard]] std::uint64_t databaseReads() const noexcept { return m_reads; }
    [[nodiscard]] std::uint64_t databaseWrites() const noexcept { return m_writes; }
    void forgetTransfers() noexcept { m_reads = m_writes = 0; }

    /// From now on, or since then, time passes for a count of milliseconds, until endBusy().
    void beginBusy(series::CountHandle counter, MonoTime since = monoNow());
    [[nodiscard]] bool busy() const noexcept { return m_busy.has_value(); }
    void tellBusy();
    void endBusy();
    void dropBusy() noexcept { m_busy.reset(); } ///< what it was at has failed

private:
    void record(const PlacedDevice& device, const IoCompletion& one, metrics::Slab& slab);
    [[nodiscard]] const GroupOptions& options() const { return m_setup.groups[m_index].options; }
    const StorageSetup& m_setup;
    std::size_t m_index;
    const StorageSeries& m_series;
    const StorageSeries::Group& m_own;
    GroupReport& m_report;
    metrics::Recorder m_recorder;
    metrics::Gate m_gate; // before what follows; and before what is recorded of its end
    metrics::Underway m_underway; // by the histogram that its age belongs to
    MonoTime m_logWriteIssued {};
    std::uint64_t m_reads = 0, m_writes = 0;
    std::optional<series::CountHandle> m_busy;
    MonoTime m_busySince {}; // what was before is counted
};

} // namespace loadstone::storage
