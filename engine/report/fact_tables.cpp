// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/fact_tables.h"

#include "base/joined.h"
#include "history/recording_reader.h"
#include "lab/host_facts.h"
#include "plan/model/plan.h"
#include "report/cells.h"
#include "report/json_text.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::report {

namespace {

const std::vector<Column> kPairs { { "Parameter", kText }, { "Value", kText } };

/// The number of the only mix; of several in words, as the tables of mail suites have them: "20, 30, 40", or "3,600 for all mixes"
/// where all are the same.
template <class Value>
Cell acrossMixes(const plan::MailPlan& plan, const Value& value)
{
    if (plan.mixes.size() == 1)
        return value(plan.mixes.front());
    std::vector<std::string> texts;
    for (const plan::Mix& mix : plan.mixes)
        texts.push_back(value(mix).text());
    const bool same = std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end();
    if (same && texts.size() > 1)
        return texts.front() + " for all mixes";
    return joined(texts, ", ");
}

std::string endpointText(const plan::Endpoint& endpoint, const plan::EmbeddedTarget& embedded)
{
    if (!endpoint.present && !embedded.present)
        return "-";
    std::string text = embedded.present ? "embedded target" : plan::hostAndPort(endpoint);
    if (endpoint.tls != plan::TlsMode::none)
        text += endpoint.tls == plan::TlsMode::starttls ? ", STARTTLS" : ", TLS from the start";
    if (endpoint.tls != plan::TlsMode::none && !embedded.present)
        text += endpoint.verifies() ? ", certificate verified"
                                    : ", certificate not verified: nothing proves this server's identity";
    return text + (endpoint.pipelining ? ", pipelining" : "");
}

/// Of each script of the mix; of all together where they have the same.
Cell pauseCell(const plan::MailPlan& plan, const plan::Mix& mix, plan::Pause plan::MixScript::*which)
{
    const std::vector<plan::MixScript> scripts = plan::scriptsOf(plan.workload, mix);
    const plan::Pause& first = scripts.front().*which;
    const bool same =
        std::ranges::all_of(scripts, [&](const plan::MixScript& script) { return script.*which == first; });
    if (same && !first.varies())
        return durationCell(first.mean);
    if (same)
        return plan::describePause(first);
    std::string text;
    for (const plan::MixScript& script : scripts)
        text += fmt::format(
            "{}{}: {}", text.empty() ? "" : "; ", script.name, plan::describePause(script.*which));
    return text;
}

void addPacing(const plan::MailPlan& plan, std::vector<std::vector<Cell>>& rows)
{
    if (plan.workload.pacing == plan::Pacing::open) {
        rows.push_back({ "Pacing",
            fmt::format("open: each mailbox acts {} times an hour, {}",
                formatNumber(plan.workload.iterationsPerSecond * 3600),
                plan.workload.arrivals == plan::Arrivals::poisson ? "at random (Poisson)" : "evenly") });
        return;
    }
    if (plan.workload.profile) {
        rows.push_back({ "Pacing", "simulated users" });
        rows.push_back({ "Profile", plan.workload.profile->title });
        for (const std::string& source : plan.workload.profile->sources)
            rows.push_back({ "Source of the profile", source });
        rows.push_back({ "A user's day lasts", durationCell(plan.workload.day) });
        return;
    }
    rows.push_back({ "Pacing", "closed: threads with think time" });
    rows.push_back({ "Threads per client",
        acrossMixes(plan, [](const plan::Mix& mix) { return countCell(mix.threadsPerClient); }) });
    rows.push_back({ "Think time", acrossMixes(plan, [&](const plan::Mix& mix) {
                        return pauseCell(plan, mix, &plan::MixScript::think);
                    }) });
    const auto pauses = [&](const plan::Mix& mix) {
        const std::vector<plan::MixScript> scripts = plan::scriptsOf(plan.workload, mix);
        return std::ranges::any_of(
            scripts, [](const plan::MixScript& script) { return script.request.mean > Nanoseconds(0); });
    };
    if (std::ranges::any_of(plan.mixes, pauses))
        rows.push_back(
            { "Pause between the requests of an iteration", acrossMixes(plan, [&](const plan::Mix& mix) {
                 return pauseCell(plan, mix, &plan::MixScript::request);
             }) });
}

/// The server that a plan, or a part of one, is about.
void addTarget(const plan::MailPlan& plan, std::vector<std::vector<Cell>>& rows)
{
    const std::string& name = plan.targetName;
    const auto add = [&](const char* what, Cell value) {
        rows.push_back({ name.empty() ? what : name + ": " + what, std::move(value) });
    };
    const plan::Target& target = plan.target;
    if (!name.empty()) {
        add("users", acrossMixes(plan, [](const plan::Mix& mix) { return countCell(mix.mailboxes()); }));
        if (plan.workload.profile)
            add("profile", plan.workload.profile->title);
    }
    if (!target.authorised.empty())
        add("Load authorised", target.authorised);
    if (!target.authorisedDomains.empty())
        add("Mail domains authorised", joined(target.authorisedDomains, ", "));
    add("SMTP", endpointText(target.smtp, target.embedded));
    if (plan.workload.profile)
        add("IMAP", endpointText(target.imap, target.embedded));
    else
        add("POP3", endpointText(target.pop3, target.embedded));
    for (const auto& [dav, protocol] :
        { std::pair(&target.caldav, "CalDAV"), std::pair(&target.carddav, "CardDAV") })
        if (dav->present)
            add(protocol, endpointText(*dav, {}) + dav->path);
    if (target.embedded.present) {
        add("Service time of the target", target.embedded.serviceTime);
        for (const std::string& fault : target.embedded.faults)
            add("Fault of the target", fault);
    }
}

std::vector<std::vector<Cell>> storageRows(const plan::Plan& plan)
{
    std::vector<std::vector<Cell>> rows;
    for (const auto& [name, value] :
        plan.raw() != nullptr ? plan::describe(plan.raw()->test) : plan::describe(plan.storage()->test))
        rows.push_back({ name, value });
    return rows;
}

std::vector<std::vector<Cell>> suiteRows(const plan::MailPlan& plan)
{
    std::vector<std::vector<Cell>> rows;
    const auto add = [&](const char* name, Cell value) { rows.push_back({ name, std::move(value) }); };
    add("Number of test mixes in suite", countCell(plan.mixes.size()));
    if (plan.workload.profile)
        add("Users", acrossMixes(plan, [](const plan::Mix& mix) { return countCell(mix.mailboxes()); }));
    else {
        add("Clients per test mix",
            acrossMixes(plan, [](const plan::Mix& mix) { return countCell(mix.clients); }));
        add("Mailboxes per client",
            acrossMixes(plan, [](const plan::Mix& mix) { return countCell(mix.mailboxesPerClient); }));
    }
    if (!plan.workload.scripts.empty())
        add("Workload per test mix", acrossMixes(plan, [&](const plan::Mix& mix) {
            return Cell(plan::describeScripts(plan.workload, mix));
        }));
    addPacing(plan, rows);
    add("Ramp-up", acrossMixes(plan, [&](const plan::Mix& mix) { return durationCell(mix.rampUp); }));
    add("Measurement",
        acrossMixes(plan, [&](const plan::Mix& mix) { return durationCell(mix.measurement); }));
    add("Ramp-down", acrossMixes(plan, [&](const plan::Mix& mix) { return durationCell(mix.rampDown); }));
    add("Total time", acrossMixes(plan, [&](const plan::Mix& mix) { return durationCell(mix.total()); }));
    add("Quiet time", acrossMixes(plan, [&](const plan::Mix& mix) { return durationCell(mix.quietTime); }));
    add("Final window", plan.finalWindow.count() > 0 ? durationCell(plan.finalWindow) : Cell("none"));
    add("Delivery counts as late after", durationCell(plan.deliveryLimit));
    for (const plan::MailPlan& part : plan::partsOf(plan))
        addTarget(part, rows);
    return rows;
}

} // namespace

Table suiteTable(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    Table table { "Test suite definition", "", kPairs, {} };
    if (const plan::MailPlan* mail = loaded.plan.mail();
        loaded.ok() && mail != nullptr && mail->workload.pacing == plan::Pacing::closed)
        table.note = "Think time: from the end of an iteration of a thread to the beginning of its next one.";
    if (loaded.ok())
        table.rows =
            loaded.plan.mail() != nullptr ? suiteRows(*loaded.plan.mail()) : storageRows(loaded.plan);
    table.rows.push_back({ "Random seed", fmt::format("{}", recording.header().seed) });
    return table;
}

namespace {

std::string textOf(const lab::DiskFacts& disk)
{
    std::string text = disk.model;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (disk.rotational)
        add(*disk.rotational ? "rotating" : "not rotating");
    if (!disk.scheduler.empty())
        add("scheduler " + disk.scheduler);
    return text;
}

} // namespace

Table hostTable(const RunHeader& header)
{
    Table table { "The machine of the load generator", "", kPairs, {} };
    const auto facts = lab::hostFactsFromJson(header.hostJson);
    if (!facts)
        return table;
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!value.empty())
            table.rows.push_back({ name, value });
    };
    const auto addCount = [&](const std::string& name, std::uint64_t value) {
        if (value > 0)
            table.rows.push_back({ name, countCell(value) });
    };
    add("Computer", header.computer);
    add("Processor", facts->cpuModel.empty() ? "unknown model" : facts->cpuModel);
    addCount("Logical processors", facts->logicalCpus);
    addCount("Cores", facts->cores);
    addCount("Sockets", facts->sockets);
    add("Processor governor", facts->cpuGovernor);
    table.rows.push_back({ "Memory", bytesCell(static_cast<double>(facts->memoryBytes)) });
    add("Operating system", facts->operatingSystem);
    add("Kernel", "Linux " + facts->kernel + " " + facts->architecture);
    add("Clock source", facts->clockSource);
    add("Virtualisation", facts->hypervisor);
    for (const lab::DiskFacts& disk : facts->disks) {
        add("Disk " + disk.name, textOf(disk));
        table.rows.push_back({ "Disk " + disk.name + ", size", bytesCell(static_cast<double>(disk.bytes)) });
    }
    for (const lab::InterfaceFacts& one : facts->interfaces) {
        if (one.state == "down")
            continue;
        add("Network " + one.name, one.state);
        if (one.megabitsPerSecond)
            table.rows.push_back({ "Network " + one.name + ", speed",
                Number { static_cast<double>(*one.megabitsPerSecond), Unit::megabitsPerSecond,
                    { Notation::whole, 0, false, true } } });
        table.rows.push_back({ "Network " + one.name + ", MTU",
            Number { static_cast<double>(one.mtu), Unit::bytes, { Notation::whole, 0, false, true } } });
    }
    table.rows.push_back({ "Open files allowed",
        facts->openFilesLimit > 0 ? countCell(facts->openFilesLimit) : Cell("no limit") });
    if (facts->firstEphemeralPort && facts->lastEphemeralPort) {
        Number ports { static_cast<double>(*facts->lastEphemeralPort), Unit::one, { Notation::plain } };
        ports.from = static_cast<double>(*facts->firstEphemeralPort);
        table.rows.push_back({ "Ports for connections", ports });
    }
    return table;
}

Table versionTable(const RunHeader& header)
{
    Table table { "Versions", "", { { "Part", kText }, { "Version", kText } }, {} };
    for (const auto& [name, value] : flatJsonTexts(header.versionsJson))
        table.rows.push_back({ name, value });
    return table;
}

Table phaseTable(const Recording& recording)
{
    Table table { "Phases as they ran", "", { { "Begin" }, { "End" }, { "Phase", kText }, { "Mix", kText } },
        {} };
    for (const Phase& phase : recording.phases())
        table.rows.push_back({ clockCell(phase.begin), phase.open ? Cell("not ended") : clockCell(phase.end),
            toString(phase.kind), phase.mixName });
    return table;
}

Table eventTable(const std::vector<RunEvent>& events)
{
    constexpr std::size_t kMost = 200;
    Table table { "Event log", "", { { "At" }, { "Severity", kText }, { "Event", kText } }, {} };
    if (events.size() > kMost)
        table.note = fmt::format("The first {} of {}.", kMost, count(events.size()));
    for (std::size_t i = 0; i < std::min(kMost, events.size()); ++i) {
        const RunEvent& event = events[i];
        table.rows.push_back(
            { clockCell(event.at), toString(event.severity), withTarget(event.target, event.text) });
    }
    return table;
}

Table annotationTable(const std::vector<Annotation>& annotations)
{
    Table table { "Remarks", "", { { "Made", kText }, { "Kind", kText }, { "At" }, { "Text", kText } }, {} };
    for (const Annotation& one : annotations) {
        if (one.kind == AnnotationKind::tag || one.kind == AnnotationKind::note)
            continue; // those that the run has now stand below the title
        table.rows.push_back({ formatIso8601(one.made), toString(one.kind),
            one.kind == AnnotationKind::mark ? clockCell(one.at) : Cell(""), one.text });
    }
    return table;
}

} // namespace loadstone::report
