// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/pop3_script_visit.h"

#include "mail/action/converse.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace loadstone::mail {

using plan::ScriptCommand;
using protocol::FailureKind;
using protocol::Pop3Verb;

Pop3ScriptVisit::Pop3ScriptVisit(ActionShell& shell)
    : m_shell(shell)
    , m_context(shell.context())
    , m_setup(shell.setup())
    , m_action(shell.action())
    , m_step(m_setup.plan.workload.steps[m_action.step()])
{
}

Task<void> Pop3ScriptVisit::visit()
{
    Pop3Session session(m_shell);
    const bool open = co_await session.open(m_shell);
    if (const protocol::Failure& why = session.client.failure(); !open && why)
        m_shell.report(why, toString(static_cast<Pop3Verb>(why.verb)), &session.client.transcript());
    if (!open)
        co_return;
    MessageCheck check(m_setup.runKey);
    m_shell.prepare(check);
    protocol::Pop3Script script(session.client.transcript(), check);
    co_await carryOut(session, script);
    if (script.ready()) { // also after a failure: what was deleted is to go
        script.quit();
        const TlsSettings noTls;
        co_await m_shell.converse(session.connection, script, noTls, session.commands, session.port);
    }
    reportRetrieved(check, script);
    if (const protocol::Failure& why = script.failure())
        m_shell.report(why, toString(static_cast<Pop3Verb>(why.verb)), &script.transcript());
}

Task<bool> Pop3ScriptVisit::carryOut(Pop3Session& session, protocol::Pop3Script& script)
{
    const std::vector<ScriptCommand>& commands = m_step.script;
    const auto isForEach = [&](std::size_t i) {
        return i < commands.size() && commands[i].turn == ScriptCommand::Turn::eachMessage;
    };
    for (unsigned round = 0; round < m_step.repeat; ++round)
        for (std::size_t i = 0; i < commands.size();) {
            std::size_t end = i;
            while (isForEach(end))
                ++end;
            bool good = false;
            if (end > i)
                good = co_await forEachMessage(session, script, i, end);
            else
                good = co_await command(session, script, commands[i], 0);
            if (!good)
                co_return false;
            i = std::max(end, i + 1);
        }
    co_return true;
}

Task<bool> Pop3ScriptVisit::forEachMessage(
    Pop3Session& session, protocol::Pop3Script& script, std::size_t begin, std::size_t end)
{
    const std::uint64_t messages = script.messages().value_or(0);
    for (std::uint64_t message = 1; message <= messages; ++message)
        for (std::size_t i = begin; i < end; ++i) {
            const bool good = co_await command(session, script, m_step.script[i], message);
            if (!good)
                co_return false;
        }
    co_return true;
}

Task<bool> Pop3ScriptVisit::command(
    Pop3Session& session, protocol::Pop3Script& script, const ScriptCommand& scripted, std::uint64_t message)
{
    if (!std::exchange(m_first, false) && m_shell.pausesBetween())
        co_await m_shell.pauseBetween();
    if (const std::string_view bytes = session.connection.unasked(m_context.buffer); !bytes.empty())
        script.received(bytes, monoNow());
    if (script.closed())
        co_return false;
    std::string line = scripted.text;
    plan::putFor(line, "{n}", std::to_string(message));
    const Pop3Verb verb = protocol::pop3VerbOf(line);
    script.command(verb, line, message);
    const TlsSettings noTls;
    co_await m_shell.converse(session.connection, script, noTls, session.commands, session.port);
    co_return judge(script, scripted, verb);
}

bool Pop3ScriptVisit::judge(protocol::Pop3Script& script, const ScriptCommand& scripted, Pop3Verb verb)
{
    if (script.closed())
        return false; // which visit() reports
    if (scripted.expects(script.good() ? 1 : 0))
        return true;
    protocol::Failure failure;
    failure.kind = script.good() ? FailureKind::protocol : FailureKind::errReply;
    failure.verb = static_cast<std::uint8_t>(verb);
    failure.text =
        script.good() ? "+OK is not the reply that the script expects: " + script.text() : script.text();
    m_shell.report(failure, toString(verb), &script.transcript());
    return false;
}

void Pop3ScriptVisit::reportRetrieved(MessageCheck& check, const protocol::Pop3Script& script)
{
    const std::vector<RetrievedMessage> messages = check.take();
    const std::vector<std::uint64_t>& numbers = script.fetched();
    if (messages.empty())
        return;
    m_context.recorder.count(m_context.series.total().retrieved, messages.size());
    m_shell.reportDamages(check, messages);
    // A number stands for one copy as long as the session lasts: fetched again it is the same one, not another. The same message under
    // two numbers is two copies, of which the next visit sees those that stay: so only the last of them is said to stay.
    std::unordered_set<std::uint64_t> told, comesLater;
    std::vector<RetrievedCopy> copies;
    ForeignMail foreign { m_action.mailbox, 0, true }; // where some of it stays: all of it, for the audit
    for (std::size_t i = messages.size(); i-- > 0;) {
        const RetrievedMessage& message = messages[i];
        if (!told.insert(numbers[i]).second)
            continue;
        const bool gone = script.gone(numbers[i]);
        if (message.kind == RetrievedMessage::Kind::foreign)
            foreign = { m_action.mailbox, foreign.count + 1, foreign.removed && gone };
        else if (message.kind != RetrievedMessage::Kind::initial)
            copies.push_back({ message.kind, message.id, m_action.mailbox,
                gone || !comesLater.insert(message.id).second, m_shell.offset(message.at) });
    }
    m_context.journal.write([&](JournalPages& pages) {
        pages.retrieved.insert(pages.retrieved.end(), copies.rbegin(), copies.rend());
        if (foreign.count > 0)
            pages.foreign.push_back(foreign);
    });
}

} // namespace loadstone::mail
