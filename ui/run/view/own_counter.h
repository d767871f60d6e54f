// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/derived.h>
#include <loadstone/recording.h>

#include <optional>
#include <vector>

namespace loadstone::ui {

/// A counter of the run's own as lines show it: one that the recording stores, a rate of actions or commands that is read from
/// their latencies, or one that the plan or the user derives from others.
struct OwnCounter {
    enum class Kind : std::uint8_t { stored, rate, derived };
    Kind kind = Kind::stored;
    std::uint32_t id = 0; ///< of the header's counters, or of the rates
    double factor = 1; ///< from the recording's unit to that of lines, see shownFactor()
    const DerivedCounter* derived = nullptr; ///< of the list that it was found in
};

/// The counters that are computed when they are read.
struct ComputedCounters {
    std::vector<CounterInfo> rates; ///< eventRatesOf() the header
    std::vector<DerivedCounter> derived; ///< of the plan, and the user's
};
/// A derived counter as a line of the object "Derived", known by its name.
CounterInfo derivedInfo(const DerivedCounter& counter);
/// None: the recording has no such counter.
std::optional<OwnCounter> findOwnCounter(
    const RunHeader& header, const ComputedCounters& computed, const SeriesKey& key);

// As Recording's functions of these names, in the unit of lines.
Result<std::vector<CounterPoint>> ownPoints(
    const Recording& recording, const OwnCounter& counter, TimeWindow window);
Result<std::vector<CounterBand>> ownBands(
    const Recording& recording, const OwnCounter& counter, TimeWindow window, std::size_t bands);
Result<CounterStatistics> ownStatistics(
    const Recording& recording, const OwnCounter& counter, TimeWindow window);

/// Into the unit of lines.
void multiply(std::vector<CounterBand>& bands, double factor);
void multiply(CounterStatistics& statistics, double factor);

} // namespace loadstone::ui
