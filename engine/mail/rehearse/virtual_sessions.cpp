// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Of a virtual run, what scripts' sessions do.
#include "mail/rehearse/virtual_run.h"
#include "protocol/pop3/pop3_client.h"
#include "protocol/smtp/smtp_client.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

using plan::ActionKind;

namespace {

/// As results name it: "SMTP MAIL".
const char* nameOf(const plan::Step& step, const plan::ScriptCommand& command)
{
    if (step.kind == ActionKind::pop3Session)
        return toString(protocol::pop3VerbOf(command.text));
    return toString(command.turn == plan::ScriptCommand::Turn::message ? protocol::SmtpVerb::endOfData
                                                                       : protocol::smtpVerbOf(command.text));
}

} // namespace

void VirtualRun::tellCommands(RehearsedPhase& phase) const
{
    for (const plan::Step& step : m_plan.workload.steps) // in the order of the scripts
        for (const plan::ScriptCommand& command : step.script) {
            const char* const name = nameOf(step, command);
            if (const auto counted = m_commands.find(name); counted != m_commands.end()
                && std::ranges::find(phase.commands, name, &RehearsedCommand::name) == phase.commands.end())
                phase.commands.push_back({ name, counted->second });
        }
}

/// The pauses between the requests of a session; what the server serves comes as one piece.
Nanoseconds VirtualRun::pausesWithin(const Appointment& action)
{
    const plan::Step& step = m_plan.workload.steps[action.step()];
    const Pauses& pauses = m_requestPauses[action.step()];
    if (pauses.mean() <= Nanoseconds(0) || (step.script.empty() && step.commands.empty()))
        return {};
    std::uint64_t requests = step.leastRequests();
    const auto forEach = static_cast<std::uint64_t>(
        std::ranges::count(step.script, plan::ScriptCommand::Turn::eachMessage, &plan::ScriptCommand::turn));
    if (forEach > 0)
        requests += forEach * step.repeat * m_server.inbox(action.mailbox, m_now).size();
    constexpr std::uint64_t kDrawn = 10'000; // of so many the sum is near its mean
    constexpr double kLongest = 1e17; // ns, three years
    if (requests > kDrawn || !pauses.varies())
        return Nanoseconds(std::llround(std::min(
            kLongest, static_cast<double>(requests - 1) * static_cast<double>(pauses.mean().count()))));
    Random random(action.script()->draw);
    Nanoseconds sum {};
    for (std::uint64_t i = 1; i < requests; ++i)
        sum += pauses.draw(random);
    return sum;
}

/// `messages`: how many the mailbox has.
void VirtualRun::countCommands(const plan::Step& step, std::uint64_t messages)
{
    using Turn = plan::ScriptCommand::Turn;
    for (const plan::ScriptCommand& command : step.script) {
        const std::uint64_t times = command.turn == Turn::eachRecipient ? step.recipients
            : command.turn == Turn::eachMessage                         ? messages
                                                                        : 1;
        m_commands[nameOf(step, command)] += times * step.repeat;
    }
}

/// A session of SMTP commands.
void VirtualRun::submit(const Appointment& action)
{
    const plan::Step& step = m_plan.workload.steps[action.step()];
    ++m_phase->connections;
    countCommands(step, 0);
    for (std::uint64_t i = 0; i < step.messages(); ++i)
        send(action);
}

/// A session of POP3 commands.
void VirtualRun::visitByCommands(const Appointment& action)
{
    const plan::Step& step = m_plan.workload.steps[action.step()];
    ++m_phase->connections;
    ++m_phase->logons;
    const std::span<const SeenMessage> inbox = m_server.inbox(action.mailbox, m_now);
    const std::size_t messages = inbox.size();
    countCommands(step, messages);
    if (!step.retrieves())
        return;
    const std::uint64_t rounds =
        step.deletes() ? 1 : step.repeat; // what is deleted is there for the first alone
    m_phase->reads += messages * rounds;
    for (const SeenMessage& message : inbox)
        m_phase->bytesRead += message.size * rounds;
    m_phase->firstReads += m_server.newMail(action.mailbox, m_now).size();
    if (!step.deletes())
        return;
    m_phase->deleted += messages;
    m_server.emptySeen(action.mailbox);
}

/// A script's visit to a mailbox.
void VirtualRun::visit(const Appointment& action)
{
    ++m_phase->connections;
    ++m_phase->logons;
    if (action.kind != ActionKind::emptyMailbox && action.kind != ActionKind::readMailbox)
        return;
    for (const SeenMessage& message : m_server.newMail(action.mailbox, m_now)) {
        ++m_phase->reads;
        ++m_phase->firstReads;
        m_phase->bytesRead += message.size;
        m_phase->deleted += action.kind == ActionKind::emptyMailbox ? 1 : 0;
    }
    if (action.kind == ActionKind::emptyMailbox)
        m_server.emptySeen(action.mailbox);
}

} // namespace loadstone::mail
