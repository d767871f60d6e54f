// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_lines.h"

#include <loadstone/report.h>

#include <nlohmann/json.hpp>

namespace loadstone::cli {

namespace {

using Json = nlohmann::ordered_json;

/// One line; names that are no UTF-8 are replaced, not thrown about.
std::string dump(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string jsonLine(const RunStarted& started)
{
    return dump({ { "event", "start" }, { "run", started.id.text() }, { "file", started.file },
        { "plan", started.plan } });
}

std::string jsonLine(const Phase& phase)
{
    Json json = { { "event", "phase" }, { "index", phase.index }, { "kind", toString(phase.kind) } };
    if (phase.mix >= 0) {
        json["mix"] = phase.mix;
        json["mixName"] = phase.mixName;
    }
    json["begin"] = seconds(phase.begin);
    if (!phase.open || phase.end > phase.begin) // else it ends when it is done
        json["end"] = seconds(phase.end);
    return dump(json);
}

std::string jsonTick(std::uint64_t tick, const RunStatus* status)
{
    Json json = { { "event", "tick" }, { "tick", tick } };
    if (status != nullptr) {
        json["elapsed"] = seconds(status->elapsed);
        json["left"] = seconds(status->totalLeft);
        json["leftAtLeast"] = status->leftAtLeast;
        json["users"] = status->users;
        json["sessions"] = status->sessions;
        json["sentPerSecond"] = status->sentPerSecond;
        json["receivedPerSecond"] = status->receivedPerSecond;
        json["p95"] =
            status->p95 > Nanoseconds(0) ? Json(seconds(status->p95)) : Json(); // null: no action yet
        json["p95AtLeast"] = status->p95AtLeast;
        json["errors"] = status->errors;
        if (const auto& io = status->io) {
            json["readsPerSecond"] = io->readsPerSecond;
            json["writesPerSecond"] = io->writesPerSecond;
            json["bytesPerSecond"] = io->bytesPerSecond;
        }
        json["lost"] = status->audit.lost;
        json["twice"] = status->audit.twice;
        json["damaged"] = status->audit.damaged;
        json["generatorHealthy"] = status->generatorHealthy;
        if (status->preparation)
            json["preparation"] = Json::parse(formatPreparationJson(*status->preparation));
    }
    return dump(json);
}

std::string jsonLine(const RunEvent& event)
{
    return dump({ { "event", "log" }, { "at", seconds(event.at) }, { "severity", toString(event.severity) },
        { "text", withTarget(event.target, event.text) },
        { "target", event.target.empty() ? Json() : Json(event.target) } });
}

std::string jsonHistory(const std::string& trouble)
{
    return dump({ { "event", "history" }, { "written", trouble.empty() }, { "trouble", trouble } });
}

std::string jsonEnd(const RunId& id, const RunResults& results, const std::string& judgement,
    const std::string& targets, int exitCode)
{
    const Json head = { { "event", "end" }, { "run", id.text() }, { "state", toString(results.state) },
        { "exitCode", exitCode } };
    std::string text = dump(head);
    text.pop_back();
    return text + ",\"results\":" + formatResultsJson(results) + ",\"judgement\":" + judgement
        + ",\"targets\":" + targets + "}";
}

namespace {

/// Of the leading mix; 0 where there is none.
double valueOf(const RunSummary& summary, std::string_view key)
{
    const Figure* figure = findFigure(summary.figures, key);
    return figure != nullptr ? figure->value.value_or(0) : 0;
}

} // namespace

std::string jsonLine(const RunSummary& summary)
{
    const Figure* p95 = findFigure(summary.figures, "response.p95");
    Json figures = Json::object();
    for (const Figure& figure : summary.figures)
        figures[std::string(infoOf(figure.id).key)] = figure.value ? Json(*figure.value) : Json();
    return dump({ { "run", summary.id.text() }, { "title", summary.title },
        { "started", formatIso8601(summary.started) }, { "length", seconds(summary.length) },
        { "state", toString(summary.state) }, { "verdict", toString(summary.verdict) },
        { "valid", summary.verdict == Verdict::running ? Json() : Json(summary.valid) },
        { "plan", summary.planName }, { "computer", summary.computer }, { "tags", summary.tags },
        { "note", summary.note }, { "sent", summary.sent }, { "received", summary.received },
        { "peakSentPerSecond", valueOf(summary, "mail.sent-rate") },
        { "peakIosPerSecond", summary.kind == RunKind::mail ? Json() : Json(valueOf(summary, "io.rate")) },
        { "p95", valueOf(summary, "response.p95") },
        { "p95AtLeast", p95 != nullptr && p95->flags.lowerBound }, { "errorRate", summary.errorRate },
        { "lost", summary.lost }, { "twice", summary.twice }, { "damaged", summary.damaged },
        { "outstanding", summary.outstanding }, { "bytes", summary.fileBytes },
        { "mix", summary.mix >= 0 ? Json(summary.mix) : Json() }, { "figures", figures } });
}

} // namespace loadstone::cli
