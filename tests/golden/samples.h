// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/histogram.h>
#include <loadstone/series.h>

#include <cstdint>

/// Samples that follow from the name of their series and the number of the tick alone: they stay the same whatever other series a
/// recording has. Values are multiples of powers of two, so that the order in which they are added does not matter.
namespace loadstone::test {

/// When a sample is taken.
struct Moment {
    std::uint64_t tick = 0;
    unsigned load = 0; ///< how much of the load there is, in quarters
    bool checks = false; ///< pages and records are looked at, and some of them are damaged
};

/// NaN: missing.
double sampleOf(const CounterInfo& info, const Moment& moment);
/// Durations that ended in the tick; of ages, of what had not ended at its end.
Histogram latenciesOf(const HistogramInfo& info, const Moment& moment);

} // namespace loadstone::test
