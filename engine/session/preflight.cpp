// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/preflight/preflight_probe.h"
#include "session/load.h"
#include "session/setup.h"
#include "session/unusable_plan.h"

#include <loadstone/history.h>
#include <loadstone/preflight.h>

#include <algorithm>
#include <unistd.h>

namespace loadstone {

bool Preflight::passed() const
{
    return std::none_of(findings.begin(), findings.end(),
        [](const PreflightFinding& finding) { return finding.severity == Severity::error; });
}

Result<Preflight> preflight(const PreflightOptions& options)
{
    auto loaded = plan::loadPlan(options.plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, options.plan);
    Preflight result;
    const plan::MailPlan* mail = loaded->plan.mail();
    if (mail == nullptr) {
        const auto history = History::open(options.historyFolder);
        const std::filesystem::path folder = history ? history->folder() : std::filesystem::path();
        auto findings = loaded->plan.raw() != nullptr
            ? Result<std::vector<PreflightFinding>>(session::placeFindings(*loaded->plan.raw(), folder))
            : session::storageFindings(*loaded->plan.storage(), folder);
        if (!findings)
            return findings.error();
        result.findings = *std::move(findings);
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
        setup.runKey = static_cast<std::uint32_t>(hashOf({ // no run's: nobody takes the message for its own
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
            return fail("given up", make_error_code(boost::system::errc::operation_canceled));
    }
    return result;
}

} // namespace loadstone
