// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "signals.h"

#include <loadstone/counters.h>
#include <loadstone/report.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <future>
#include <stop_token>

namespace loadstone::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string unitOf(const CounterInfo& info)
{
    return info.unit + (info.kind == CounterKind::count ? "/s" : "");
}

std::string valueText(const CounterValue& one)
{
    if (std::isnan(one.value))
        return "missing";
    constexpr double kWhole = 1e6; // from here on six digits would not show all of the whole number
    const std::string unit = unitOf(one.info);
    return (std::abs(one.value) < kWhole ? fmt::format("{:.6g}", one.value)
                                         : fmt::format("{:.0f}", one.value))
        + (unit.empty() ? "" : " " + unit);
}

std::string answerText(const SourceAnswer& answer)
{
    std::string out = fmt::format("{}{}, {}: ", plainText(answer.name),
        answer.role.empty() ? "" : " (" + answer.role + ")", plainText(answer.origin));
    if (!answer.answered)
        return out + "no answer: " + plainText(answer.trouble) + "\n";
    out += fmt::format("{} counter{}\n", answer.counters.size(), answer.counters.size() == 1 ? "" : "s");
    std::size_t width = 0;
    for (const CounterValue& one : answer.counters)
        width = std::max(width, plainText(one.info.path()).size());
    for (const CounterValue& one : answer.counters)
        out += fmt::format("  {:<{}}  {}\n", plainText(one.info.path()), width, plainText(valueText(one)));
    for (const std::string& missing : answer.missing)
        out += "  not there: " + plainText(missing) + "\n";
    for (const std::string& note : answer.notes)
        out += "  note: " + plainText(note) + "\n";
    return out;
}

OrderedJson jsonOf(const SourceAnswer& answer)
{
    OrderedJson json { { "name", answer.name }, { "role", answer.role }, { "origin", answer.origin },
        { "answered", answer.answered }, { "trouble", answer.trouble }, { "counters", OrderedJson::array() },
        { "missing", answer.missing }, { "notes", answer.notes } };
    for (const CounterValue& one : answer.counters) {
        OrderedJson counter { { "path", one.info.path() }, { "key", keptText(one.info.key) },
            { "value", nullptr }, { "unit", unitOf(one.info) } };
        if (!std::isnan(one.value))
            counter["value"] = one.value;
        json["counters"].push_back(std::move(counter));
    }
    return json;
}

void sayJson(const OrderedJson& json)
{
    say(json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
}

int printReference(bool asJson)
{
    const std::vector<PublishedCounter> all = publishedCounters();
    OrderedJson json = OrderedJson::array();
    std::string report;
    for (const PublishedCounter& one : all) {
        if (asJson) {
            json.push_back({ { "report", one.report }, { "counter", one.counter }, { "here", one.here },
                { "source", one.source }, { "unit", one.unit }, { "note", one.note } });
            continue;
        }
        if (one.report != report)
            print("{}{}\n", report.empty() ? "" : "\n", one.report);
        report = one.report;
        print("  {}\n", one.counter);
        if (!one.here.empty())
            print("      {}{}\n      {}\n", one.here, one.unit.empty() ? "" : ", in " + one.unit, one.source);
        if (!one.note.empty())
            print("      {}\n", one.note);
    }
    if (asJson)
        sayJson(json);
    return kGood;
}

} // namespace

std::vector<std::string> agreedOf(const PlanSummary& plan, bool allowCommands)
{
    const auto texts = agreementsOf(plan.file);
    if (!allowCommands || !texts)
        return {};
    for (const std::string& text : *texts)
        say("allowed: " + text + "\n", stderr);
    return *texts;
}

int counters(const CountersCommand& command)
{
    if (command.reference)
        return printReference(command.json);
    if (command.plan.empty())
        return complain("name a plan, or write --reference; see \"loadstone counters --help\"", kBadInput);
    const auto plan = openPlan(command.plan);
    if (!plan)
        return kBadInput;
    CounterQuery query;
    query.plan = plan->file;
    query.agreed = agreedOf(*plan, command.allowCommands);
    std::stop_source stop;
    query.stop = stop.get_token();
    catchSignals();
    auto asked = std::async(std::launch::async, [&query] { return askSources(query); });
    while (asked.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
        if (stopSignal() != 0)
            stop.request_stop();
    const auto answers = asked.get();
    if (!answers && stopSignal() != 0)
        return 128 + stopSignal();
    if (!answers)
        return complain(answers.error().message, isUnusablePlan(answers.error()) ? kBadInput : kFailed);
    if (command.json) {
        OrderedJson json = OrderedJson::array();
        for (const SourceAnswer& answer : *answers)
            json.push_back(jsonOf(answer));
        sayJson(json);
    } else if (answers->empty())
        say("The plan has no sources of counters ([[counters]]).\n");
    else
        for (const SourceAnswer& answer : *answers)
            say(answerText(answer));
    const bool all = std::all_of(
        answers->begin(), answers->end(), [](const SourceAnswer& answer) { return answer.answered; });
    return all ? kGood : kFailed;
}

} // namespace loadstone::cli
