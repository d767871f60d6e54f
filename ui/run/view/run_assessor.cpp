// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_assessor.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kWindowInterval = std::chrono::seconds(2); // as the results: some milliseconds each
constexpr Nanoseconds kWholeInterval = std::chrono::seconds(10); // these look at every tick many times
constexpr int kShare = 20; // and at most this part of the time is spent on them

} // namespace

bool RunAssessor::isOld(const Age& age, const Recording& recording, Nanoseconds interval)
{
    if (age.state != recording.state())
        return true;
    return age.ticks != recording.ticks() && monoNow() - age.at >= std::max(interval, age.cost * kShare);
}

template <class T, class Compute>
void RunAssessor::renew(Kept<T>& kept, const Recording& recording, Compute compute)
{
    const MonoTime begin = monoNow();
    kept.value = std::make_shared<const T>(compute());
    kept.at = monoNow();
    kept.cost = kept.at - begin;
    kept.ticks = recording.ticks();
    kept.state = recording.state();
}

bool RunAssessor::asksForSteadyState(const RunQuery& query) const
{
    return query.loads || (query.score && query.score->over == WindowKind::steadyState);
}

bool RunAssessor::due(const Recording& recording, const RunQuery& query) const
{
    const auto old = [&](const auto& kept, Nanoseconds interval) {
        return !kept.value || isOld(kept, recording, interval);
    };
    return (query.criteria && old(m_criteria, kWholeInterval))
        || (asksForSteadyState(query) && old(m_steady, kWholeInterval))
        || (query.score && old(m_score, kWindowInterval)) || (query.loads && old(m_loads, kWindowInterval));
}

void RunAssessor::fill(const Recording& recording, TimeWindow visible, bool quick, RunView& view)
{
    const RunQuery& query = view.query;
    bool steadyChanged = false;
    if (!quick && query.criteria && (!m_criteria.value || isOld(m_criteria, recording, kWholeInterval)))
        renew(m_criteria, recording, [&] {
            CriteriaView criteria;
            if (auto judgement = judge(recording))
                criteria.judgement = *std::move(judgement);
            else
                criteria.problem = judgement.error().message;
            return criteria;
        });
    if (!quick && asksForSteadyState(query)
        && (!m_steady.value || isOld(m_steady, recording, kWholeInterval))) {
        steadyChanged = true;
        renew(m_steady, recording, [&] {
            SteadyView steady;
            if (auto states = findSteadyStates(recording))
                steady.states = *std::move(states);
            else
                steady.problem = states.error().message;
            return steady;
        });
    }
    view.criteria = query.criteria ? m_criteria.value : nullptr;
    view.steady = asksForSteadyState(query) ? m_steady.value : nullptr;
    const bool same = m_last == query && !steadyChanged;
    if (query.score) {
        if (!same || !m_score.value || isOld(m_score, recording, kWindowInterval))
            renew(m_score, recording, [&] { return scoreOf(recording, visible, view); });
        view.score = m_score.value;
    }
    if (query.loads) {
        if (!same || !m_loads.value || isOld(m_loads, recording, kWindowInterval))
            renew(m_loads, recording, [&] {
                LoadView loads;
                if (auto done = computeLoads(recording, TimeWindow { Nanoseconds(0), view.shown }))
                    loads.loads = *std::move(done);
                else
                    loads.problem = done.error().message;
                return loads;
            });
        view.loads = m_loads.value;
    }
    m_last = query;
    view.unfinished = quick && due(recording, query);
}

Result<std::optional<TimeWindow>> RunAssessor::windowOf(TimeWindow visible, const RunView& view) const
{
    const ScoreQuery& asked = *view.query.score;
    const auto cut = [&](TimeWindow window) -> Result<std::optional<TimeWindow>> {
        if (window.begin >= view.shown)
            return fail("This window begins at " + formatClock(window.begin) + ", and "
                + formatClock(view.shown) + " is shown.");
        return std::optional(TimeWindow { window.begin, std::min(window.end, view.shown) });
    };
    const char* const kNoMeasurement = "No mix has begun its measurement yet.";
    switch (asked.over) {
    case WindowKind::given:
        return cut(
            asked.window.end > asked.window.begin ? asked.window : TimeWindow { Nanoseconds(0), view.shown });
    case WindowKind::chart:
        return cut(visible);
    case WindowKind::lastMeasurement: {
        const auto last = std::find_if(view.phases.rbegin(), view.phases.rend(),
            [](const Phase& phase) { return phase.kind == PhaseKind::measurement; });
        if (last == view.phases.rend())
            return fail(kNoMeasurement);
        return cut({ last->begin, last->open ? view.shown : last->end });
    }
    case WindowKind::steadyState:
        break;
    }
    if (!view.steady)
        return std::optional<TimeWindow>();
    if (!view.steady->problem.empty())
        return fail(view.steady->problem);
    if (view.steady->states.empty())
        return fail(kNoMeasurement);
    const SteadyState& state = view.steady->states.back();
    if (!state.window)
        return fail(state.mixName + ": " + steadyStateSentence(state));
    return cut(*state.window);
}

ScoreView RunAssessor::scoreOf(const Recording& recording, TimeWindow visible, const RunView& view)
{
    const ScoreQuery& asked = *view.query.score;
    if (!m_ownWeights)
        m_ownWeights = bringsWeights(recording);
    ScoreView result;
    result.noWeights = asked.weights.empty() && !*m_ownWeights;
    if (result.noWeights)
        return result;
    const auto window = windowOf(visible, view);
    if (!window) {
        result.problem = window.error().message;
        return result;
    }
    if (!*window)
        return result;
    ScoreOptions options;
    options.percentile = asked.percentile;
    options.from = (*window)->begin;
    options.to = (*window)->end;
    if (!asked.weights.empty())
        options.weights = findWeights(asked.weights);
    auto score = computeScore(recording, options);
    if (score)
        result.score = *std::move(score);
    else
        result.problem = score.error().message;
    return result;
}

} // namespace loadstone::ui
