// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/io_series.h"

#include "history/recording_reader.h"

#include <loadstone/results.h>

#include <algorithm>
#include <cmath>

namespace loadstone {

IoDirection directionOf(std::string_view ioClass)
{
    using enum IoDirection;
    struct Known {
        std::string_view name;
        IoDirection direction;
    };
    static constexpr Known kKnown[] { { "Database read", read }, { "Database write", write },
        { "Log write", write }, { "Log read", read }, { "Checksum", read }, { "Backup", read },
        { "Maintenance", read }, { "Backup write", write }, { "Other", write }, { "Flush", neither } };
    const auto* const found = std::ranges::find(kKnown, ioClass, &Known::name);
    return found == std::end(kKnown) ? neither : found->direction;
}

Result<std::optional<IoRates>> ioRatesAt(const Recording& recording, Nanoseconds at)
{
    using namespace analysis;
    const history::TickReader& reader = recording.impl().ticks();
    const history::TickRange shown = reader.rangeOf({ Nanoseconds(0), at });
    std::optional<IoRates> rates;
    for (const CounterInfo& info : recording.header().counters) {
        if (info.object != kStorageObject || !info.computer.empty())
            continue;
        const std::string& counter = info.counter;
        const std::string name = ioOf(info.instance).second;
        const bool ofClass = !name.empty() && (counter == kTransfers || counter == kTransferBytes);
        const bool ofFilling = counter == kFillWrites || counter == kFillBytes;
        const IoDirection direction = ofFilling ? IoDirection::write : directionOf(name);
        if ((!ofClass && !ofFilling) || direction == IoDirection::neither)
            continue;
        if (!rates)
            rates.emplace();
        if (shown.empty())
            continue;
        const history::TickTime& tick = reader.times()[shown.last - 1];
        const auto samples = reader.samples(info.id, { shown.last - 1, shown.last });
        if (!samples)
            return samples.error();
        const double rate = history::shown(info.kind, samples->front(), seconds(tick.end - tick.begin));
        if (!std::isfinite(rate))
            continue;
        (counter == kTransferBytes || counter == kFillBytes ? rates->bytesPerSecond
                : direction == IoDirection::write           ? rates->writesPerSecond
                                                            : rates->readsPerSecond) += rate;
    }
    return rates;
}

std::optional<std::uint32_t> analysis::ioAges(const RunHeader& header, const std::string& instance)
{
    for (const HistogramInfo& info : header.histograms)
        if (info.scope == LatencyScope::command && info.clock == LatencyClock::age && info.name == instance)
            return info.id;
    return std::nullopt;
}

std::optional<std::uint32_t> analysis::ioService(const RunHeader& header, const std::string& instance)
{
    for (const HistogramInfo& info : header.histograms)
        if (info.clock == LatencyClock::service && info.name == instance)
            return info.id;
    return std::nullopt;
}

double MixResult::iosPerSecond(IoDirection direction) const
{
    double sum = 0;
    for (const IoRow& row : io)
        if (directionOf(row.name) == direction)
            sum += row.perSecond;
    return sum;
}

double MixResult::iosPerSecond() const
{
    return iosPerSecond(IoDirection::read) + iosPerSecond(IoDirection::write);
}

} // namespace loadstone
