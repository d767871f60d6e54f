// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"
#include "report/judgement_tables.h"
#include "report/text_tables.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>

namespace loadstone {

namespace {

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

Json toJson(const TimeWindow& window)
{
    return { { "begin", seconds(window.begin) }, { "end", seconds(window.end) } };
}

const char* nameOf(Criterion::Kind kind)
{
    static constexpr const char* kNames[] { "score", "responseTime", "processor", "errorRate", "queueGrowth",
        "counter", "counterGrowth", "audit", "generator", "oracle", "averageLatency", "sampleLatency",
        "pageFaultStalls", "transferRate", "minutesOffTarget", "damage", "wrongRecords", "failedTransfers",
        "unanswered" };
    static_assert(std::size(kNames) == static_cast<std::size_t>(Criterion::Kind::unanswered) + 1);
    return kNames[static_cast<std::size_t>(kind)];
}

Json toJson(const std::vector<Criterion>& criteria)
{
    Json json = Json::array();
    for (const Criterion& one : criteria) {
        Json& row = json.emplace_back(Json { { "criterion", nameOf(one.kind) }, { "subject", one.subject },
            { "computer", one.computer.empty() ? Json() : Json(one.computer) }, { "met", one.met },
            { "cannotTell", one.cannotTell }, { "value", orNull(one.value) }, { "atLeast", one.atLeast },
            { "least", orNull(one.least) }, { "most", orNull(one.most) } });
        if (one.kind == Criterion::Kind::score || one.kind == Criterion::Kind::responseTime)
            row["percentile"] = one.percentile;
        if (one.kind == Criterion::Kind::queueGrowth || one.kind == Criterion::Kind::counterGrowth)
            row["deviations"] = one.confidence;
        if (one.kind == Criterion::Kind::sampleLatency) {
            row["sampleLimit"] = one.sampleLimit;
            row["sampleLength"] = seconds(one.sampleLength);
        }
        row["failedSince"] = one.failedSince ? Json(seconds(*one.failedSince)) : Json();
        if (!one.reason.empty())
            row["reason"] = one.reason;
    }
    return json;
}

Json toJson(const Judgement& judgement)
{
    Json json { { "stated", judgement.stated }, { "met", judgement.met() }, { "mixes", Json::array() },
        { "wholeRun", toJson(judgement.wholeRun) } };
    if (judgement.window)
        json["window"] = toJson(*judgement.window);
    for (const MixJudgement& mix : judgement.mixes)
        json["mixes"].push_back({ { "mix", mix.mix }, { "name", mix.mixName },
            { "window", toJson(mix.window) }, { "met", mix.met() }, { "criteria", toJson(mix.criteria) } });
    return json;
}

Json toJson(const Load& load)
{
    Json days = Json::array();
    for (const UserDayRow& row : load.perUserDay)
        days.push_back({ { "what", row.what }, { "had", row.had }, { "planned", orNull(row.planned) } });
    return { { "mix", load.mix }, { "name", load.mixName }, { "window", toJson(load.window) },
        { "submitted", load.submitted }, { "recipients", load.recipients }, { "delivered", load.delivered },
        { "messageOpens", load.messageOpens }, { "folderOpens", load.folderOpens },
        { "bytesFromClients", load.bytesFromClients }, { "bytesToClients", load.bytesToClients },
        { "userDays", load.userDays }, { "perUserDay", std::move(days) } };
}

Json toJson(const SteadyState& state)
{
    Json series = Json::array();
    for (const SettledSeries& one : state.series)
        series.push_back({ { "counter", one.counter }, { "settled", one.settled },
            { "from", seconds(one.from) }, { "before", std::isnan(one.before) ? Json() : Json(one.before) },
            { "after", one.after }, { "drifts", one.drifts } });
    return { { "mix", state.mix }, { "name", state.mixName }, { "measurement", toJson(state.measurement) },
        { "window", state.window ? toJson(*state.window) : Json() }, { "why", steadyStateSentence(state) },
        { "series", std::move(series) } };
}

Json toJson(const RunVerdict& verdict)
{
    return { { "verdict", toString(verdict.verdict) }, { "good", verdict.good() },
        { "headline", verdict.headline }, { "reasons", verdict.reasons } };
}

struct Assessment {
    RunVerdict verdict;
    Judgement judgement;
    std::vector<Load> loads;
    std::vector<SteadyState> states;
};

Result<Assessment> assess(const Recording& recording, const std::optional<TimeWindow>& window)
{
    auto judgement = window ? judge(recording, *window) : judge(recording);
    if (!judgement)
        return judgement.error();
    auto loads = computeLoads(recording, window);
    if (!loads)
        return loads.error();
    // Steady states are looked for in whole measurements.
    auto states =
        window ? Result<std::vector<SteadyState>>(std::vector<SteadyState>()) : findSteadyStates(recording);
    if (!states)
        return states.error();
    auto verdict = verdictOf(recording);
    if (!verdict)
        return verdict.error();
    return Assessment { *std::move(verdict), *std::move(judgement), *std::move(loads), *std::move(states) };
}

} // namespace

Result<std::string> formatJudgement(
    const Recording& recording, std::size_t width, const std::optional<TimeWindow>& window)
{
    using namespace report;
    const auto all = assess(recording, window);
    if (!all)
        return all.error();
    std::string out = "\n";
    if (all->judgement.stated) {
        appendWrapped(out, criteriaSentence(all->judgement), width);
        appendTable(out, criteriaTable(all->judgement), width);
    }
    for (const std::string& sentence : failureSentences(all->judgement))
        appendWrapped(out, sentence, width);
    appendTable(out, loadTable(all->loads), width);
    appendTable(out, userDayTable(all->loads), width);
    if (!all->states.empty())
        out += "\nSteady state\n";
    for (const SteadyState& state : all->states)
        appendWrapped(out, state.mixName + ": " + steadyStateSentence(state), width);
    ScoreOptions options;
    if (window) {
        const TimeWindow taken = all->loads.empty() ? *window : all->loads.back().window;
        options.from = taken.begin;
        options.to = taken.end;
    }
    if (const auto score = computeScore(recording, options); score && score->value)
        out += "\n" + formatScore(*score, width);
    return out;
}

Result<std::string> formatJudgementJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto all = assess(recording, window);
    if (!all)
        return all.error();
    Json json { { "verdict", toJson(all->verdict) }, { "criteria", toJson(all->judgement) },
        { "loads", Json::array() }, { "steadyStates", Json::array() } };
    for (const Load& load : all->loads)
        json["loads"].push_back(toJson(load));
    for (const SteadyState& state : all->states)
        json["steadyStates"].push_back(toJson(state));
    return jsonText(json);
}

} // namespace loadstone
