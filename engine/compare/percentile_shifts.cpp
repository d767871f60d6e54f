// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/quantile_shift.h>
#include <loadstone/recording.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

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

/// The recordings of a comparison, each opened once.
class Recordings {
public:
    Result<const Recording*> open(const ComparedRun& run)
    {
        const auto key = std::pair(run.file.string(), run.target);
        if (const auto at = m_open.find(key); at != m_open.end())
            return &at->second;
        auto recording = Recording::open(run.file, run.target);
        if (!recording)
            return recording.error();
        return &m_open.emplace(key, *std::move(recording)).first->second;
    }

private:
    std::map<std::pair<std::string, std::string>, Recording> m_open;
};

/// Of all repeats behind each other; empty where none has such an action.
Result<LatencyStretches> stretchesOf(
    const ComparedColumn& column, const SeriesKey& latency, std::size_t mix, Recordings& recordings)
{
    LatencyStretches all;
    const std::vector<bool> counts = countingRuns(column);
    for (std::size_t i = 0; i < column.runs.size(); ++i) {
        const ComparedRun& run = column.runs[i];
        if (!counts[i] || run.external || run.file.empty() || mix >= run.mixes.size()
            || !run.mixes[mix].complete)
            continue;
        const auto recording = recordings.open(run);
        if (!recording)
            return recording.error();
        if (!findSeries((*recording)->header().histograms, latency))
            continue;
        auto stretches = latencyStretches(**recording, latency, run.mixes[mix].window);
        if (!stretches)
            return stretches.error();
        std::ranges::move(*stretches, std::back_inserter(all));
    }
    return all;
}

} // namespace

Result<std::vector<PercentileShifts>> percentileShifts(const std::vector<ComparedColumn>& columns,
    const Comparison& comparison, const std::vector<std::string>& actions)
{
    std::vector<PercentileShifts> found;
    Recordings recordings;
    const std::size_t baseline = comparison.options.baseline;
    if (columns.size() != comparison.columns.size() || baseline >= columns.size())
        return fail("the comparison is of other columns");
    for (const ComparisonMix& mix : comparison.mixes)
        for (const ComparisonRow& row : mix.rows) {
            const std::string action = nameOf(row.key.subject);
            if (row.key.figure != "response.average" || row.key.subject.empty() || !mix.mixes[baseline]
                || !isNamed(action, actions))
                continue;
            const SeriesKey latency(Quantity::actionTime, row.key.subject, LatencyClock::response);
            const auto before = stretchesOf(columns[baseline], latency, *mix.mixes[baseline], recordings);
            if (!before)
                return before.error();
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (c == baseline || !mix.mixes[c])
                    continue;
                const auto after = stretchesOf(columns[c], latency, *mix.mixes[c], recordings);
                if (!after)
                    return after.error();
                auto shifts = quantileCurve(*before, *after);
                if (!shifts.empty())
                    found.push_back({ mix.name, action, baseline, c,
                        fmt::format("{}, {}: {} against {}", mix.name, action, columns[c].name,
                            columns[baseline].name),
                        std::move(shifts) });
            }
        }
    return found;
}

} // namespace loadstone
