// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone {

// Quantities as people write them. Parsing accepts what formatting prints and the usual spellings; an error
// says what was read and what would be right, without naming the file (the caller knows it). Values are not negative and fit
// their type; more is an error. No locale, no state: any thread.

/// "22 s", "90 min", "1.5 h", "250 ms", "20 us", "2 d"; a bare number is an error (no unit).
Result<Nanoseconds> parseDuration(std::string_view text);
/// "10 KB" (1024 bytes each, as the field counts), "4 MB", "512 B", "1.5 GB".
Result<std::uint64_t> parseBytes(std::string_view text);
/// Events per second from "0.4/s", "24/min", "1/h", "8/day".
Result<double> parseRate(std::string_view text);

/// The shortest exact spelling that parseDuration reads back: "22 s", "5.5 min", "250 ms".
std::string formatDuration(Nanoseconds t);
/// "10 KB", "1.5 MB": at most one decimal.
std::string formatBytes(std::uint64_t bytes);
/// A latency for people, three significant digits with a fitting unit: "12.3 ms", "845 us", "2.04 s".
std::string formatLatency(Nanoseconds t);
/// "1:02:05" or "02:05": time elapsed and time left.
std::string formatClock(Nanoseconds t);
/// `value` with `digits` significant digits and no exponent: 0.0123, 17.9, 83300.
std::string formatNumber(double value, int digits = 3);
/// A share of 1 as people write it in plans, with at most `digits` significant digits: "2.5 %".
std::string formatPercent(double share, int digits = 4);

} // namespace loadstone
