// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/failure_kind.h>
#include <loadstone/series.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::metrics {

/// Failures within one tick, by target, where, kind and what was said.
struct ErrorCount {
    std::string where;
    FailureKind kind = FailureKind::none;
    int code = 0;
    std::uint64_t count = 0;
    std::string text; ///< the server's words or the system's; empty: none, or those of too many others
    std::string target {}; ///< one of several; empty: all, or the only one
    bool operator==(const ErrorCount&) const = default;
};

/// All that was measured in one tick (nominally 1 s; shorter where a phase ends). Immutable once made:
/// passed on as shared_ptr<const Tick>. Ticks are numbered from 0 without gaps and never straddle phases.
struct Tick {
    std::uint64_t number = 0;
    Nanoseconds begin {}, end {}; ///< since the run's start
    std::uint32_t phase = 0; ///< index of the phase it belongs to
    std::vector<double>
        values; ///< by counter id; NaN: missing; counts are events in this tick, not yet per second
    /// (histogram id, Histogram::encode()), rising ids, empty histograms left out.
    std::vector<std::pair<std::uint32_t, std::string>> histograms;
    std::vector<ErrorCount> errors;
    bool operator==(const Tick&) const = default;
};

} // namespace loadstone::metrics
