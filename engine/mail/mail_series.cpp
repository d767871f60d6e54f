// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/mail_series.h"

#include "analysis/action_series.h"
#include "analysis/preparations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace loadstone::mail {

std::vector<CounterInfo> mailCounters(
    unsigned workers, bool prepares, const std::vector<plan::ActionKind>& kinds)
{
    std::vector<CounterInfo> infos;
    const auto add = [&](const char* object, std::string instance, const char* counter, const char* unit,
                         const char* counts, const char* help, CounterKind kind) {
        infos.push_back({ static_cast<std::uint32_t>(infos.size()), "", object, std::move(instance), counter,
            unit, counts, help, kind });
    };
    const auto mail = [&](const char* counter, const char* unit, const char* counts, const char* help,
                          CounterKind kind) {
        add("Loadstone Mail", "_Total", counter, unit, counts, help, kind);
    };
    using enum CounterKind;
    mail("Messages Sent/sec", "messages", "per message", "Messages that the server accepted", count);
    mail("Messages Received/sec", "messages", "per recipient",
        "Copies of this run's messages, each at its first retrieval", count);
    mail("Recipients Accepted/sec", "recipients", "per recipient", "Recipients of accepted messages", count);
    mail("Actions/sec", "actions", "", "Actions that ended, well or not", count);
    mail("Failed Actions/sec", "actions", "", "Actions that ended with an error", count);
    mail("Connections Opened/sec", "connections", "", "Connections that were established", count);
    mail("Bytes Sent/sec", "bytes", "", "Bytes written to connections, before TLS", count);
    mail("Bytes Received/sec", "bytes", "", "Bytes read from connections, after TLS", count);
    mail("Messages Retrieved/sec", "messages", "per recipient",
        "Messages handed out by mailboxes: each reading of them, other people's messages too", count);
    mail("Sessions", "sessions", "", "Connections open at the end of the tick", level);
    mail("Users", "mailboxes", "", "Simulated users of the present mix", level);
    const auto audit = [&](const char* counter, const char* help) {
        add("Loadstone Audit", "", counter, "copies", "per recipient", help, level);
    };
    audit("Outstanding", "Copies accepted and not yet retrieved");
    audit("Late", "Copies retrieved after the plan's delivery limit");
    audit("Twice", "Copies retrieved more than once");
    audit("Damaged", "Copies whose content differs from what was sent");
    audit("Lost", "Copies missing from mailboxes that were read to the end");
    add("Loadstone Generator", "_Busiest", "% Processor Time", "%", "",
        "CPU use of the load thread that used most", level);
    add("Loadstone Generator", "_Total", "Event Loop Lag", "s", "",
        "Longest delay of a load thread's heartbeat in the tick", level);
    add("Loadstone Oracle", "", "Users", "users", "", "Users whose mailboxes are followed", level);
    add("Loadstone Oracle", "", "Checks", "checks", "", "Statements of the server that were compared, so far",
        level);
    add("Loadstone Oracle", "", "Findings", "findings", "", "Those that were wrong, so far", level);
    add("Loadstone Oracle", "", "Compared", "users", "",
        "Users whose mailboxes were compared message by message at the end, so far", level);
    for (unsigned i = 0; i < workers; ++i)
        add("Loadstone Generator", fmt::format("worker {}", i), "% Processor Time", "%", "",
            "CPU use of one load thread", level);
    static_assert(analysis::kPreparationCounters.size() == kPreparationCounts);
    for (const analysis::PreparationCounter& one : analysis::kPreparationCounters)
        if (prepares)
            add(analysis::kPreparationObject, "", one.name, one.unit, "", one.help, count);
    if (prepares)
        add(analysis::kPreparationObject, "", analysis::kMailboxesToDo, "mailboxes", "",
            "Mailboxes that the initialisation or clean-up has yet to do or is at", level);
    for (const plan::ActionKind kind : kinds)
        for (const auto& [counter, help] :
            { std::pair { analysis::kActionsDue, "Actions that were meant to begin within the tick" },
                std::pair { analysis::kActionsBegun, "Actions that began within the tick" },
                std::pair { analysis::kActionsFailed, "Actions that ended with an error, after their last attempt" } })
            add(analysis::kActionsObject, plan::toString(kind), counter, "actions", "", help, count);
    return infos;
}

namespace {

/// Those of a user's day and of the drain after it.
std::vector<plan::ActionKind> userKinds(const plan::Workload& workload)
{
    using plan::ActionKind;
    const plan::Profile& profile = *workload.profile;
    std::vector<ActionKind> kinds { ActionKind::logon, ActionKind::readMailbox };
    const auto add = [&](ActionKind kind, bool happens) {
        if (happens)
            kinds.push_back(kind);
    };
    for (std::size_t kind = 0; kind < plan::kActionKinds; ++kind)
        add(static_cast<ActionKind>(kind), workload.plays(static_cast<ActionKind>(kind)));
    const plan::Reading& reading = profile.reading;
    add(ActionKind::readMessage,
        profile.perDayOf(ActionKind::checkInbox) + profile.perDayOf(ActionKind::browseFolder) > 0);
    add(ActionKind::loadAttachment, reading.loadAttachment > 0);
    add(ActionKind::reply, reading.reply > 0);
    add(ActionKind::replyAll, reading.replyAll > 0);
    add(ActionKind::forward, reading.forward > 0);
    add(ActionKind::moveMessage, reading.move > 0);
    add(ActionKind::copyMessage, reading.copy > 0);
    add(ActionKind::deleteMessage, reading.remove > 0);
    return kinds;
}

/// Kinds of action that the plan's schedules and drain hand out.
std::vector<plan::ActionKind> kindsOf(const plan::Plan& plan, RunPurpose purpose)
{
    using plan::ActionKind;
    if (purpose != RunPurpose::run)
        return { purpose == RunPurpose::initialise ? ActionKind::initialiseMailbox
                                                   : ActionKind::cleanMailbox };
    std::vector<ActionKind> kinds = plan.workload.stepKinds();
    if (plan.workload.profile)
        kinds = userKinds(plan.workload);
    if (plan.workload.initialise)
        kinds.push_back(ActionKind::initialiseMailbox);
    return kinds;
}

/// Some action of the plan's users may need the request.
bool happens(const plan::Plan& plan, protocol::DavVerb verb)
{
    using plan::ActionKind;
    using protocol::DavVerb;
    const auto any = [&](std::initializer_list<ActionKind> kinds) {
        return std::any_of(
            kinds.begin(), kinds.end(), [&](ActionKind kind) { return plan.workload.plays(kind); });
    };
    const bool contacts = any({ ActionKind::createContact, ActionKind::browseContacts });
    const bool calendars =
        any({ ActionKind::updateSchedule, ActionKind::makeAppointment, ActionKind::requestMeeting,
            ActionKind::checkFreeBusy, ActionKind::browseCalendar, ActionKind::journal });
    switch (verb) {
    case DavVerb::makeCalendar:
        return calendars;
    case DavVerb::makeAddressBook:
        return contacts;
    case DavVerb::put:
        return any({ ActionKind::updateSchedule, ActionKind::makeAppointment, ActionKind::requestMeeting,
            ActionKind::createContact, ActionKind::journal });
    case DavVerb::get: // or to see what lies there
        return any({ ActionKind::updateSchedule, ActionKind::makeAppointment, ActionKind::requestMeeting,
            ActionKind::createContact, ActionKind::journal });
    case DavVerb::calendarQuery:
    case DavVerb::calendarMultiget:
        return any({ ActionKind::browseCalendar });
    case DavVerb::freeBusyQuery:
    case DavVerb::freeBusyByEvents:
        return any({ ActionKind::checkFreeBusy });
    case DavVerb::addressBookQuery:
    case DavVerb::addressBookMultiget:
        return any({ ActionKind::browseContacts });
    case DavVerb::list:
    case DavVerb::remove:
        return false;
    default:
        return calendars || contacts;
    }
}

/// The plan's preparation may need the request.
bool prepares(const plan::Plan& plan, RunPurpose purpose, protocol::DavVerb verb)
{
    using protocol::DavVerb;
    const bool cleans = purpose == RunPurpose::cleanUp;
    if (purpose == RunPurpose::run && !plan.workload.initialise)
        return false;
    const plan::InitialMailbox initial = plan.workload.initial.value_or(plan::InitialMailbox {});
    const bool calendars = plan.target.caldav.present && (cleans || initial.appointments > 0);
    const bool contacts = plan.target.carddav.present && (cleans || initial.contacts > 0);
    switch (verb) {
    case DavVerb::connect:
    case DavVerb::tlsHandshake:
    case DavVerb::list:
        return calendars || contacts;
    case DavVerb::makeCalendar:
        return calendars && !cleans;
    case DavVerb::makeAddressBook:
        return contacts && !cleans;
    case DavVerb::propfind:
    case DavVerb::put:
    case DavVerb::get:
        return (calendars || contacts) && !cleans;
    case DavVerb::remove:
        return (calendars || contacts) && cleans;
    default:
        return false;
    }
}

HistogramInfo infoOf(std::uint32_t histogram)
{
    if (histogram < kSmtpHistograms)
        return { 0, LatencyScope::action, histogram % 2 == 0 ? LatencyClock::response : LatencyClock::service,
            toString(static_cast<plan::ActionKind>(histogram / 2)) };
    const auto command = [](const char* name) {
        return HistogramInfo { 0, LatencyScope::command, LatencyClock::service, name };
    };
    if (histogram < kPop3Histograms)
        return command(toString(static_cast<protocol::SmtpVerb>(histogram - kSmtpHistograms)));
    if (histogram < kImapHistograms)
        return command(toString(static_cast<protocol::Pop3Verb>(histogram - kPop3Histograms)));
    if (histogram < kDavHistograms)
        return command(toString(static_cast<protocol::ImapVerb>(histogram - kImapHistograms)));
    if (histogram < kDeliveryHistogram)
        return command(toString(static_cast<protocol::DavVerb>(histogram - kDavHistograms)));
    if (histogram >= kRecorderHistograms)
        return { 0, LatencyScope::action, LatencyClock::age,
            toString(static_cast<plan::ActionKind>(histogram - kRecorderHistograms)) };
    if (histogram == kDeliveryHistogram)
        return { 0, LatencyScope::delivery, LatencyClock::delivery, "Delivery" };
    return { 0, LatencyScope::generator, LatencyClock::slip,
        histogram == kSlipHistogram ? "Timer slip" : "Event loop lag" };
}

} // namespace

std::vector<plan::ActionKind> recordedKinds(const plan::Plan& plan, RunPurpose purpose)
{
    std::set<plan::ActionKind> recorded;
    for (const plan::Plan& part : plan.parts) {
        const auto own = recordedKinds(part, purpose);
        recorded.insert(own.begin(), own.end());
    }
    if (plan.parts.empty()) {
        const auto own = kindsOf(plan, purpose);
        recorded.insert(own.begin(), own.end());
    }
    return { recorded.begin(), recorded.end() };
}

std::vector<std::uint32_t> recordedHistograms(const plan::Plan& plan, RunPurpose purpose)
{
    std::set<std::uint32_t> recorded { kSlipHistogram, kLagHistogram };
    for (const plan::Plan& part : plan.parts) {
        const auto own = recordedHistograms(part, purpose);
        recorded.insert(own.begin(), own.end());
    }
    if (!plan.parts.empty())
        return { recorded.begin(), recorded.end() };
    const bool delivers = purpose == RunPurpose::run;
    if (delivers)
        recorded.insert(kDeliveryHistogram);
    for (const plan::ActionKind kind : kindsOf(plan, purpose)) {
        recorded.insert(responseHistogram(kind));
        recorded.insert(serviceHistogram(kind));
        recorded.insert(ageHistogram(kind));
    }
    const auto protocol = [&](const plan::Endpoint& endpoint, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t histogram = begin; endpoint.present && histogram < end; ++histogram)
            recorded.insert(histogram);
    };
    if (delivers) {
        protocol(plan.target.smtp, kSmtpHistograms, kPop3Histograms);
        protocol(plan.target.pop3, kPop3Histograms, kImapHistograms);
    }
    protocol(plan.target.imap, kImapHistograms, kDavHistograms);
    for (std::size_t i = 0; i < protocol::kDavVerbs; ++i)
        if (const auto verb = static_cast<protocol::DavVerb>(i);
            (delivers && happens(plan, verb)) || prepares(plan, purpose, verb))
            recorded.insert(commandHistogram(verb));
    return { recorded.begin(), recorded.end() };
}

std::uint32_t idOf(const std::vector<std::uint32_t>& recorded, std::uint32_t histogram)
{
    return static_cast<std::uint32_t>(
        std::lower_bound(recorded.begin(), recorded.end(), histogram) - recorded.begin());
}

std::vector<HistogramInfo> mailHistograms(const std::vector<std::uint32_t>& recorded)
{
    std::vector<HistogramInfo> infos;
    for (const std::uint32_t histogram : recorded) {
        HistogramInfo info = infoOf(histogram);
        info.id = static_cast<std::uint32_t>(infos.size());
        infos.push_back(std::move(info));
    }
    return infos;
}

} // namespace loadstone::mail
