// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/recording_writer.h"

#include <loadstone/recording.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::history {

/// What a recording of several targets shows of one of them, or, `target` empty, of all together: its series under the keys
/// that those of a run on one target have.
struct TargetView {
    std::vector<CounterInfo> counters; ///< with new ids, from 0
    std::vector<HistogramInfo> histograms;
    std::vector<std::uint32_t> counterIds, histogramIds; ///< in the file, by the new ones
    ResultSeries series;
};
TargetView viewOf(const RunHeader& header, const ResultSeries& series, const std::string& target);

} // namespace loadstone::history
