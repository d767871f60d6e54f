// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight_probe.h"
#include "session/setup.h"
#include "session/unusable_plan.h"

#include <loadstone/preflight.h>

#include <algorithm>

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
    if (loaded->plan.target.embedded.present)
        return result;
    mail::MailSetup setup;
    setup.plan = std::move(loaded->plan);
    auto password = options.password ? Result<std::string>(*options.password)
                                     : plan::readPassword(setup.plan.target.password);
    if (!password)
        return session::unusablePlan(password.error());
    setup.password = *std::move(password);
    setup.workers = 1;
    setup.maxSessions = session::sessionLimit(setup.plan.workload);
    if (const auto placed = session::placeEndpoints(setup, nullptr); !placed)
        return session::unusablePlan(placed.error());
    if (const auto finished = setup.finish(); !finished)
        return session::unusablePlan(finished.error());
    bool givenUp = false;
    mail::ProbeOptions probe;
    probe.limits = options.limits;
    probe.mostConnections = options.mostConnections;
    probe.progress = [&](const std::string& doing) {
        givenUp = givenUp || (options.progress && !options.progress(doing));
        return !givenUp;
    };
    result.findings = mail::probeServers(setup, probe);
    if (givenUp)
        return fail("given up", make_error_code(boost::system::errc::operation_canceled));
    return result;
}

} // namespace loadstone
