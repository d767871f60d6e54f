// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::test {

namespace {

constexpr const char* kEmptyAndSend = R"([[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "2 KB"
recipients = 2
)";
constexpr const char* kSend = R"([[workload.steps]]
action = "send message"
size = "2 KB"
)";

} // namespace

std::string wideHealth()
{
    return "max_slip_p99 = \"60 s\"\nmax_worker_cpu = \"100 %\"\nmax_run_queue_wait = \"100 %\"\n"
           "max_throttled = \"100 %\"\nmax_steal = \"100 %\"\nmax_loop_lag_p99 = \"60 s\"\nmax_standstill = \"1 h\"";
}

MailPlan::MailPlan()
    : steps(kEmptyAndSend)
{
}

MailPlan openPlan()
{
    MailPlan plan;
    plan.workload = "pacing = \"open\"\nrate = \"1/s\"";
    plan.steps = kSend;
    plan.mix = "mailboxes_per_client = 40";
    plan.rampUp = "0 s";
    plan.measurement = "8 s";
    return plan;
}

std::string serversOf(const SceneTarget& target, const std::vector<std::string>& protocols)
{
    std::string tables;
    for (const std::string& protocol : protocols)
        tables += fmt::format("[target.{}]\nport = {}\n", protocol, target.ports().at(protocol).get<int>());
    return tables;
}

std::string write(Scene& scene, const MailPlan& plan)
{
    return scene.file("plan.toml",
        fmt::format(R"(format = 1
kind = "mail"
title = "Verdict"
seed = 7
drain = "{}"
{}
[target]
password = "secret"
{}
{}
[workload]
{}
{}
[mix]
{}
ramp_up = "{}"
measurement = "{}"
[[mixes]]
name = "Mix"
{}
[criteria]
{}
[health]
{}
)",
            plan.drain, plan.top, plan.target,
            plan.servers.empty() ? serversOf(scene.at(0), { "smtp", "pop3" }) : plan.servers, plan.workload, plan.steps,
            plan.mix, plan.rampUp, plan.measurement, plan.clients, plan.criteria, plan.health));
}

std::uint64_t counted(const RunEnd& end, const std::string& column, const std::string& action)
{
    std::uint64_t sum = 0;
    for (const auto& mix : end.results().at("mixes"))
        if (action.empty())
            sum += mix.at("counts").at(column).get<std::uint64_t>();
        else
            for (const auto& one : mix.at("actions"))
                if (one.at("name") == action)
                    sum += one.at("counts").at(column).get<std::uint64_t>();
    return sum;
}

std::uint64_t errorsAt(const RunEnd& end, const std::string& where, const std::string& kind)
{
    std::uint64_t sum = 0;
    for (const auto& mix : end.results().at("mixes"))
        for (const auto& error : mix.at("errors"))
            if (error.at("where") == where && (kind.empty() || error.at("kind") == kind))
                sum += error.at("count").get<std::uint64_t>();
    return sum;
}

double longestResponse(const RunEnd& end, const std::string& action)
{
    for (const auto& one : end.results().at("mixes").at(0).at("actions"))
        if (one.at("name") == action)
            return one.at("response").at("maximum").get<double>();
    throw std::runtime_error("there was no action " + action);
}

std::string compareAccepted(const RunEnd& end, SceneTarget& target)
{
    return agree("messages accepted, audit and target", end.audit("accepted"), target.total("accepted"));
}

std::string compareOutstanding(const RunEnd& end, SceneTarget& target, std::uint64_t tolerance)
{
    insist(end.audit("outstanding") > 0, "nothing is outstanding");
    return agree("copies outstanding, audit and target", end.audit("outstanding"),
        target.total("delivered") - target.total("retrieved"), tolerance);
}

double reasonsNumber(const RunEnd& end, const std::string& behind)
{
    const auto& reasons = end.results().at("invalidReasons");
    for (const auto& reason : reasons)
        if (const auto text = reason.get<std::string>(); text.find(behind) != std::string::npos)
            return std::stod(text.substr(text.find(behind) + behind.size()));
    throw std::runtime_error("no reason says \"" + behind + "\": " + reasons.dump());
}

Silence silenceOf(SceneTarget& target, const std::string& verb, const std::string& reply)
{
    auto commands = target.commands();
    std::erase_if(commands, [](const LoggedCommand& one) { return one.replied == 0; });
    std::ranges::sort(commands, {}, &LoggedCommand::replied);
    Silence silence;
    std::uint64_t longest = 0, so = 0;
    for (std::size_t i = 0; i + 1 < commands.size(); ++i) {
        so += commands[i].verb == verb && commands[i].reply == reply ? 1 : 0;
        if (const std::uint64_t gap = commands[i + 1].replied - commands[i].replied; gap > longest) {
            longest = gap;
            silence = { static_cast<double>(gap) / 1e9, so };
        }
    }
    return silence;
}

} // namespace loadstone::test
