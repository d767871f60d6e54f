// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/mail_series.h"

#include "metrics/preparation_counters.h"

#include <algorithm>
#include <set>

namespace loadstone::mail {

std::vector<CounterInfo> mailCounters(
    unsigned workers, bool prepares, const std::vector<plan::ActionKind>& kinds)
{
    std::vector<CounterInfo> infos;
    const auto add = [&](Quantity quantity, Subject subject = {}) {
        infos.push_back(counterOf({ quantity, std::move(subject) }));
        infos.back().id = static_cast<std::uint32_t>(infos.size()) - 1;
    };
    using enum Quantity;
    // In the order of MailCounter:
    for (const Quantity quantity : { messagesSent, messagesReceived, recipientsAccepted, actionsEnded,
             actionsFailed, connectionsOpened, mailBytesSent, mailBytesReceived, messagesRetrieved, sessions,
             users, copiesOutstanding, copiesLate, copiesTwice, copiesDamaged, copiesLost, busiestWorker,
             loopLag, oracleUsers, oracleChecks, oracleFindings, oracleCompared })
        add(quantity);
    for (unsigned i = 0; i < workers; ++i)
        add(workerProcessorTime, Subject::ofWorker(i));
    static_assert(metrics::kPreparationCounters.size() == kPreparationCounts);
    for (const metrics::PreparationCounter& one : metrics::kPreparationCounters)
        if (prepares)
            add(one.quantity);
    if (prepares)
        add(mailboxesToDo);
    for (const plan::ActionKind kind : kinds)
        for (const Quantity quantity : { actionsDue, actionsBegun, actionsGivenUp })
            add(quantity, Subject::ofAction(kind));
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
std::vector<plan::ActionKind> kindsOf(const plan::MailPlan& plan, RunPurpose purpose)
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
bool happens(const plan::MailPlan& plan, protocol::DavVerb verb)
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
bool prepares(const plan::MailPlan& plan, RunPurpose purpose, protocol::DavVerb verb)
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
    const auto action = [](std::size_t kind, LatencyClock clock) {
        return histogramOf(
            { Quantity::actionTime, Subject::ofAction(static_cast<plan::ActionKind>(kind)), clock },
            LatencyScope::action);
    };
    const auto command = [](const char* name) {
        return histogramOf({ Quantity::commandTime, Subject::ofCommand(name), LatencyClock::service },
            LatencyScope::command);
    };
    if (histogram < kSmtpHistograms)
        return action(histogram / 2, histogram % 2 == 0 ? LatencyClock::response : LatencyClock::service);
    if (histogram < kPop3Histograms)
        return command(toString(static_cast<protocol::SmtpVerb>(histogram - kSmtpHistograms)));
    if (histogram < kImapHistograms)
        return command(toString(static_cast<protocol::Pop3Verb>(histogram - kPop3Histograms)));
    if (histogram < kDavHistograms)
        return command(toString(static_cast<protocol::ImapVerb>(histogram - kImapHistograms)));
    if (histogram < kDeliveryHistogram)
        return command(toString(static_cast<protocol::DavVerb>(histogram - kDavHistograms)));
    if (histogram >= kRecorderHistograms)
        return action(histogram - kRecorderHistograms, LatencyClock::age);
    if (histogram == kDeliveryHistogram)
        return histogramOf({ Quantity::deliveryTime, {}, LatencyClock::delivery }, LatencyScope::delivery);
    return histogramOf(
        { histogram == kSlipHistogram ? Quantity::timerSlip : Quantity::loopLagTime, {}, LatencyClock::slip },
        LatencyScope::generator);
}

} // namespace

std::vector<plan::ActionKind> recordedKinds(const plan::MailPlan& plan, RunPurpose purpose)
{
    std::set<plan::ActionKind> recorded;
    for (const plan::MailPlan& part : plan.parts) {
        const auto own = recordedKinds(part, purpose);
        recorded.insert(own.begin(), own.end());
    }
    if (plan.parts.empty()) {
        const auto own = kindsOf(plan, purpose);
        recorded.insert(own.begin(), own.end());
    }
    return { recorded.begin(), recorded.end() };
}

std::vector<std::uint32_t> recordedHistograms(const plan::MailPlan& plan, RunPurpose purpose)
{
    std::set<std::uint32_t> recorded { kSlipHistogram, kLagHistogram };
    for (const plan::MailPlan& part : plan.parts) {
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
