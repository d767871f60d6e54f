// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/judge/mix_judge.h"

#include "analysis/judge/judged_counter.h"
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
            failing.push_back(
                all.count() > 0 && !within(criterion, seconds(all.percentile(m_criteria.percentile))));
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
            criterion.value = seconds(bounds.value);
            criterion.atLeast = bounds.open;
            standing.least = seconds(bounds.least);
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
        std::optional<double> least; ///< bound of the criterion's value; none: the value
        std::optional<double> most; ///< the other bound; none: without limit
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
        const bool least = criterion.value && within(criterion, standing.least.value_or(*criterion.value));
        const bool most = standing.most && within(criterion, *standing.most);
        const bool none = standing.actions > 0 && standing.good == 0;
        if (none)
            criterion.reason = fmt::format("none of {} actions ended well", standing.actions);
        else if (least && !most) {
            criterion.cannotTell = true;
            criterion.reason = fmt::format(
                "not known: {} of {} actions had not ended", standing.unfinished, standing.actions);
        }
        conclude(std::move(criterion), failing);
        m_judged.back().met = least && most && !none;
    }

    Result<void> processor()
    {
        if (!m_criteria.processorLeast && !m_criteria.processorMost)
            return {};
        return mean(Kind::processor, { Quantity::processorTime, {}, m_criteria.processorOf },
            m_criteria.processorLeast, m_criteria.processorMost);
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
        return growth(Kind::queueGrowth, { Quantity::copiesOutstanding, {}, {} }, *m_criteria.queueGrowth);
    }

    Result<void> counters()
    {
        for (const plan::CounterCriterion& counter : m_criteria.counters) {
            const WantedCounter judged { {}, counter.path, counter.of };
            if (!m_recording.header().target.empty() && counter.of.empty()
                && !findTyped(m_recording.header().counters, counter.path))
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

    Result<void> mean(
        Kind kind, const WantedCounter& wanted, std::optional<double> least, std::optional<double> most)
    {
        const auto counters = judgedCounters(m_recording, wanted, m_window);
        if (!counters)
            return counters.error();
        for (const JudgedCounter& counter : *counters)
            mean(kind, counter, least, most);
        return {};
    }

    void mean(
        Kind kind, const JudgedCounter& counter, std::optional<double> least, std::optional<double> most)
    {
        Criterion criterion = criterionOf(kind, counter);
        criterion.least = least;
        criterion.most = most;
        std::vector<bool> failing;
        double sum = 0, length = 0;
        std::size_t next = 0;
        const auto weightUntil = [&](const TimedSample& sample, Nanoseconds end) {
            const Nanoseconds begin = std::max(sample.begin, m_window.begin);
            return std::max(0.0, seconds(std::min(sample.end, end) - begin));
        };
        for (const std::uint64_t look : m_looks) {
            const Nanoseconds end = look == m_looks.back() ? m_window.end : endOf(look);
            for (; next < counter.samples.size() && counter.samples[next].end <= end; ++next) {
                const double weight = weightUntil(counter.samples[next], end);
                sum += weight * counter.samples[next].value;
                length += weight;
            }
            // A sample that goes on after the look weighs with its part before it.
            const bool goesOn = next < counter.samples.size();
            const double part = goesOn ? weightUntil(counter.samples[next], end) : 0;
            if (length + part > 0)
                criterion.value = (sum + (goesOn ? part * counter.samples[next].value : 0)) / (length + part);
            failing.push_back(criterion.value && !within(criterion, *criterion.value));
        }
        conclude(std::move(criterion), failing, counter);
    }

    [[nodiscard]] static Criterion criterionOf(Kind kind, const JudgedCounter& counter)
    {
        Criterion criterion;
        criterion.kind = kind;
        criterion.subject = counter.path;
        criterion.computer = counter.computer;
        criterion.unit = counter.unit;
        return criterion;
    }

    [[nodiscard]] Nanoseconds endOf(std::uint64_t look) const
    {
        return history::readerOf(m_recording).ticks().times()[look - 1].end;
    }

    Result<void> growth(Kind kind, const WantedCounter& wanted, double most)
    {
        const auto counters = judgedCounters(m_recording, wanted, m_window);
        if (!counters)
            return counters.error();
        for (const JudgedCounter& counter : *counters)
            growth(kind, counter, most);
        return {};
    }

    void growth(Kind kind, const JudgedCounter& counter, double most)
    {
        Criterion criterion = criterionOf(kind, counter);
        criterion.most = most;
        std::vector<metrics::Sample> samples;
        for (const TimedSample& sample : counter.samples)
            if (sample.end <= m_window.end)
                samples.push_back({ seconds(sample.end), sample.value });
        std::vector<bool> failing;
        std::size_t count = 0;
        for (const std::uint64_t look : m_looks) {
            while (count < samples.size() && counter.samples[count].end <= endOf(look))
                ++count;
            const std::span soFar = std::span(samples).first(count);
            const auto growth = metrics::growthOf(soFar);
            failing.push_back(growth && grows(*growth, soFar, most, criterion));
        }
        const bool failed = !failing.empty() && failing.back();
        conclude(std::move(criterion), failing, counter);
        Criterion& judged = m_judged.back();
        judged.met = judged.value.has_value() && !failed; // the size alone does not decide
        if (!judged.value && counter.found && !judged.cannotTell) {
            judged.cannotTell = true;
            judged.reason = "too few samples for a trend";
        }
    }

    static bool grows(const metrics::Growth& growth, std::span<const metrics::Sample> samples, double most,
        Criterion& criterion)
    {
        criterion.value = growth.slope * (samples.back().at - samples.front().at);
        criterion.growsFrom = growth.begin;
        criterion.confidence = growth.deviations;
        return *criterion.value > most && growth.deviations > kCertain;
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

    /// Of a counter whose samples say too little nothing is met, and nothing is measured.
    void conclude(Criterion criterion, const std::vector<bool>& failing, const JudgedCounter& counter)
    {
        if (counter.cannotTell.empty()) {
            conclude(std::move(criterion), failing);
            std::string& reason = m_judged.back().reason;
            if (!counter.remark.empty())
                reason += (reason.empty() ? "" : "; ") + counter.remark;
            return;
        }
        criterion.reason = "cannot tell: " + counter.cannotTell;
        criterion.cannotTell = true;
        criterion.value.reset();
        m_judged.push_back(std::move(criterion));
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
