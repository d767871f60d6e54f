// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "plan/model/steps.h"
#include "plan/read/read_plan.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadstone::plan {

namespace {

using namespace std::chrono_literals;

std::string mixField(std::size_t index, const char* key)
{
    return fmt::format("mixes[{}].{}", index, key);
}

/// What belongs to the days of simulated users, and to nothing else.
void checkUsers(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    Workload& workload = plan.workload;
    if (workload.pacing != Pacing::users) {
        const auto foreign = [&](bool is, const char* key) {
            if (is && !problems.touched(std::string("workload.") + key))
                problems.error(std::string("workload.") + key, "belongs to simulated users",
                    "remove it, or write pacing = \"users\"");
        };
        foreign(!workload.profileName.empty(), "profile");
        foreign(stated.day, "day");
        foreign(stated.logonOver, "logon_over");
        foreign(stated.oracle, "oracle");
        workload.oracle = 0;
        if (!stated.profile.empty())
            problems.error("profile", "belongs to simulated users", "remove it, or write pacing = \"users\"");
        return;
    }
    if (workload.profileName.empty() && !problems.touched("workload.profile"))
        problems.error("workload.profile", "is missing; it says what the users do",
            "write profile = \"medium-5.5\", or the name of a file beside the plan");
    if (!workload.steps.empty() && workload.scripts.empty())
        problems.error("workload.steps", "have no effect: the profile says what the users do",
            "remove them, or write pacing = \"open\" or \"closed\"");
    workload.calendars = plan.target.caldav.present;
    workload.contacts = plan.target.carddav.present;
    if (workload.profile && !stated.day)
        workload.day = workload.profile->day;
    for (const char* protocol : { "smtp", "imap" }) {
        const Endpoint& endpoint =
            protocol[0] == 's' ? static_cast<Endpoint&>(plan.target.smtp) : plan.target.imap;
        const std::string field = std::string("target.") + protocol;
        if (!endpoint.present && !problems.touchedItself("target") && !problems.touchedItself(field))
            problems.error(field,
                fmt::format(
                    "is missing; users need {}", protocol[0] == 's' ? "SMTP to send" : "IMAP to read"),
                fmt::format("add [{}] with host and port", field));
    }
}

void checkInitial(const MailPlan& plan, document::Problems& problems)
{
    const Workload& workload = plan.workload;
    if (!workload.initialise)
        return;
    if (!workload.initial && !problems.touched("workload.profile") && !problems.touched("profile"))
        problems.error("workload.initialise", "the plan does not say what the mailboxes should hold",
            "add [workload.initial] with inbox = 10, folders = 5, messages_per_folder = 20");
    if (!plan.target.imap.present && workload.pacing != Pacing::users && !problems.touchedItself("target")
        && !problems.touchedItself("target.imap"))
        problems.error("workload.initialise", "needs IMAP, and the plan names no IMAP server",
            "add [target.imap] with host and port");
}

/// Of the mixes that play a step and whose size is known.
const Mix* smallestMixOf(const MailPlan& plan, std::size_t step, const StatedValues& stated)
{
    const Mix* smallest = nullptr;
    for (std::size_t i = 0; i < plan.mixes.size(); ++i)
        if (stated.mixes[i].clients && stated.mixes[i].mailboxesPerClient
            && playsStep(plan.workload, plan.mixes[i], step)
            && (smallest == nullptr || plan.mixes[i].mailboxes() < smallest->mailboxes()))
            smallest = &plan.mixes[i];
    return smallest;
}

void checkSteps(const MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    if (plan.workload.pacing == Pacing::users)
        return;
    if (plan.workload.steps.empty()) {
        if (!problems.touched("workload.steps") && !problems.touchedItself("workload")
            && !problems.touched("workloads"))
            problems.error("workload.steps", "the workload does nothing",
                "add [[workload.steps]] with action = \"send message\" or \"empty mailbox\"");
        return;
    }
    for (std::size_t i = 0; i < plan.workload.steps.size(); ++i) {
        const Step& step = plan.workload.steps[i];
        const std::string field = stepField(plan.workload, i);
        if (problems.touched(field))
            continue;
        const Mix* const smallest = smallestMixOf(plan, i, stated);
        const bool smtp = usesSmtp(step);
        const bool imap = usesImap(step);
        const std::string table = smtp ? "target.smtp" : imap ? "target.imap" : "target.pop3";
        const bool unclear = problems.touchedItself("target") || problems.touchedItself(table);
        if (unclear)
            continue;
        const bool present = smtp ? plan.target.smtp.present
            : imap                ? plan.target.imap.present
                                  : plan.target.pop3.present;
        if (!present)
            problems.error(field,
                fmt::format("needs {} and the plan names no such server",
                    smtp       ? "SMTP"
                        : imap ? "IMAP"
                               : "POP3"),
                fmt::format("add [{}] with host and port", table));
        if (step.messages() > 0 && smallest != nullptr && step.recipients > smallest->mailboxes())
            problems.error(field + ".recipients",
                fmt::format("{} recipients, but the mix \"{}\" has {} mailboxes", step.recipients,
                    smallest->name, smallest->mailboxes()),
                fmt::format("write at most {}, or give the mix more mailboxes", smallest->mailboxes()));
    }
}

/// Some time that a mix takes is wrong by itself, in the mix or in the defaults.
bool timesTouched(std::size_t index, const document::Problems& problems)
{
    if (problems.touchedItself("mix"))
        return true;
    for (const char* key : { "ramp_up", "measurement", "total", "ramp_down" })
        if (problems.touched(mixField(index, key)) || problems.touched(std::string("mix.") + key))
            return true;
    return false;
}

/// Where the pacing has none.
void warnOfPauses(const MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    const bool pauses = std::any_of(stated.mixes.begin(), stated.mixes.end(),
        [](const MixValues& mix) { return mix.request.mean.value_or(0s) > 0s; });
    if (pauses)
        problems.warning("mix.request_pause", "has no effect: only closed pacing has pauses between requests",
            "remove it, or write pacing = \"closed\"");
    for (std::size_t i = 0; i < plan.workload.scripts.size() && plan.workload.pacing == Pacing::open; ++i)
        if (const Script& script = plan.workload.scripts[i]; script.think || script.request)
            problems.warning(
                fmt::format("workloads[{}].{}", i, script.think ? "think_time" : "request_pause"),
                "has no effect: only closed pacing has think time and pauses",
                "remove it, or write pacing = \"closed\"");
}

/// What fits the pacing and what does not.
void checkPacing(const MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    const Workload& workload = plan.workload;
    if (problems.touched("workload.pacing") || problems.touched("workload.rate"))
        return;
    if (workload.pacing == Pacing::users) {
        if (workload.iterationsPerSecond > 0)
            problems.error("workload.rate", "users follow their profile, not a rate",
                "remove it, or write pacing = \"open\"");
        if (workload.retry.attempts > 0)
            problems.error("workload.retry.attempts", "simulated users do not retry failed actions",
                "remove it, or write pacing = \"open\" or \"closed\"");
        warnOfPauses(plan, stated, problems);
        const auto ignored = [&](bool is, const char* field, const char* why) {
            if (is)
                problems.warning(field, why, "remove it");
        };
        ignored(stated.arrivals, "workload.arrivals", "has no effect here: the profile has its own arrivals");
        ignored(
            stated.maxSessions, "workload.max_sessions", "has no effect here: every user stays connected");
        if (workload.profile && workload.profile->reading.replyAllTo == ReplyAllTo::everyone)
            problems.warning("workload.profile",
                "its replies to all go to everyone only in rehearsals; in runs they go to the sender",
                "write reply_all_to = \"as many as a new message\" in the profile");
        ignored(stated.recipientChoice, "workload.recipient_choice",
            "has no effect here: the profile says to whom users write");
        for (std::size_t i = 0; i < plan.mixes.size(); ++i)
            if (workload.logonOver > plan.mixes[i].rampUp && !timesTouched(i, problems))
                problems.warning("workload.logon_over",
                    fmt::format("users still log on during the measurement of \"{}\": its ramp_up is {}",
                        document::shown(plan.mixes[i].name), formatDuration(plan.mixes[i].rampUp)),
                    "write at most the ramp_up");
        return;
    }
    if (workload.pacing == Pacing::open) {
        if (workload.iterationsPerSecond == 0)
            problems.error("workload.rate", "is missing; open pacing needs the rate of one mailbox",
                "write rate = \"1/h\", or pacing = \"closed\"");
        const bool think = std::any_of(stated.mixes.begin(), stated.mixes.end(),
            [](const MixValues& mix) { return mix.think.mean.value_or(0s) > 0s; });
        if (think)
            problems.warning(
                "mix.think_time", "open pacing has no think time", "remove it; the rate says how often");
        warnOfPauses(plan, stated, problems);
        return;
    }
    if (workload.iterationsPerSecond > 0)
        problems.error("workload.rate", "closed pacing follows threads and think time, not a rate",
            "remove it, or write pacing = \"open\"");
    if (stated.arrivals)
        problems.warning("workload.arrivals", "has no effect in closed pacing", "remove it");
    if (stated.maxSessions && workload.maxSessions > 0)
        problems.warning("workload.max_sessions",
            "has no effect in closed pacing: each thread has one session", "remove it");
}

/// Measurement from what is stated: itself, or the total less the ramps; both are compared.
void completeMeasurement(Mix& mix, const MixValues& values, std::size_t index, document::Problems& problems)
{
    const Nanoseconds ramps = mix.rampUp + mix.rampDown;
    const std::string totalField = mixField(index, "total");
    if (values.measurement) {
        mix.measurement = *values.measurement;
        const Nanoseconds sum = mix.total();
        if (values.total && sum != *values.total)
            problems.error(totalField,
                fmt::format(
                    "\"{}\" is not the sum of ramp_up {} + measurement {} + ramp_down {}, which is {}",
                    formatDuration(*values.total), formatDuration(mix.rampUp),
                    formatDuration(mix.measurement), formatDuration(mix.rampDown), formatDuration(sum)),
                fmt::format("write \"{}\", or state only one of total and measurement", formatDuration(sum)));
    } else if (values.total) {
        mix.measurement = *values.total - ramps;
        if (mix.measurement < 1s) {
            problems.error(totalField,
                fmt::format("\"{}\" leaves no time to measure after ramp_up {} and ramp_down {}",
                    formatDuration(*values.total), formatDuration(mix.rampUp), formatDuration(mix.rampDown)),
                fmt::format("write more than \"{}\", or shorten the ramps", formatDuration(ramps)));
            mix.measurement = 1s;
        }
    } else {
        problems.error(mixField(index, "measurement"), "is missing, and so is total",
            "write measurement = \"5 min\" (or total) here or in [mix]");
    }
}

/// Of a client, those that open mailboxes over POP3.
std::uint32_t pop3Threads(const MailPlan& plan, const Mix& mix)
{
    std::uint32_t threads = 0;
    for (const MixScript& script : scriptsOf(plan.workload, mix))
        threads += script.pop3 ? script.threads : 0;
    return threads;
}

void checkMixSize(
    const MailPlan& plan, const MixValues& values, std::size_t index, document::Problems& problems)
{
    const Mix& mix = plan.mixes[index];
    const bool closed = plan.workload.pacing == Pacing::closed;
    // A key that is stated but wrong was reported where it stands.
    const auto require = [&](bool stated, const char* key, const char* example) {
        if (!stated && !problems.touchedItself("mix") && !problems.touched(mixField(index, key))
            && !problems.touched(std::string("mix.") + key))
            problems.error(mixField(index, key), "is missing",
                fmt::format("write {} = {} here or in [mix]", key, example));
    };
    if (plan.workload.pacing == Pacing::users)
        require(values.users.has_value(), "users", "300");
    else {
        require(values.clients.has_value(), "clients", "20");
        require(values.mailboxesPerClient.has_value(), "mailboxes_per_client", "28");
    }
    if (closed)
        require(values.threadsPerClient.has_value(), "threads_per_client", "10");
    if (mix.mailboxes() > 100'000'000)
        problems.error(mixField(index, "mailboxes_per_client"),
            fmt::format("{} mailboxes in total are more than this program can number", mix.mailboxes()),
            "keep clients times mailboxes_per_client within 100000000");
    if (closed && mix.threads() > 1'000'000)
        problems.error(mixField(index, "threads_per_client"),
            fmt::format("{} threads in total are more than one generator can drive", mix.threads()),
            "keep clients times threads_per_client within 1000000");
    const std::uint32_t visiting = pop3Threads(plan, mix);
    if (closed && values.threadsPerClient && values.mailboxesPerClient && visiting > mix.mailboxesPerClient)
        problems.error(mixField(index, "threads_per_client"),
            fmt::format("{} threads share {} mailboxes, but only one session at a time can open a mailbox",
                visiting, mix.mailboxesPerClient),
            mix.scripts.size() > 1
                ? "write fewer, or more mailboxes_per_client"
                : fmt::format("write at most {}, or more mailboxes_per_client", mix.mailboxesPerClient));
}

void warnOfShortMeasurement(const MailPlan& plan, std::size_t index, document::Problems& problems)
{
    const Mix& mix = plan.mixes[index];
    const std::vector<MixScript> scripts = scriptsOf(plan.workload, mix);
    const std::uint32_t visiting = pop3Threads(plan, mix);
    double shares = 0, visits = 0; // the longest time from one visit of a mailbox to the next
    for (const MixScript& script : scripts)
        shares += script.share;
    for (const MixScript& script : scripts)
        if (!script.pop3)
            continue;
        else if (plan.workload.pacing == Pacing::closed)
            visits = std::max(visits,
                visiting == 0 ? 0
                              : static_cast<double>(mix.mailboxesPerClient) / visiting
                        * seconds(leastCycle(plan.workload, script)));
        else if (plan.workload.iterationsPerSecond > 0)
            visits = std::max(visits, shares / script.share / plan.workload.iterationsPerSecond);
    constexpr double kAbout = 1.01; // closer than that both are written alike
    if (visits > seconds(mix.measurement) * kAbout)
        problems.warning(mixField(index, "measurement"),
            fmt::format("each mailbox is visited about every {}, which is longer than the measurement of {}",
                formatClock(Nanoseconds(static_cast<std::int64_t>(std::min(visits, 1e9) * 1e9))),
                formatClock(mix.measurement)),
            "measure for at least one round, or the mailboxes never settle");
}

void checkMixes(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    if (plan.mixes.empty()) {
        if (!problems.touched("mixes"))
            problems.error("mixes", "the suite has no mix", "add [[mixes]] with clients = 20 and so on");
        return;
    }
    std::map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < plan.mixes.size(); ++i) {
        Mix& mix = plan.mixes[i];
        if (const auto [first, isNew] = names.emplace(mix.name, i); !isNew)
            problems.error(mixField(i, "name"),
                fmt::format(
                    "\"{}\" is the name of mixes[{}] as well", document::shown(mix.name), first->second),
                "give each mix another name");
        if (!timesTouched(i, problems))
            completeMeasurement(mix, stated.mixes[i], i, problems);
        checkMixSize(plan, stated.mixes[i], i, problems);
        if (timesTouched(i, problems))
            continue;
        if (plan.finalWindow > mix.measurement)
            problems.error("final_window",
                fmt::format("\"{}\" is longer than the measurement of the mix \"{}\", {}",
                    formatDuration(plan.finalWindow), mix.name, formatDuration(mix.measurement)),
                fmt::format("write at most \"{}\", or measure longer", formatDuration(mix.measurement)));
        warnOfShortMeasurement(plan, i, problems);
    }
}

void completeDrain(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    const bool audited =
        plan.workload.pacing == Pacing::users || (plan.readsMailboxes() && plan.recipientsPerIteration() > 0);
    if (!plan.readsMailboxes()) {
        if (stated.drain && plan.drain > 0s)
            problems.warning("drain", "no step reads mailboxes, so there is nothing to drain", "remove it");
        plan.drain = 0s;
        return;
    }
    constexpr Nanoseconds kVisits = 10s; // for the visits behind the limit, which prove what is lost
    if (!stated.drain && !plan.mixes.empty())
        plan.drain =
            std::max(plan.mixes.back().quietTime, audited ? plan.deliveryLimit + kVisits : Nanoseconds(0));
    else if (audited && plan.drain > 0s && plan.drain < plan.deliveryLimit)
        problems.warning("drain",
            fmt::format("\"{}\" is shorter than delivery_limit, \"{}\": a message that is missing at the end "
                        "counts as outstanding, never as lost",
                formatDuration(plan.drain), formatDuration(plan.deliveryLimit)),
            fmt::format("remove it, or write at least \"{}\": a drain ends as soon as nothing is outstanding",
                formatDuration(plan.deliveryLimit + kVisits)));
    if (audited && plan.drain == 0s && !problems.touched("mixes") && !problems.touched("mix"))
        problems.warning("drain",
            "without a drain, messages still on their way at the end count as outstanding",
            "write drain = \"60 s\" or a quiet_time");
}

} // namespace

void checkPlanValues(MailPlan& plan, const StatedValues& stated, document::Problems& problems)
{
    settleWorkloads(plan, stated, problems);
    if (!problems.touchedItself("target"))
        checkTarget(plan, stated, problems);
    checkMixes(plan, stated, problems);
    checkUsers(plan, stated, problems);
    checkInitial(plan, problems);
    checkSteps(plan, stated, problems);
    checkPacing(plan, stated, problems);
    completeDrain(plan, stated, problems);
    checkCriteria(plan, problems);
}

} // namespace loadstone::plan
