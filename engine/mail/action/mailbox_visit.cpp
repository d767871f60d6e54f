// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/mailbox_visit.h"

#include "mail/action/converse.h"
#include "mail/message/message_check.h"

#include <unordered_set>

namespace loadstone::mail {

using protocol::Pop3Verb;

MailboxVisit::MailboxVisit(ActionShell& shell)
    : m_shell(shell)
    , m_context(shell.context())
    , m_setup(shell.setup())
    , m_action(shell.action())
{
}

Task<void> MailboxVisit::visit()
{
    const MonoTime began = monoNow();
    Pop3Session session(m_shell);
    protocol::Pop3Client& client = session.client;
    co_await session.open(m_shell);
    if (client.ready() && m_action.kind == plan::ActionKind::holdSession)
        co_await m_shell.hold(m_setup.plan.workload.steps[m_action.step()].hold);
    else if (client.ready())
        co_await goThrough(session, began);
    if (client.ready()) {
        client.quit();
        const TlsSettings noTls; // its handshake is behind
        co_await m_shell.converse(session.connection, client, noTls, session.commands, session.port);
    }
    if (const protocol::Failure why = client.failure())
        m_shell.report(why, toString(static_cast<Pop3Verb>(why.verb)), &client.transcript());
}

Task<void> MailboxVisit::goThrough(Pop3Session& session, MonoTime began)
{
    protocol::Pop3Client& client = session.client;
    const plan::ActionKind kind = m_action.kind;
    const TlsSettings noTls; // its handshake is behind
    MessageCheck check(m_setup.runKey);
    m_shell.prepare(check);
    client.visit(kind == plan::ActionKind::emptyMailbox ? protocol::Pop3Visit::empty
            : kind == plan::ActionKind::listMailbox     ? protocol::Pop3Visit::list
                                                        : protocol::Pop3Visit::read,
        check, m_action.drains());
    co_await m_shell.converse(session.connection, client, noTls, session.commands, session.port);
    const bool whole = client.readToEnd() && client.ready();
    if (client.ready()) {
        client.quit();
        co_await m_shell.converse(session.connection, client, noTls, session.commands, session.port);
    }
    reportRetrieved(check, client);
    if (const std::string wrong = client.contradiction(); !wrong.empty())
        tellContradiction(wrong);
    if (whole && m_action.drains() && kind != plan::ActionKind::listMailbox) // which retrieves nothing
        m_context.journal.write([&](JournalPages& pages) {
            pages.reads.push_back({ m_action.mailbox, m_shell.offset(began) });
        });
}

void MailboxVisit::tellContradiction(const std::string& wrong)
{
    m_shell.warn(
        "STAT and LIST of a mailbox contradict each other over POP3: the drain asks for every message that "
        "either of them names");
    m_context.journal.write(
        [&](JournalPages& pages) { pages.notes.push_back(m_shell.mailboxName() + ": " + wrong); });
}

void MailboxVisit::reportRetrieved(MessageCheck& check, const protocol::Pop3Client& client)
{
    const plan::ActionKind kind = m_action.kind;
    if (kind == plan::ActionKind::listMailbox)
        return; // headers only: nothing was retrieved
    std::vector<RetrievedMessage> messages = check.take();
    if (messages.empty())
        return;
    m_context.recorder.count(m_context.series.total().retrieved, messages.size());
    m_shell.reportDamages(check, messages);
    const bool removed = kind == plan::ActionKind::emptyMailbox && client.committed();
    // What stays may be seen again on the next visit. The same message twice in this visit is two copies, of which one at
    // most is what the next visit sees: so only its last sighting leaves it there.
    std::unordered_set<std::uint64_t> comesLater;
    std::vector<RetrievedCopy> copies;
    ForeignMail foreign { m_action.mailbox, 0, removed };
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        if (message->kind == RetrievedMessage::Kind::foreign)
            ++foreign.count;
        else if (message->kind != RetrievedMessage::Kind::initial)
            copies.push_back({ message->kind, message->id, m_action.mailbox,
                removed || !comesLater.insert(message->id).second, m_shell.offset(message->at) });
    }
    m_context.journal.write([&](JournalPages& pages) {
        pages.retrieved.insert(pages.retrieved.end(), copies.rbegin(), copies.rend());
        if (foreign.count > 0)
            pages.foreign.push_back(foreign);
    });
}

} // namespace loadstone::mail
