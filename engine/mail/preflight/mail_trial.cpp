// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/mail_trial.h"

#include "base/joined.h"
#include "mail/preflight/probe_answers.h"
#include "mail/preflight/trial_search.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::mail {

using protocol::Failure;
using protocol::FailureKind;
using protocol::SmtpVerb;

namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLongestWait = 60s; // for the message
constexpr std::uint64_t kTrialId = 0; // of the message: the first mailbox's first

/// "550 5.1.1 no such user", or what became of the connection.
std::string wordsOf(const Failure& why)
{
    return why.code >= 100 ? fmt::format("{} {}", why.code, firstLine(why.text))
                           : fmt::format("{}: {}", toString(why.kind), firstLine(why.text));
}

} // namespace

MailTrial::MailTrial(ActionShell& shell, ProbeFindings& findings, ProbeSessions& sessions)
    : m_shell(shell)
    , m_setup(shell.setup())
    , m_findings(findings)
    , m_sessions(sessions)
{
}

bool MailTrial::sends() const
{
    const plan::MailPlan& plan = m_setup.plan;
    return plan.target.smtp.present
        && (plan.workload.pacing == plan::Pacing::users || plan.recipientsPerIteration() > 0);
}

std::string MailTrial::addressOf(std::uint64_t mailbox) const
{
    std::string address;
    m_shell.setAddress(address, static_cast<std::uint32_t>(mailbox));
    return address;
}

/// A server that says "later" may have its reasons (greylisting): the run may find it willing.
void MailTrial::refused(const Failure& why, const std::string& what)
{
    const plan::Target& target = m_setup.plan.target;
    const auto verb = static_cast<SmtpVerb>(why.verb);
    const bool later = why.kind == FailureKind::transientReply;
    std::string effect =
        later ? "messages are refused as long as the server replies so" : "every message is refused";
    const bool anonymous = target.smtp.auth == plan::AuthMethod::none && !target.smtp.lmtp;
    if (anonymous && (verb == SmtpVerb::mailFrom || why.code == 530))
        effect +=
            "; where the server wants a login, write auth = \"automatic\" below [target.smtp], and password "
            "below [target]";
    else if (verb == SmtpVerb::rcptTo)
        effect += fmt::format(
            "; write a domain that the server has mailboxes of under target.domain, and create "
            "the mailboxes {} to {}{}",
            m_findings.nameOf(0), m_findings.nameOf(m_setup.plan.largestMix() - 1),
            anonymous
                ? "; where it takes mail only after a login, write auth = \"automatic\" below [target.smtp]"
                : "");
    else if (verb == SmtpVerb::data || verb == SmtpVerb::endOfData)
        effect += "; look at the server's limits on messages and mailboxes, and at its filters";
    m_findings.tell(
        later ? Severity::warning : Severity::error, fmt::format("{}: {}", what, wordsOf(why)), effect);
}

Task<void> MailTrial::ask(const Service& service, Session& session)
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
    co_await m_sessions.exchange(service, session);
    const Failure why = session.client.failure();
    if (!why) {
        m_findings.tell(
            Severity::info, fmt::format("takes mail from {} for {}", sender, joined(recipients, " and ")));
        co_return;
    }
    const auto verb = static_cast<SmtpVerb>(why.verb);
    const std::vector<bool>& accepted = session.client.accepted();
    std::string names;
    for (std::size_t i = 0; i < recipients.size(); ++i)
        if (i >= accepted.size() || !accepted[i])
            names += (names.empty() ? "" : " and ") + recipients[i];
    refused(why,
        verb == SmtpVerb::rcptTo ? fmt::format("takes no mail for {}", names)
                                 : fmt::format("takes no mail from {}", sender));
}

Task<void> MailTrial::tryMessage(const Service& service, bool noRoom)
{
    const plan::Target& target = m_setup.plan.target;
    if (!m_findings.options().message || !sends())
        co_return;
    m_findings.setSubject(subjectOf(service));
    if (!target.imap.present && !target.pop3.present) {
        m_findings.tell(Severity::info,
            "no message was sent, only its sender and recipients named: the plan names no IMAP or POP3 "
            "server to "
            "remove it over");
        co_return;
    }
    if (noRoom) {
        m_findings.tell(
            Severity::info, fmt::format("no message was sent: {} has no room for one", m_findings.nameOf(0)));
        co_return;
    }
    if (m_findings.doomed() || !m_findings.goOn(m_findings.subject() + ": one message"))
        co_return;
    HeldSession<protocol::SmtpClient, protocol::SmtpOptions> session =
        m_sessions.make<protocol::SmtpClient>(service, 0);
    co_await m_sessions.open(service, *session);
    if (session->failure) {
        m_findings.unreachable(session->failure, "every action over SMTP", 0);
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
    const MonoTime sent = monoNow();
    co_await m_sessions.exchange(service, *session);
    const Failure why = session->client.failure();
    const bool taken = session->client.acceptedCount() > 0 || session->client.uncertain();
    if (why)
        refused(why, fmt::format("a message of {} for {}", formatBytes(message.size), recipients.front()));
    co_await m_sessions.leave(service, *session);
    if (taken)
        co_await awaitMessage(message.size, sent);
}

Task<void> MailTrial::awaitMessage(std::uint64_t size, MonoTime sent)
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
        last = left <= 0s || !m_findings.goOn(m_findings.subject() + ": waiting for the message");
        co_await search(last, find, failure);
        // Mail that comes while the folder is looked at is no failure.
        if (find.found || (failure && failure.kind != FailureKind::protocol))
            break;
        if (!last)
            co_await m_shell.hold(std::min(pause, left));
        pause = std::min(pause * 2, kLongestPause);
    }
    const std::string after = formatLatency(monoNow() - sent);
    const std::string stays =
        "it stays in the mailbox, marked as Loadstone's: \"loadstone clean\" removes it from the mailbox";
    if (find.removed && (find.folder.empty() || find.folder == "INBOX"))
        m_findings.tell(
            Severity::info, fmt::format("{} was in the mailbox after {}, and is removed again", what, after));
    else if (find.removed)
        m_findings.tell(Severity::warning,
            fmt::format("{} was put into the folder \"{}\", and is removed again", what, find.folder),
            "users look for their mail in the Inbox: it counts as lost");
    else if (find.found)
        m_findings.tell(Severity::warning,
            fmt::format("{} could not be removed again: {}", what, wordsOf(failure)), stays);
    else if (failure)
        m_findings.tell(Severity::error,
            fmt::format("{} was taken, and the mailbox could not be searched: {}", what, wordsOf(failure)),
            stays);
    else
        m_findings.tell(most >= m_setup.plan.deliveryLimit ? Severity::error : Severity::warning,
            fmt::format("{} was taken, and is {} after {}", what,
                m_setup.plan.target.imap.present ? "in no folder of the mailbox" : "not in the mailbox",
                after),
            "messages are late or lost; look at the server's queue and log, at the mailbox's quota, and "
            "whether "
            "the plan's servers share their mailboxes. Should it still arrive, "
                + stays);
}

Task<void> MailTrial::search(bool everywhere, TrialFind& find, Failure& failure)
{
    Appointment action; // of the first mailbox
    ActionShell shell(m_shell.context(), action);
    if (m_setup.plan.target.imap.present) {
        ImapTrialSearch errand(shell, m_setup.runKey, kTrialId, everywhere);
        co_await errand.search(find);
    } else {
        Pop3TrialSearch errand(shell, m_setup.runKey, kTrialId);
        co_await errand.search(find);
    }
    failure = shell.outcome().failure;
}

} // namespace loadstone::mail
