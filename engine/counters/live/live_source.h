// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/series.h>

#include <stop_token>
#include <string>
#include <vector>

namespace loadstone::counters {

/// What one reading gave.
struct LiveReading {
    /// What the values are of: from the answer before to this one, by this machine's clock. The first reading, and the first after a
    /// failed one, has begin == end: it has levels, and no counts and rates.
    MonoTime begin {}, end {};
    /// By place in LiveSource::counters(); NaN: missing. Of CounterKind::count events since `begin`, never below 0.
    std::vector<double> values;
    /// What is worth knowing and was not said by the reading before: "3 series more than before", one sentence each.
    std::vector<std::string> notes;
};

/// A source of counters that takes its time: another computer, an exporter, a command. It is asked on a thread of its own, for which
/// no other thread waits. One thread at a time.
class LiveSource {
public:
    virtual ~LiveSource() = default;
    LiveSource(const LiveSource&) = delete;
    LiveSource& operator=(const LiveSource&) = delete;

    /// The counters so far; grows only by read(), at the end. The ids are 0: the recording's owner assigns them. At most 10,000.
    [[nodiscard]] virtual const std::vector<CounterInfo>& counters() const = 0;
    /// Asks once. Ends by itself within the plan's time limit, and soon after `stop`; what it started has ended by then. An Error says
    /// why there is no answer: one sentence, without secrets. A rate is the difference of two answers over the time between them; a
    /// total that fell, or is new, is missing once; nothing is extrapolated.
    virtual Result<LiveReading> read(std::stop_token stop) = 0;

protected:
    LiveSource() = default;
};

} // namespace loadstone::counters
