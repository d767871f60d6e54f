// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/service_time.h"
#include "mail/rehearse/virtual_run.h"
#include "plan/model/plan.h"
#include "session/unusable_plan.h"

#include <loadstone/rehearsal.h>
#include <loadstone/run.h>

#include <algorithm>
#include <cmath>

namespace loadstone {

using session::unusablePlan;

namespace {

constexpr double kSurelyWithin = 1.96; // 95 % of a normal distribution

/// What the phase has per user-day, beside what a source prints.
struct DailyFigure {
    const char* what;
    std::optional<double> plan::PublishedFigures::*stated;
    double (*of)(const RehearsedPhase&);
    double RehearsedErrors::*error;
};

template <std::uint64_t RehearsedPhase::*member>
double perUserDay(const RehearsedPhase& phase)
{
    return static_cast<double>(phase.*member) / phase.userDays;
}

double recipientsPerMessage(const RehearsedPhase& phase)
{
    return phase.sent == 0 ? 0 : static_cast<double>(phase.recipients) / static_cast<double>(phase.sent);
}

constexpr DailyFigure kFigures[] {
    { "Messages sent", &plan::PublishedFigures::sent, perUserDay<&RehearsedPhase::sent>,
        &RehearsedErrors::sent },
    { "Messages received", &plan::PublishedFigures::received, perUserDay<&RehearsedPhase::received>,
        &RehearsedErrors::received },
    { "Messages read", &plan::PublishedFigures::read, perUserDay<&RehearsedPhase::reads>,
        &RehearsedErrors::reads },
    { "Messages deleted", &plan::PublishedFigures::deleted, perUserDay<&RehearsedPhase::deleted>,
        &RehearsedErrors::deleted },
    { "Messages moved", &plan::PublishedFigures::moved, perUserDay<&RehearsedPhase::moved>,
        &RehearsedErrors::moved },
    { "Recipients per message", &plan::PublishedFigures::recipients, recipientsPerMessage,
        &RehearsedErrors::recipients },
};

/// Cold start: the first phase of the first mix. Steady: the measurement of the last mix that has a warm-up before it.
void compare(const plan::Profile& profile, Rehearsal& rehearsal)
{
    const auto& phases = rehearsal.phases;
    const RehearsedPhase* steady = nullptr;
    for (std::size_t i = 1; i < phases.size(); ++i)
        if (phases[i].kind == PhaseKind::measurement && phases[i - 1].kind == PhaseKind::rampUp
            && phases[i - 1].mix == phases[i].mix)
            steady = &phases[i];
    for (const DailyFigure& figure : kFigures) {
        PublishedComparison row;
        row.what = figure.what;
        row.published = profile.published.*figure.stated;
        row.achieved = profile.achieved.*figure.stated;
        const auto tell = [&](const RehearsedPhase& phase, auto& value, auto& error) {
            value = figure.of(phase);
            if (phase.errors)
                error = (*phase.errors).*figure.error;
        };
        if (!phases.empty())
            tell(phases.front(), row.cold, row.coldError);
        if (steady != nullptr)
            tell(*steady, row.steady, row.steadyError);
        if (row.published && row.steadyError)
            row.withinError = std::abs(*row.steady - *row.published) <= kSurelyWithin * *row.steadyError;
        rehearsal.comparison.push_back(std::move(row));
    }
}

void describeProfile(const plan::Workload& workload, Rehearsal& rehearsal)
{
    const plan::Profile& profile = *workload.profile;
    rehearsal.profile = profile.title;
    rehearsal.sources = profile.sources;
    rehearsal.publishedSource = profile.published.source;
    rehearsal.achievedSource = profile.achieved.source;
    for (const plan::ActionKind kind : plan::kAllActions)
        if (workload.leavesOut(kind))
            rehearsal.leftOut.emplace_back(plan::toString(kind));
    compare(profile, rehearsal);
}

/// Closed pacing goes on as fast as it is answered.
bool timePasses(const plan::MailPlan& plan)
{
    if (plan.workload.pacing != plan::Pacing::closed
        || ServiceTime::parse(plan.rehearsal.serviceTime).value().meanNs > 0)
        return true;
    const auto holds = [](const plan::Step& step) { return step.hold > Nanoseconds(0); };
    const auto thinks = [&](const plan::Mix& mix) {
        const std::vector<plan::MixScript> scripts = plan::scriptsOf(plan.workload, mix);
        return std::all_of(scripts.begin(), scripts.end(), [&](const plan::MixScript& script) {
            return plan::thinkTimeOf(plan.workload, script) > Nanoseconds(0);
        });
    };
    return std::any_of(plan.workload.steps.begin(), plan.workload.steps.end(), holds)
        || std::all_of(plan.mixes.begin(), plan.mixes.end(), thinks);
}

Result<Rehearsal> rehearseOne(
    const plan::MailPlan& plan, unsigned workers, const std::function<bool(double)>& told)
{
    if (!timePasses(plan))
        return unusablePlan(
            fail("no time passes in this rehearsal: its threads neither think nor wait for the server; write "
                 "think_time, or a service_time below [rehearsal]"));
    Rehearsal rehearsal;
    rehearsal.title = plan.title;
    rehearsal.target = plan.targetName;
    rehearsal.day = plan.workload.day;
    Nanoseconds done {};
    const Nanoseconds all = plan.length();
    for (const plan::Mix& mix : plan.mixes) {
        std::function<bool(double)> progress;
        if (told)
            progress = [&](double share) {
                return told((seconds(done) + share * seconds(mix.total())) / seconds(all));
            };
        mail::VirtualRun run(plan, mix, workers, std::move(progress));
        if (!run.run())
            return fail(
                "the rehearsal was cancelled", make_error_code(boost::system::errc::operation_canceled));
        for (RehearsedPhase phase : run.phases()) {
            phase.begin += done;
            phase.workloads = plan::describeScripts(plan.workload, mix);
            rehearsal.phases.push_back(std::move(phase));
        }
        const auto first = [&](std::optional<Nanoseconds>& to, std::optional<Nanoseconds> at) {
            if (at && !to)
                to = *at + done;
        };
        first(rehearsal.queueStays, run.queueStays());
        first(rehearsal.queueFails, run.queueFails());
        rehearsal.intentDigest += run.intentDigest();
        rehearsal.messageDigest += run.messageDigest();
        done += mix.total() + mix.quietTime;
    }
    if (plan.workload.profile)
        describeProfile(plan.workload, rehearsal);
    return rehearsal;
}

/// Standard errors of independent populations, each weighed with its part.
double joined(double a, double partOfA, double b, double partOfB)
{
    const double whole = partOfA + partOfB;
    return whole > 0 ? std::hypot(a * partOfA, b * partOfB) / whole : 0;
}

void addErrors(RehearsedPhase& to, const RehearsedPhase& from)
{
    if (!to.errors || !from.errors) {
        to.errors.reset();
        return;
    }
    for (auto error : { &RehearsedErrors::sent, &RehearsedErrors::received, &RehearsedErrors::reads,
             &RehearsedErrors::deleted, &RehearsedErrors::moved })
        (*to.errors).*error = joined((*to.errors).*error, to.userDays, (*from.errors).*error, from.userDays);
    to.errors->recipients = joined(to.errors->recipients, static_cast<double>(to.sent),
        from.errors->recipients, static_cast<double>(from.sent));
}

void addPhase(RehearsedPhase& to, const RehearsedPhase& from)
{
    addErrors(to, from);
    const auto find = [](const RehearsedPhase& phase, ActionKind kind) {
        return std::ranges::find(phase.actions, kind, &RehearsedAction::kind);
    };
    for (const RehearsedAction& action :
        from.actions) // what this one's users do not do has no chance to vary
        if (find(to, action.kind) == to.actions.end())
            to.actions.push_back({ action.kind, 0, 0.0 });
    for (RehearsedAction& action : to.actions) {
        const auto other = find(from, action.kind);
        const RehearsedAction none { action.kind, 0, 0.0 };
        const RehearsedAction& added = other == from.actions.end() ? none : *other;
        action.count += added.count;
        action.error = action.error && added.error
            ? std::optional(joined(*action.error, to.userDays, *added.error, from.userDays))
            : std::nullopt;
    }
    for (auto total : { &RehearsedPhase::users, &RehearsedPhase::logons, &RehearsedPhase::connections,
             &RehearsedPhase::sent, &RehearsedPhase::recipients, &RehearsedPhase::received,
             &RehearsedPhase::firstReads, &RehearsedPhase::reads, &RehearsedPhase::deleted,
             &RehearsedPhase::moved, &RehearsedPhase::bytesSent, &RehearsedPhase::bytesRead,
             &RehearsedPhase::peakActions, &RehearsedPhase::peakSent, &RehearsedPhase::peakRecipients,
             &RehearsedPhase::queueBegin, &RehearsedPhase::queueEnd, &RehearsedPhase::queueMost })
        to.*total += from.*total;
    for (const RehearsedCommand& command : from.commands)
        if (const auto same = std::ranges::find(to.commands, command.name, &RehearsedCommand::name);
            same != to.commands.end())
            same->count += command.count;
        else
            to.commands.push_back(command);
    to.userDays += from.userDays;
    to.queueSlope += from.queueSlope;
}

/// What several targets come to together.
Rehearsal together(const plan::MailPlan& plan, std::vector<Rehearsal> targets)
{
    Rehearsal all = targets.front();
    all.target.clear();
    all.comparison.clear();
    const auto earlier = [](std::optional<Nanoseconds>& to, std::optional<Nanoseconds> at) {
        if (at && (!to || *at < *to))
            to = at;
    };
    bool oneProfile = true;
    for (std::size_t i = 1; i < targets.size(); ++i) {
        const Rehearsal& one = targets[i];
        for (std::size_t phase = 0; phase < all.phases.size(); ++phase) // each lives through the same phases
            addPhase(all.phases[phase], one.phases[phase]);
        for (const std::string& action : one.leftOut)
            if (std::find(all.leftOut.begin(), all.leftOut.end(), action) == all.leftOut.end())
                all.leftOut.push_back(action);
        earlier(all.queueStays, one.queueStays);
        earlier(all.queueFails, one.queueFails);
        all.intentDigest += one.intentDigest;
        all.messageDigest += one.messageDigest;
        oneProfile = oneProfile && plan.parts[i].workload.profile == plan.parts[0].workload.profile;
    }
    if (!oneProfile) { // nothing is published of such a mixture; what is of its parts stands with them
        all.publishedSource.clear();
        all.achievedSource.clear();
        for (const Rehearsal& one : targets)
            if (all.profile.find(one.profile) == std::string::npos)
                all.profile += "; " + one.profile;
    } else if (plan.workload.profile)
        compare(*plan.workload.profile, all);
    all.targets = std::move(targets);
    return all;
}

} // namespace

Result<Rehearsal> rehearse(const RehearsalOptions& options)
{
    auto loaded = plan::loadPlan(options.plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, options.plan.name());
    plan::MailPlan* const mail = loaded->plan.mail();
    if (mail == nullptr)
        return unusablePlan(
            fail("a test of storage cannot be rehearsed: no model says how fast a device is"));
    plan::MailPlan& plan = *mail;
    if (options.seed)
        plan.seed = *options.seed;
    const std::vector<plan::MailPlan> parts = plan::partsOf(plan);
    std::vector<Rehearsal> rehearsals;
    for (const plan::MailPlan& part : parts) {
        std::function<bool(double)> progress;
        if (options.progress)
            progress = [&](double share) {
                return options.progress(
                    (static_cast<double>(rehearsals.size()) + share) / static_cast<double>(parts.size()));
            };
        auto one = rehearseOne(part, std::max(1U, options.workers), progress);
        if (!one)
            return one.error();
        rehearsals.push_back(*std::move(one));
    }
    return rehearsals.size() == 1 ? std::move(rehearsals.front()) : together(plan, std::move(rehearsals));
}

} // namespace loadstone
