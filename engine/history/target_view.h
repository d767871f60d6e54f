// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::history {

/// How a target's latencies, failures and exceptions are marked in a recording of several: "East: Send message". As it is where there
/// is only one target, which has no name.
std::string ofTarget(const std::string& target, std::string_view name);
/// Takes the mark off; false when `name` does not bear it.
bool takeMark(std::string& name, const std::string& target);
/// `name` bears the mark of one of the targets.
bool isMarked(const std::string& name, const std::vector<std::string>& targets);

/// What a recording of several targets shows of one of them, or, `target` empty, of all together: its series under the names
/// that those of a run on one target have.
struct TargetView {
    std::vector<CounterInfo> counters; ///< ids anew, from 0
    std::vector<HistogramInfo> histograms;
    std::vector<std::uint32_t> counterIds, histogramIds; ///< in the file, by the new ones
    ResultSeries series;
};
TargetView viewOf(const RunHeader& header, const ResultSeries& series, const std::string& target);

} // namespace loadstone::history
