// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/tick_reader.h"

#include "history/histogram_codec.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace loadstone::history {

TickReader::TickReader(Database& database, std::string file, const SourcePlace& place)
    : m_database(database)
    , m_file(std::move(file))
    , m_place(place)
    , m_counterIds(place.counters)
    , m_histogramIds(place.histograms)
{
    std::iota(m_counterIds.begin(), m_counterIds.end(), 0U);
    std::iota(m_histogramIds.begin(), m_histogramIds.end(), 0U);
}

void TickReader::renumber(std::vector<std::uint32_t> counters, std::vector<std::uint32_t> histograms)
{
    m_counterIds = std::move(counters);
    m_histogramIds = std::move(histograms);
}

void TickReader::grow(const SourcePlace& place)
{
    for (std::uint32_t id = m_place.counters; id < place.counters; ++id)
        m_counterIds.push_back(id);
    m_place = place;
    for (HotTick& tick : m_hot)
        tick.samples.resize(m_place.counters, std::numeric_limits<double>::quiet_NaN());
}

Error TickReader::damage(const std::string& what, std::uint64_t first, const Error& why) const
{
    return fail(m_file + ": " + what + ", from tick " + std::to_string(first) + ": " + why.message);
}

Result<void> TickReader::follow()
{
    if (auto done = takeChunks(); !done)
        return done;
    return takeHot();
}

Result<void> TickReader::takeChunks()
{
    auto rows =
        m_database.prepare("SELECT id, ticks, data FROM tick_chunk WHERE id >= ?1 AND id < ?2 ORDER BY id");
    if (!rows)
        return rows.error();
    rows->bind(1, tickId(m_place.source, m_sealed)).bind(2, tickId(m_place.source + 1, 0));
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        const auto first = static_cast<std::uint64_t>(rows->integer(0) - tickId(m_place.source, 0));
        const auto ticks = static_cast<std::uint64_t>(rows->integer(1, 1, kChunkTicks));
        if (auto good = rows->sound(); !good)
            return good;
        // Only the last chunk may be short, so a chunk that follows a short one is damage.
        if (first != m_sealed || first % kChunkTicks != 0 || first + ticks > kMostTicks)
            return damage("times of ticks", first, fail("out of order"));
        auto times = decodeTimes(rows->blob(2), ticks, first == 0 ? Nanoseconds() : m_times[first - 1].end);
        if (!times)
            return damage("times of ticks", first, times.error());
        m_times.resize(first);
        m_times.insert(m_times.end(), times->begin(), times->end());
        m_sealed = first + ticks;
        m_hot.erase(
            m_hot.begin(), m_hot.begin() + static_cast<std::ptrdiff_t>(std::min(ticks, m_hot.size())));
        // Ticks that were hot before and still are lie behind the sealed ones.
        for (const HotTick& tick : m_hot)
            m_times.push_back(tick.time);
    }
}

Result<void> TickReader::takeHot()
{
    auto rows = m_database.prepare(
        "SELECT id, begin, end, phase, samples, latencies FROM hot WHERE id >= ?1 AND id < ?2 ORDER BY id");
    if (!rows)
        return rows.error();
    rows->bind(1, tickId(m_place.source, m_times.size())).bind(2, tickId(m_place.source + 1, 0));
    for (;;) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        const auto number = static_cast<std::uint64_t>(rows->integer(0) - tickId(m_place.source, 0));
        const auto wrong = [&](const char* why) { return damage("tick", number, fail(why)); };
        HotTick tick;
        tick.time = { Nanoseconds(rows->integer(1)), Nanoseconds(rows->integer(2)),
            static_cast<std::uint32_t>(rows->integer(3, 0, kMostPhases - 1)) };
        if (auto good = rows->sound(); !good)
            return good;
        if (number != m_times.size() || number >= kMostTicks || m_hot.size() > 4 * kChunkTicks)
            return wrong("out of order");
        if (!follows(tick.time, m_times.empty() ? Nanoseconds() : m_times.back().end))
            return wrong("damaged time");
        const std::string_view samples = rows->blob(4);
        const std::size_t whole = m_place.counters * sizeof(double);
        const bool grew =
            m_place.source != 0 && samples.size() < whole && samples.size() % sizeof(double) == 0;
        if (samples.size() != whole && !grew) // a tick of before has no samples of counters that came later
            return wrong("damaged samples");
        tick.samples.resize(m_place.counters, std::numeric_limits<double>::quiet_NaN());
        if (!samples.empty())
            std::memcpy(tick.samples.data(), samples.data(), samples.size());
        for (double& value : tick.samples)
            if (!std::isfinite(value))
                value = std::numeric_limits<double>::quiet_NaN();
        auto latencies = decodeSparse(rows->blob(5), m_place.histograms);
        if (!latencies)
            return damage("tick", number, latencies.error());
        tick.latencies = std::move(*latencies);
        m_times.push_back(tick.time);
        m_hot.push_back(std::move(tick));
    }
}

TickRange TickReader::rangeOf(TimeWindow window) const
{
    const auto after = [&](Nanoseconds t) {
        const auto found = std::upper_bound(m_times.begin(), m_times.end(), t,
            [](Nanoseconds value, const TickTime& tick) { return value < tick.end; });
        return static_cast<std::uint64_t>(found - m_times.begin());
    };
    return { after(window.begin), std::max(after(window.begin), after(window.end)) };
}

TickRange TickReader::overlapping(TimeWindow window) const
{
    TickRange range = rangeOf(window);
    if (range.last < m_times.size() && m_times[range.last].begin < window.end
        && m_times[range.last].end > window.end)
        ++range.last;
    return range;
}

TimeWindow TickReader::wholeTicks(TimeWindow window) const
{
    const TickRange range = rangeOf(window);
    return range.empty() ? window : TimeWindow { m_times[range.first].begin, m_times[range.last - 1].end };
}

Result<void> TickReader::eachChunk(
    const char* table, std::uint32_t series, TickRange range, std::uint64_t step, const Visit& visit) const
{
    const std::uint64_t last = std::min(range.last, m_sealed);
    std::uint64_t expected = range.first / step * step;
    if (range.first >= last)
        return {};
    auto rows = m_database.prepare(
        std::string("SELECT id, data FROM ") + table + " WHERE id >= ?1 AND id < ?2 ORDER BY id");
    if (!rows)
        return rows.error();
    rows->bind(1, chunkId(series, expected)).bind(2, chunkId(series, last));
    for (; expected < last; expected += step) {
        auto more = rows->next();
        if (!more)
            return more.error();
        if (!*more || rows->integer(0) != chunkId(series, expected))
            return damage(
                std::string(table) + " of series " + std::to_string(series), expected, fail("missing"));
        if (auto done = visit(expected, rows->blob(1)); !done)
            return damage(
                std::string(table) + " of series " + std::to_string(series), expected, done.error());
    }
    return rows->sound();
}

Result<std::vector<double>> TickReader::samples(std::uint32_t number, TickRange range) const
{
    range.last = std::min<std::uint64_t>(range.last, m_times.size());
    std::vector<double> out;
    if (range.empty())
        return out;
    if (number >= m_counterIds.size())
        return fail(m_file + ": no counter " + std::to_string(number));
    const std::uint32_t counter = m_counterIds[number];
    out.reserve(range.last - range.first);
    auto read = eachChunk("counter_chunk", m_place.seriesOf(counter), range, kChunkTicks,
        [&](std::uint64_t first, std::string_view data) -> Result<void> {
            const std::uint64_t ticks = std::min(kChunkTicks, m_sealed - first);
            auto chunk = decodeCounter(data, ticks);
            if (!chunk)
                return chunk.error();
            const std::uint64_t from = std::max(range.first, first) - first;
            const std::uint64_t to = std::min(range.last, first + ticks) - first;
            out.insert(out.end(), chunk->begin() + static_cast<std::ptrdiff_t>(from),
                chunk->begin() + static_cast<std::ptrdiff_t>(to));
            return {};
        });
    if (!read)
        return read.error();
    for (std::uint64_t tick = std::max(range.first, m_sealed); tick < range.last; ++tick)
        out.push_back(m_hot[tick - m_sealed].samples[counter]);
    return out;
}

Result<std::vector<CounterBrick>> TickReader::bricks(std::uint32_t number, TickRange range) const
{
    std::vector<CounterBrick> out;
    if (number >= m_counterIds.size())
        return fail(m_file + ": no counter " + std::to_string(number));
    const std::uint32_t counter = m_counterIds[number];
    auto read = eachChunk("counter_brick", m_place.seriesOf(counter), range, kChunkTicks,
        [&](std::uint64_t first, std::string_view data) -> Result<void> {
            const std::uint64_t ticks = std::min(kChunkTicks, m_sealed - first);
            auto chunk = decodeBricks(data, (ticks + kBrickTicks - 1) / kBrickTicks);
            if (!chunk)
                return chunk.error();
            const std::uint64_t skipped = range.first > first ? (range.first - first) / kBrickTicks : 0;
            out.insert(out.end(), chunk->begin() + static_cast<std::ptrdiff_t>(skipped), chunk->end());
            return {};
        });
    if (!read)
        return read.error();
    return out;
}

Result<void> TickReader::each(std::uint32_t number, TickRange range,
    const std::function<Result<void>(std::uint64_t, std::string_view)>& visit) const
{
    range.last = std::min<std::uint64_t>(range.last, m_times.size());
    if (number >= m_histogramIds.size())
        return fail(m_file + ": no latencies " + std::to_string(number));
    const std::uint32_t histogram = m_histogramIds[number];
    auto read = eachChunk("histogram_chunk", m_place.firstHistogram + histogram, range, kHistogramTicks,
        [&](std::uint64_t first, std::string_view data) -> Result<void> {
            const std::uint64_t ticks = std::min(kHistogramTicks, m_sealed - first);
            auto singles = decodeHistograms(data, ticks);
            if (!singles)
                return singles.error();
            const std::uint64_t to = std::min(range.last, first + ticks);
            for (std::uint64_t tick = std::max(range.first, first); tick < to; ++tick)
                if (const std::string& bytes = (*singles)[tick - first]; !bytes.empty())
                    if (auto done = visit(tick, bytes); !done)
                        return done;
            return {};
        });
    if (!read)
        return read;
    for (std::uint64_t tick = std::max(range.first, m_sealed); tick < range.last; ++tick) {
        const SparseHistograms& all = m_hot[tick - m_sealed].latencies;
        const auto found = std::lower_bound(all.begin(), all.end(), histogram,
            [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
        if (found == all.end() || found->first != histogram)
            continue;
        if (auto done = visit(tick, found->second); !done)
            return damage("latencies " + std::to_string(histogram), tick, done.error());
    }
    return {};
}

Result<void> TickReader::merge(std::uint32_t number, TickRange range, Histogram& into) const
{
    range.last = std::min<std::uint64_t>(range.last, m_times.size());
    const auto add = [&](std::uint64_t, std::string_view bytes) { return into.mergeEncoded(bytes); };
    // Whole chunks have their sum ready; only what sticks out at both ends is added up from single ticks.
    const std::uint64_t from = (range.first + kHistogramTicks - 1) / kHistogramTicks * kHistogramTicks;
    const std::uint64_t to =
        range.last >= m_sealed ? m_sealed : range.last / kHistogramTicks * kHistogramTicks;
    if (from >= to)
        return each(number, range, add);
    if (number >= m_histogramIds.size())
        return fail(m_file + ": no latencies " + std::to_string(number));
    if (auto done = each(number, { range.first, from }, add); !done)
        return done;
    if (auto done = eachChunk("histogram_sum", m_place.firstHistogram + m_histogramIds[number], { from, to },
            kHistogramTicks, add);
        !done)
        return done;
    return each(number, { to, range.last }, add);
}

} // namespace loadstone::history
