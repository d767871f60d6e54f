// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A generator that is killed, stopped, starved or stands still. The witnesses are its printed lines, the target's log and the
// kernel's account of its control group.
#include "mail_plan.h"
#include "support/control_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>

namespace loadstone::test {

namespace {

/// Of a run that ends early. A slow machine has done little by then, and one action under way is more than a twentieth of it: a
/// limit of response times or errors could not be judged.
constexpr const char* kFewActions = "audit = true";

VerdictCase killed()
{
    return { "The generator is killed", "SIGKILL in the measurement's third second", "cut short", 128 + SIGKILL,
        { "audit", "generator" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.rampUp = "0 s";
            plan.measurement = "30 s";
            plan.criteria = kFewActions;
            RunEnd end = scene.run(write(scene, plan), [](WatchedProgram& run, const std::string& phase, unsigned tick) {
                if (phase == "measurement" && tick == 3)
                    run.signal(SIGKILL);
            });
            insist(end.showExitCode == 3, fmt::format("show ends with {}", end.showExitCode));
            insist(!end.results().at("valid").get<bool>(), "the JSON calls it valid");
            const auto length = static_cast<std::uint64_t>(end.listed.at("length").get<double>());
            insist(length >= end.ticks, "a second that was printed is not in the recording");
            witness = agree("seconds recorded and printed", length, end.ticks, 1) + "; "
                + agree("messages sent in them, recording and target's log", counted(end, "ended", "Send message"),
                    target.answers("smtp", "EOD", "250", static_cast<double>(length)), 3)
                + "; "
                + agree("messages accepted in them, audit and target's log", end.audit("accepted"),
                    target.answers("smtp", "EOD", "250", static_cast<double>(length)), 3);
            return end;
        } };
}

VerdictCase stopped(const char* name, const char* phase, unsigned tick, const char* verdict, std::vector<std::string> unmet)
{
    return { name, fmt::format("SIGINT in the {}", phase), verdict, 128 + SIGINT, std::move(unmet),
        [=](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan;
            plan.rampUp = "4 s";
            plan.measurement = "30 s";
            plan.criteria = kFewActions;
            RunEnd end = scene.run(write(scene, plan), [=](WatchedProgram& run, const std::string& now, unsigned n) {
                if (now == phase && n == tick)
                    run.signal(SIGINT);
            });
            witness = compareAccepted(end, target) + "; "
                + agree("copies outstanding, audit and target", end.audit("outstanding"),
                    target.total("delivered") - target.total("retrieved"), 4);
            return end;
        } };
}

VerdictCase standsStill()
{
    return { "The generator stands still for 4 s", "SIGSTOP and SIGCONT to the generator", "invalid", 3, { "generator" },
        [](Scene& scene, std::string& witness) {
            SceneTarget& target = scene.target({ "--password", "secret" });
            MailPlan plan = openPlan();
            plan.health = "max_standstill = \"2 s\"";
            plan.criteria = "error_rate = \"5 %\"";
            bool stopped = false;
            RunEnd end = scene.run(write(scene, plan), [&](WatchedProgram& run, const std::string& phase, unsigned tick) {
                if (phase != "measurement" || tick != 2 || stopped)
                    return;
                stopped = true;
                run.signal(SIGSTOP);
                run.ended(std::chrono::seconds(4)); // it does not: so long it stands still
                run.signal(SIGCONT);
            });
            agree("messages sent", counted(end, "ended"), target.total("accepted"), 2);
            const double silence = silenceOf(target, "EOD", "250").length;
            agreeTimes("longest response", longestResponse(end, "Send message"), silence, 0.3);
            witness = agreeTimes("standstill, as it says and as a silence in the target's log",
                reasonsNumber(end, "it stood still for "), silence, 0.3);
            return end;
        } };
}

std::string whyNoControlGroup()
{
    const auto group = ControlGroup::make();
    return group ? std::string() : group.error().message;
}

/// Its control group gives it a thirtieth of a processor, and the limits of its health are those that a plan has by itself.
VerdictCase starved(bool isKilled)
{
    return { isKilled ? "The generator is starved of processor time, and killed" : "The generator is starved of processor time",
        isKilled ? "a control group with 3 % of a processor; SIGKILL in the measurement's sixth second"
                 : "a control group with 3 % of a processor",
        isKilled ? "cut short" : "invalid", isKilled ? 128 + SIGKILL : 3,
        isKilled ? std::vector<std::string> { "audit", "generator" } : std::vector<std::string> { "generator" },
        [=](Scene& scene, std::string& witness) {
            scene.target({ "--password", "secret" });
            const auto group = ControlGroup::make();
            insist(group && group->allow(3), "the control group bounds nothing");
            MailPlan plan;
            plan.mix = "threads_per_client = 2\nmailboxes_per_client = 8";
            plan.drain = "3 s";
            plan.measurement = isKilled ? "30 s" : "8 s";
            plan.criteria = isKilled ? kFewActions : "error_rate = \"5 %\"";
            plan.health.clear();
            // By ticks of the run: a starved program reports late, so that each account has its own time.
            using Clock = std::chrono::steady_clock;
            std::vector<std::pair<Clock::time_point, double>> accounts { { Clock::now(), 0 } };
            RunEnd end = scene.run(
                write(scene, plan),
                [&](WatchedProgram& run, const std::string& phase, unsigned tick) {
                    accounts.emplace_back(Clock::now(), group->throttledSeconds());
                    if (isKilled && phase == "measurement" && tick == 6)
                        run.signal(SIGKILL);
                },
                { "sh", "-c", "echo $$ > \"$0\" && exec \"$@\"", group->processes().string() });
            insist(!end.results().at("valid").get<bool>(), "the JSON calls it valid");
            const std::string reasons = end.results().at("invalidReasons").dump();
            insist(reasons.find("had no processor") != std::string::npos, reasons);
            insist(end.showExitCode == 3, fmt::format("show ends with {}", end.showExitCode));
            if (isKilled)
                insist(end.text.find("CUT SHORT and INVALID") != std::string::npos, end.text.substr(0, 600));
            const auto& measured = end.results().at("mixes").at(0).at("measured");
            const auto from = static_cast<std::size_t>(measured.at("begin").get<double>()),
                       to = std::min(static_cast<std::size_t>(measured.at("end").get<double>()), accounts.size() - 1);
            const double share = 100 * (accounts.at(to).second - accounts.at(from).second)
                / std::chrono::duration<double>(accounts.at(to).first - accounts.at(from).first).count();
            const double said = reasonsNumber(end, "control groups kept this process from running for ");
            // The time of several processors is added up, so that the share changes with how many of them have work; and beside
            // other programs it waits for a processor more, and is throttled less.
            insist(share > 20 && said > 0.7 * share && said < 1.4 * share,
                fmt::format("it was throttled for {:.1f} % of the time, it says {:.1f} %", share, said));
            witness = fmt::format("throttled for {:.0f} % of the time as it says, and {:.0f} % by cpu.stat of its group", said, share);
            return end;
        },
        whyNoControlGroup };
}

} // namespace

std::vector<VerdictCase> generatorCases()
{
    return {
        killed(),
        stopped("The run is stopped before its measurement", "ramp-up", 2, "nothing measured", { "audit" }),
        stopped("The run is stopped in its measurement", "measurement", 2, "cut short", { "audit" }),
        standsStill(),
        starved(false),
        starved(true),
    };
}

} // namespace loadstone::test
