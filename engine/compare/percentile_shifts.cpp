// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/quantile_shift.h>
#include <loadstone/recording.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <tuple>

namespace loadstone {

namespace {

bool isNamed(const std::string& name, const std::vector<std::string>& parts)
{
    return std::ranges::any_of(parts, [&](const std::string& part) {
        return std::search(name.begin(), name.end(), part.begin(), part.end(), [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        }) != name.end();
    });
}

/// The mix of a run that is the same as one of the column's first run.
const ComparedMix* sameMix(const ComparedColumn& column, std::size_t run, std::size_t mix)
{
    const std::vector<ComparedMix>& first = column.runs.front().mixes;
    if (mix >= first.size())
        return nullptr;
    const std::vector<ComparedMix>& mixes = column.runs[run].mixes;
    const auto found = std::ranges::find_if(mixes, [&](const ComparedMix& one) {
        return std::tie(one.name, one.load) == std::tie(first[mix].name, first[mix].load);
    });
    return found == mixes.end() ? nullptr : &*found;
}

bool isMeasuredHere(const ComparedRun& run)
{
    return !run.external && !run.file.empty();
}

std::string reasonOf(const ColumnLatencies& latencies, const ComparedColumn& column)
{
    if (!std::ranges::any_of(column.runs, isMeasuredHere))
        return fmt::format("{} was not measured here: a published result has no histograms", column.name);
    if (!latencies.hasRuns())
        return fmt::format(
            "percentiles are compared of valid runs that were measured to their end, and none of {} is one",
            column.name);
    return {};
}

} // namespace

ColumnLatencies::ColumnLatencies(const ComparedColumn& column)
    : m_column(column)
    , m_counts(countingRuns(column))
{
}

bool ColumnLatencies::hasRuns() const
{
    return std::ranges::any_of(m_counts, std::identity());
}

Result<const Recording*> ColumnLatencies::open(std::size_t run)
{
    if (const auto at = m_recordings.find(run); at != m_recordings.end())
        return &at->second;
    auto recording = Recording::open(m_column.runs[run].file, m_column.runs[run].target);
    if (!recording)
        return recording.error();
    return &m_recordings.emplace(run, *std::move(recording)).first->second;
}

Result<LatencyStretches> ColumnLatencies::read(
    std::size_t mix, const SeriesKey& latency, const std::atomic<bool>* stop)
{
    LatencyStretches all;
    for (std::size_t run = 0; run < m_column.runs.size() && (stop == nullptr || !*stop); ++run) {
        const ComparedMix* same = sameMix(m_column, run, mix);
        if (!m_counts[run] || !isMeasuredHere(m_column.runs[run]) || same == nullptr || !same->complete)
            continue;
        const auto recording = open(run);
        if (!recording)
            return recording.error();
        if (!findSeries((*recording)->header().histograms, latency))
            continue;
        auto stretches = latencyStretches(**recording, latency, same->window);
        if (!stretches)
            return stretches.error();
        std::ranges::move(*stretches, std::back_inserter(all));
    }
    return all;
}

Result<std::vector<PercentileShifts>> percentileShifts(const std::vector<ComparedColumn>& columns,
    const Comparison& comparison, const std::vector<std::string>& actions)
{
    std::vector<PercentileShifts> found;
    const std::size_t baseline = comparison.options.baseline;
    if (columns.size() != comparison.columns.size() || baseline >= columns.size())
        return fail("the comparison is of other columns");
    std::vector<ColumnLatencies> latencies(columns.begin(), columns.end());
    for (const ComparisonMix& mix : comparison.mixes)
        for (const ComparisonRow& row : mix.rows) {
            const std::string action = nameOf(row.key.subject);
            if (row.key.figure != "response.average" || row.key.subject.empty() || !mix.mixes[baseline]
                || !isNamed(action, actions))
                continue;
            const SeriesKey latency(Quantity::actionTime, row.key.subject, LatencyClock::response);
            const auto before = latencies[baseline].read(*mix.mixes[baseline], latency);
            if (!before)
                return before.error();
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (c == baseline || !mix.mixes[c])
                    continue;
                const auto after = latencies[c].read(*mix.mixes[c], latency);
                if (!after)
                    return after.error();
                PercentileShifts one { mix.name, action, baseline, c,
                    fmt::format(
                        "{}, {}: {} against {}", mix.name, action, columns[c].name, columns[baseline].name),
                    {}, quantileCurve(*before, *after) };
                if (one.shifts.empty())
                    one.reason = reasonOf(latencies[baseline], columns[baseline]);
                if (one.shifts.empty() && one.reason.empty())
                    one.reason = reasonOf(latencies[c], columns[c]);
                if (one.shifts.empty() && one.reason.empty())
                    one.reason = "one of both has too few samples of it";
                found.push_back(std::move(one));
            }
        }
    return found;
}

} // namespace loadstone
