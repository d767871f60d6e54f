// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_fixture.h"

#include "support/catch.h"

#include <loadstone/counters.h>

#include <fmt/format.h>

#include <fstream>

namespace loadstone::test {

std::unique_ptr<Run> RunFixture::start(const PlanText& text, unsigned workers)
{
    const auto plan = folder.path() / "plan.toml";
    std::ofstream(plan) << fmt::format(R"(format = 1
kind = "mail"
title = "Test"
seed = 7
drain = "{}"
delivery_limit = "{}"
[target]
user = "u{{n}}"
password = "secret"
{}
[workload]
pacing = "closed"
{}
{}
[mix]
mailboxes_per_client = 10
think_time = "10 ms"
ramp_up = "500 ms"
measurement = "{}"
ramp_down = "200 ms"
{}
)",
        text.drain, text.deliveryLimit, text.target, text.retries, text.steps, text.measurement, text.mixes);
    RunOptions options;
    options.plan = plan;
    options.historyFolder = folder.path() / "history";
    options.workers = workers;
    options.targetProgram = kProgram;
    options.agreed = agreementsOf(plan).value(); // the test has written its commands itself
    auto started = Run::start(options);
    INFO((started ? std::string() : started.error().message));
    REQUIRE(started);
    return std::move(*started);
}

std::string transcriptsOf(const Recording& recording)
{
    std::string all;
    for (const Transcript& transcript : recording.transcripts().value())
        all += fmt::format("{} s, phase {}, {} ({}):\n{}\n", seconds(transcript.at), transcript.phase,
            transcript.where, toString(transcript.kind), transcript.text);
    return all;
}

bool addUp(const AuditTotals& t)
{
    return t.expected == t.deliveredOnce + t.late + t.twice + t.damaged + t.lost + t.outstanding;
}

} // namespace loadstone::test
