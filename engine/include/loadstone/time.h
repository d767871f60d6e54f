// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

namespace loadstone {

/// All durations and offsets within a run. Offsets count from the run's start unless said otherwise.
using Nanoseconds = std::chrono::nanoseconds;

/// A half-open stretch of a run: (begin, end]. A tick belongs to it when its end does.
struct TimeWindow {
    Nanoseconds begin {}, end {};
    bool operator==(const TimeWindow&) const = default;
};

/// A point on CLOCK_MONOTONIC: comparable between processes of one machine, never between machines.
using MonoTime = std::chrono::time_point<std::chrono::steady_clock, Nanoseconds>;

/// A point of civil time (UTC), for records and screens; never subtracted to measure anything.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Nanoseconds>;

/// The present time of the clocks. Any thread.
inline MonoTime monoNow() noexcept
{
    return std::chrono::steady_clock::now();
}
inline WallTime wallNow() noexcept
{
    return std::chrono::system_clock::now();
}

/// Seconds as a double, for charts and quotients.
constexpr double seconds(Nanoseconds t) noexcept
{
    return static_cast<double>(t.count()) * 1e-9;
}

/// "2026-11-21T14:03:05.123Z", always UTC, cut to milliseconds.
std::string formatIso8601(WallTime t);

} // namespace loadstone
