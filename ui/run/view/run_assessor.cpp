// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_assessor.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kWindowInterval =
    std::chrono::seconds(2); // results and criteria: some milliseconds each
constexpr Nanoseconds kWholeInterval =
    std::chrono::seconds(10); // steady state and windows look at every tick many times
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

template <class T, class Compute>
void RunAssessor::renewWithin(KeptWithin<T>& kept, const Recording& recording,
    std::optional<TimeWindow> window, Nanoseconds interval, Compute compute)
{
    if (fits(kept, window) && !isOld(kept, recording, interval))
        return;
    renew(kept, recording, compute);
    kept.window = window;
    kept.problem = m_problem;
}

bool RunAssessor::asksForSteadyState(const RunQuery& query) const
{
    return query.loads || query.window.over == WindowKind::steadyState;
}

bool RunAssessor::due(const Recording& recording, const RunQuery& query) const
{
    const auto old = [&](const auto& kept, Nanoseconds interval) {
        return !kept.value || isOld(kept, recording, interval);
    };
    const bool planned = isPlanned(query.window);
    return (((query.criteria && planned) || query.headline) && old(m_criteria, kWindowInterval))
        || (query.criteria && !planned && old(m_windowCriteria, kWholeInterval))
        || (asksForSteadyState(query) && old(m_steady, kWholeInterval))
        || (query.score && old(m_score, kWindowInterval)) || (query.loads && old(m_loads, kWindowInterval))
        || (query.readings && old(m_readings, kWindowInterval));
}

Result<std::optional<TimeWindow>> RunAssessor::steadyWindow(const RunView& view) const
{
    if (!m_steady.value)
        return std::optional<TimeWindow>();
    if (!m_steady.value->problem.empty())
        return fail(m_steady.value->problem);
    if (m_steady.value->states.empty())
        return fail("No mix has begun its measurement yet.");
    const SteadyState& state = m_steady.value->states.back();
    if (!state.window)
        return fail(state.mixName + ": " + steadyStateSentence(state));
    if (state.window->begin >= view.shown)
        return fail("The steady state begins at " + formatClock(state.window->begin)
            + ", and the run is shown as it was at " + formatClock(view.shown) + ".");
    return std::optional(TimeWindow { state.window->begin, std::min(state.window->end, view.shown) });
}

void RunAssessor::placeWindow(
    const Recording& recording, const RunResults* results, TimeWindow visible, bool quick, RunView& view)
{
    const RunQuery& query = view.query;
    m_sameWindow = m_last == query && view.growing();
    if (!quick && asksForSteadyState(query)
        && (!m_steady.value || isOld(m_steady, recording, kWholeInterval)))
        renew(m_steady, recording, [&] {
            SteadyView steady;
            if (auto states = findSteadyStates(recording))
                steady.states = *std::move(states);
            else
                steady.problem = states.error().message;
            return steady;
        });
    const TimeWindow whole { Nanoseconds(0), view.shown };
    if (const auto window = windowWithin(query.window, view, results, visible)) {
        view.window = *window;
    } else if (const auto steady = steadyWindow(view); !steady) {
        view.windowProblem = steady.error().message;
    } else if (*steady) {
        view.window = **steady;
    } else {
        view.windowProblem = "The steady state is being looked for.";
    }
    // A measurement that has just begun has nothing yet, and needs no words.
    if (query.window.over == WindowKind::given && query.window.window.begin >= view.shown
        && query.window.window.begin > Nanoseconds(0))
        view.windowProblem = "The chosen window begins at " + formatClock(query.window.window.begin)
            + ", and the run is shown as it was at " + formatClock(view.shown) + ".";
    m_problem = view.windowProblem;
    view.errorWindow = query.window.over == WindowKind::planned ? whole : view.window;
}

std::shared_ptr<const RunResults> RunAssessor::resultsWithin(const Recording& recording, TimeWindow window)
{
    renewWithin(m_windowResults, recording, window, kWindowInterval, [&] {
        if (auto results = computeResults(recording, window))
            return *std::move(results);
        RunResults none; // nothing had been measured by then
        none.state = recording.state();
        none.kind = recording.header().kind;
        none.window = window;
        return none;
    });
    return m_windowResults.value;
}

void RunAssessor::findCriteria(const Recording& recording, bool quick, RunView& view)
{
    const auto judged = [](Result<Judgement> judgement) {
        CriteriaView criteria;
        if (judgement)
            criteria.judgement = *std::move(judgement);
        else
            criteria.problem = judgement.error().message;
        return criteria;
    };
    const RunQuery& query = view.query;
    const bool planned = isPlanned(query.window);
    if (quick && query.criteria && !planned && !fits(m_windowCriteria, view.window))
        m_windowCriteria.value.reset(); // another window's: the next reading is to judge this one
    if (!quick && ((query.criteria && planned) || query.headline)
        && (!m_criteria.value || isOld(m_criteria, recording, kWindowInterval)))
        renew(m_criteria, recording, [&] { return judged(judge(recording)); });
    if (!quick && query.criteria && !planned)
        renewWithin(m_windowCriteria, recording, view.window, kWholeInterval, [&] {
            return view.windowProblem.empty() ? judged(judge(recording, view.window))
                                              : judged(fail(view.windowProblem));
        });
    if (query.criteria)
        view.criteria = planned                   ? m_criteria.value
            : fits(m_windowCriteria, view.window) ? m_windowCriteria.value
                                                  : nullptr;
    view.criteriaSoFar = query.headline ? m_criteria.value : nullptr;
}

void RunAssessor::fill(const Recording& recording, bool quick, RunView& view)
{
    const RunQuery& query = view.query;
    findCriteria(recording, quick, view);
    view.steady = asksForSteadyState(query) ? m_steady.value : nullptr;
    if (query.score) {
        if (!m_last || m_last->score != query.score)
            m_score.value.reset(); // other weights, another percentile
        renewWithin(
            m_score, recording, view.window, kWindowInterval, [&] { return scoreOf(recording, view); });
        view.score = m_score.value;
    }
    if (query.loads) {
        // The loads of measurements, cut at what is shown; else the load of the window.
        const bool planned = isPlanned(query.window);
        const TimeWindow over = planned ? TimeWindow { Nanoseconds(0), view.shown } : view.window;
        renewWithin(m_loads, recording, over, kWindowInterval, [&] {
            LoadView loads;
            loads.problem = planned ? std::string() : view.windowProblem;
            if (!loads.problem.empty())
                return loads;
            if (auto done = computeLoads(recording, over))
                loads.loads = *std::move(done);
            else
                loads.problem = done.error().message;
            return loads;
        });
        view.loads = m_loads.value;
    }
    if (query.readings) {
        renewWithin(m_readings, recording, view.window, kWindowInterval, [&] {
            ReadingsView readings;
            readings.problem = view.windowProblem;
            if (!readings.problem.empty())
                return readings;
            if (auto done = readingsWithin(recording, view.window))
                readings.computers = *std::move(done);
            else
                readings.problem = done.error().message;
            return readings;
        });
        view.readings = m_readings.value;
    }
    m_last = query;
    view.unfinished = quick && due(recording, query);
}

ScoreView RunAssessor::scoreOf(const Recording& recording, const RunView& view)
{
    const ScoreQuery& asked = *view.query.score;
    if (!m_ownWeights)
        m_ownWeights = bringsWeights(recording);
    ScoreView result;
    result.noWeights = asked.weights.empty() && !*m_ownWeights;
    if (result.noWeights)
        return result;
    result.problem = view.windowProblem;
    const WindowKind over = view.query.window.over;
    if ((over == WindowKind::planned || over == WindowKind::lastMeasurement)
        && std::ranges::none_of(
            view.phases, [](const Phase& phase) { return phase.kind == PhaseKind::measurement; }))
        result.problem = "No mix has begun its measurement yet."; // and ramp-up is nothing to score
    if (!result.problem.empty())
        return result;
    ScoreOptions options;
    options.percentile = asked.percentile;
    options.from = view.window.begin;
    options.to = view.window.end;
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
