// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/log/counter_log.h"
#include "history/source_reader.h"

#include <loadstone/offset.h>
#include <loadstone/run_kind.h>

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::session {

enum class Traffic : std::uint8_t { network, disk };

/// What of a log or a source is compared with a run: the sum of some counters over its time.
struct TrafficCurve {
    std::string name; ///< of the counters, for people
    Traffic traffic = Traffic::network;
    Nanoseconds
        zero {}; ///< of a log one interval before its first sample, as attachLog() has it; of a source 0
    Nanoseconds interval {};
    std::vector<Nanoseconds> at; ///< ends of the samples, from `zero`
    std::vector<double> values; ///< NaN: missing
};

/// "\\EX1\Network Interface(eth0)\Bytes Total/sec and 3 more".
std::string sumName(const std::string& first, std::size_t count);
/// The sum of what is known of both; NaN: neither is.
double sumOfKnown(double sum, double value);

/// Of a log that is read to its end, or of a source: the counters that the options name, else the bytes of network or disks that are known
/// by their names. An Error where none fits, or there are no samples, or too many. `file`: for messages.
Result<TrafficCurve> readTraffic(
    counters::CounterLog& log, const std::string& file, RunKind kind, const OffsetOptions& options);
Result<TrafficCurve> readTraffic(
    const history::ReadSource& source, RunKind kind, const OffsetOptions& options);

} // namespace loadstone::session
