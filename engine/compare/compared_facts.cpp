// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compared_facts.h"

#include "base/joined.h"
#include "compare/configuration.h"
#include "history/recording_reader.h"
#include "lab/host_facts.h"
#include "plan/model/plan.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::compare {

namespace {

void set(ComparableFacts& facts, std::string_view key, const char* label, std::string value,
    FactScope scope = FactScope::all, bool pools = true)
{
    facts.set({ std::string(key), label, std::move(value), scope, pools });
}

/// The nearest power of two: sizes that are nearly the same are the same.
double bucketOf(double size)
{
    return size > 0 ? std::exp2(std::round(std::log2(size))) : 0;
}

std::string protocolsOf(const plan::Target& target)
{
    std::string text;
    const auto add = [&](bool present, const char* name) {
        if (present)
            text += (text.empty() ? "" : ", ") + std::string(name);
    };
    add(target.smtp.present, target.smtp.lmtp ? "LMTP" : "SMTP");
    add(target.pop3.present, "POP3");
    add(target.imap.present, "IMAP");
    add(target.caldav.present, "CalDAV");
    add(target.carddav.present, "CardDAV");
    return text;
}

std::string stepsOf(const plan::Workload& workload)
{
    std::string text;
    for (const plan::Step& step : workload.steps) {
        text += (text.empty() ? "" : ", ") + std::string(toString(step.kind));
        if (step.kind == ActionKind::sendMessage)
            text += fmt::format(" of {} to {}", formatBytes(step.size), step.recipients);
        if (step.hold > Nanoseconds(0))
            text += " held " + formatDuration(step.hold);
        if (!step.commands.empty())
            text += fmt::format(" with {} commands ({})", step.commands.size(),
                digestOf(joined(step.commands, "\n")).substr(0, 8));
    }
    return text;
}

/// What of a profile is not among the other facts: sizes of messages, what follows from reading.
std::string contentOf(const plan::Profile& profile)
{
    std::string text =
        fmt::format("{} {} {}", profile.day.count(), profile.pause.count(), profile.saveToSent);
    for (const plan::MessageKind& kind : profile.messages)
        text += fmt::format("|{} {} {} {} {} {}", static_cast<int>(kind.body), kind.bodySize,
            kind.attachment ? static_cast<int>(*kind.attachment) : -1, kind.attachmentSize, kind.embedded,
            kind.weight);
    const plan::Reading& reading = profile.reading;
    text += fmt::format("|{} {} {} {} {} {} {} {} {} {}", reading.reply, reading.replyAll, reading.forward,
        reading.loadAttachment, reading.move, reading.copy, reading.remove, reading.attentive,
        static_cast<int>(reading.disposalOf), static_cast<int>(reading.replyAllTo));
    const plan::Addressing& to = profile.addressing;
    text += fmt::format("|{} {} {} {} {} {}", to.recipients, to.listChance, to.lists, to.listLeast,
        to.listAverage, to.listMost);
    return digestOf(text).substr(0, 8);
}

void addProfile(const plan::Workload& workload, ComparableFacts& facts)
{
    const plan::Profile& profile = *workload.profile;
    set(facts, fact::profile, "Profile", profile.title.empty() ? workload.profileName : profile.title);
    set(facts, "profile-content", "Messages and reading of the profile", contentOf(profile));
    set(facts, fact::client, "Client", profile.cached ? "cached" : "online");
    for (const plan::ActionRow& row : plan::kActionTable) {
        const double perDay = profile.perDayOf(row.kind);
        if (perDay > 0 && workload.plays(row.kind))
            facts.set({ std::string(fact::action) + toString(row.kind),
                fmt::format("{} a user-day", toString(row.kind)), fmt::format("{:.6g}", perDay),
                FactScope::all, true });
    }
}

void addCriteria(const plan::Criteria& criteria, ComparableFacts& facts)
{
    if (!criteria.score && !criteria.responseTime && criteria.actions.empty())
        return;
    set(facts, fact::percentile, "Percentile of the criteria", fmt::format("{:.5g}", criteria.percentile),
        FactScope::passing, false);
    std::string limits;
    const auto add = [&](const std::string& what, Nanoseconds limit) {
        limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", what, formatDuration(limit));
    };
    if (criteria.score)
        add("score", *criteria.score);
    if (criteria.responseTime)
        add("response time", *criteria.responseTime);
    for (const auto& [action, limit] : criteria.actions)
        add(action, limit);
    set(facts, fact::limit, "Limit of the criteria", limits, FactScope::passing, false);
}

void addMail(const plan::MailPlan& plan, ComparableFacts& facts)
{
    const plan::Workload& workload = plan.workload;
    set(facts, fact::pacing, "Pacing",
        workload.pacing == plan::Pacing::closed     ? "threads with think time"
            : workload.pacing == plan::Pacing::open ? "rates of mailboxes"
                                                    : "users by a profile");
    set(facts, fact::protocol, "Protocols", protocolsOf(plan.target));
    if (workload.profile)
        addProfile(workload, facts);
    else
        set(facts, fact::steps, "Steps", stepsOf(workload));
    if (plan.readsMailboxes())
        set(facts, fact::audit, "Delivery limit of the audit", formatDuration(plan.deliveryLimit),
            FactScope::audit, false);
    set(facts, fact::target, "Target", plan.target.embedded.present ? "embedded" : "a server",
        FactScope::none);
}

const char* textOf(plan::RawDurability durability)
{
    return durability == plan::RawDurability::writeThrough ? "write-through"
        : durability == plan::RawDurability::flushed       ? "flushed"
                                                           : "none";
}

void addRaw(const plan::RawTest& test, ComparableFacts& facts)
{
    set(facts, fact::pageSize, "Size of a transfer", formatBytes(test.block));
    set(facts, fact::pattern, "Pattern",
        test.pattern == plan::RawPattern::random           ? "random"
            : test.pattern == plan::RawPattern::sequential ? "sequential"
                                                           : "append");
    set(facts, "durability", "Durability", textOf(test.durability));
    set(facts, "direct", "Past the page cache", test.direct ? "yes" : "no");
}

void addStorage(const plan::StorageTest& test, ComparableFacts& facts)
{
    set(facts, fact::pageSize, "Page size", formatBytes(test.database.pageSize));
    double data = 0;
    for (const plan::StorageGroupPlan& group : test.groups)
        data += static_cast<double>(group.databaseSize) * static_cast<double>(group.databases.size());
    if (const auto cache = static_cast<double>(test.database.cacheMaximum); cache > 0 && data > 0)
        set(facts, fact::cache, "Data against cache",
            fmt::format("about {} times the cache", fmt::format("{:.3g}", bucketOf(data / cache))));
    set(facts, "durability", "Durability", textOf(test.database.durability));
    set(facts, "direct", "Past the page cache", test.database.direct ? "yes" : "no");
    const plan::StorageLoad& load = test.load;
    set(facts, fact::pacing, "Pacing",
        load.pacing == plan::StoragePacing::threads    ? "sessions"
            : load.pacing == plan::StoragePacing::rate ? "a target of transfers"
                                                       : "a number of mailboxes");
    set(facts, fact::steps, "Operations",
        fmt::format("{} % insert, {} % delete, {} % replace, {} of a transaction", load.insert, load.erase,
            load.replace, load.operations));
}

} // namespace

ComparableFacts factsOfRun(const Recording& recording)
{
    ComparableFacts facts;
    const RunHeader& header = recording.header();
    set(facts, fact::kind, "Kind of test", toString(header.kind));
    if (header.origin == RunOrigin::merged)
        set(facts, "generators", "Generators", "several", FactScope::none);
    if (const auto host = lab::hostFactsFromJson(header.hostJson); host && host->logicalCpus > 0)
        set(facts, fact::machine, "Machine of the generator",
            fmt::format("{} processors, {}", host->logicalCpus,
                formatBytes(static_cast<std::uint64_t>(bucketOf(static_cast<double>(host->memoryBytes))))),
            FactScope::none);
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    if (!loaded.ok()) { // what it asks for is not known: it pools with its like alone
        set(facts, "plan", "Plan that cannot be read", digestOf(header.planText), FactScope::none);
        return facts;
    }
    const plan::Plan& plan = loaded.plan;
    addCriteria(plan.head().criteria, facts);
    if (const plan::MailPlan* mail = plan.mail())
        addMail(*mail, facts);
    if (const plan::RawPlan* raw = plan.raw())
        addRaw(raw->test, facts);
    if (const plan::StoragePlan* storage = plan.storage())
        addStorage(storage->test, facts);
    return facts;
}

} // namespace loadstone::compare
