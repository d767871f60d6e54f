// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "metrics/trend.h"
#include "plan/model/plan.h"

#include <loadstone/judgement.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadstone {

namespace {

using metrics::Sample;

constexpr double kCertain = 2.576; // standard deviations: 1 %, both sides
constexpr double kSmallDrift = 0.05; // of the mean, over the window

double meanOf(const std::vector<Sample>& samples, std::size_t begin, std::size_t end)
{
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
        sum += samples[i].value;
    return end > begin ? sum / static_cast<double>(end - begin) : std::numeric_limits<double>::quiet_NaN();
}

SettledSeries settle(const std::string& counter, const std::vector<Sample>& samples, Nanoseconds begin)
{
    SettledSeries series;
    series.counter = counter;
    std::vector<double> values;
    for (const Sample& sample : samples)
        values.push_back(sample.value);
    const auto first = metrics::settledFrom(values);
    series.settled = first.has_value();
    series.enoughSamples = values.size() >= metrics::kLeastToSettle;
    const std::size_t from = first.value_or(0);
    series.from = from == 0
        ? begin
        : Nanoseconds(static_cast<std::int64_t>(std::llround(samples[from - 1].at * 1e9))); // ends of ticks
    series.before = meanOf(samples, 0, from);
    series.after = meanOf(samples, from, samples.size());
    return series;
}

/// Whether a series still has a trend in the window that all have settled in.
bool drifts(const std::vector<Sample>& samples, TimeWindow window)
{
    const auto begin = std::find_if(samples.begin(), samples.end(),
        [&](const Sample& sample) { return sample.at > seconds(window.begin); });
    const std::vector<Sample> rest(begin, samples.end());
    const auto growth = metrics::growthOf(rest);
    const double drift = growth ? std::abs(growth->slope) * seconds(window.end - window.begin) : 0;
    return growth && std::abs(growth->deviations) > kCertain
        && drift > kSmallDrift * std::abs(meanOf(rest, 0, rest.size()));
}

Result<SteadyState> steadyStateOf(const Recording& recording, TimeWindow whole)
{
    SteadyState state;
    std::vector<std::vector<Sample>> samples;
    const auto& counters = recording.header().counters;
    std::vector<std::uint32_t> ids;
    for (const Quantity quantity : { Quantity::actionsEnded, Quantity::messagesSent,
             Quantity::messagesReceived, Quantity::copiesOutstanding })
        if (const auto id = findSeries(counters, quantity))
            ids.push_back(*id);
    for (const CounterInfo& info : counters)
        if (info.key.quantity == Quantity::transfers && info.key.subject.isOwnIo())
            ids.push_back(info.id);
    for (const std::uint32_t id : ids) {
        auto values = analysis::samplesOf(recording, id, whole);
        if (!values)
            return values.error();
        const bool silent = std::all_of(
            values->begin(), values->end(), [](const Sample& sample) { return sample.value == 0; });
        if (silent) // the plan does nothing of the kind
            continue;
        state.series.push_back(settle(counters[id].path(), *values, whole.begin));
        samples.push_back(*std::move(values));
    }
    const bool settled = !state.series.empty()
        && std::all_of(
            state.series.begin(), state.series.end(), [](const SettledSeries& s) { return s.settled; });
    if (!settled)
        return state;
    TimeWindow window = whole;
    for (const SettledSeries& series : state.series)
        window.begin = std::max(window.begin, series.from);
    bool drift = false;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        state.series[i].drifts = drifts(samples[i], window);
        drift = drift || state.series[i].drifts;
    }
    if (!drift)
        state.window = window;
    return state;
}

/// Whether a measurement is of a load that may become steady; a backup or a recovery is a piece of work.
bool isLoad(const plan::LoadedPlan& loaded, std::size_t mix)
{
    if (!loaded.ok() || loaded.plan.storage() == nullptr)
        return true;
    const std::vector<plan::StorageTestStep>& tests = loaded.plan.storage()->test.tests;
    return mix < tests.size()
        && (tests[mix].kind == plan::StorageTestKind::performance
            || tests[mix].kind == plan::StorageTestKind::stress);
}

} // namespace

Result<std::vector<SteadyState>> findSteadyStates(const Recording& recording)
{
    std::vector<SteadyState> states;
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const std::vector<Phase>& phases = recording.phases();
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (phases[i].kind != PhaseKind::measurement || !isLoad(loaded, phases[i].mix))
            continue;
        TimeWindow whole = analysis::windowOf(recording, phases[i]);
        if (i > 0 && phases[i - 1].kind == PhaseKind::rampUp && phases[i - 1].mix == phases[i].mix)
            whole.begin = phases[i - 1].begin;
        auto state = steadyStateOf(recording, whole);
        if (!state)
            return state.error();
        state->mix = phases[i].mix;
        state->mixName = phases[i].mixName;
        state->measurement = analysis::windowOf(recording, phases[i]);
        states.push_back(*std::move(state));
    }
    return states;
}

} // namespace loadstone
