// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/raw_test.h"
#include "series/series_list.h"
#include "storage/device/device.h"

#include <array>
#include <string>
#include <vector>

namespace loadstone::storage {

/// What a raw device test records.
class RawSeries {
public:
    enum Sort : std::uint32_t { kRead, kWrite, kFlush, kSorts };

    RawSeries(const plan::RawTest& test, const std::string& volume, unsigned workers);

    [[nodiscard]] const series::SeriesList& list() const { return m_list; }
    [[nodiscard]] IoClass writes() const { return m_writes; } ///< the class of this test's

    /// Of every sort of transfer, whether or not the plan has it.
    struct OfSort {
        series::CountHandle transfers, bytes, failed;
        series::HistogramHandle response, service, queued;
        series::HistogramHandle age; ///< since it was due
        series::HistogramHandle deviceAge; ///< since the device has it
    };
    [[nodiscard]] const OfSort& of(Sort sort) const { return m_sorts[sort]; }
    /// Of the transfers that the load asks for, each with its flush.
    struct Asked {
        series::CounterHandle due;
        series::CountHandle begun, failed;
    };
    [[nodiscard]] const Asked& asked(Sort sort) const { return m_asked[sort]; } ///< a read or a write
    struct Schedule {
        series::CountHandle scheduled, issued, fillWrites, fillBytes;
    };
    [[nodiscard]] const Schedule& schedule() const { return m_schedule; }
    /// Of all transfers together.
    struct Whole {
        series::CounterHandle transfers, failed, reads, writes, readBytes, writeBytes, secondsPerRead,
            secondsPerWrite, underWay, busiest;
    };
    [[nodiscard]] const Whole& whole() const { return m_whole; }
    [[nodiscard]] series::CounterHandle worker(std::size_t index) const
    {
        return m_workers[index];
    } ///< CPU use, %
    [[nodiscard]] series::HistogramHandle slip() const { return m_slip; }

private:
    OfSort addSort(const Subject& subject);
    Asked addAsked(const Subject& subject);
    Schedule addSchedule(const Subject& volume);
    Whole addWhole(const Subject& volume);
    IoClass m_writes;
    // In the order in which a recording has them:
    series::SeriesList m_list;
    std::array<OfSort, kSorts> m_sorts;
    Schedule m_schedule;
    std::array<Asked, kFlush> m_asked;
    Whole m_whole;
    std::vector<series::CounterHandle> m_workers;
    series::HistogramHandle m_slip;
};

} // namespace loadstone::storage
