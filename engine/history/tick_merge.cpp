// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/tick_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace loadstone::history {

namespace {

constexpr double kNoSample = std::numeric_limits<double>::quiet_NaN();

/// A recording may have several series of one key; the first ones belong together, and so on.
template <class Info>
class Places {
public:
    /// The merged series of this one, which may be new.
    std::pair<std::size_t, bool> placeOf(const Info& info, std::vector<Info>& merged)
    {
        const std::pair key { info.key, m_seen[info.key]++ };
        const auto [found, isNew] = m_places.try_emplace(key, merged.size());
        if (isNew) {
            merged.push_back(info);
            merged.back().id = static_cast<std::uint32_t>(found->second);
        }
        return { found->second, isNew };
    }
    void nextPart() { m_seen.clear(); }

private:
    std::map<std::pair<SeriesKey, int>, std::size_t> m_places;
    std::map<SeriesKey, int> m_seen;
};

/// The values of one tick become one.
class Combined {
public:
    explicit Combined(Combination how)
        : m_how(how)
    {
    }
    void add(double value, double weight)
    {
        if (std::isnan(value)) {
            m_missing = true;
            return;
        }
        m_any = true;
        m_sum += value;
        m_maximum = std::max(m_maximum, value);
        m_weighted += value * weight;
        m_weight += weight;
        ++m_count;
    }
    [[nodiscard]] double value() const
    {
        if (!m_any)
            return kNoSample;
        switch (m_how) {
        case Combination::sum:
            return m_missing ? kNoSample : m_sum;
        case Combination::maximum:
            return m_maximum;
        default: // where nothing weighs anything all count alike
            return m_weight > 0 ? m_weighted / m_weight : m_sum / m_count;
        }
    }

private:
    Combination m_how;
    bool m_any = false, m_missing = false;
    double m_sum = 0, m_weighted = 0, m_weight = 0, m_count = 0;
    double m_maximum = -std::numeric_limits<double>::infinity();
};

} // namespace

TickMerge::TickMerge(std::vector<Part> parts)
    : m_parts(std::move(parts))
{
}

bool TickMerge::isSharedHost(std::size_t part, const CounterInfo& info) const
{
    if (!info.key.quantity || !infoOf(*info.key.quantity).key.starts_with("host."))
        return false;
    const std::string& machine = m_parts[part]->header().computer;
    return std::any_of(m_parts.begin(), m_parts.begin() + static_cast<std::ptrdiff_t>(part),
        [&](Part earlier) { return earlier->header().computer == machine; });
}

Result<void> TickMerge::matchSeries()
{
    Places<CounterInfo> counters;
    Places<HistogramInfo> histograms;
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        const RunHeader& header = m_parts[part]->header();
        for (const CounterInfo& info : header.counters) {
            const auto [place, isNew] = counters.placeOf(info, m_counters);
            if (m_counters[place].kind != info.kind || m_counters[place].unit != info.unit)
                return fail(info.path() + " does not have the same kind and unit in all recordings");
            m_counterInputs.resize(m_counters.size());
            if (!isNew && isSharedHost(part, info))
                continue;
            Input input { part, info.id, {} };
            if (info.key.quantity)
                if (const auto weight = infoOf(*info.key.quantity).weight)
                    input.weight = findSeries(header.counters, SeriesKey(*weight, info.key.subject));
            m_counterInputs[place].push_back(input);
        }
        for (const HistogramInfo& info : header.histograms) {
            const auto [place, isNew] = histograms.placeOf(info, m_histograms);
            if (m_histograms[place].scope != info.scope)
                return fail(info.name + " does not have the same kind in all recordings");
            m_histogramInputs.resize(m_histograms.size());
            m_histogramInputs[place].push_back({ part, info.id, {} });
        }
        counters.nextPart();
        histograms.nextPart();
    }
    return {};
}

Result<std::vector<double>> TickMerge::samples(std::size_t part, std::uint32_t id, TickRange range) const
{
    const TickReader& reader = m_parts[part]->ticks();
    auto values = reader.samples(id, range);
    const std::uint64_t ticks = reader.times().size();
    if (!values || range.last <= ticks)
        return values;
    double after = 0;
    if (m_parts[part]->header().counters[id].kind == CounterKind::level) {
        const auto last = reader.samples(id, { ticks > 0 ? ticks - 1 : 0, ticks });
        if (!last)
            return last.error();
        after = last->empty() ? kNoSample : last->front();
    }
    values->resize(range.last - range.first, after);
    return values;
}

Result<void> TickMerge::readCounter(
    std::uint32_t id, TickRange range, std::vector<metrics::Tick>& ticks) const
{
    const CounterInfo& info = m_counters[id];
    // How a foreign counter adds up is not known. Its mean lies between the values that were seen.
    const Combination how = info.key.quantity ? infoOf(*info.key.quantity).combination : Combination::mean;
    std::vector<Combined> combined(ticks.size(), Combined(how));
    for (const Input& input : m_counterInputs[id]) {
        const auto values = samples(input.part, input.id, range);
        if (!values)
            return values.error();
        std::vector<double> weights(ticks.size(), 1);
        if (input.weight) {
            auto read = samples(input.part, *input.weight, range);
            if (!read)
                return read.error();
            weights = std::move(*read);
        }
        for (std::size_t i = 0; i < ticks.size(); ++i)
            combined[i].add((*values)[i], weights[i] > 0 ? weights[i] : 0);
    }
    for (std::size_t i = 0; i < ticks.size(); ++i)
        ticks[i].values[id] = combined[i].value();
    return {};
}

Result<void> TickMerge::readHistogram(
    std::uint32_t id, TickRange range, std::vector<metrics::Tick>& ticks) const
{
    std::vector<Histogram> merged(ticks.size());
    for (const Input& input : m_histogramInputs[id]) {
        const TickReader& reader = m_parts[input.part]->ticks();
        auto read = reader.each(input.id, range, [&](std::uint64_t tick, std::string_view bytes) {
            return merged[tick - range.first].mergeEncoded(bytes);
        });
        if (!read)
            return read;
        const std::uint64_t end = reader.times().size();
        if (!isAge(m_histograms[id].clock) || range.last <= end || end == 0)
            continue;
        Histogram last; // what had not ended then has not ended since
        if (auto done = reader.merge(input.id, { end - 1, end }, last); !done)
            return done;
        for (std::uint64_t tick = std::max(end, range.first); tick < range.last; ++tick)
            merged[tick - range.first].merge(last);
    }
    for (std::size_t i = 0; i < ticks.size(); ++i)
        if (!merged[i].empty())
            ticks[i].histograms.emplace_back(id, merged[i].encode());
    return {};
}

Result<void> TickMerge::readFailures(TickRange range, std::vector<metrics::Tick>& ticks) const
{
    for (const Part part : m_parts) {
        const std::uint64_t end = std::min<std::uint64_t>(range.last, part->ticks().times().size());
        for (std::uint64_t tick = range.first; tick < end; ++tick) {
            const auto rows = part->errors({ tick, tick + 1 });
            if (!rows)
                return rows.error();
            for (const ErrorRow& row : *rows)
                ticks[tick - range.first].errors.push_back(
                    { row.where, row.kind, row.code, row.count, row.text, row.target });
        }
    }
    return {};
}

Result<std::vector<metrics::Tick>> TickMerge::read(TickRange range) const
{
    std::vector<metrics::Tick> ticks(range.last - range.first);
    for (metrics::Tick& tick : ticks)
        tick.values.assign(m_counters.size(), kNoSample);
    for (std::uint32_t id = 0; id < m_counters.size(); ++id)
        if (auto done = readCounter(id, range, ticks); !done)
            return done.error();
    for (std::uint32_t id = 0; id < m_histograms.size(); ++id)
        if (auto done = readHistogram(id, range, ticks); !done)
            return done.error();
    if (auto done = readFailures(range, ticks); !done)
        return done.error();
    return ticks;
}

} // namespace loadstone::history
