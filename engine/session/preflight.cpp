// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/preflight/preflight_probe.h"
#include "session/counter_sources.h"
#include "session/load.h"
#include "session/setup.h"
#include "session/unusable_plan.h"

#include <loadstone/history.h>
#include <loadstone/preflight.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <stop_token>
#include <unistd.h>

namespace loadstone {

bool Preflight::passed() const
{
    return std::none_of(findings.begin(), findings.end(),
        [](const PreflightFinding& finding) { return finding.severity == Severity::error; });
}

namespace {

Error givenUpByUser()
{
    return fail("given up", make_error_code(boost::system::errc::operation_canceled));
}

/// `progress` is asked while they are: so somebody who gives up does not wait for their time limits.
Result<void> lookAtSources(const plan::PlanHead& plan, const PreflightOptions& options, Preflight& result)
{
    if (plan.counters.empty())
        return {};
    std::stop_source stop;
    auto found = std::async(
        std::launch::async, [&] { return session::sourceFindings(plan, options.agreed, stop.get_token()); });
    while (found.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
        if (options.progress && !options.progress("sources of counters"))
            stop.request_stop();
    auto findings = found.get();
    if (stop.stop_requested())
        return givenUpByUser();
    std::move(findings.begin(), findings.end(), std::back_inserter(result.findings));
    return {};
}

} // namespace

Result<Preflight> preflight(const PreflightOptions& options)
{
    auto loaded = plan::loadPlan(options.plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, options.plan.name());
    Preflight result;
    if (const auto looked = lookAtSources(loaded->plan.head(), options, result); !looked)
        return looked.error();
    const plan::MailPlan* mail = loaded->plan.mail();
    if (mail == nullptr) {
        const auto history = History::open(options.historyFolder);
        const std::filesystem::path folder = history ? history->folder() : std::filesystem::path();
        auto findings = loaded->plan.raw() != nullptr
            ? Result<std::vector<PreflightFinding>>(session::placeFindings(*loaded->plan.raw(), folder))
            : session::storageFindings(*loaded->plan.storage(), folder);
        if (!findings)
            return findings.error();
        std::move(findings->begin(), findings->end(), std::back_inserter(result.findings));
        return result;
    }
    bool givenUp = false;
    mail::ProbeOptions probe;
    probe.limits = options.limits;
    probe.mostConnections = options.mostConnections;
    probe.message = options.message;
    const std::vector<plan::MailPlan> parts = plan::partsOf(*mail);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const plan::MailPlan& part = parts[i];
        const std::string& name = part.targetName;
        if (part.target.embedded.present && !part.target.caldav.present && !part.target.carddav.present)
            continue;
        probe.progress = [&](const std::string& doing) {
            givenUp = givenUp || (options.progress && !options.progress(withTarget(name, doing)));
            return !givenUp;
        };
        mail::MailSetup setup;
        setup.plan = part;
        static_cast<void>(session::secretsOf(setup.plan, options.password)); // none in core dumps
        auto password = session::passwordOf(setup.plan, options.password);
        if (!password)
            return session::unusablePlan(session::withTarget(name, password.error()));
        setup.password = *std::move(password);
        setup.runKey = static_cast<std::uint32_t>(hashOf({ // no run's: no run takes the message for its own
            static_cast<std::uint64_t>(wallNow().time_since_epoch().count()),
            static_cast<std::uint64_t>(::getpid()), i }));
        setup.started = wallNow();
        setup.workers = 1;
        setup.maxSessions = session::oneOf(parts, i).of(session::sessionLimit(setup.plan.workload));
        if (const auto placed = session::placeEndpoints(setup, nullptr); !placed)
            return session::unusablePlan(session::withTarget(name, placed.error()));
        if (const auto finished = setup.finish(); !finished)
            return session::unusablePlan(session::withTarget(name, finished.error()));
        for (PreflightFinding& finding : mail::probeServers(setup, probe)) {
            finding.subject = withTarget(name, finding.subject);
            result.findings.push_back(std::move(finding));
        }
        if (givenUp)
            return givenUpByUser();
    }
    return result;
}

} // namespace loadstone
