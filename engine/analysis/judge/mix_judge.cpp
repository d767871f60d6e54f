// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/judge/mix_judge.h"

#include "analysis/window/action_series.h"
#include "analysis/window/right_edge.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "metrics/trend.h"

#include <loadstone/results.h>
#include <loadstone/score.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::analysis {

namespace {

using Kind = Criterion::Kind;

constexpr std::size_t kLooks = 60;
constexpr double kCertain = 2.326; // standard deviations: 1 %, one side
constexpr std::uint64_t kEnoughSamples = 20; // a percentile of fewer says nothing

bool within(const Criterion& criterion, double value)
{
    return value >= criterion.least.value_or(value) && value <= criterion.most.value_or(value);
}

/// Judges one measurement: at its end, and at sixty moments before, each time from its beginning.
class MixJudge {
public:
    MixJudge(const Recording& recording, const plan::Criteria& criteria, TimeWindow window)
        : m_recording(recording)
        , m_criteria(criteria)
        , m_range(history::readerOf(recording).ticks().rangeOf(window))
        , m_window(window)
    {
        const std::size_t ticks = m_range.empty() ? 0 : m_range.last - m_range.first;
        const std::size_t looks = std::min(ticks, kLooks);
        for (std::size_t i = 1; i <= looks; ++i)
            m_looks.push_back(m_range.first + i * ticks / looks);
    }

    Result<std::vector<Criterion>> judge()
    {
        for (const auto step : { &MixJudge::score, &MixJudge::responseTimes, &MixJudge::processor,
                 &MixJudge::errorRate, &MixJudge::queue, &MixJudge::counters })
            if (const auto done = (this->*step)(); !done)
                return done.error();
        return std::move(m_judged);
    }

private:
    Result<void> score()
    {
        if (!m_criteria.score)
            return {};
        Criterion criterion = percentileAtMost(Kind::score, "", *m_criteria.score);
        ScoreOptions options;
        options.percentile = m_criteria.percentile;
        options.from = m_window.begin;
        options.to = m_window.end;
        const auto score = computeScore(m_recording, options);
        if (!score && !m_range.empty())
            return score.error();
        Standing standing;
        if (score && score->value) {
            criterion.value = seconds(*score->value);
            criterion.atLeast = score->atLeast;
            if (score->atMost)
                standing.most = seconds(*score->atMost);
            for (const ScoreRow& row : score->rows)
                if (row.weight > 0)
                    if (const auto done = addTo(standing, row.series); !done)
                        return done;
        }
        conclude(std::move(criterion), standing, {});
        return {};
    }

    Result<void> responseTimes()
    {
        std::vector<SeriesKey> named;
        for (const auto& [name, limit] : m_criteria.actions) {
            const auto key = plan::scoredSeries(name);
            if (!key)
                continue;
            named.push_back(*key);
            // One of several targets may have users who never do it.
            if (!m_recording.header().target.empty() && !findSeries(m_recording.header().histograms, *key))
                continue;
            if (const auto done = responseTime(*key, limit, true); !done)
                return done;
        }
        if (!m_criteria.responseTime)
            return {};
        for (const HistogramInfo& info : m_recording.header().histograms)
            if (info.key.clock == LatencyClock::response && std::ranges::count(named, info.key) == 0)
                if (const auto done = responseTime(info.key, *m_criteria.responseTime, false); !done)
                    return done;
        return {};
    }

    /// What never happened is judged only where it was asked for by name.
    Result<void> responseTime(const SeriesKey& key, Nanoseconds limit, bool always)
    {
        Criterion criterion = percentileAtMost(Kind::responseTime, latencyNameOf(key), limit);
        std::vector<bool> failing;
        Histogram good;
        const auto series = findSeries(m_recording.header().histograms, key);
        std::uint64_t first = m_range.first;
        for (const std::uint64_t look : m_looks) {
            if (!series)
                break;
            const history::TickReader& ticks = history::readerOf(m_recording).ticks();
            if (const auto merged = ticks.merge(*series, { first, look }, good); !merged)
                return merged.error();
            Histogram all = good;
            if (const auto ages = analysis::actionLatency(m_recording.header(), key, LatencyClock::age))
                if (const auto merged = ticks.merge(*ages, { look - 1, look }, all); !merged)
                    return merged.error();
            first = look;
            failing.push_back(all.count() >= kEnoughSamples
                && !within(criterion, seconds(all.percentile(m_criteria.percentile))));
        }
        auto unfinished = analysis::unfinishedAfter(m_recording, key, m_range);
        if (!unfinished)
            return unfinished.error();
        const analysis::CensoredLatency latency(std::move(good), *std::move(unfinished));
        Standing standing;
        if (const auto done = addTo(standing, key); !done)
            return done;
        if (latency.atLeast().count() > 0) {
            const analysis::Bounds bounds = latency.percentile(m_criteria.percentile);
            criterion.value = seconds(bounds.least);
            criterion.atLeast = bounds.open;
            if (bounds.most)
                standing.most = seconds(*bounds.most);
        }
        if (criterion.value || standing.actions > 0 || always)
            conclude(std::move(criterion), standing, failing);
        return {};
    }

    /// How the actions that a criterion is about stand at the measurement's end.
    struct Standing {
        std::uint64_t actions = 0, good = 0, unfinished = 0;
        std::optional<double> most; ///< of the criterion's value; none: without limit
    };

    /// Of a command all ended well.
    Result<void> addTo(Standing& standing, const SeriesKey& action) const
    {
        auto latency = analysis::responsesWithin(m_recording, action, m_range);
        if (!latency)
            return latency.error();
        const auto counts = analysis::countsWithin(m_recording, action, m_range);
        if (!counts)
            return counts.error();
        const std::uint64_t open = latency->unfinished().count();
        standing.good += latency->good();
        standing.unfinished += open;
        standing.actions += latency->good() + open + (*counts ? (*counts)->failed : 0);
        return {};
    }

    /// Met only if it is so whatever becomes of what had not ended.
    void conclude(Criterion criterion, const Standing& standing, const std::vector<bool>& failing)
    {
        const bool least = criterion.value && within(criterion, *criterion.value);
        const bool most = standing.most && within(criterion, *standing.most);
        const bool none = standing.actions > 0 && standing.good == 0;
        if (none)
            criterion.reason = fmt::format("none of {} actions ended well", standing.actions);
        else if (least && !most)
            criterion.reason = fmt::format(
                "not known: {} of {} actions had not ended", standing.unfinished, standing.actions);
        conclude(std::move(criterion), failing);
        m_judged.back().met = least && most && !none;
    }

    Result<void> processor()
    {
        if (!m_criteria.processorLeast && !m_criteria.processorMost)
            return {};
        return mean(Kind::processor, of(Quantity::processorTime), m_criteria.processorLeast,
            m_criteria.processorMost);
    }

    Result<void> errorRate()
    {
        if (!m_criteria.errorRate)
            return {};
        Criterion criterion;
        criterion.kind = Kind::errorRate;
        criterion.most = m_criteria.errorRate;
        const analysis::Attempts series = analysis::attemptsIn(m_recording.header());
        std::vector<bool> failing;
        std::uint64_t first = m_range.first, attempts = 0, failures = 0;
        for (const std::uint64_t look : m_looks) {
            if (!series.all || !series.failed)
                break;
            const auto tried = analysis::eventsWithin(m_recording, *series.all, { first, look });
            const auto failed = analysis::eventsWithin(m_recording, *series.failed, { first, look });
            if (!tried || !failed)
                return tried ? failed.error() : tried.error();
            attempts += tried->total;
            failures += failed->total;
            first = look;
            if (attempts > 0)
                criterion.value = static_cast<double>(failures) / static_cast<double>(attempts);
            failing.push_back(criterion.value && !within(criterion, *criterion.value));
        }
        Standing standing;
        standing.actions = attempts;
        standing.good = attempts - std::min(failures, attempts);
        std::uint64_t most = failures;
        for (const HistogramInfo& info : m_recording.header().histograms) {
            if (info.clock != LatencyClock::age)
                continue;
            const auto unfinished = analysis::unfinishedAfter(m_recording, info.key, m_range);
            if (!unfinished)
                return unfinished.error();
            standing.unfinished += unfinished->count();
            most += unfinished->failedAtMost();
        }
        standing.actions += standing.unfinished;
        if (criterion.value)
            standing.most =
                std::max(*criterion.value, static_cast<double>(most) / static_cast<double>(standing.actions));
        else if (standing.unfinished > 0)
            criterion.value = 0.0; // of what ended
        conclude(std::move(criterion), standing, failing);
        return {};
    }

    Result<void> queue()
    {
        if (!m_criteria.queueGrowth)
            return {};
        return growth(Kind::queueGrowth, of(Quantity::copiesOutstanding), *m_criteria.queueGrowth);
    }

    Result<void> counters()
    {
        for (const plan::CounterCriterion& counter : m_criteria.counters) {
            const Judged judged { counter.path, findTyped(m_recording.header().counters, counter.path) };
            if (!m_recording.header().target.empty() && !judged.id)
                continue; // another target's own
            if (counter.least || counter.most)
                if (const auto done = mean(Kind::counter, judged, counter.least, counter.most); !done)
                    return done;
            if (!counter.mayGrow)
                if (const auto done = growth(Kind::counterGrowth, judged, 0); !done)
                    return done;
        }
        return {};
    }

    /// A counter that a criterion is about.
    struct Judged {
        std::string path;
        std::optional<std::uint32_t> id; ///< none: the recording does not have it
    };
    [[nodiscard]] Judged of(Quantity quantity) const
    {
        return { pathOf(quantity), findSeries(m_recording.header().counters, quantity) };
    }

    Result<void> mean(
        Kind kind, const Judged& counter, std::optional<double> least, std::optional<double> most)
    {
        Criterion criterion;
        criterion.kind = kind;
        criterion.subject = counter.path;
        criterion.least = least;
        criterion.most = most;
        std::vector<bool> failing;
        if (counter.id) {
            criterion.unit = unitOf(*counter.id);
            const auto points = m_recording.counter(*counter.id, m_window);
            if (!points)
                return points.error();
            const auto& times = history::readerOf(m_recording).ticks().times();
            double sum = 0, length = 0;
            std::uint64_t tick = m_range.first;
            for (const std::uint64_t look : m_looks) {
                for (; tick < look; ++tick) {
                    const double value = points->at(tick - m_range.first).value;
                    if (std::isnan(value)) // missing
                        continue;
                    const double weight = seconds(times[tick].end - times[tick].begin);
                    sum += weight * value;
                    length += weight;
                }
                if (length > 0)
                    criterion.value = sum / length;
                failing.push_back(criterion.value && !within(criterion, *criterion.value));
            }
        }
        conclude(std::move(criterion), failing);
        return {};
    }

    /// Of a value as a criterion has it; of somebody else's counter none.
    [[nodiscard]] Unit unitOf(std::uint32_t counter) const
    {
        const std::optional<Quantity>& quantity = m_recording.header().counters[counter].key.quantity;
        return quantity ? loadstone::unitOf(*quantity) : Unit {};
    }

    Result<void> growth(Kind kind, const Judged& counter, double most)
    {
        Criterion criterion;
        criterion.kind = kind;
        criterion.subject = counter.path;
        criterion.most = most;
        std::vector<bool> failing;
        if (const auto done = eachLook(criterion, counter.id,
                [&](std::span<const metrics::Sample> samples) {
                    const auto growth = metrics::growthOf(samples);
                    failing.push_back(growth && grows(*growth, samples, most, criterion));
                });
            !done)
            return done;
        const bool failed = !failing.empty() && failing.back();
        conclude(std::move(criterion), failing);
        m_judged.back().met = m_judged.back().value.has_value() && !failed; // the size alone does not decide
        return {};
    }

    static bool grows(const metrics::Growth& growth, std::span<const metrics::Sample> samples, double most,
        Criterion& criterion)
    {
        criterion.value = growth.slope * (samples.back().at - samples.front().at);
        criterion.confidence = growth.deviations;
        return *criterion.value > most && growth.deviations > kCertain;
    }

    /// Calls with the samples from the measurement's beginning to each look; not at all where there is no such counter.
    template <class F>
    Result<void> eachLook(Criterion& criterion, std::optional<std::uint32_t> id, F&& judgeSoFar)
    {
        if (!id)
            return {};
        criterion.unit = unitOf(*id);
        const auto samples = analysis::samplesOf(m_recording, *id, m_window);
        if (!samples)
            return samples.error();
        const auto& times = history::readerOf(m_recording).ticks().times();
        std::size_t count = 0;
        for (const std::uint64_t look : m_looks) {
            const double end = seconds(times[look - 1].end);
            while (count < samples->size() && (*samples)[count].at <= end)
                ++count;
            judgeSoFar(std::span(*samples).first(count));
        }
        return {};
    }

    [[nodiscard]] Criterion percentileAtMost(Kind kind, const std::string& subject, Nanoseconds limit) const
    {
        Criterion criterion;
        criterion.kind = kind;
        criterion.subject = subject;
        criterion.percentile = m_criteria.percentile;
        criterion.most = seconds(limit);
        return criterion;
    }

    void conclude(Criterion criterion, const std::vector<bool>& failing)
    {
        criterion.met = criterion.value && within(criterion, *criterion.value);
        std::size_t first = failing.size();
        while (first > 0 && failing[first - 1])
            --first;
        if (first < failing.size())
            criterion.failedSince = history::readerOf(m_recording).ticks().times()[m_looks[first] - 1].end;
        m_judged.push_back(std::move(criterion));
    }

    const Recording& m_recording;
    const plan::Criteria& m_criteria;
    history::TickRange m_range;
    TimeWindow m_window;
    std::vector<std::uint64_t> m_looks; // one past the last tick of each
    std::vector<Criterion> m_judged;
};

} // namespace

Result<std::vector<Criterion>> judgeMix(
    const Recording& recording, const plan::Criteria& criteria, TimeWindow window)
{
    return MixJudge(recording, criteria, window).judge();
}

} // namespace loadstone::analysis
