// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/counter_choice.h"
#include "loadstone/curve.h"
#include "loadstone/recording.h"
#include "loadstone/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Counters that are computed from others when they are read: a sum over a role, per user, per processor, a ratio of two, another unit. No
/// sample of theirs is stored. The plan defines some ([[derived]]), and people type others; both are the text
///   name [unit] = expression
/// as in: CPU of the store per user [%] = sum("\Process(store*)\% Processor Time") / users
///        Traffic [Kbit/s] = sum("\Network Interface(*)\Bytes Total/sec") * 8 / 1000
///        Reads per delivery = "\LogicalDisk(sdb)\Disk Reads/sec" / "\MSExchangeIS Mailbox\Local delivery rate"
/// The expression multiplies and divides, from left to right: paths in quotes (* is any text, ? one letter; each has to fit one counter),
/// sum(...) and mean(...) of all counters that fit some paths, numbers, `users` of the mix that is run, `processors` of the computer of the
/// first counter; brackets. All counters of a sum or a mean have one unit. Without a unit the result has that of its parts: "%" / "%" is a
/// bare number, "bytes/s" / "messages/s" is "bytes/s per messages/s"; a stated unit that differs needs a number as a factor; what is
/// "% per user" may be stated as "%".
namespace loadstone {

struct DerivedProgram; // what is computed; for the engine

struct DerivedCounter {
    std::string name, unit;
    std::string definition; ///< the text
    std::vector<ChosenCounter> parts; ///< the counters that it is computed from
    std::shared_ptr<const DerivedProgram> program;
};

/// Finds the parts in a recording. An Error says what is wrong with the text (with its column) or with the units, or what does not fit.
Result<DerivedCounter> derive(const Recording& recording, std::string_view definition);

/// Those of the recording's plan.
struct PlanDerived {
    std::vector<DerivedCounter> counters;
    std::vector<std::string>
        problems; ///< why others cannot be computed from this recording, one sentence each
};
PlanDerived derivedOf(const Recording& recording);

// The same as Recording's functions for counters. The ticks are those of the coarsest part: of parts with other ticks the means over each of
// them count, weighted by time, if at least half of it is known. A value is NaN where a part is missing, a divisor is 0, or there are no users.
// Counts are per second. The memory is that of a few curves of the window, however many parts there are.
Result<std::vector<CounterPoint>> derivedCounter(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window);
Result<std::vector<CounterBand>> derivedBands(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window, std::size_t bands);
Result<CounterStatistics> derivedStatistics(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window);

/// What tables print of a derived counter, as CounterReading has it of the others.
struct DerivedReading {
    double average =
        0; ///< each value weighs as much as its tick overlaps the window; NaN, as the two below: no value
    double minimum = 0, maximum = 0;
    std::uint64_t samples = 0; ///< ticks of the coarsest part for which there is a value
    double coverage = 0; ///< share of the window that they cover, 0 to 1
};
Result<DerivedReading> derivedReading(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window);

} // namespace loadstone
