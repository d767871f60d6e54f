// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/live_source.h"
#include "plan/model/counter_source.h"

#include <memory>
#include <string_view>
#include <vector>

namespace loadstone::counters {

/// Makes counters of the texts that one exporter, or one command, answers with: the metrics that stand in the table of
/// metrics_mapping.h under our quantities, those that the plan's patterns choose as foreign counters.
///
/// A rate is the difference of two totals over the time between the two answers, by our own clock; time stamps in the text are not
/// used. A total that fell, a series that is new or stands twice, and every total after miss() or after the exporter began anew is
/// missing once. A series that the text has not is missing. One thread at a time.
class MetricsReader {
public:
    /// Of an OpenMetricsSource, or of a CommandSource with its format openMetrics.
    explicit MetricsReader(const plan::CounterSourceSpec& spec);
    MetricsReader(MetricsReader&&) noexcept;
    MetricsReader& operator=(MetricsReader&&) noexcept;
    ~MetricsReader();

    /// As LiveSource::counters(): grows only by read(), at the end.
    [[nodiscard]] const std::vector<CounterInfo>& counters() const;
    /// One answer, and when it had come. An Error names the line that is wrong; it counts as a miss().
    Result<LiveReading> read(std::string_view text, MonoTime received);
    /// The last question had no answer: what is read next are the first totals again.
    void miss();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace loadstone::counters
