// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What scripts send and read, and which of them a mix plays.
#include "plan/model/steps.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <cstddef>
#include <numeric>

namespace loadstone::plan {

namespace {

bool hasCommand(const Step& step, std::string_view verb)
{
    return std::any_of(step.script.begin(), step.script.end(),
        [&](const ScriptCommand& command) { return command.verb() == verb; });
}

struct Sending {
    std::uint64_t messages = 0, recipients = 0;
};

Sending sentBy(const Workload& workload, const MixScript& script)
{
    Sending sending;
    for (std::size_t i = 0; i < script.count; ++i) {
        const Step& step = workload.steps[script.first + i];
        sending.messages += step.messages();
        sending.recipients += step.messages() * step.recipients;
    }
    return sending;
}

} // namespace

std::uint64_t Step::messages() const
{
    if (kind == ActionKind::sendMessage)
        return 1;
    if (kind != ActionKind::smtpSession)
        return 0;
    const auto each = std::count_if(script.begin(), script.end(),
        [](const ScriptCommand& command) { return command.turn == ScriptCommand::Turn::message; });
    return static_cast<std::uint64_t>(each) * repeat;
}

bool Step::retrieves() const
{
    return kind == ActionKind::emptyMailbox || kind == ActionKind::readMailbox
        || (kind == ActionKind::pop3Session && hasCommand(*this, "RETR"));
}

bool Step::deletes() const
{
    return kind == ActionKind::emptyMailbox
        || (kind == ActionKind::pop3Session && hasCommand(*this, "RETR") && hasCommand(*this, "DELE"));
}

std::uint64_t Step::leastRequests() const
{
    std::uint64_t each = commands.size();
    for (const ScriptCommand& command : script)
        each += command.turn == ScriptCommand::Turn::eachRecipient ? recipients
            : command.turn == ScriptCommand::Turn::eachMessage     ? 0
                                                                   : 1;
    return std::max<std::uint64_t>(1, each * repeat);
}

std::optional<ActionKind> MailPlan::drainKind() const
{
    if (workload.pacing == Pacing::users)
        return ActionKind::readMailbox;
    const auto any = [&](bool (Step::*is)() const) {
        return std::any_of(
            workload.steps.begin(), workload.steps.end(), [is](const Step& step) { return (step.*is)(); });
    };
    if (any(&Step::deletes))
        return ActionKind::emptyMailbox;
    return any(&Step::retrieves) ? std::optional(ActionKind::readMailbox) : std::nullopt;
}

double MailPlan::recipientsPerMessage(const Mix& mix) const
{
    // Open pacing plays each script as often as its share says; with closed pacing that depends on the server.
    const bool open = workload.pacing == Pacing::open;
    double messages = 0, recipients = 0;
    for (const MixScript& script : scriptsOf(workload, mix)) {
        const Sending sending = sentBy(workload, script);
        if (sending.messages == 0)
            continue;
        const auto count = static_cast<double>(sending.messages),
                   copies = static_cast<double>(sending.recipients);
        if (!open && messages > 0 && copies * messages != recipients * count)
            return 0;
        messages += script.share * count;
        recipients += script.share * copies;
    }
    return messages > 0 ? recipients / messages : 0;
}

std::vector<MixScript> scriptsOf(const Workload& workload, const Mix& mix)
{
    if (!mix.scripts.empty())
        return mix.scripts;
    MixScript all;
    all.count = static_cast<std::uint16_t>(workload.steps.size());
    all.threads = mix.threadsPerClient;
    all.pop3 = std::any_of(workload.steps.begin(), workload.steps.end(), usesPop3);
    all.think = { mix.thinkTime, mix.thinkShape };
    all.request = mix.request;
    return { all };
}

std::string describeScripts(const Workload& workload, const Mix& mix)
{
    std::uint64_t shares = 0;
    for (const MixScript& script : mix.scripts)
        shares += script.share;
    std::string text;
    for (const MixScript& script : mix.scripts) {
        text += (text.empty() ? "" : ", ") + script.name;
        if (mix.scripts.size() == 1)
            continue;
        text += workload.pacing == Pacing::open
            ? fmt::format(" ({} of iterations)",
                formatPercent(static_cast<double>(script.share) / static_cast<double>(shares), 3))
            : fmt::format(" ({} of {} threads)", script.threads, mix.threadsPerClient);
    }
    return text;
}

std::string describePause(const Pause& pause)
{
    if (pause.mean <= Nanoseconds(0))
        return "none";
    std::string text = formatDuration(pause.mean);
    if (!pause.varies())
        return text;
    const PauseShape& shape = pause.shape;
    text += shape.kind == PauseShape::Kind::uniform ? ", uniform" : ", exponential";
    if (shape.most > Nanoseconds(0))
        return text + fmt::format(" from {} to {}", formatDuration(shape.least), formatDuration(shape.most));
    return shape.least > Nanoseconds(0) ? text + " from " + formatDuration(shape.least) : text;
}

bool playsStep(const Workload& workload, const Mix& mix, std::size_t step)
{
    const std::vector<MixScript> scripts = scriptsOf(workload, mix);
    return std::any_of(
        scripts.begin(), scripts.end(), [step](const MixScript& script) { return script.plays(step); });
}

Nanoseconds thinkTimeOf(const Workload& workload, const MixScript& script)
{
    std::uint64_t requests = 0;
    for (std::size_t i = 0; i < script.count; ++i)
        requests += workload.steps[script.first + i].leastRequests();
    constexpr double kLongest = 1e18; // ns: thirty years, and enough room above it
    const double pauses = static_cast<double>(requests == 0 ? 0 : requests - 1)
        * static_cast<double>(script.request.mean.count());
    return script.think.mean + Nanoseconds(static_cast<std::int64_t>(std::min(pauses, kLongest)));
}

Nanoseconds leastCycle(const Workload& workload, const MixScript& script)
{
    Nanoseconds cycle = thinkTimeOf(workload, script);
    for (std::size_t i = 0; i < script.count; ++i)
        cycle += workload.steps[script.first + i].hold;
    return cycle;
}

std::vector<std::uint32_t> dividedByShares(std::uint32_t whole, const std::vector<std::uint32_t>& shares)
{
    const std::uint64_t sum = std::accumulate(shares.begin(), shares.end(), std::uint64_t { 0 });
    std::vector<std::uint32_t> pieces(shares.size());
    if (sum == 0)
        return pieces;
    std::vector<std::size_t> order(shares.size());
    std::vector<std::uint64_t> remainders(shares.size());
    std::uint32_t left = whole;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const std::uint64_t product = std::uint64_t { whole } * shares[i];
        pieces[i] = static_cast<std::uint32_t>(product / sum);
        remainders[i] = product % sum;
        left -= pieces[i];
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    for (std::size_t i = 0; i < left; ++i)
        ++pieces[order[i]];
    return pieces;
}

} // namespace loadstone::plan
