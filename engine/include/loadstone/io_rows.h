// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/series.h"
#include "loadstone/subject.h"

#include <cstdint>
#include <optional>
#include <string>

namespace loadstone {

/// A storage test's own I/O: transfers that completed, with errors or without, and bytes of those without.
struct IoRates {
    double readsPerSecond = 0, writesPerSecond = 0, bytesPerSecond = 0;
    bool operator==(const IoRates&) const = default;
};

/// A run's own I/O to one volume within a window, by its purpose.
struct IoRow {
    std::string volume; ///< of this machine: "nvme0n1p2"
    std::optional<IoClass> ioClass; ///< none: all reads and writes together
    [[nodiscard]] const char* name() const { return ioClass ? toString(*ioClass) : "Reads and writes"; }
    [[nodiscard]] IoDirection direction() const
    {
        return ioClass ? directionOf(*ioClass) : IoDirection::neither;
    }
    std::uint64_t count = 0; ///< that completed, with errors or without
    std::uint64_t failures = 0; ///< of these, with an error
    std::uint64_t bytes = 0; ///< of those without
    double perSecond = 0, bytesPerSecond = 0;
    LatencySummary queued; ///< from when it was due (or requested) to when the kernel had it
    LatencySummary device; ///< from then until it was complete; unfinished transfers count with their age
    std::uint64_t unfinished = 0; ///< transfers that the device had not completed at the end
    /// Of a storage plan's test: the longest mean time in the device of a sample, which is 15 s long, as Jetstress's are, or
    /// 5 s where less than 10 minutes of measurement are planned.
    std::optional<Nanoseconds> longestSample;
    bool longestAtLeast = false; ///< it is a lower bound, because transfers had not been completed
    bool operator==(const IoRow&) const = default;
};

} // namespace loadstone
