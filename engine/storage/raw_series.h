// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/raw_test.h"
#include "storage/device.h"

#include <loadstone/series.h>

#include <string>
#include <vector>

namespace loadstone::storage {

/// "Database read", "Log write", ...
const char* toString(IoClass ioClass) noexcept;

/// What a raw device test records. A recorder has the histograms and, of the counters, those that it counts itself.
class RawSeries {
public:
    /// What a transfer is, by place in the series.
    enum Sort : std::uint32_t { kRead, kWrite, kFlush, kSorts };

    RawSeries(const plan::RawTest& test, std::string volume, unsigned workers);

    [[nodiscard]] const std::vector<CounterInfo>& counters() const { return m_counters; }
    [[nodiscard]] const std::vector<HistogramInfo>& histograms() const { return m_histograms; }
    [[nodiscard]] IoClass writes() const { return m_writes; } ///< the class of this test's

    // Histograms, of every sort, whether or not the plan has it:
    static constexpr std::uint32_t response(Sort sort) { return 5 * sort; }
    static constexpr std::uint32_t service(Sort sort) { return 5 * sort + 1; }
    static constexpr std::uint32_t queued(Sort sort) { return 5 * sort + 2; }
    static constexpr std::uint32_t age(Sort sort) { return 5 * sort + 3; } ///< since it was due
    static constexpr std::uint32_t deviceAge(Sort sort) { return 5 * sort + 4; } ///< since the device has it
    static constexpr std::uint32_t kSlip = 5 * kSorts;
    static constexpr std::uint32_t kHistograms = kSlip + 1;

    // Counts of a recorder, which are the first counters:
    static constexpr std::uint32_t transfers(Sort sort) { return 3 * sort; }
    static constexpr std::uint32_t bytes(Sort sort) { return 3 * sort + 1; }
    static constexpr std::uint32_t failed(Sort sort) { return 3 * sort + 2; }
    static constexpr std::uint32_t kScheduled = 3 * kSorts, kIssued = kScheduled + 1;
    static constexpr std::uint32_t kFillWrites = kIssued + 1, kFillBytes = kFillWrites + 1;
    static constexpr std::uint32_t kCounts = kFillBytes + 1;
    /// Further counts of a recorder that are no counters as they are: of reads and of writes, begun and ended badly.
    static constexpr std::uint32_t begun(Sort sort) { return kCounts + 2 * sort; }
    static constexpr std::uint32_t endedBadly(Sort sort) { return kCounts + 2 * sort + 1; }
    static constexpr std::uint32_t kRecorded = kCounts + 2 * kFlush;
    // The others:
    enum Counter : std::uint32_t {
        kActions = kCounts, ///< due, begun and failed, of reads and of writes
        kTransfersOfAll = kActions + 3 * kFlush,
        kFailedOfAll,
        kReads,
        kWrites,
        kReadBytes,
        kWriteBytes,
        kSecondsPerRead,
        kSecondsPerWrite,
        kQueueLength,
        kBusiest,
        kCounters ///< then one of each worker
    };

private:
    std::vector<CounterInfo> m_counters;
    std::vector<HistogramInfo> m_histograms;
    IoClass m_writes;
};

} // namespace loadstone::storage
