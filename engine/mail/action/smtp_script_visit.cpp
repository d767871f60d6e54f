// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/smtp_script_visit.h"

#include "mail/action/converse.h"
#include "mail/users/recipients.h"

#include <utility>

namespace loadstone::mail {

using plan::ScriptCommand;
using protocol::FailureKind;
using protocol::SmtpVerb;

SmtpScriptVisit::SmtpScriptVisit(ActionShell& shell)
    : m_shell(shell)
    , m_context(shell.context())
    , m_setup(shell.setup())
    , m_action(shell.action())
    , m_step(m_setup.plan.workload.steps[m_action.step()])
{
}

Task<void> SmtpScriptVisit::visit()
{
    SmtpSession session(m_setup, m_context.io.get_executor(), m_context.connections,
        m_shell.loginAt(m_setup.plan.target.smtp));
    const bool open = co_await openSmtpSession(m_shell, session);
    if (!open)
        co_return;
    protocol::SmtpScript script(session.client.transcript(), m_setup.plan.target.smtp.lmtp);
    co_await carryOut(session, script);
    const TlsSettings noTls; // its handshake is behind
    if (script.ready() && !script.takesMessage()) {
        script.quit();
        co_await m_shell.converse(session.connection, script, noTls, session.commands, session.port);
    }
    if (const protocol::Failure& why = script.failure())
        m_shell.report(why, toString(static_cast<SmtpVerb>(why.verb)), &script.transcript());
}

Task<bool> SmtpScriptVisit::carryOut(SmtpSession& session, protocol::SmtpScript& script)
{
    for (unsigned round = 0; round < m_step.repeat; ++round)
        for (const ScriptCommand& command : m_step.script) {
            const bool good = co_await play(session, script, command);
            if (!good)
                co_return false;
        }
    co_return true;
}

Task<bool> SmtpScriptVisit::play(
    SmtpSession& session, protocol::SmtpScript& script, const ScriptCommand& scripted)
{
    if (scripted.turn == ScriptCommand::Turn::message) {
        const bool good = co_await message(session, script, scripted);
        co_return good;
    }
    if (scripted.verb() == "MAIL")
        compose(session, scripted.text.find(" BODY=8BITMIME") != std::string::npos);
    const std::string line = lineOf(session, scripted.text);
    if (scripted.turn == ScriptCommand::Turn::once) {
        const bool good = co_await command(session, script, scripted, line);
        co_return good;
    }
    for (const std::string& recipient : session.recipients) {
        std::string one = line;
        plan::putFor(one, "{recipient}", recipient);
        const bool good = co_await command(session, script, scripted, one);
        if (!good)
            co_return false;
    }
    co_return true;
}

std::string SmtpScriptVisit::lineOf(const SmtpSession& session, const std::string& text) const
{
    std::string line = text;
    if (line.find('{') == std::string::npos)
        return line;
    std::string sender;
    m_shell.setAddress(sender, m_action.mailbox);
    plan::putFor(line, "{sender}", sender);
    plan::putFor(line, "{user}", m_shell.mailboxName());
    plan::putFor(line, "{domain}", m_setup.plan.target.domain);
    plan::putFor(line, "{size}", std::to_string(session.message->size));
    return line;
}

void SmtpScriptVisit::compose(SmtpSession& session, bool eightBit)
{
    const std::uint32_t number = m_setup.messagesOf[m_action.mailbox].fetch_add(1, std::memory_order_relaxed);
    const plan::MailPlan& plan = m_setup.plan;
    drawRecipients(plan.workload.recipientChoice, plan.seed, m_shell.mailboxes(), m_action.mailbox, number,
        m_step.recipients, session.mailboxes);
    session.recipients.resize(session.mailboxes.size());
    for (std::size_t i = 0; i < session.mailboxes.size(); ++i)
        m_shell.setAddress(session.recipients[i], session.mailboxes[i]);
    if (m_step.messages() == 0)
        return;
    m_shell.setAddress(session.sender, m_action.mailbox);
    MessageOrder order;
    order.size = m_step.size;
    order.id = std::uint64_t { m_action.mailbox } << 32 | number;
    order.sender = session.sender;
    order.recipients = session.recipients;
    order.date = m_setup.started + m_shell.offset(m_shell.outcome().sent);
    order.eightBit = eightBit;
    m_setup.factory->make(order, *session.message);
}

void SmtpScriptVisit::hearUnasked(SmtpSession& session, protocol::SmtpScript& script)
{
    const std::string_view bytes = session.connection.unasked(m_context.buffer);
    if (!bytes.empty())
        script.received(bytes, monoNow());
}

Task<bool> SmtpScriptVisit::command(SmtpSession& session, protocol::SmtpScript& script,
    const ScriptCommand& scripted, const std::string& line)
{
    if (!std::exchange(m_first, false) && m_shell.pausesBetween())
        co_await m_shell.pauseBetween();
    hearUnasked(session, script);
    if (script.closed())
        co_return false;
    const SmtpVerb verb = protocol::smtpVerbOf(line);
    script.command(verb, line);
    const TlsSettings noTls;
    co_await m_shell.converse(session.connection, script, noTls, session.commands, session.port);
    co_return judge(script, scripted, verb);
}

Task<bool> SmtpScriptVisit::message(
    SmtpSession& session, protocol::SmtpScript& script, const ScriptCommand& scripted)
{
    if (m_shell.pausesBetween())
        co_await m_shell.pauseBetween();
    hearUnasked(session, script);
    if (!script.takesMessage()) // then DATA had another reply, which was expected, or the session is over
        co_return !script.closed();
    script.message(session.message->pieces, session.message->size);
    const TlsSettings noTls;
    co_await m_shell.converse(session.connection, script, noTls, session.commands, session.port);
    if (script.acceptedCount() > 0 || script.uncertain())
        tellAccepted(m_shell, session,
            { script.accepted(), script.undecided(), script.acceptedCount(), script.acceptedAt() }, false);
    co_return judge(script, scripted, SmtpVerb::endOfData);
}

bool SmtpScriptVisit::judge(protocol::SmtpScript& script, const ScriptCommand& scripted, SmtpVerb verb)
{
    if (script.closed())
        return false; // which visit() reports
    // A command that gets leave to send a message which the script does not have leaves no way but to hang up.
    const int code = script.code();
    if (scripted.expects(code))
        return true;
    protocol::Failure failure;
    failure.kind = code >= 500 ? FailureKind::permanentReply
        : code >= 400          ? FailureKind::transientReply
                               : FailureKind::protocol;
    failure.code = code;
    failure.verb = static_cast<std::uint8_t>(verb);
    failure.text = script.text();
    if (failure.kind == FailureKind::protocol)
        failure.text = "not the reply that the script expects: " + failure.text;
    m_shell.report(failure, toString(verb), &script.transcript());
    return false;
}

} // namespace loadstone::mail
