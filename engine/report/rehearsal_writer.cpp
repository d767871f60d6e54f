// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/joined.h"
#include "base/json.h"
#include "report/cells.h"
#include "report/text_tables.h"
#include "report/wording.h"

#include <loadstone/rehearsal_tables.h>
#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace loadstone {

namespace report {
namespace {

std::string phaseName(const Rehearsal& rehearsal, const RehearsedPhase& phase)
{
    const bool several = std::any_of(rehearsal.phases.begin(), rehearsal.phases.end(),
        [&](const RehearsedPhase& other) { return other.mix != rehearsal.phases.front().mix; });
    return several ? fmt::format("{}, {}", phase.mix, toString(phase.kind))
                   : std::string(toString(phase.kind));
}

/// "14.18 ± 0.11"; without an error of what does not vary.
Cell figure(const std::optional<double>& value, const std::optional<double>& error = {})
{
    Number number { value, Unit::one, { Notation::significant, 4 } };
    number.error = error;
    return number;
}

const char* yesOrNo(const std::optional<bool>& value)
{
    if (!value)
        return "-";
    return *value ? "yes" : "no";
}

/// A heading per phase, after the first column's.
Table phaseTable(const Rehearsal& rehearsal, std::string title, const char* what)
{
    Table table { std::move(title), "", { { what, kText } }, {} };
    for (const RehearsedPhase& phase : rehearsal.phases)
        table.columns.push_back({ phaseName(rehearsal, phase) });
    return table;
}

double perSecond(const RehearsedPhase& phase, std::uint64_t RehearsedPhase::*member)
{
    return static_cast<double>(phase.*member) / seconds(phase.length);
}

template <class F>
void addRow(Table& table, const Rehearsal& rehearsal, const char* what, F&& text)
{
    std::vector<Cell> row { what };
    for (const RehearsedPhase& phase : rehearsal.phases)
        row.emplace_back(text(phase));
    table.rows.push_back(std::move(row));
}

Table loadTable(const Rehearsal& rehearsal)
{
    Table table = phaseTable(rehearsal, "What the run asks of the server", "");
    const auto add = [&](const char* what, auto text) { addRow(table, rehearsal, what, text); };
    const auto total = [&](const char* what, std::uint64_t RehearsedPhase::*member) {
        add(what, [member](const RehearsedPhase& phase) { return countCell(phase.*member); });
    };
    const auto eachSecond = [&](std::uint64_t RehearsedPhase::*member) {
        add("  per second",
            [member](const RehearsedPhase& phase) { return rateCell(perSecond(phase, member)); });
    };
    const auto bytes = [&](const char* what, std::uint64_t RehearsedPhase::*member) {
        add(what,
            [member](const RehearsedPhase& phase) { return bytesCell(static_cast<double>(phase.*member)); });
        add("  per second", [member](const RehearsedPhase& phase) {
            return bytesCell(perSecond(phase, member), Unit::bytesPerSecond);
        });
    };
    add("Length", [](const RehearsedPhase& phase) { return clockCell(phase.length); });
    total("Users", &RehearsedPhase::users);
    total("Messages submitted", &RehearsedPhase::sent);
    add("  per hour", [](const RehearsedPhase& phase) {
        return countCell(
            static_cast<std::uint64_t>(std::llround(perSecond(phase, &RehearsedPhase::sent) * 3600)));
    });
    eachSecond(&RehearsedPhase::sent);
    total("  in the busiest second", &RehearsedPhase::peakSent);
    total("Recipients accepted", &RehearsedPhase::recipients);
    eachSecond(&RehearsedPhase::recipients);
    total("  in the busiest second", &RehearsedPhase::peakRecipients);
    total("Copies delivered", &RehearsedPhase::received);
    total("Message opens", &RehearsedPhase::reads);
    eachSecond(&RehearsedPhase::reads);
    total("Actions in the busiest second", &RehearsedPhase::peakActions);
    total("Connections opened", &RehearsedPhase::connections);
    total("Logons", &RehearsedPhase::logons);
    bytes("Message bytes sent", &RehearsedPhase::bytesSent);
    bytes("Message bytes read", &RehearsedPhase::bytesRead);
    if (!rehearsal.targets.empty())
        table.note = "All targets together. The busiest seconds are the sums of those of each target, "
                     "although these may be at different times.";
    return table;
}

/// Where scripts have commands of their own.
Table commandsTable(const Rehearsal& rehearsal)
{
    Table table = phaseTable(rehearsal, "Commands of the scripts per second", "Command");
    std::vector<std::string> names;
    for (const RehearsedPhase& phase : rehearsal.phases)
        for (const RehearsedCommand& command : phase.commands)
            if (std::ranges::find(names, command.name) == names.end())
                names.push_back(command.name);
    for (const std::string& name : names)
        addRow(table, rehearsal, name.c_str(), [&](const RehearsedPhase& phase) {
            const auto same = std::ranges::find(phase.commands, name, &RehearsedCommand::name);
            const double count = same == phase.commands.end() ? 0 : static_cast<double>(same->count);
            return rateCell(count / seconds(phase.length));
        });
    return table;
}

bool hasErrors(const Rehearsal& rehearsal)
{
    return std::any_of(rehearsal.phases.begin(), rehearsal.phases.end(),
        [](const RehearsedPhase& phase) { return phase.errors.has_value(); });
}

Table actionsTable(const Rehearsal& rehearsal)
{
    const bool days = !rehearsal.profile.empty();
    Table table = phaseTable(rehearsal, days ? "Actions per user-day" : "Actions", "Action");
    std::vector<ActionKind> kinds; // of all phases, in the order of the first that has them
    for (const RehearsedPhase& phase : rehearsal.phases)
        for (const RehearsedAction& action : phase.actions)
            if (std::ranges::find(kinds, action.kind) == kinds.end())
                kinds.push_back(action.kind);
    for (const ActionKind kind : kinds)
        addRow(table, rehearsal, toString(kind), [&](const RehearsedPhase& phase) {
            for (const RehearsedAction& action : phase.actions)
                if (action.kind == kind)
                    return days ? figure(static_cast<double>(action.count) / phase.userDays, action.error)
                                : countCell(action.count);
            return countCell(0);
        });
    if (days)
        table.note = fmt::format("A user-day lasts {} here.", formatDuration(rehearsal.day));
    if (days && hasErrors(rehearsal))
        table.note += " After ±: the standard error, by which the figure varies by chance from seed to seed.";
    return table;
}

Table comparisonTable(const Rehearsal& rehearsal)
{
    Table table { "Beside the published figures, per user-day", "",
        { { "", kText }, { "Cold start" }, { "Warmed up" }, { "Published" }, { "Difference" },
            { "Within error" }, { "Achieved" } },
        {} };
    bool any = false;
    for (const PublishedComparison& row : rehearsal.comparison) {
        Number difference { {}, Unit::share, { Notation::difference } };
        if (row.published && row.steady && *row.published > 0)
            difference.value = *row.steady / *row.published - 1;
        any = any || row.published || row.achieved;
        table.rows.push_back({ row.what, figure(row.cold, row.coldError), figure(row.steady, row.steadyError),
            figure(row.published), difference, yesOrNo(row.withinError), figure(row.achieved) });
    }
    if (!any) {
        table.rows.clear();
        return table;
    }
    table.note =
        "Cold start is the first phase, warmed up the measurement after a ramp-up; the difference is "
        "that of warmed up and published.";
    if (hasErrors(rehearsal))
        table.note += " Within error: at most 1.96 standard errors, as in 95 of 100 cases by chance alone.";
    if (!rehearsal.publishedSource.empty())
        table.note += " Published: " + rehearsal.publishedSource + ".";
    if (!rehearsal.achievedSource.empty())
        table.note += " Achieved: " + rehearsal.achievedSource + ".";
    return table;
}

Table queueTable(const Rehearsal& rehearsal)
{
    const bool any = std::any_of(rehearsal.phases.begin(), rehearsal.phases.end(),
        [](const RehearsedPhase& phase) { return phase.queueMost > 0; });
    Table table = phaseTable(rehearsal, "Copies waiting for delivery", "");
    if (!any)
        return table;
    addRow(table, rehearsal, "At the begin",
        [](const RehearsedPhase& phase) { return countCell(phase.queueBegin); });
    addRow(table, rehearsal, "At the end",
        [](const RehearsedPhase& phase) { return countCell(phase.queueEnd); });
    addRow(
        table, rehearsal, "At most", [](const RehearsedPhase& phase) { return countCell(phase.queueMost); });
    addRow(table, rehearsal, "Growth per minute", [](const RehearsedPhase& phase) {
        return Number { phase.queueSlope * 60, Unit::copies, { Notation::change, 1 } };
    });
    table.note = "Growth is the median slope between all pairs of samples (Theil and Sen).";
    return table;
}

} // namespace
} // namespace report

std::vector<ReportTable> rehearsalTables(const Rehearsal& rehearsal)
{
    using namespace report;
    std::vector<ReportTable> tables { loadTable(rehearsal), actionsTable(rehearsal), commandsTable(rehearsal),
        comparisonTable(rehearsal), queueTable(rehearsal) };
    std::erase_if(tables, [](const ReportTable& table) { return table.empty(); });
    return tables;
}

namespace {

std::vector<std::string> introduction(const Rehearsal& rehearsal)
{
    std::vector<std::string> sentences;
    if (!rehearsal.profile.empty())
        sentences.push_back("Profile: " + rehearsal.profile);
    for (const std::string& source : rehearsal.sources)
        sentences.push_back("Source: " + source);
    const std::string* told = nullptr; // the mix whose workloads stand there
    for (const RehearsedPhase& phase : rehearsal.phases)
        if (!phase.workloads.empty() && (told == nullptr || *told != phase.mix)) {
            sentences.push_back(fmt::format("Workload of {}: {}", phase.mix, phase.workloads));
            told = &phase.mix;
        }
    if (!rehearsal.leftOut.empty())
        sentences.push_back(
            fmt::format("Left out, because the plan names no calendar or contacts server for them: {}.",
                joined(rehearsal.leftOut, ", ")));
    return sentences;
}

std::vector<std::string> queueSentences(const Rehearsal& rehearsal)
{
    std::vector<std::string> sentences;
    if (rehearsal.queueStays)
        sentences.push_back(fmt::format("The queue grows: from {} to the end more than 50 copies wait.",
            formatClock(*rehearsal.queueStays)));
    if (rehearsal.queueFails)
        sentences.push_back(fmt::format("The queue passes 1,000 copies after {}: the server fails this load.",
            formatClock(*rehearsal.queueFails)));
    return sentences;
}

} // namespace

std::vector<std::string> rehearsalSentences(const Rehearsal& rehearsal)
{
    std::vector<std::string> sentences = introduction(rehearsal);
    for (std::string& sentence : queueSentences(rehearsal))
        sentences.push_back(std::move(sentence));
    return sentences;
}

std::string formatRehearsal(const Rehearsal& rehearsal, std::size_t width)
{
    using namespace report;
    std::string out;
    if (rehearsal.target.empty())
        appendWrapped(out, "Rehearsal of " + rehearsal.title, width);
    else {
        const std::string heading = "Target " + rehearsal.target;
        out += "\n" + heading + "\n" + std::string(heading.size(), '=') + "\n";
    }
    for (const std::string& sentence : introduction(rehearsal))
        appendWrapped(out, sentence, width);
    for (const Table& table : rehearsalTables(rehearsal))
        appendTable(out, table, width);
    const auto queue = queueSentences(rehearsal);
    if (!queue.empty())
        out += "\n";
    for (const std::string& sentence : queue)
        appendWrapped(out, sentence, width);
    out +=
        fmt::format("\nIntents {:016x}, messages {:016x}\n", rehearsal.intentDigest, rehearsal.messageDigest);
    for (const Rehearsal& target : rehearsal.targets)
        out += formatRehearsal(target, width);
    return out;
}

namespace {

Json toJson(const Rehearsal& rehearsal)
{
    const auto optional = [](const auto& value) { return value ? Json(*value) : Json(); };
    const auto time = [](const std::optional<Nanoseconds>& t) { return t ? Json(seconds(*t)) : Json(); };
    Json phases = Json::array();
    for (const RehearsedPhase& phase : rehearsal.phases) {
        Json actions = Json::object(), actionErrors = Json::object(), errors;
        for (const RehearsedAction& action : phase.actions) {
            actions[toString(action.kind)] = action.count;
            actionErrors[toString(action.kind)] = optional(action.error);
        }
        if (const auto& e = phase.errors)
            errors = { { "sent", e->sent }, { "received", e->received }, { "reads", e->reads },
                { "deleted", e->deleted }, { "moved", e->moved }, { "recipientsPerMessage", e->recipients },
                { "actions", std::move(actionErrors) } };
        phases.push_back({ { "mix", phase.mix }, { "kind", toString(phase.kind) },
            { "begin", seconds(phase.begin) }, { "length", seconds(phase.length) }, { "users", phase.users },
            { "userDays", phase.userDays }, { "actions", std::move(actions) }, { "logons", phase.logons },
            { "connections", phase.connections }, { "sent", phase.sent }, { "recipients", phase.recipients },
            { "received", phase.received }, { "firstReads", phase.firstReads }, { "reads", phase.reads },
            { "deleted", phase.deleted }, { "moved", phase.moved }, { "bytesSent", phase.bytesSent },
            { "bytesRead", phase.bytesRead }, { "peakActions", phase.peakActions },
            { "peakSent", phase.peakSent }, { "peakRecipients", phase.peakRecipients },
            { "queueBegin", phase.queueBegin }, { "queueEnd", phase.queueEnd },
            { "queueMost", phase.queueMost }, { "queueSlope", phase.queueSlope },
            { "errorsPerUserDay", std::move(errors) } });
        if (!phase.workloads.empty())
            phases.back()["workloads"] = phase.workloads;
        for (const RehearsedCommand& command : phase.commands)
            phases.back()["commands"][command.name] = command.count;
    }
    Json comparison = Json::array();
    for (const PublishedComparison& row : rehearsal.comparison)
        comparison.push_back({ { "what", row.what }, { "cold", optional(row.cold) },
            { "steady", optional(row.steady) }, { "published", optional(row.published) },
            { "achieved", optional(row.achieved) }, { "coldError", optional(row.coldError) },
            { "steadyError", optional(row.steadyError) }, { "withinError", optional(row.withinError) } });
    Json json = { { "title", rehearsal.title }, { "profile", rehearsal.profile },
        { "sources", rehearsal.sources }, { "day", seconds(rehearsal.day) }, { "leftOut", rehearsal.leftOut },
        { "phases", std::move(phases) }, { "comparison", std::move(comparison) },
        { "queueStays", time(rehearsal.queueStays) }, { "queueFails", time(rehearsal.queueFails) },
        { "intents", fmt::format("{:016x}", rehearsal.intentDigest) },
        { "messages", fmt::format("{:016x}", rehearsal.messageDigest) } };
    if (!rehearsal.target.empty())
        json["target"] = rehearsal.target;
    for (const Rehearsal& target : rehearsal.targets)
        json["targets"].push_back(toJson(target));
    return json;
}

} // namespace

std::string formatRehearsalJson(const Rehearsal& rehearsal)
{
    return jsonText(toJson(rehearsal));
}

} // namespace loadstone
