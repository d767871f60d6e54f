// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/row_bytes.h"

#include <loadstone/repeatability.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace loadstone {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostHeld = 8'000'000; // values; more runs are left out
constexpr auto kApart = std::chrono::hours(24 * 7); // between two runs: then they are no repeats any more

/// Which rows the values of a mix are of, by number within the pool.
using Row = std::uint32_t;

struct PooledMix {
    std::string name;
    std::optional<double> load;
    std::string loadUnit;
    Nanoseconds measured {};
    std::vector<double> values; // by row; NaN: none
    bool operator==(const PooledMix&) const = default;
};

struct PooledRun {
    RunId id;
    WallTime started {};
    std::string configuration;
    std::size_t column = 0; // from 1; 0: of the history
    std::vector<PooledMix> mixes; // that of the whole run is the last one
};

bool isUsable(const ComparedRun& run)
{
    return !run.external && !run.live && run.invalidReasons.empty()
        && (run.verdict == Verdict::met || run.verdict == Verdict::measured || run.verdict == Verdict::done
            || run.verdict == Verdict::notMet || run.verdict == Verdict::wentWrong);
}

/// What tells mixes apart, without their values.
PooledMix shapeOf(const ComparedMix& mix)
{
    return { mix.name, mix.load, mix.loadUnit, mix.measured, {} };
}

/// By how much two sizes are apart: 0 for equal ones, 1 for twice or half.
double octaves(double a, double b)
{
    return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : a == b ? 0 : std::numeric_limits<double>::infinity();
}

/// By how much their loads are apart where one may stand for the other: between half and twice as much, and measured for between half and
/// twice as long. None: it may not.
std::optional<double> distanceOf(const PooledMix& one, const PooledMix& other)
{
    constexpr double kMost = 1 + 1e-9; // octaves
    if (one.loadUnit != other.loadUnit || one.load.has_value() != other.load.has_value()
        || octaves(seconds(one.measured), seconds(other.measured)) > kMost
        || (!one.load
            && !std::ranges::equal(one.name, other.name))) // tests of a programme are told apart by name
        return std::nullopt;
    const double apart = one.load ? octaves(*one.load, *other.load) : 0;
    return apart <= kMost ? std::optional(apart) : std::nullopt;
}

/// Whether the mixes of a run, which that of the whole run follows, are like those of another one by one.
bool areAlike(const std::vector<PooledMix>& run, const std::vector<PooledMix>& other)
{
    if (run.size() != other.size() + 1)
        return false;
    for (std::size_t i = 0; i < other.size(); ++i)
        if (!distanceOf(run[i], other[i]))
            return false;
    return true;
}

} // namespace

class RepeatPool::Impl {
public:
    void addRun(const ComparedRun& run, std::size_t column);
    Result<void> addEncoded(std::string_view encoded);
    std::size_t nextColumn() { return ++m_columns; }
    [[nodiscard]] std::optional<Repeatability> of(const std::string& poolingKey, const ComparedMix* mix,
        const ComparedValue& like, bool logarithmic, const ComparedRun* whole) const;

private:
    struct Pool {
        std::vector<PooledRun> runs;
        std::set<RunId> ids;
        // Filled by of(): which mix of each run is like the one that was asked for last.
        mutable std::vector<std::size_t> chosen;
        mutable std::vector<std::size_t> order; // of runs: groups together
        mutable std::vector<std::size_t> group; // of each run in that order
        mutable std::vector<PooledMix> asked; // without values; of a whole run all of its mixes
        mutable bool askedWhole = false;
        mutable bool ready = false;
    };
    Row rowOf(const std::string& bytes, std::int64_t version);
    void put(const std::string& poolingKey, PooledRun run);
    static void arrange(const Pool& pool);
    static void choose(const Pool& pool, std::vector<PooledMix> asked, bool whole);

    std::map<std::string, Pool> m_pools;
    std::unordered_map<std::string, Row> m_rows; // by key and version
    std::size_t m_columns = 0, m_held = 0;
};

Row RepeatPool::Impl::rowOf(const std::string& bytes, std::int64_t version)
{
    std::string key = bytes;
    history::putVarint(key, history::zigzag(version));
    return m_rows.try_emplace(std::move(key), static_cast<Row>(m_rows.size())).first->second;
}

namespace {

void setValue(PooledMix& mix, Row row, double value)
{
    if (mix.values.size() <= row)
        mix.values.resize(row + 1, kNone);
    mix.values[row] = value;
}

} // namespace

void RepeatPool::Impl::put(const std::string& poolingKey, PooledRun run)
{
    Pool& pool = m_pools[poolingKey];
    const auto same = [&](const PooledRun& one) { return !run.id.empty() && one.id == run.id; };
    if (!run.id.empty() && !pool.ids.insert(run.id).second) {
        // A run of a column takes the place of the same one of the history; the first column that has it keeps it.
        const auto at = std::ranges::find_if(pool.runs, same);
        if (at != pool.runs.end() && at->column == 0 && run.column > 0)
            *at = std::move(run);
        pool.ready = false;
        return;
    }
    std::size_t values = 0;
    for (const PooledMix& mix : run.mixes)
        values += mix.values.size();
    if (m_held + values > kMostHeld && run.column == 0)
        return;
    m_held += values;
    pool.runs.push_back(std::move(run));
    pool.ready = false;
}

void RepeatPool::Impl::addRun(const ComparedRun& run, std::size_t column)
{
    if (!isUsable(run))
        return;
    PooledRun pooled { run.id, run.started, run.configuration, column, {} };
    const auto addMix = [&](PooledMix mix, const std::vector<ComparedValue>& values) {
        for (const ComparedValue& value : values)
            if (value.value && std::isfinite(*value.value) && !value.flags.lowerBound && !value.flags.invalid)
                setValue(mix, rowOf(compare::bytesOf(value.key), value.version), *value.value);
        pooled.mixes.push_back(std::move(mix));
    };
    for (const ComparedMix& mix : run.mixes)
        if (mix.complete)
            addMix(shapeOf(mix), mix.values);
    addMix({}, run.wholeRun);
    put(run.facts.poolingKey(), std::move(pooled));
}

Result<void> RepeatPool::Impl::addEncoded(std::string_view encoded)
{
    using namespace compare;
    const auto damaged = [] {
        return Result<void>(fail("a run to compare: these bytes are not one of this version"));
    };
    history::ByteReader in(encoded);
    std::uint64_t version = 0, rowCount = 0, mixCount = 0, valueCount = 0;
    ComparedRun head;
    if (!in.varint(version) || version != kBytesVersion || !takeHead(in, head) || !in.varint(rowCount)
        || rowCount > kMostRows)
        return damaged();
    if (!isUsable(head))
        return {};
    std::vector<Row> rows;
    for (std::uint64_t i = 0; i < rowCount; ++i) {
        EncodedRow row;
        if (!takeRow(in, row))
            return damaged();
        rows.push_back(rowOf(std::string(row.key), row.version));
    }
    PooledRun pooled { head.id, head.started, head.configuration, 0, {} };
    const auto takeValues = [&](PooledMix& mix) {
        EncodedValue value;
        for (std::uint64_t i = 0; i < valueCount; ++i) {
            if (!takeValue(in, value) || value.row >= rows.size())
                return false;
            if (value.value && (value.flags & (kLowerBound | kInvalid)) == 0)
                setValue(mix, rows[value.row], *value.value);
        }
        return true;
    };
    if (!in.varint(mixCount) || mixCount > kMostMixes)
        return damaged();
    for (std::uint64_t i = 0; i < mixCount; ++i) {
        ComparedMix mix;
        if (!takeMix(in, mix, valueCount))
            return damaged();
        PooledMix to = shapeOf(mix);
        if (!takeValues(to))
            return damaged();
        if (mix.complete)
            pooled.mixes.push_back(std::move(to));
    }
    PooledMix whole;
    if (!in.varint(valueCount) || !takeValues(whole))
        return damaged();
    pooled.mixes.push_back(std::move(whole));
    put(head.facts.poolingKey(), std::move(pooled));
    return {};
}

/// Puts the runs of a group behind each other: those of a column, else those of one configuration without a week between two.
void RepeatPool::Impl::arrange(const Pool& pool)
{
    const auto& runs = pool.runs;
    pool.order.resize(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        pool.order[i] = i;
    std::ranges::stable_sort(pool.order, [&](std::size_t a, std::size_t b) {
        const auto keyOf = [](const PooledRun& run) {
            return std::tuple(run.column,
                run.column > 0 ? std::string_view() : std::string_view(run.configuration), run.started);
        };
        return keyOf(runs[a]) < keyOf(runs[b]);
    });
    pool.group.assign(runs.size(), 0);
    std::size_t group = 0;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const PooledRun& before = runs[pool.order[i - 1]];
        const PooledRun& here = runs[pool.order[i]];
        const bool together = here.column > 0
            ? here.column == before.column
            : before.column == 0 && here.configuration == before.configuration && !here.configuration.empty()
                && here.started - before.started <= kApart;
        group += together ? 0 : 1;
        pool.group[i] = group;
    }
    pool.ready = true;
    pool.chosen.clear();
}

void RepeatPool::Impl::choose(const Pool& pool, std::vector<PooledMix> asked, bool whole)
{
    if (pool.chosen.size() == pool.runs.size() && pool.asked == asked && pool.askedWhole == whole)
        return;
    pool.asked = std::move(asked);
    pool.askedWhole = whole;
    pool.chosen.assign(pool.runs.size(), std::numeric_limits<std::size_t>::max());
    for (std::size_t i = 0; i < pool.runs.size(); ++i) {
        const auto& mixes = pool.runs[i].mixes;
        if (whole) {
            if (areAlike(mixes, pool.asked))
                pool.chosen[i] = mixes.size() - 1;
            continue;
        }
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t m = 0; m + 1 < mixes.size(); ++m) {
            const auto apart = distanceOf(mixes[m], pool.asked.front());
            if (apart && *apart < nearest) {
                nearest = *apart;
                pool.chosen[i] = m;
            }
        }
    }
}

std::optional<Repeatability> RepeatPool::Impl::of(const std::string& poolingKey, const ComparedMix* mix,
    const ComparedValue& like, bool logarithmic, const ComparedRun* whole) const
{
    const auto at = m_pools.find(poolingKey);
    std::string key = compare::bytesOf(like.key);
    history::putVarint(key, history::zigzag(like.version));
    const auto row = m_rows.find(key);
    if (at == m_pools.end() || row == m_rows.end())
        return std::nullopt;
    const Pool& pool = at->second;
    if (!pool.ready)
        arrange(pool);
    std::vector<PooledMix> asked;
    if (mix != nullptr)
        asked.push_back(shapeOf(*mix));
    else if (whole != nullptr)
        for (const ComparedMix& one : whole->mixes)
            if (one.complete)
                asked.push_back(shapeOf(one));
    choose(pool, std::move(asked), mix == nullptr);

    // The values of the runs in the order of groups; a group of one says nothing.
    struct Value {
        std::size_t group, load;
        double value;
        bool history;
    };
    std::vector<Value> values;
    bool positive = true;
    for (std::size_t i = 0; i < pool.order.size(); ++i) {
        const std::size_t run = pool.order[i];
        if (pool.chosen[run] >= pool.runs[run].mixes.size())
            continue;
        const PooledMix& one = pool.runs[run].mixes[pool.chosen[run]];
        const double value = row->second < one.values.size() ? one.values[row->second] : kNone;
        if (std::isnan(value))
            continue;
        // Within a group only one mix: that of the first run.
        values.push_back({ pool.group[i], pool.chosen[run], value, pool.runs[run].column == 0 });
        positive = positive && value > 0;
    }
    Repeatability spread;
    spread.logarithmic = logarithmic && positive;
    spread.ownSpread = true;
    double squares = 0;
    for (std::size_t begin = 0; begin < values.size();) {
        std::size_t end = begin;
        double sum = 0, count = 0;
        const auto scaled = [&](double value) { return spread.logarithmic ? std::log(value) : value; };
        for (; end < values.size() && values[end].group == values[begin].group; ++end)
            if (values[end].load == values[begin].load) {
                sum += scaled(values[end].value);
                ++count;
            }
        if (count >= 2) {
            const double mean = sum / count;
            for (std::size_t i = begin; i < end; ++i)
                if (values[i].load == values[begin].load) {
                    const double off = scaled(values[i].value) - mean;
                    squares += off * off;
                }
            spread.degrees += count - 1;
            spread.runs += static_cast<std::size_t>(count);
            ++spread.groups;
            spread.ownSpread = spread.ownSpread && !values[begin].history;
        }
        begin = end;
    }
    if (spread.groups == 0)
        return std::nullopt;
    spread.deviation = std::sqrt(squares / spread.degrees);
    // Repeats that are equal but for the rounding of their quotients have no spread.
    double largest = 0;
    for (const Value& value : values)
        largest = std::max(largest, std::abs(value.value));
    constexpr double kNoise = 1e-9;
    if (spread.deviation <= kNoise * (spread.logarithmic ? 1 : largest))
        spread.deviation = 0;
    // Percentiles are midpoints of buckets of a histogram, which are 1/64 wide: repeats in one bucket differ all the same.
    if (like.statistic == Statistic::percentile && spread.logarithmic)
        spread.deviation = std::max(spread.deviation, 1 / (64 * std::sqrt(12.0)));
    if (!std::isfinite(spread.deviation))
        return std::nullopt;
    return spread;
}

RepeatPool::RepeatPool()
    : m_impl(std::make_unique<Impl>())
{
}
RepeatPool::RepeatPool(RepeatPool&&) noexcept = default;
RepeatPool& RepeatPool::operator=(RepeatPool&&) noexcept = default;
RepeatPool::~RepeatPool() = default;

void RepeatPool::add(const ComparedRun& run)
{
    m_impl->addRun(run, 0);
}

Result<void> RepeatPool::add(std::string_view encoded)
{
    return m_impl->addEncoded(encoded);
}

void RepeatPool::addColumn(const ComparedColumn& column)
{
    const std::size_t number = m_impl->nextColumn();
    for (const ComparedRun& run : column.runs)
        m_impl->addRun(run, number);
}

std::optional<Repeatability> RepeatPool::of(const std::string& poolingKey, const ComparedMix* mix,
    const ComparedValue& like, bool logarithmic, const ComparedRun* whole) const
{
    return m_impl->of(poolingKey, mix, like, logarithmic, whole);
}

} // namespace loadstone
