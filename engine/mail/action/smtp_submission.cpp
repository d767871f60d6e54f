// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/smtp_submission.h"

#include "mail/action/converse.h"

#include <optional>
#include <utility>

namespace loadstone::mail {

using protocol::SmtpVerb;

namespace {
constexpr auto kMayHaveClosed =
    std::chrono::milliseconds(20); // an idle connection is looked at before it is used again
constexpr ConnectNames kSmtpNames = connectNames<SmtpVerb>("SMTP connect", "SMTP TLS handshake");
}

SmtpSession::SmtpSession(
    const MailSetup& setup, const Executor& executor, ConnectionSet& set, std::string loginName)
    : login(std::move(loginName))
    , connection(executor, set)
    , client(setup.smtpOptions, login, setup.password)
{
}

SmtpSubmission::SmtpSubmission(ActionShell& shell, Composer& composer)
    : m_shell(shell)
    , m_composer(composer)
    , m_context(shell.context())
    , m_setup(shell.setup())
    , m_action(shell.action())
{
}

Task<bool> openSmtpSession(ActionShell& shell, SmtpSession& session)
{
    const MailSetup& setup = shell.setup();
    const plan::SmtpEndpoint& endpoint = setup.plan.target.smtp;
    TlsSettings tls;
    tls.context = setup.smtpTls.get();
    tls.serverName = endpoint.nameInTls();
    const bool connected = co_await shell.connect(session.connection, endpoint, setup.smtp, tls, kSmtpNames);
    if (!connected)
        co_return false;
    session.port = setup.commandTrace.empty() ? std::uint16_t { 0 } : session.connection.localPort();
    session.client.open(monoNow(), session.connection.secure());
    co_await shell.converse(session.connection, session.client, tls, session.commands, session.port);
    if (session.client.ready())
        co_return true;
    const protocol::Failure& why = session.client.failure();
    shell.report(why, toString(static_cast<SmtpVerb>(why.verb)), &session.client.transcript());
    co_return false;
}

Task<void> SmtpSubmission::send()
{
    const bool keep = m_setup.plan.target.smtp.reuseConnection;
    const auto executor = m_context.io.get_executor();
    if (!keep) {
        SmtpSession session(
            m_setup, executor, m_context.connections, m_shell.loginAt(m_setup.plan.target.smtp));
        const bool open = co_await openSmtpSession(m_shell, session);
        if (open)
            co_await transact(session, true);
        co_return;
    }
    // It is this action's own while it lasts: an actor of the next schedule with the same number gets another one.
    std::unique_ptr<SmtpSession> session;
    if (auto kept = m_context.kept.extract(m_action.actor)) {
        SmtpSession& last = *kept.mapped();
        if (m_shell.outcome().sent - last.lastUse < kMayHaveClosed || !last.connection.stale())
            session = std::move(kept.mapped());
    }
    const bool fresh = session == nullptr;
    if (fresh) {
        session = std::make_unique<SmtpSession>(
            m_setup, executor, m_context.connections, m_shell.loginAt(m_setup.plan.target.smtp));
        const bool open = co_await openSmtpSession(m_shell, *session);
        if (!open)
            co_return;
    }
    co_await transact(*session, fresh);
    session->lastUse = monoNow();
    if (!session->client.closed() && m_shell.generation() == m_context.generation)
        m_context.kept.insert_or_assign(m_action.actor, std::move(session));
}

Task<void> SmtpSubmission::transact(SmtpSession& session, bool fresh)
{
    if (!fresh)
        session.client.transcript().clear();
    std::uint32_t number = 0;
    std::optional<UnsentMessage> unsent; // by an attempt before
    if (ScriptAction* const script = m_action.script(); script != nullptr && script->retry)
        unsent = std::exchange(script->retry->unsent, std::nullopt);
    m_repeats = unsent.has_value();
    if (m_repeats)
        number = unsent->number;
    else
        number = m_setup.messagesOf[m_action.mailbox].fetch_add(1, std::memory_order_relaxed);
    MessageOrder order = m_composer.compose(session, number);
    if (m_repeats)
        session.mailboxes = std::move(unsent->mailboxes);
    session.recipients.resize(session.mailboxes.size());
    for (std::size_t i = 0; i < session.mailboxes.size(); ++i)
        m_shell.setAddress(session.recipients[i], session.mailboxes[i]);
    m_shell.setAddress(session.sender, m_action.mailbox);
    order.id = std::uint64_t { m_action.mailbox } << 32 | number;
    order.sender = session.sender;
    order.recipients = session.recipients;
    order.date = m_setup.started + m_shell.offset(m_shell.outcome().sent);
    order.eightBit = session.client.eightBit();
    if (session.message == nullptr)
        session.message = std::make_unique<Message>();
    m_setup.factory->make(order, *session.message);

    protocol::SmtpEnvelope envelope;
    envelope.sender = session.sender;
    envelope.recipients = session.recipients;
    envelope.pieces = session.message->pieces;
    envelope.size = session.message->size;
    const bool keep = m_setup.plan.target.smtp.reuseConnection;
    session.client.submit(envelope, !keep);
    const TlsSettings tls;
    co_await m_shell.converse(session.connection, session.client, tls, session.commands, session.port);
    const protocol::SmtpClient& client = session.client;
    if (client.acceptedCount() > 0 || client.uncertain())
        tellAccepted(m_shell, session,
            { client.accepted(), client.undecided(), client.acceptedCount(), client.acceptedAt() },
            m_repeats);
    keepUnsent(session, number);
    if (session.client.acceptedCount() > 0)
        m_composer.accepted(session);
    if (const protocol::Failure why = session.client.failure())
        m_shell.report(why, toString(static_cast<SmtpVerb>(why.verb)), &session.client.transcript());
    if (!keep && session.client.ready()) {
        session.client.quit();
        co_await m_shell.converse(session.connection, session.client, tls, session.commands, session.port);
        if (const protocol::Failure why = session.client.failure())
            m_shell.report(why, toString(static_cast<SmtpVerb>(why.verb)), &session.client.transcript());
    }
}

void SmtpSubmission::keepUnsent(const SmtpSession& session, std::uint32_t number)
{
    const protocol::SmtpClient& client = session.client;
    if (!client.failure() || (client.acceptedCount() == 0 && !m_repeats)
        || m_shell.generation() != m_context.generation)
        return; // another attempt, if there is one, sends it to all again
    UnsentMessage unsent { number, {} };
    for (std::size_t i = 0; i < session.mailboxes.size(); ++i)
        if (!client.accepted()[i] && !client.undecided()[i]) // who may have it already is not sent it again
            unsent.mailboxes.push_back(session.mailboxes[i]);
    m_shell.outcome().settled = unsent.mailboxes.empty();
    if (ScriptAction* const script = m_action.script(); script != nullptr && !m_shell.outcome().settled)
        script->left().unsent = std::move(unsent);
}

void tellAccepted(ActionShell& shell, const SmtpSession& session, const Acceptance& acceptance, bool repeats)
{
    WorkerContext& context = shell.context();
    if (acceptance.count > 0) {
        if (!repeats)
            context.recorder.count(context.series.total().sent);
        context.recorder.count(context.series.total().recipients, acceptance.count);
    }
    context.journal.write([&](JournalPages& pages) {
        bool first = !repeats;
        for (std::size_t i = 0; i < session.mailboxes.size(); ++i) {
            const bool accepted = acceptance.accepted[i];
            if (!accepted && !acceptance.undecided[i])
                continue;
            pages.accepted.push_back({ session.message->token.id, session.mailboxes[i], first && accepted,
                !accepted, shell.offset(accepted ? acceptance.at : monoNow()) });
            first = first && !accepted;
        }
    });
}

} // namespace loadstone::mail
