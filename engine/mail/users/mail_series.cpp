// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/mail_series.h"

#include "metrics/preparation_counters.h"

#include <algorithm>
#include <set>

namespace loadstone::mail {

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
    for (const ActionKind kind : plan::kAllActions)
        add(kind, workload.plays(kind));
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

/// Kinds of action that the schedules and the drain of a target's plan hand out.
std::vector<plan::ActionKind> kindsOf(const plan::MailPlan& plan, RunPurpose purpose)
{
    using plan::ActionKind;
    if (purpose != RunPurpose::run)
        return { purpose == RunPurpose::initialise ? ActionKind::initialiseMailbox
                                                   : ActionKind::cleanMailbox };
    std::vector<ActionKind> kinds = plan.workload.stepKinds();
    if (plan.workload.profile)
        kinds = userKinds(plan.workload);
    if (const auto drain = plan.drainKind())
        kinds.push_back(*drain);
    if (plan.workload.initialise)
        kinds.push_back(ActionKind::initialiseMailbox);
    return kinds;
}

/// Those of all targets, ascending.
std::vector<plan::ActionKind> kindsOf(const std::vector<plan::MailPlan>& parts, RunPurpose purpose)
{
    std::set<plan::ActionKind> kinds;
    for (const plan::MailPlan& part : parts)
        for (const plan::ActionKind kind : kindsOf(part, purpose))
            kinds.insert(kind);
    return { kinds.begin(), kinds.end() };
}

/// Some script has the command; those that sessions have by themselves do not count.
template <class Verb>
bool isScripted(
    const plan::MailPlan& plan, plan::ActionKind kind, Verb verb, Verb (*verbOf)(std::string_view))
{
    return std::ranges::any_of(plan.workload.steps, [&](const plan::Step& step) {
        return step.kind == kind && std::ranges::any_of(step.script, [&](const plan::ScriptCommand& command) {
            return command.turn != plan::ScriptCommand::Turn::message && verbOf(command.text) == verb;
        });
    });
}

/// Only scripts send it.
bool isOfScripts(protocol::SmtpVerb verb)
{
    return verb > protocol::SmtpVerb::quit;
}
bool isOfScripts(protocol::Pop3Verb verb)
{
    return verb > protocol::Pop3Verb::quit;
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

template <class Has>
bool anyOf(const std::vector<plan::MailPlan>& parts, Has&& has)
{
    return std::any_of(parts.begin(), parts.end(), has);
}

} // namespace

MailSeries::MailSeries(const plan::MailPlan& plan, RunPurpose purpose, unsigned workers)
    : MailSeries(plan::partsOf(plan), purpose, workers)
{
}

// Series are declared in the order of the members, as recordings have them.
MailSeries::MailSeries(const Parts& parts, RunPurpose purpose, unsigned workers)
    : m_kinds(kindsOf(parts, purpose))
    , m_total(addTotal())
    , m_workers(addWorkers(workers))
    , m_preparation(addPreparation(purpose != RunPurpose::run
          || anyOf(parts, [](const plan::MailPlan& part) { return part.workload.initialise; })))
    , m_toDo(m_preparation.empty() ? std::nullopt
                                   : std::optional(m_list.addCounter({ Quantity::mailboxesToDo })))
    , m_counts(addCounts())
    , m_times(addTimes())
    , m_smtp(addCommands<protocol::SmtpVerb, protocol::kSmtpVerbs>(parts,
          [&](const auto& part, auto verb) {
              return purpose == RunPurpose::run && part.target.smtp.present
                  && (!isOfScripts(verb)
                      || isScripted(part, plan::ActionKind::smtpSession, verb, protocol::smtpVerbOf));
          }))
    , m_pop3(addCommands<protocol::Pop3Verb, protocol::kPop3Verbs>(parts,
          [&](const auto& part, auto verb) {
              return purpose == RunPurpose::run && part.target.pop3.present
                  && (!isOfScripts(verb)
                      || isScripted(part, plan::ActionKind::pop3Session, verb, protocol::pop3VerbOf));
          }))
    , m_imap(addCommands<protocol::ImapVerb, protocol::kImapVerbs>(
          parts, [](const auto& part, auto) { return part.target.imap.present; }))
    , m_dav(addCommands<protocol::DavVerb, protocol::kDavVerbs>(parts,
          [&](const auto& part, auto verb) {
              return (purpose == RunPurpose::run && happens(part, verb)) || prepares(part, purpose, verb);
          }))
    , m_delivery(purpose == RunPurpose::run ? std::optional(m_list.addHistogram(
                     { Quantity::deliveryTime, {}, LatencyClock::delivery }, LatencyScope::delivery))
                                            : std::nullopt)
    , m_slip(m_list.addHistogram({ Quantity::timerSlip, {}, LatencyClock::slip }, LatencyScope::generator))
    , m_lag(m_list.addHistogram({ Quantity::loopLagTime, {}, LatencyClock::slip }, LatencyScope::generator))
    , m_ages(addAges())
{
}

// Members of a list in braces are made one after the other, as they stand there.

MailSeries::Total MailSeries::addTotal()
{
    using enum Quantity;
    return {
        .sent = m_list.addCount({ messagesSent }),
        .received = m_list.addCounter({ messagesReceived }),
        .recipients = m_list.addCount({ recipientsAccepted }),
        .ended = m_list.addCount({ actionsEnded }),
        .failed = m_list.addCount({ actionsFailed }),
        .connections = m_list.addCount({ connectionsOpened }),
        .bytesSent = m_list.addCount({ mailBytesSent }),
        .bytesReceived = m_list.addCount({ mailBytesReceived }),
        .retrieved = m_list.addCount({ messagesRetrieved }),
        .sessions = m_list.addCounter({ Quantity::sessions }),
        .users = m_list.addCounter({ Quantity::users }),
        .outstanding = m_list.addCounter({ copiesOutstanding }),
        .late = m_list.addCounter({ copiesLate }),
        .twice = m_list.addCounter({ copiesTwice }),
        .damaged = m_list.addCounter({ copiesDamaged }),
        .lost = m_list.addCounter({ copiesLost }),
        .busiestWorker = m_list.addCounter({ Quantity::busiestWorker }),
        .loopLag = m_list.addCounter({ Quantity::loopLag }),
        .oracleUsers = m_list.addCounter({ Quantity::oracleUsers }),
        .oracleChecks = m_list.addCounter({ Quantity::oracleChecks }),
        .oracleFindings = m_list.addCounter({ Quantity::oracleFindings }),
        .oracleCompared = m_list.addCounter({ Quantity::oracleCompared }),
    };
}

std::vector<series::CounterHandle> MailSeries::addWorkers(unsigned workers)
{
    std::vector<series::CounterHandle> all;
    for (unsigned i = 0; i < workers; ++i)
        all.push_back(m_list.addCounter({ Quantity::workerProcessorTime, Subject::ofWorker(i) }));
    return all;
}

std::vector<series::CountHandle> MailSeries::addPreparation(bool prepares)
{
    std::vector<series::CountHandle> all;
    for (const metrics::PreparationCounter& counter : metrics::kPreparationCounters)
        if (prepares)
            all.push_back(m_list.addCount({ counter.quantity }));
    return all;
}

std::array<std::optional<MailSeries::Counts>, plan::kActionKinds> MailSeries::addCounts()
{
    std::array<std::optional<Counts>, plan::kActionKinds> all;
    for (const plan::ActionKind kind : m_kinds) {
        const Subject subject = Subject::ofAction(kind);
        all[at(kind)] = Counts {
            .due = m_list.addCounter({ Quantity::actionsDue, subject }),
            .begun = m_list.addCount({ Quantity::actionsBegun, subject }),
            .failed = m_list.addCount({ Quantity::actionsGivenUp, subject }),
            .givenUp = m_list.addSum(),
        };
    }
    return all;
}

std::array<std::optional<MailSeries::Times>, plan::kActionKinds> MailSeries::addTimes()
{
    std::array<std::optional<Times>, plan::kActionKinds> all;
    for (const plan::ActionKind kind : m_kinds) {
        const auto add = [&](LatencyClock clock) {
            return m_list.addHistogram(
                { Quantity::actionTime, Subject::ofAction(kind), clock }, LatencyScope::action);
        };
        all[at(kind)] =
            Times { .response = add(LatencyClock::response), .service = add(LatencyClock::service) };
    }
    return all;
}

template <class Verb, std::size_t N, class Uses>
MailSeries::CommandTimes<N> MailSeries::addCommands(const Parts& parts, Uses&& uses)
{
    CommandTimes<N> all;
    for (std::size_t i = 0; i < N; ++i) {
        const auto verb = static_cast<Verb>(i);
        if (anyOf(parts, [&](const plan::MailPlan& part) { return uses(part, verb); }))
            all[i] = m_list.addHistogram(
                { Quantity::commandTime, Subject::ofCommand(toString(verb)), LatencyClock::service },
                LatencyScope::command);
    }
    return all;
}

std::array<std::optional<series::HistogramHandle>, plan::kActionKinds> MailSeries::addAges()
{
    std::array<std::optional<series::HistogramHandle>, plan::kActionKinds> all;
    for (const plan::ActionKind kind : m_kinds)
        all[at(kind)] = m_list.addHistogram(
            { Quantity::actionTime, Subject::ofAction(kind), LatencyClock::age }, LatencyScope::action);
    return all;
}

std::optional<series::CountHandle> MailSeries::preparation(Quantity quantity) const
{
    for (std::size_t i = 0; i < m_preparation.size(); ++i)
        if (metrics::kPreparationCounters[i].quantity == quantity)
            return m_preparation[i];
    return std::nullopt;
}

PreparationTotals MailSeries::preparationIn(const metrics::Slab& slab) const
{
    PreparationTotals totals;
    for (std::size_t i = 0; i < m_preparation.size(); ++i)
        totals.*metrics::kPreparationCounters[i].total = slab[m_preparation[i]];
    return totals;
}

} // namespace loadstone::mail
