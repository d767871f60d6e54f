// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden/made_up_run.h"
#include "mail/users/mail_series.h"
#include "plan/model/plan.h"
#include "storage/raw/raw_series.h"
#include "storage/test/storage_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace loadstone::test {

namespace {

using namespace std::chrono_literals;
using enum PhaseKind;

const std::string kMailPlan = R"(format = 1
kind = "mail"
title = "Made up: mail"
seed = 7
final_window = "10 s"

[target]
domain = "load.test"
user = "u{n}"
password = "***"
smtp = { host = "127.0.0.1", port = 2525, auth = "none" }
pop3 = { host = "127.0.0.1", port = 2110, auth = "user/pass" }

[workload]
pacing = "closed"
[[workload.steps]]
action = "empty mailbox"
[[workload.steps]]
action = "send message"
size = "10 KB"
recipients = 3

[mix]
threads_per_client = 2
mailboxes_per_client = 28
think_time = "22 s"
ramp_up = "4 s"
measurement = "30 s"
ramp_down = "3 s"
quiet_time = "2 s"
[[mixes]]
name = "140 users"
clients = 5
[[mixes]]
name = "280 users"
clients = 10

[criteria]
percentile = 90
response_time = "100 ms"
error_rate = "10 %"
queue_growth = 50
audit = true
processor = { least = "10 %", most = "20 %" }
counters = [{ counter = '\Memory\Available MBytes', least = 100 }]
)";

const std::string kTargetsPlan = R"(format = 1
kind = "mail"
title = "Made up: several targets"
seed = 7
final_window = "10 s"

[target]
domain = "load.test"
user = "u{n}"
password = "***"
[[targets]]
name = "East"
share = 2
smtp = { host = "127.0.0.1", port = 2525 }
imap = { host = "127.0.0.1", port = 2143 }
[[targets]]
name = "West"
smtp = { host = "127.0.0.2", port = 2525 }
imap = { host = "127.0.0.2", port = 2143 }

[workload]
pacing = "users"
profile = "reader"
day = "10 min"
initialise = true

[[mixes]]
name = "90 users"
users = 90
ramp_up = "5 s"
measurement = "40 s"
ramp_down = "5 s"

[criteria]
score = "100 ms"
actions = { send = "120 ms", read = "40 ms" }
audit = true

[[profiles]]
name = "reader"
text = '''
format = 1
kind = "profile"
title = "Reader"
day = "1 h"
client = "online"
arrivals = "even"
pause = "1 s"
[per_day]
send = 6
check_inbox = 12
browse = 4
[per_read]
reply = "25 %"
delete = "50 %"
[recipients]
per_message = 3
[initial]
inbox = 5
folders = 2
messages_per_folder = 10
[[messages]]
size = "10 KB"
[score]
read = 10
send = 1
reply = 1
delete = 2
submit = 1
[published]
sent = 9
received = 27
source = "made up"
'''
)";

const std::string kRawPlan = R"(format = 1
kind = "raw"
title = "Made up: raw"
seed = 7

[device]
path = "/data/loadstone-raw.dat"
size = "1 GB"
durability = "flushed"
[io]
block = "8 KB"
pattern = "random"
[health]
max_steal = "1 %"

[mix]
ramp_up = "3 s"
measurement = "20 s"
[[mixes]]
name = "reads, depth 8"
depth = 8
[[mixes]]
name = "60/40, 20 a second"
depth = 32
read_share = "60 %"
rate = "20/s"
[[mixes]]
name = "60/40, depth 32"
depth = 32
read_share = "60 %"
)";

const std::string kStoragePlan = R"(format = 1
kind = "storage"
title = "Made up: storage"
seed = 7
preset = "exchange-2007"

[database]
cache_minimum = "64 MB"
cache_maximum = "64 MB"
[load]
pacing = "threads"
threads = 8
target_iops = 320
[maintenance]
enabled = true
[[groups]]
name = "one"
databases = ["/data1", "/data2"]
log = "/log1"
database_size = "1 GB"
[[groups]]
name = "two"
databases = ["/data3"]
log = "/log2"
database_size = "1 GB"

[[tests]]
kind = "performance"
duration = "60 s"
[[tests]]
kind = "performance"
name = "Lenient"
duration = "45 s"
limits = "lenient"
[[tests]]
kind = "backup"
[[tests]]
kind = "recovery"
logs = 100
[[tests]]
kind = "checksum"
)";

plan::Plan planOf(const MadeUpRun& run)
{
    const auto loaded = plan::parsePlan(run.plan, run.name + ".toml");
    for (const Problem& problem : loaded.problems)
        if (problem.severity == ProblemSeverity::error)
            throw std::runtime_error(
                fmt::format("{}.toml:{}: {}: {}", run.name, problem.line, problem.field, problem.message));
    return loaded.plan;
}

/// Of what makes the load and of its machine, behind what is measured of the load. `threads`: what each makes the load for.
void addOfMachine(MadeUpRun& run, const std::vector<Subject>& threads)
{
    using enum Quantity;
    run.counters.push_back(counterOf(longestRunQueueWait));
    for (const Subject& thread : threads)
        run.counters.push_back(counterOf({ runQueueWait, thread }));
    for (const Quantity quantity : { throttledTime, processorTime, userTime, privilegedTime, stealTime,
             contextSwitches, processorQueue, availableMemory })
        run.counters.push_back(counterOf(quantity));
    for (const Quantity quantity : { diskTransfers, diskSecondsPerRead, diskSecondsPerWrite })
        run.counters.push_back(counterOf({ quantity, Subject::ofDevice("vda") }));
    run.counters.push_back(counterOf({ networkBytes, Subject::ofDevice("eth0") }));
    run.counters.push_back(counterOf({ processProcessorTime, Subject::ofProcess("loadstone") }));
    for (const Quantity quantity : { controlLag, storeOverruns, storeLag })
        run.counters.push_back(counterOf(quantity));
}

template <class Info>
SeriesKey ofTarget(const Info& info, const std::string& target)
{
    SeriesKey key = info.key;
    key.subject.target = target;
    return key;
}

/// The series of all targets together, and behind them each target's own.
void addSeveralTargets(MadeUpRun& run, const plan::MailPlan& plan)
{
    const auto parts = plan::partsOf(plan);
    const mail::MailSeries together(plan, RunPurpose::run, static_cast<unsigned>(parts.size()));
    run.counters = together.list().counters();
    run.histograms = together.list().histograms();
    const auto placeOf = [](const auto& all, const SeriesKey& key) {
        return static_cast<std::size_t>(
            std::ranges::find_if(all, [&](const auto& info) { return info.key == key; }) - all.begin());
    };
    for (const plan::MailPlan& part : parts) {
        const mail::MailSeries own(part, RunPurpose::run, 1);
        for (const CounterInfo& info : own.list().counters()) {
            if (info.object == "Loadstone Generator")
                continue;
            run.counterParts[placeOf(run.counters, info.key)].push_back(run.counters.size());
            run.counters.push_back(counterOf(ofTarget(info, part.targetName)));
        }
        for (const HistogramInfo& info : own.list().histograms()) {
            run.histogramParts[placeOf(run.histograms, info.key)].push_back(run.histograms.size());
            run.histograms.push_back(histogramOf(ofTarget(info, part.targetName), info.scope));
        }
    }
}

} // namespace

MadeUpRun mailRun()
{
    MadeUpRun run;
    run.name = "mail";
    run.id = RunId::parse("20261121-140301-0001").value();
    run.plan = kMailPlan;
    const plan::Plan plan = planOf(run);
    const mail::MailSeries series(*plan.mail(), RunPurpose::run, 2);
    run.counters = series.list().counters();
    run.histograms = series.list().histograms();
    addOfMachine(run, { Subject::ofWorker(0), Subject::ofWorker(1) });
    run.facts.finalWindow = 10s;
    run.facts.mixes = { { "140 users", 140, 10, 3, 30s }, { "280 users", 280, 20, 3, 30s } };
    run.stages = { { 0, rampUp, 4, 1 }, { 0, measurement, 30, 2 }, { 0, rampDown, 3, 1 }, { 0, quiet, 2, 0 },
        { 1, rampUp, 4, 2 }, { 1, measurement, 30, 4 }, { 1, rampDown, 3, 2 }, { -1, drain, 5, 0 } };
    run.errors = { { "SMTP RCPT", FailureKind::transientReply, 450, 2, "4.3.2 try again" },
        { "Empty mailbox", FailureKind::timeout, 0, 1, "" },
        { "POP3 PASS", FailureKind::errReply, 0, 1, "[IN-USE] locked" },
        { "Send message", FailureKind::connectionLost, 104, 1, "Connection reset by peer" } };
    run.events = { { 50s, Severity::warning, "SMTP RCPT: 450 4.3.2 try again" } };
    run.transcripts = { { 45s, 4, "SMTP RCPT", FailureKind::transientReply,
        "C: RCPT TO:<u1@load.test>\r\nS: 450 4.3.2 try again\r\n" } };
    run.end.audited = true;
    run.end.audit = { 1100, 3300, 3290, 3, 2, 1, 1, 3, 4 };
    run.end.exceptions = { { AuditFinding::lost, "a1b2c3", "u17", 5s, "accepted with \"250 2.0.0 <ok>\"" },
        { AuditFinding::late, "a1b2c4", "u18", 6s, "delivered after 71 s, limit 60 s" },
        { AuditFinding::twice, "a1b2c5", "u19", 7s, "retrieved again 4.2 s later" },
        { AuditFinding::unknown, "", "u20", 0s, "no message of this run" } };
    return run;
}

MadeUpRun severalTargetsRun()
{
    MadeUpRun run;
    run.name = "several-targets";
    run.id = RunId::parse("20261121-140302-0002").value();
    run.plan = kTargetsPlan;
    const plan::Plan plan = planOf(run);
    addSeveralTargets(run, *plan.mail());
    addOfMachine(run, { Subject::ofWorker(0), Subject::ofWorker(1) });
    run.facts.finalWindow = 10s;
    run.facts.mixes = { { "90 users", 90, 0, 0, 40s } };
    run.facts.targets = { { "East", { { "90 users", 60, 0, 0, 40s } } },
        { "West", { { "90 users", 30, 0, 0, 40s } } } };
    run.stages = { { -1, initialisation, 6, 2 }, { 0, rampUp, 5, 2 }, { 0, measurement, 40, 4 },
        { 0, rampDown, 5, 2 }, { -1, drain, 4, 0 } };
    run.errors = { { "East: IMAP SELECT", FailureKind::noReply, 0, 1, "NO not now" },
        { "West: Read message", FailureKind::authentication, 535, 1, "5.7.8 no" },
        { "West: Send message", FailureKind::permanentReply, 550, 2, "5.1.1 unknown" } };
    run.events = { { 20s, Severity::error, "West: 2 mailboxes are given up" } };
    run.transcripts = { { 30s, 2, "West: Read message", FailureKind::authentication, "S: * OK\r\n" } };
    run.end.audited = true;
    run.end.audit = { 900, 2700, 2690, 2, 1, 0, 0, 7, 0 };
    run.end.targetAudits = { { 600, 1800, 1795, 2, 1, 0, 0, 2, 0 }, { 300, 900, 895, 0, 0, 0, 0, 5, 0 } };
    run.end.exceptions = { { AuditFinding::late, "a1b2c3", "East: u1", 30s,
                               "delivered after 71 s, limit 60 s" },
        { AuditFinding::wrong, "a1b2c4", "West: u2", 40s, "EXISTS says 4 of 5 messages" } };
    return run;
}

MadeUpRun rawRun()
{
    MadeUpRun run;
    run.name = "raw";
    run.id = RunId::parse("20261121-140303-0003").value();
    run.kind = RunKind::raw;
    run.plan = kRawPlan;
    const plan::Plan plan = planOf(run);
    const storage::RawSeries series(plan.raw()->test, "vda", 2);
    run.counters = series.list().counters();
    run.histograms = series.list().histograms();
    addOfMachine(run, { Subject::ofWorker(0), Subject::ofWorker(1) });
    run.facts.mixes = { { "reads, depth 8", 0, 2, 0, 20s }, { "60/40, 20 a second", 0, 2, 0, 20s },
        { "60/40, depth 32", 0, 2, 0, 20s } };
    run.stages = { { 0, rampUp, 3, 2 }, { 0, measurement, 20, 2 }, { 1, rampUp, 3, 4 },
        { 1, measurement, 20, 4 }, { 2, rampUp, 3, 4 }, { 2, measurement, 8, 4 } };
    run.errors = { { "vda: Database read", FailureKind::system, 5, 1, "Input/output error" } };
    run.events = { { 57s, Severity::warning, "stopped by the user before the plan's end" } };
    run.end.state = RunState::stopped;
    run.end.reason = "stopped by the user";
    return run;
}

MadeUpRun storageRun()
{
    MadeUpRun run;
    run.name = "storage";
    run.id = RunId::parse("20261121-140304-0004").value();
    run.kind = RunKind::storage;
    run.plan = kStoragePlan;
    const plan::Plan plan = planOf(run);
    const storage::StorageSeries series(plan.storage()->test, { "vda", "vdb" });
    run.counters = series.list().counters();
    run.histograms = series.list().histograms();
    addOfMachine(run, { Subject::ofGroup("one"), Subject::ofGroup("two") });
    run.facts.mixes = { { "Performance", 0, 16, 0, 60s }, { "Lenient", 0, 16, 0, 45s },
        { "Streaming backup" }, { "Soft recovery" }, { "Checksum" } };
    run.stages = { { -1, initialisation, 4, 1 }, { 0, rampUp, 10, 2 }, { 0, measurement, 60, 4 },
        { 0, rampDown, 3, 1 }, { 1, rampUp, 5, 2 }, { 1, measurement, 45, 3 }, { 1, rampDown, 3, 1 },
        { 2, measurement, 6, 2 }, { 3, rampUp, 3, 2 }, { 3, measurement, 5, 2 },
        { 4, measurement, 8, 2, true } };
    run.errors = { { "vdb: Log write", FailureKind::system, 28, 1, "No space left on device" } };
    run.events = { { 14s, Severity::info, "the cache is filled to 90 %" },
        { 150s, Severity::error, "/data1/one-1: page 17 has a wrong checksum" } };
    return run;
}

} // namespace loadstone::test
