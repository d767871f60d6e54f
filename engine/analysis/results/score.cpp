// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/result_parts.h"
#include "analysis/window/right_edge.h"
#include "base/posix_file.h"
#include "base/resources.h"
#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/score.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace loadstone {

namespace {

constexpr std::size_t kLongestWeights = 1U << 20;

struct Weights {
    plan::ScoreWeights values;
    std::string from;
};

Result<Weights> readWeights(const std::filesystem::path& file)
{
    const auto text = readFile(file, kLongestWeights);
    if (!text)
        return text.error();
    auto values = plan::parseWeights(*text);
    if (!values)
        return values.error().within(file.string());
    return Weights { std::move(*values), file.filename().string() };
}

Weights ofProfile(plan::ScoreWeights weights, const std::string& title)
{
    return { std::move(weights), "the run's profile, " + title };
}

Result<Weights> weightsOf(const Recording& recording, const std::filesystem::path& file)
{
    if (!file.empty())
        return readWeights(file);
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    if (!loaded.ok() || loaded.plan.profile() == nullptr)
        return fail("this run has no profile to take weights from; name a profile or a file with --weights");
    const plan::Profile& profile = *loaded.plan.profile();
    if (profile.weights.empty())
        return fail("the run's profile states no weights; name another or a file with --weights");
    return ofProfile(profile.weights, profile.title);
}

/// The ticks that were asked for; by default those of the last measurement.
Result<history::TickRange> rangeOf(const Recording& recording, const ScoreOptions& options)
{
    TimeWindow window { Nanoseconds(0), recording.length() };
    if (!options.from && !options.to) {
        const auto& phases = recording.phases();
        const auto last = std::find_if(phases.rbegin(), phases.rend(),
            [](const Phase& phase) { return phase.kind == PhaseKind::measurement; });
        if (last == phases.rend())
            return fail("the run has not reached a measurement; name a window with --from and --to");
        window = { last->begin, last->open ? recording.length() : last->end };
    }
    window.begin = options.from.value_or(window.begin);
    window.end = options.to.value_or(window.end);
    if (window.begin >= window.end)
        return fail(fmt::format("the window from {} to {} has no length", formatDuration(window.begin),
            formatDuration(window.end)));
    const history::TickRange range = history::readerOf(recording).ticks().rangeOf(window);
    if (range.empty())
        return fail(fmt::format("no tick ends between {} and {}; the run is {} long",
            formatDuration(window.begin), formatDuration(window.end), formatClock(recording.length())));
    return range;
}

void weigh(Score& score)
{
    double sum = 0, most = 0, weights = 0;
    bool limited = true;
    for (const ScoreRow& row : score.rows)
        if (row.weight > 0 && row.percentile > Nanoseconds(0)) {
            sum += row.weight * static_cast<double>(row.percentile.count());
            most += row.weight * static_cast<double>(row.percentileAtMost.value_or(Nanoseconds(0)).count());
            limited = limited && row.percentileAtMost;
            score.atLeast = score.atLeast || row.percentileAtLeast;
            weights += row.weight;
        }
    if (weights <= 0)
        return;
    score.value = Nanoseconds(std::llround(sum / weights));
    if (limited)
        score.atMost = Nanoseconds(std::llround(most / weights));
}

/// Gives the times of a series that ended well.
using Times = std::function<Result<Histogram>(std::uint32_t)>;

/// What an action or a command did; nothing of one that was not recorded.
Result<ScoreRow> rowOf(const Recording& recording, const std::optional<SeriesKey>& key, double percentile,
    history::TickRange range, const Times& timesOf)
{
    ScoreRow row;
    if (!key)
        return row;
    row.action = latencyNameOf(*key);
    row.series = *key;
    const auto series = findSeries(recording.header().histograms, *key);
    if (!series)
        return row;
    auto good = timesOf(*series);
    if (!good)
        return good.error();
    auto unfinished = analysis::unfinishedAfter(recording, *key, range);
    if (!unfinished)
        return unfinished.error();
    const analysis::CensoredLatency latency(*std::move(good), *std::move(unfinished));
    const analysis::Bounds bounds = latency.percentile(percentile);
    row.hits = latency.good();
    row.unfinished = latency.unfinished().count();
    row.percentile = bounds.value;
    row.percentileAtLeast = bounds.open;
    row.percentileAtMost = bounds.most;
    row.p50 = latency.percentile(50).value;
    row.p50AtLeast = latency.percentile(50).open;
    row.mean = latency.mean().value;
    row.meanAtLeast = latency.mean().open;
    row.standardDeviation = latency.standardDeviation();
    return row;
}

Result<Score> scoreWithin(const Recording& recording, const Weights& weights, double percentile,
    history::TickRange range, const Times& timesOf)
{
    const auto& ticks = history::readerOf(recording).ticks().times();
    Score score;
    score.percentile = percentile;
    score.weightsFrom = weights.from;
    score.window = { ticks[range.first].begin, ticks[range.last - 1].end };
    for (const auto& [key, weight] : weights.values) {
        auto row = rowOf(recording, plan::scoredSeries(key), percentile, range, timesOf);
        if (!row)
            return row.error();
        row->key = key;
        row->weight = weight;
        score.rows.push_back(*std::move(row));
    }
    weigh(score);
    return score;
}

Result<void> checkPercentile(double percentile)
{
    if (percentile > 0 && percentile <= 100)
        return {};
    return fail(fmt::format("{} is not a percentile; name one above 0 and up to 100", percentile));
}

} // namespace

std::size_t Score::happened() const
{
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(),
        [](const ScoreRow& row) { return row.weight > 0 && row.percentile > Nanoseconds(0); }));
}

double Score::shareOfWeights() const
{
    double all = 0, theirs = 0;
    for (const ScoreRow& row : rows) {
        all += row.weight;
        theirs += row.percentile > Nanoseconds(0) ? row.weight : 0;
    }
    return all > 0 ? theirs / all : 0;
}

Result<Score> computeScore(const Recording& recording, const ScoreOptions& options)
{
    if (const auto good = checkPercentile(options.percentile); !good)
        return good.error();
    const auto weights = weightsOf(recording, options.weights);
    if (!weights)
        return weights.error();
    const auto range = rangeOf(recording, options);
    if (!range)
        return range.error();
    return scoreWithin(recording, *weights, options.percentile, *range,
        [&](std::uint32_t series) -> Result<Histogram> {
            Histogram times;
            if (const auto merged = history::readerOf(recording).ticks().merge(series, *range, times);
                !merged)
                return merged.error();
            return times;
        });
}

Result<std::optional<Score>> analysis::scoreOf(
    const Recording& recording, history::TickRange range, const MixSums& sums)
{
    constexpr double kPercentile = 95;
    const auto& [weights, profile] = analysis::scoreWeightsOf(recording);
    if (weights.empty() || range.empty())
        return std::optional<Score>();
    auto score = scoreWithin(recording, ofProfile(weights, profile), kPercentile, range,
        [&](std::uint32_t series) { return Result<Histogram>(sums.histograms[series]); });
    if (!score)
        return score.error();
    return std::optional(*std::move(score));
}

bool bringsWeights(const Recording& recording)
{
    return weightsOf(recording, {}).has_value();
}

Result<Score> scoreOf(const std::string& given, const ScoreOptions& options)
{
    const auto weights = readWeights(options.weights);
    if (!weights)
        return weights.error();
    Score score;
    score.percentile = options.percentile;
    score.weightsFrom = weights->from;
    for (const auto& [key, weight] : weights->values) {
        const auto series = plan::scoredSeries(key);
        score.rows.push_back({ key, series ? latencyNameOf(*series) : "", weight, 0, {}, {}, {}, {} });
    }
    for (std::size_t begin = 0; begin < given.size();) {
        const std::size_t end = std::min(given.find(',', begin), given.size());
        std::string entry = given.substr(begin, end - begin);
        begin = end + 1;
        entry.erase(0, entry.find_first_not_of(' '));
        const std::size_t equals = entry.find('=');
        const std::string key = entry.substr(0, equals);
        const auto row = std::find_if(
            score.rows.begin(), score.rows.end(), [&](const ScoreRow& other) { return other.key == key; });
        if (equals == std::string::npos || row == score.rows.end())
            return fail(
                fmt::format("\"{}\" names no percentile of an action that has a weight; write read=340 ms, "
                            "send=711 ms",
                    entry));
        const auto time = parseDuration(entry.substr(equals + 1));
        if (!time)
            return time.error().within(key);
        row->percentile = *time;
        row->percentileAtMost = *time;
    }
    weigh(score);
    return score;
}

std::filesystem::path findWeights(const std::string& name)
{
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored))
        return name;
    const auto shipped = resourceFolder() / "profiles" / (name.ends_with(".toml") ? name : name + ".toml");
    return std::filesystem::exists(shipped, ignored) ? shipped : std::filesystem::path(name);
}

std::vector<std::string> shippedWeights()
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "profiles", ignored))
        if (entry.path().extension() == ".toml")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace loadstone
