// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/probe_trial.h"

#include "mail/preflight/collection_probe.h"
#include "mail/preflight/probe_answers.h"

#include <loadstone/units.h>

#include <algorithm>

namespace loadstone::mail {

using protocol::Failure;
using protocol::FailureKind;
using protocol::SmtpVerb;

namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLongestWait = 60s; // for the message
constexpr std::uint64_t kTrialId = 0; // of the message: the first mailbox's first

std::string firstLine(const std::string& text)
{
    return text.substr(0, std::min(text.find('\n'), std::size_t { 300 }));
}

/// "550 5.1.1 no such user", or what became of the connection.
std::string wordsOf(const Failure& why)
{
    return why.code >= 100 ? fmt::format("{} {}", why.code, firstLine(why.text))
                           : fmt::format("{}: {}", toString(why.kind), firstLine(why.text));
}

} // namespace

bool ProbeTrial::sends() const
{
    const plan::MailPlan& plan = m_setup.plan;
    return plan.target.smtp.present
        && (plan.workload.pacing == plan::Pacing::users || plan.recipientsPerIteration() > 0);
}

std::string ProbeTrial::addressOf(std::uint64_t mailbox) const
{
    std::string address;
    setAddress(address, static_cast<std::uint32_t>(mailbox));
    return address;
}

/// A server that says "later" may have its reasons (greylisting): the run may find it willing.
void ProbeTrial::mailRefused(const Failure& why, const std::string& what)
{
    const plan::Target& target = m_setup.plan.target;
    const auto verb = static_cast<SmtpVerb>(why.verb);
    const bool later = why.kind == FailureKind::transientReply;
    std::string effect = later ? "messages are refused as long as it says so" : "every message is refused";
    const bool anonymous = target.smtp.auth == plan::AuthMethod::none && !target.smtp.lmtp;
    if (anonymous && (verb == SmtpVerb::mailFrom || why.code == 530))
        effect +=
            "; where the server wants a login, write auth = \"automatic\" below [target.smtp], and password "
            "below [target]";
    else if (verb == SmtpVerb::rcptTo)
        effect += fmt::format(
            "; write a domain that the server has mailboxes of under target.domain, and create "
            "the mailboxes {} to {}{}",
            nameOf(0), nameOf(m_setup.plan.largestMix() - 1),
            anonymous
                ? "; where it takes mail only after a login, write auth = \"automatic\" below [target.smtp]"
                : "");
    else if (verb == SmtpVerb::data || verb == SmtpVerb::endOfData)
        effect += "; look at the server's limits on messages and mailboxes, and at its filters";
    tell(later ? Severity::warning : Severity::error, fmt::format("{}: {}", what, wordsOf(why)), effect);
}

Task<void> ProbeTrial::askForMail(const SmtpService& service, SmtpProbe& session)
{
    if (!sends() || !session.client.ready())
        co_return;
    const std::uint64_t last = m_setup.plan.largestMix() - 1;
    const std::string sender = addressOf(0);
    std::vector<std::string> recipients { sender };
    if (last > 0)
        recipients.push_back(addressOf(last));
    protocol::SmtpEnvelope envelope;
    envelope.sender = sender;
    envelope.recipients = recipients;
    envelope.size = largestMessage(m_setup.plan);
    envelope.onlyAsks = true;
    session.client.submit(envelope, false);
    const TlsSettings tls = settingsOf(service);
    co_await converse(session.connection, session.client, tls, session.commands, 0);
    const Failure why = session.client.failure();
    if (!why) {
        tell(
            Severity::info, fmt::format("takes mail from {} for {}", sender, fmt::join(recipients, " and ")));
        co_return;
    }
    const auto verb = static_cast<SmtpVerb>(why.verb);
    const std::vector<bool>& accepted = session.client.accepted();
    std::string refused;
    for (std::size_t i = 0; i < recipients.size(); ++i)
        if (i >= accepted.size() || !accepted[i])
            refused += (refused.empty() ? "" : " and ") + recipients[i];
    mailRefused(why,
        verb == SmtpVerb::rcptTo ? fmt::format("takes no mail for {}", refused)
                                 : fmt::format("takes no mail from {}", sender));
}

Task<void> ProbeTrial::tryMessage(const SmtpService& service)
{
    const plan::Target& target = m_setup.plan.target;
    if (!m_options.message || !sends())
        co_return;
    m_subject = subjectOf(service);
    if (!target.imap.present && !target.pop3.present) {
        tell(Severity::info,
            "no message was sent, only its sender and recipients named: the plan names no IMAP or POP3 "
            "server to "
            "remove it over");
        co_return;
    }
    if (m_noRoom) {
        tell(Severity::info, fmt::format("no message was sent: {} has no room for one", nameOf(0)));
        co_return;
    }
    if (doomed() || !goOn(m_subject + ": one message"))
        co_return;
    Held<protocol::SmtpClient, protocol::SmtpOptions> session = make<protocol::SmtpClient>(service, 0);
    co_await open(service, *session);
    if (session->failure) {
        unreachable(session->failure, "every action over SMTP", 0);
        co_return;
    }
    const std::vector<std::string> recipients { addressOf(0) };
    Message message;
    MessageOrder order;
    order.id = kTrialId;
    order.size = std::max<std::uint64_t>(largestMessage(m_setup.plan), 2 * kSmallestMessage);
    order.sender = recipients.front();
    order.recipients = recipients;
    order.date = wallNow();
    order.eightBit = session->client.eightBit();
    m_setup.factory->make(order, message);
    protocol::SmtpEnvelope envelope;
    envelope.sender = recipients.front();
    envelope.recipients = recipients;
    envelope.pieces = message.pieces;
    envelope.size = message.size;
    envelope.noReports = true;
    session->client.submit(envelope, false);
    const TlsSettings tls = settingsOf(service);
    const MonoTime sent = monoNow();
    co_await converse(session->connection, session->client, tls, session->commands, 0);
    const Failure why = session->client.failure();
    const bool taken = session->client.acceptedCount() > 0 || session->client.uncertain();
    if (why)
        mailRefused(
            why, fmt::format("a message of {} for {}", formatBytes(message.size), recipients.front()));
    co_await leave(service, *session);
    if (taken)
        co_await awaitMessage(message.size, sent);
}

Task<void> ProbeTrial::awaitMessage(std::uint64_t size, MonoTime sent)
{
    const std::string what = fmt::format("a message of {} for {}", formatBytes(size), addressOf(0));
    const Nanoseconds most = std::min<Nanoseconds>(m_setup.plan.deliveryLimit, kLongestWait);
    constexpr Nanoseconds kFirstPause = 50ms, kLongestPause = 2s;
    Nanoseconds pause = kFirstPause;
    TrialFind find;
    Failure failure;
    bool last = false;
    while (!last) {
        const Nanoseconds left = most - (monoNow() - sent);
        last = left <= 0s || !goOn(m_subject + ": waiting for the message");
        co_await search(last, find, failure);
        // Mail that comes while the folder is looked at is no failure.
        if (find.found || (failure && failure.kind != FailureKind::protocol))
            break;
        if (!last)
            co_await hold(std::min(pause, left));
        pause = std::min(pause * 2, kLongestPause);
    }
    const std::string after = formatLatency(monoNow() - sent);
    const std::string stays =
        "it stays behind, marked as Loadstone's: \"loadstone clean\" removes it from the mailbox";
    if (find.removed && (find.folder.empty() || find.folder == "INBOX"))
        tell(
            Severity::info, fmt::format("{} was in the mailbox after {}, and is removed again", what, after));
    else if (find.removed)
        tell(Severity::warning,
            fmt::format("{} was put into the folder \"{}\", and is removed again", what, find.folder),
            "users look for their mail in the Inbox: it counts as lost");
    else if (find.found)
        tell(Severity::warning, fmt::format("{} could not be removed again: {}", what, wordsOf(failure)),
            stays);
    else if (failure)
        tell(Severity::error,
            fmt::format("{} was taken, and the mailbox could not be searched: {}", what, wordsOf(failure)),
            stays);
    else
        tell(most >= m_setup.plan.deliveryLimit ? Severity::error : Severity::warning,
            fmt::format("{} was taken, and is {} after {}", what,
                m_setup.plan.target.imap.present ? "in no folder of the mailbox" : "not in the mailbox",
                after),
            "messages are late or lost; look at the server's queue and log, at the mailbox's quota, and "
            "whether "
            "the plan's servers share their mailboxes. Should it still arrive, "
                + stays);
}

Task<void> ProbeTrial::search(bool everywhere, TrialFind& find, Failure& failure)
{
    Appointment action; // of the first mailbox
    if (m_setup.plan.target.imap.present) {
        ImapTrialSearch errand(m_context, action, m_setup.runKey, kTrialId, everywhere);
        co_await errand.search(find);
        failure = errand.outcome().failure;
    } else {
        Pop3TrialSearch errand(m_context, action, m_setup.runKey, kTrialId);
        co_await errand.search(find);
        failure = errand.outcome().failure;
    }
}

Task<void> ProbeTrial::tryCollections()
{
    const std::uint64_t last = m_setup.plan.largestMix() - 1;
    for (const bool contacts : { false, true }) {
        const DavService& service = contacts ? m_setup.contacts : m_setup.calendars;
        if (!service.endpoint->present)
            continue;
        m_subject =
            fmt::format("{} {}", contacts ? "CardDAV" : "CalDAV", plan::hostAndPort(*service.endpoint));
        const bool before = doomed();
        if (goOn(m_subject))
            co_await tryCollection(contacts, 0);
        if (last > 0 && before == doomed() && goOn(m_subject)) // it would fail alike
            co_await tryCollection(contacts, last);
    }
}

Task<void> ProbeTrial::tryCollection(bool contacts, std::uint64_t mailbox)
{
    const DavService& service = contacts ? m_setup.contacts : m_setup.calendars;
    const bool used = contacts ? m_setup.usesContacts : m_setup.usesCalendars;
    const bool needed = used || (m_setup.plan.workload.initialise && m_setup.initialEntries(contacts) > 0);
    const char* const kind = contacts ? "address book" : "calendar";
    const std::string what = fmt::format("every action with {}s", kind);
    const std::string table = contacts ? "[target.carddav]" : "[target.caldav]";
    Appointment action;
    action.mailbox = static_cast<std::uint32_t>(mailbox);
    CollectionProbe probe(m_context, action, contacts);
    const std::size_t findings = m_findings.size();
    co_await probe.look();
    const Failure why = probe.outcome().failure;
    const std::string place = fmt::format("{}'s {} at {}", nameOf(mailbox), kind, probe.path());
    if (mailbox == 0 && probe.connection() != nullptr)
        secured(*probe.connection(), *service.endpoint, service.address.address(), service.endpoint->basic);
    if (probe.there())
        tell(Severity::info, fmt::format("{} is there", place));
    else if (probe.makeable())
        tell(Severity::info, fmt::format("{} is not there yet", place), "the first logon makes it");
    else if (!probe.other().empty())
        tell(Severity::error, fmt::format("{}: there lies {}", place, probe.other()),
            fmt::format("{} fails; look at path of {}", what, table));
    else if (!why)
        tell(Severity::error, fmt::format("{}: neither that nor what it is to lie in is there (404)", place),
            fmt::format("{} fails, for it cannot be made; look at path of {}", what, table));
    else if (why.code >= 300 && why.kind != FailureKind::authentication)
        tell(Severity::error, fmt::format("{}: HTTP {}", place, firstLine(why.text)),
            fmt::format(
                "{} fails; look at path and auth of {}, and at the rights of the mailbox", what, table));
    else
        unreachable(why, what, mailbox);
    if (!needed) // nothing of the run fails on what it does not use
        for (std::size_t i = findings; i < m_findings.size(); ++i)
            if (m_findings[i].severity == Severity::error)
                m_findings[i].severity = Severity::warning;
}

} // namespace loadstone::mail
