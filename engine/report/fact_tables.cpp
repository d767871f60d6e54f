// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/fact_tables.h"

#include "history/recording_reader.h"
#include "lab/host_facts.h"
#include "plan/model/plan.h"
#include "report/json_text.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::report {

namespace {

constexpr bool kText = false;
const std::vector<Column> kPairs { { "Parameter", kText }, { "Value", kText } };

/// "20, 30, 40", or "3,600 for all mixes" where all are the same.
template <class Value>
std::string acrossMixes(const plan::MailPlan& plan, const Value& value)
{
    std::vector<std::string> texts;
    for (const plan::Mix& mix : plan.mixes)
        texts.push_back(value(mix));
    const bool same = std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end();
    if (same && texts.size() > 1)
        return texts.front() + " for all mixes";
    return fmt::format("{}", fmt::join(texts, ", "));
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

std::string stepText(const plan::Step& step)
{
    switch (step.kind) {
    case plan::ActionKind::emptyMailbox:
        return "Log in, read and delete all messages, log out";
    case plan::ActionKind::readMailbox:
        return "Log in, read all messages, delete none, log out";
    case plan::ActionKind::sendMessage:
        return fmt::format(
            "Send one message of {} to {}", formatBytes(step.size), plural(step.recipients, "recipient"));
    case plan::ActionKind::listMailbox:
        return "Log in, list all messages and read their headers, delete none, log out";
    case plan::ActionKind::holdSession:
        return "Log in and stay connected for " + formatDuration(step.hold);
    case plan::ActionKind::imapSession: {
        std::string text = "Log in over IMAP";
        for (const std::string& command : step.commands)
            text += ", " + command;
        if (step.repeat > 1 && !step.commands.empty())
            text += fmt::format(" ({} times)", step.repeat);
        if (step.hold > Nanoseconds(0))
            text += ", stay connected for " + formatDuration(step.hold);
        return text + ", log out";
    }
    default:
        break; // no step of a script
    }
    return "?";
}

void addPacing(const plan::MailPlan& plan, std::vector<std::vector<std::string>>& rows)
{
    const auto duration = [](Nanoseconds t) { return formatDuration(t); };
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
        rows.push_back({ "A user's day lasts", duration(plan.workload.day) });
        return;
    }
    rows.push_back({ "Pacing", "closed: threads with think time" });
    rows.push_back({ "Threads per client",
        acrossMixes(plan, [](const plan::Mix& mix) { return count(mix.threadsPerClient); }) });
    rows.push_back(
        { "Think time", acrossMixes(plan, [&](const plan::Mix& mix) { return duration(mix.thinkTime); }) });
}

/// The server that a plan, or a part of one, is about.
void addTarget(const plan::MailPlan& plan, std::vector<std::vector<std::string>>& rows)
{
    const std::string& name = plan.targetName;
    const auto add = [&](const char* what, std::string value) {
        rows.push_back({ name.empty() ? what : name + ": " + what, std::move(value) });
    };
    const plan::Target& target = plan.target;
    if (!name.empty()) {
        add("users", acrossMixes(plan, [](const plan::Mix& mix) { return count(mix.mailboxes()); }));
        if (plan.workload.profile)
            add("profile", plan.workload.profile->title);
    }
    if (!target.authorised.empty())
        add("Load authorised", target.authorised);
    if (!target.authorisedDomains.empty())
        add("Mail domains authorised", fmt::format("{}", fmt::join(target.authorisedDomains, ", ")));
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

std::vector<std::vector<std::string>> storageRows(const plan::Plan& plan)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] :
        plan.raw() != nullptr ? plan::describe(plan.raw()->test) : plan::describe(plan.storage()->test))
        rows.push_back({ name, value });
    return rows;
}

std::vector<std::vector<std::string>> suiteRows(const plan::MailPlan& plan)
{
    const auto duration = [](Nanoseconds t) { return formatDuration(t); };
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](const char* name, std::string value) { rows.push_back({ name, std::move(value) }); };
    add("Number of test mixes in suite", count(plan.mixes.size()));
    if (plan.workload.profile)
        add("Users", acrossMixes(plan, [](const plan::Mix& mix) { return count(mix.mailboxes()); }));
    else {
        add("Clients per test mix",
            acrossMixes(plan, [](const plan::Mix& mix) { return count(mix.clients); }));
        add("Mailboxes per client",
            acrossMixes(plan, [](const plan::Mix& mix) { return count(mix.mailboxesPerClient); }));
    }
    addPacing(plan, rows);
    add("Ramp-up", acrossMixes(plan, [&](const plan::Mix& mix) { return duration(mix.rampUp); }));
    add("Measurement", acrossMixes(plan, [&](const plan::Mix& mix) { return duration(mix.measurement); }));
    add("Ramp-down", acrossMixes(plan, [&](const plan::Mix& mix) { return duration(mix.rampDown); }));
    add("Total time", acrossMixes(plan, [&](const plan::Mix& mix) { return duration(mix.total()); }));
    add("Quiet time", acrossMixes(plan, [&](const plan::Mix& mix) { return duration(mix.quietTime); }));
    add("Final window", plan.finalWindow.count() > 0 ? duration(plan.finalWindow) : "none");
    add("Delivery counts as late after", duration(plan.deliveryLimit));
    for (const plan::MailPlan& part : plan::partsOf(plan))
        addTarget(part, rows);
    return rows;
}

} // namespace

Table suiteTable(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    Table table { "Test suite definition", "", kPairs, {} };
    if (loaded.ok())
        for (const auto& row :
            loaded.plan.mail() != nullptr ? suiteRows(*loaded.plan.mail()) : storageRows(loaded.plan))
            table.rows.emplace_back(row.begin(), row.end());
    table.rows.push_back({ "Random seed", fmt::format("{}", recording.header().seed) });
    return table;
}

namespace {

std::string share(double of)
{
    return formatNumber(of * 100) + " %";
}

/// A profile's day: what comes by the clock, and what follows from reading.
Table profileTable(const plan::Workload& workload)
{
    const plan::Profile& profile = *workload.profile;
    Table table { "Workload: what a user does in a day", "", { { "Action", kText }, { "How often" } }, {} };
    for (const plan::ActionKind action : plan::kAllActions)
        if (profile.perDayOf(action) > 0) {
            const char* const left = !workload.leavesOut(action) ? ""
                : plan::isOf(action, plan::ActionSet::contacts)
                ? " (left out: the plan names no CardDAV server)"
                : " (left out: the plan names no CalDAV server)";
            table.rows.push_back(
                { toString(action), formatNumber(profile.perDayOf(action)) + " a day" + left });
        }
    const plan::Reading& reading = profile.reading;
    const auto add = [&](plan::ActionKind kind, double of, const char* what) {
        if (of > 0)
            table.rows.push_back({ toString(kind), share(of) + what });
    };
    const char* answered = reading.attentive < 1 ? " of attentive first reads" : " of first reads";
    add(plan::ActionKind::reply, reading.reply, answered);
    add(plan::ActionKind::replyAll, reading.replyAll, answered);
    add(plan::ActionKind::forward, reading.forward, answered);
    add(plan::ActionKind::loadAttachment, reading.loadAttachment, " of those of messages that have one");
    const char* disposed = reading.disposalOf == plan::ReadsMeant::all ? " of all reads" : " of first reads";
    add(plan::ActionKind::moveMessage, reading.move, disposed);
    add(plan::ActionKind::copyMessage, reading.copy, disposed);
    add(plan::ActionKind::deleteMessage, reading.remove, disposed);
    if (reading.attentive < 1)
        table.note = share(reading.attentive) + " of first reads in the Inbox are attentive.";
    return table;
}

} // namespace

Table workloadTable(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::MailPlan* mail = loaded.ok() ? loaded.plan.mail() : nullptr;
    if (mail != nullptr && mail->workload.profile)
        return profileTable(mail->workload);
    Table table { "Workload: what a user does in each iteration", "", { { "Step" }, { "Action", kText } },
        {} };
    if (mail != nullptr)
        for (const plan::Step& step : mail->workload.steps)
            table.rows.push_back({ count(table.rows.size() + 1), stepText(step) });
    return table;
}

namespace {

std::string processorText(const lab::HostFacts& facts)
{
    std::string text = facts.cpuModel.empty() ? "unknown model" : facts.cpuModel;
    text += fmt::format(", {}", plural(facts.logicalCpus, "logical processor"));
    if (facts.cores > 0)
        text += fmt::format(", {}", plural(facts.cores, "core"));
    if (facts.sockets > 0)
        text += fmt::format(" in {}", plural(facts.sockets, "socket"));
    return text + (facts.cpuGovernor.empty() ? "" : ", governor " + facts.cpuGovernor);
}

std::string diskText(const lab::DiskFacts& disk)
{
    std::string text = formatBytes(disk.bytes);
    if (!disk.model.empty())
        text += ", " + disk.model;
    if (disk.rotational)
        text += *disk.rotational ? ", rotating" : ", not rotating";
    return text + (disk.scheduler.empty() ? "" : ", scheduler " + disk.scheduler);
}

std::string interfaceText(const lab::InterfaceFacts& one)
{
    std::string text = one.state;
    if (one.megabitsPerSecond)
        text += fmt::format(", {} Mbit/s", *one.megabitsPerSecond);
    return text + fmt::format(", MTU {}", one.mtu);
}

} // namespace

Table hostTable(const RunHeader& header)
{
    Table table { "The machine of the load generator", "", kPairs, {} };
    const auto facts = lab::hostFactsFromJson(header.hostJson);
    if (!facts)
        return table;
    const auto add = [&](const std::string& name, std::string value) {
        if (!value.empty())
            table.rows.push_back({ name, std::move(value) });
    };
    add("Computer", header.computer);
    add("Processors", processorText(*facts));
    add("Memory", formatBytes(facts->memoryBytes));
    add("Operating system", facts->operatingSystem);
    add("Kernel", facts->kernel + " " + facts->architecture);
    add("Clock source", facts->clockSource);
    add("Virtualisation", facts->hypervisor);
    for (const lab::DiskFacts& disk : facts->disks)
        add("Disk " + disk.name, diskText(disk));
    for (const lab::InterfaceFacts& one : facts->interfaces)
        if (one.state != "down")
            add("Network " + one.name, interfaceText(one));
    add("Open files allowed", facts->openFilesLimit > 0 ? count(facts->openFilesLimit) : "no limit");
    if (facts->firstEphemeralPort && facts->lastEphemeralPort)
        add("Ports for connections",
            fmt::format("{} to {}", *facts->firstEphemeralPort, *facts->lastEphemeralPort));
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
        table.rows.push_back({ formatClock(phase.begin), phase.open ? "not ended" : formatClock(phase.end),
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
            { formatClock(event.at), toString(event.severity), withTarget(event.target, event.text) });
    }
    return table;
}

Table annotationTable(const std::vector<Annotation>& annotations)
{
    Table table { "Remarks", "", { { "Made", kText }, { "Kind", kText }, { "At" }, { "Text", kText } }, {} };
    for (const Annotation& one : annotations)
        table.rows.push_back({ formatIso8601(one.made), toString(one.kind),
            one.kind == AnnotationKind::mark ? formatClock(one.at) : "", one.text });
    return table;
}

} // namespace loadstone::report
