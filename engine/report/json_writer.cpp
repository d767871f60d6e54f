// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON form of a run. All times are seconds, all rates per second; what was not measured is null or left
// out.
#include "base/json.h"
#include "base/posix_file.h"
#include "report/derived_table.h"
#include "report/figure_json.h"
#include "report/json_text.h"
#include "report/lab_section.h"
#include "report/storage_json.h"

#include <loadstone/readings.h>
#include <loadstone/report.h>
#include <loadstone/source.h>

#include <nlohmann/json.hpp>

namespace loadstone {

namespace {

/// Stored texts that should be JSON objects; anything else, or anything deep, is given as text.
Json embedded(const std::string& text)
{
    Json json = parsedJson(text, 6);
    return json.is_object() ? json : Json(text);
}

Json toJson(const LatencySummary& latency)
{
    if (latency.empty())
        return { { "count", 0 } };
    Json json = { { "count", latency.count }, { "average", seconds(latency.mean) },
        { "minimum", seconds(latency.minimum) }, { "p50", seconds(latency.p50) },
        { "p95", seconds(latency.p95) }, { "p99", seconds(latency.p99) }, { "p99.9", seconds(latency.p999) },
        { "maximum", seconds(latency.maximum) } };
    if (latency.unfinished > 0)
        json["unfinished"] = latency.unfinished;
    const AtLeast& open = latency.atLeast;
    for (const auto& [name, atLeast] :
        { std::pair("average", open.mean), std::pair("p50", open.p50), std::pair("p95", open.p95),
            std::pair("p99", open.p99), std::pair("p99.9", open.p999), std::pair("maximum", open.maximum) })
        if (atLeast)
            json["atLeast"][name] = true;
    return json;
}

Json toJson(const std::optional<ActionCounts>& counts)
{
    if (!counts)
        return {};
    return { { "due", counts->due }, { "begun", counts->begun }, { "ended", counts->ended },
        { "failed", counts->failed }, { "unfinished", counts->unfinished } };
}

Json toJson(const MessageRates& rates)
{
    Json json = { { "begin", seconds(rates.begin) }, { "end", seconds(rates.end) }, { "sent", rates.sent },
        { "received", rates.received }, { "sentPerSecond", rates.sentPerSecond },
        { "receivedPerSecond", rates.receivedPerSecond } };
    json["retrieved"] = rates.retrieved ? Json(*rates.retrieved) : Json();
    json["retrievedPerSecond"] = rates.retrievedPerSecond ? Json(*rates.retrievedPerSecond) : Json();
    json["receivedToSent"] = rates.receivedToSent ? Json(*rates.receivedToSent) : Json();
    return json;
}

Json toJson(const std::vector<LatencyRow>& rows)
{
    Json json = Json::array();
    for (const LatencyRow& row : rows) {
        Json& one = json.emplace_back(Json { { "name", row.name } });
        if (row.counts)
            one["counts"] = toJson(row.counts);
        if (row.response)
            one["response"] = toJson(*row.response);
        one["service"] = toJson(row.service);
    }
    return json;
}

/// Null: all targets, or the only one.
Json targetJson(const std::string& target)
{
    return target.empty() ? Json() : Json(target);
}

Json toJson(const std::vector<ErrorRow>& errors)
{
    Json json = Json::array();
    for (const ErrorRow& error : errors)
        json.push_back({ { "where", withTarget(error.target, error.where) },
            { "target", targetJson(error.target) }, { "kind", textOf(error.kind, error.code) },
            { "code", error.code }, { "count", error.count }, { "words", error.text } });
    return json;
}

Json toJson(const std::vector<IoRow>& rows)
{
    Json json = Json::array();
    for (const IoRow& row : rows) {
        Json& one = json.emplace_back(Json { { "volume", row.volume }, { "name", row.name() },
            { "count", row.count }, { "failures", row.failures }, { "unfinished", row.unfinished },
            { "bytes", row.bytes }, { "perSecond", row.perSecond }, { "bytesPerSecond", row.bytesPerSecond },
            { "queued", toJson(row.queued) }, { "device", toJson(row.device) } });
        if (row.longestSample) {
            one["longestSample"] = seconds(*row.longestSample);
            one["longestSampleAtLeast"] = row.longestAtLeast;
        }
    }
    return json;
}

Json toJson(const BuildUp& time)
{
    return { { "state", toString(time.state) },
        { "after", time.state == BuildUp::State::cannotTell ? Json() : Json(seconds(time.after)) },
        { "reason", time.reason } };
}

Json toJson(const std::vector<QueueRow>& rows)
{
    Json json = Json::array();
    for (const QueueRow& row : rows)
        json.push_back({ { "path", row.name }, { "source", row.source }, { "samples", row.samples },
            { "from", seconds(row.searched.begin) }, { "to", seconds(row.searched.end) },
            { "normal", row.normal }, { "failing", row.failing }, { "aboveNormal", toJson(row.aboveNormal) },
            { "aboveFailing", toJson(row.aboveFailing) } });
    return json;
}

Json toJson(const MixResult& mix)
{
    Json json = { { "mix", mix.mix }, { "name", mix.name }, { "mailboxes", mix.mailboxes },
        { "threads", mix.threads }, { "recipientsPerMessage", mix.recipientsPerMessage },
        { "complete", mix.complete }, { "measured", toJson(mix.measured) },
        { "finalWindow", mix.finalWindow.end > mix.finalWindow.begin ? toJson(mix.finalWindow) : Json() },
        { "actions", toJson(mix.actions) }, { "commands", toJson(mix.commands) },
        { "delivery", toJson(mix.delivery) }, { "counts", toJson(mix.counts) }, { "attempts", mix.attempts },
        { "failures", mix.failures }, { "errorRate", mix.errorRate }, { "errors", toJson(mix.errors) } };
    json["response"] = toJson(mix.response);
    if (!mix.workload.empty())
        json["workload"] = mix.workload;
    if (!mix.queues.empty())
        json["queues"] = toJson(mix.queues);
    if (!mix.io.empty()) {
        json["io"] = toJson(mix.io);
        json["readsPerSecond"] = mix.iosPerSecond(IoDirection::read);
        json["writesPerSecond"] = mix.iosPerSecond(IoDirection::write);
        json["iosPerSecond"] = mix.iosPerSecond();
    }
    if (mix.storage)
        json["storage"] = parsedJson(report::storageJson(*mix.storage));
    json["figures"] = parsedJson(report::figuresJson(mix.figures));
    return json;
}

Json toJson(const AuditTotals& audit)
{
    return { { "accepted", audit.accepted }, { "expected", audit.expected },
        { "deliveredOnce", audit.deliveredOnce }, { "late", audit.late }, { "twice", audit.twice },
        { "damaged", audit.damaged }, { "lost", audit.lost }, { "outstanding", audit.outstanding },
        { "unknown", audit.unknown } };
}

Json toJson(const PreparationTotals& totals)
{
    return { { "mailboxes", totals.mailboxes }, { "done", totals.done }, { "failed", totals.failed },
        { "foldersMade", totals.foldersMade }, { "foldersRemoved", totals.foldersRemoved },
        { "appended", totals.appended }, { "found", totals.found }, { "removed", totals.removed },
        { "doubles", totals.doubles }, { "foreign", totals.foreign }, { "entriesMade", totals.entriesMade },
        { "entriesFound", totals.entriesFound }, { "entriesRemoved", totals.entriesRemoved },
        { "entriesForeign", totals.entriesForeign } };
}

Json toJson(const PreparationResult& preparation)
{
    return { { "kind", toString(preparation.kind) }, { "begin", seconds(preparation.begin) },
        { "end", seconds(preparation.end) }, { "complete", preparation.complete },
        { "totals", toJson(preparation.totals) }, { "commands", toJson(preparation.commands) },
        { "errors", toJson(preparation.errors) },
        { "figures", parsedJson(report::figuresJson(preparation.figures)) } };
}

Json toJson(const RunResults& results)
{
    Json json = { { "state", toString(results.state) },
        // Not known yet of a run that goes on.
        { "valid", isOver(results.state) || !results.valid ? Json(results.valid) : Json() },
        { "invalidReasons", results.invalidReasons }, { "mixes", Json::array() } };
    for (const PreparationResult& preparation : results.preparations)
        json["preparations"].push_back(toJson(preparation));
    for (const MixResult& mix : results.mixes)
        json["mixes"].push_back(toJson(mix));
    json["audit"] = results.audit ? toJson(*results.audit) : Json();
    json["oracle"] = Json();
    if (const auto& oracle = results.oracle)
        json["oracle"] = { { "users", oracle->users },
            { "compared", oracle->compared ? Json(*oracle->compared) : Json() }, { "checks", oracle->checks },
            { "findings", oracle->findings } };
    json["exceptions"] = Json::array();
    for (const AuditException& one : results.exceptions)
        json["exceptions"].push_back({ { "kind", toString(one.kind) }, { "token", one.token },
            { "mailbox", withTarget(one.target, one.mailbox) }, { "target", targetJson(one.target) },
            { "accepted", seconds(one.accepted) }, { "detail", one.detail } });
    json["figures"] = parsedJson(report::figuresJson(results.figures));
    return json;
}

Json headerJson(const RunHeader& header)
{
    return { { "run", header.id.text() }, { "title", header.title }, { "target", targetJson(header.target) },
        { "started", formatIso8601(header.started) }, { "planName", header.planName },
        { "planText", header.planText }, { "seed", header.seed }, { "computer", header.computer },
        { "plannedLength", seconds(header.plannedLength) }, { "versions", embedded(header.versionsJson) },
        { "host", embedded(header.hostJson) } };
}

Json phasesJson(const std::vector<Phase>& phases)
{
    Json json = Json::array();
    for (const Phase& phase : phases)
        json.push_back({ { "index", phase.index }, { "kind", toString(phase.kind) }, { "mix", phase.mix },
            { "mixName", phase.mixName }, { "begin", seconds(phase.begin) }, { "end", seconds(phase.end) },
            { "open", phase.open } });
    return json;
}

Result<Json> countersJson(const Recording& recording, const TimeWindow& window)
{
    Json json = Json::array();
    for (const CounterInfo& info : recording.header().counters) {
        const auto statistics = recording.counterStatistics(info.id, window);
        if (!statistics)
            return statistics.error();
        Json& one = json.emplace_back(Json { { "path", info.path() }, { "unit", info.unit },
            { "kind", info.kind == CounterKind::count ? "count" : "level" }, { "counts", info.counts },
            { "help", info.help }, { "samples", statistics->samples } });
        if (statistics->samples > 0) {
            one["last"] = statistics->last;
            one["average"] = statistics->average;
            one["minimum"] = statistics->minimum;
            one["maximum"] = statistics->maximum;
        }
    }
    return json;
}

/// Latencies of every series over the whole run, or a chosen window of it; the mixes' are in the results.
Result<Json> latenciesJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    Json json = Json::array();
    for (const HistogramInfo& info : recording.header().histograms) {
        if (isAge(info.clock)) // a level
            continue;
        const auto summary = latencyWithin(
            recording, info, window.value_or(TimeWindow { Nanoseconds(0), recording.length() }));
        if (!summary)
            return summary.error();
        json.push_back({ { "name", info.name }, { "scope", toString(info.scope) },
            { "clock", toString(info.clock) }, { window ? "window" : "wholeRun", toJson(*summary) } });
    }
    return json;
}

/// Numbers are not rounded; null: there was no sample.
Json toJson(const CounterReading& reading)
{
    const auto orNull = [&](double value) { return reading.samples > 0 ? Json(value) : Json(); };
    return { { "path", reading.counter.path() }, { "key", keptText(reading.counter.key) },
        { "source", reading.source }, { "unit", reading.unit() },
        { "kind", reading.counter.kind == CounterKind::count ? "count" : "level" },
        { "average", orNull(reading.average) }, { "minimum", orNull(reading.minimum) },
        { "maximum", orNull(reading.maximum) }, { "samples", reading.samples },
        { "coverage", reading.coverage } };
}

/// All counters of all computers over each measurement, or over the window.
Result<Json> readingsJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto readings = readingsOf(recording, window);
    if (!readings)
        return readings.error();
    Json json = Json::array();
    for (const MeasuredReadings& part : *readings) {
        Json computers = Json::array();
        for (const ComputerReadings& computer : part.computers) {
            Json counters = Json::array();
            for (const CounterReading& reading : computer.counters)
                counters.push_back(toJson(reading));
            computers.push_back({ { "computer", computer.computer },
                { "role", computer.role.empty() ? Json() : Json(computer.role) }, { "own", computer.own },
                { "counters", std::move(counters) } });
        }
        json.push_back({ { "mix", part.mix }, { "name", part.name },
            { "window", { { "begin", seconds(part.window.begin) }, { "end", seconds(part.window.end) } } },
            { "computers", std::move(computers) } });
    }
    return json;
}

Result<Json> logsJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto isOutside = [&](Nanoseconds at) { return window && (at < window->begin || at > window->end); };
    const auto log = recording.log();
    if (!log)
        return log.error();
    const auto transcripts = recording.transcripts();
    if (!transcripts)
        return transcripts.error();
    Json json;
    json["events"] = Json::array();
    for (const RunEvent& event : log->events)
        if (!isOutside(event.at))
            json["events"].push_back({ { "at", seconds(event.at) }, { "severity", toString(event.severity) },
                { "text", withTarget(event.target, event.text) }, { "target", targetJson(event.target) } });
    json["annotations"] = Json::array();
    for (const Annotation& one : log->annotations)
        json["annotations"].push_back({ { "made", formatIso8601(one.made) }, { "kind", toString(one.kind) },
            { "at", seconds(one.at) }, { "text", one.text } });
    json["transcripts"] = Json::array();
    for (const Transcript& one : *transcripts)
        if (!isOutside(one.at))
            json["transcripts"].push_back({ { "at", seconds(one.at) }, { "phase", one.phase },
                { "where", withTarget(one.target, one.where) }, { "target", targetJson(one.target) },
                { "kind", toString(one.kind) }, { "text", one.text } });
    return json;
}

Result<Json> runJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto results = window ? computeResults(recording, *window) : computeResults(recording);
    if (!results)
        return results.error();
    auto counters =
        countersJson(recording, window.value_or(TimeWindow { Nanoseconds(0), recording.length() }));
    if (!counters)
        return counters.error();
    auto latencies = latenciesJson(recording, window);
    if (!latencies)
        return latencies.error();
    auto readings = readingsJson(recording, window);
    if (!readings)
        return readings.error();
    auto logs = logsJson(recording, window);
    if (!logs)
        return logs.error();
    const auto judgement = formatJudgementJson(recording, window);
    if (!judgement)
        return judgement.error();
    Json json;
    json["header"] = headerJson(recording.header());
    const auto lab = recording.lab();
    if (!lab)
        return lab.error();
    if (!lab->empty())
        json["lab"] = parsedJson(report::labJson(*lab));
    if (window)
        json["window"] = { { "begin", seconds(window->begin) }, { "end", seconds(window->end) } };
    json["length"] = seconds(recording.length());
    json["ticks"] = recording.ticks();
    json["phases"] = phasesJson(recording.phases());
    json["results"] = toJson(*results);
    json["judgement"] = parsedJson(*judgement);
    if (!recording.header().targets.empty() && recording.header().target.empty()) {
        const auto targets = formatTargetsJson(recording, window);
        if (!targets)
            return targets.error();
        json["targets"] = parsedJson(*targets);
    }
    const PlanDerived derived = derivedOf(recording);
    if (!derived.counters.empty() || !derived.problems.empty()) {
        const auto computed = report::derivedJson(recording, derived, window);
        if (!computed)
            return computed.error();
        json["derived"] = parsedJson(*computed);
    }
    json["latencies"] = *std::move(latencies);
    json["readings"] = *std::move(readings);
    const auto sources = sourcesOf(recording);
    if (!sources)
        return sources.error();
    json["sources"] = Json::array();
    for (const SourceInfo& source : *sources)
        json["sources"].push_back(
            { { "source", source.id }, { "origin", source.origin }, { "computer", source.computer },
                { "role", source.role }, { "begin", seconds(source.begin + source.offset) },
                { "end", seconds(source.end + source.offset) }, { "samples", source.ticks },
                { "complete", source.complete } });
    json["counters"] = *std::move(counters);
    json.update(*logs);
    return json;
}

} // namespace

std::string formatPreparationJson(const PreparationTotals& totals)
{
    return jsonText(toJson(totals));
}

std::string formatResultsJson(const RunResults& results)
{
    return jsonText(toJson(results));
}

Result<std::string> formatJson(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto json = runJson(recording, window);
    if (!json)
        return json.error();
    return jsonText(*json);
}

Result<void> writeJson(
    const Recording& recording, const std::filesystem::path& to, const std::optional<TimeWindow>& window)
{
    const auto json = runJson(recording, window);
    if (!json)
        return json.error();
    return writeFileAtomically(to, jsonText(*json, 1) + "\n");
}

std::vector<std::pair<std::string, std::string>> report::flatJsonTexts(const std::string& text)
{
    constexpr std::size_t kMost = 100;
    std::vector<std::pair<std::string, std::string>> texts;
    const Json json = embedded(text);
    if (!json.is_object())
        return texts;
    for (const auto& [name, value] : json.items())
        if (texts.size() < kMost)
            texts.emplace_back(name, value.is_string() ? value.get<std::string>() : jsonText(value));
    return texts;
}

} // namespace loadstone
