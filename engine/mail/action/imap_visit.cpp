// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/imap_visit.h"

#include "mail/action/imap_link.h"

#include <algorithm>
#include <vector>

namespace loadstone::mail {

using protocol::ImapVerb;

ImapVisit::ImapVisit(ActionShell& shell)
    : m_shell(shell)
    , m_context(shell.context())
    , m_setup(shell.setup())
    , m_action(shell.action())
{
}

Task<void> ImapVisit::visit()
{
    const plan::Step& step = m_setup.plan.workload.steps[m_action.step()];
    const std::string name = m_shell.loginAt(m_setup.plan.target.imap);
    ImapLink link(m_setup, m_context.io.get_executor(), m_context.connections, name);
    bool good = co_await link.open(m_shell);
    if (good) {
        const std::string inbox = "SELECT INBOX";
        good = co_await command(link, ImapVerb::select, inbox);
    }
    if (good)
        good = co_await carryOut(link, step);
    if (good && step.hold > Nanoseconds(0))
        co_await stay(link, step.hold);
    if (link.client.ready()) {
        link.client.logout();
        co_await link.exchange(m_shell);
    }
}

Task<void> ImapVisit::stay(ImapLink& link, Nanoseconds length)
{
    const plan::ImapEndpoint& endpoint = m_setup.plan.target.imap;
    if (!endpoint.idle || !link.client.can("IDLE")) {
        co_await m_shell.hold(length);
        co_return;
    }
    const MonoTime end = monoNow() + length;
    for (MonoTime now = monoNow(); now < end && !m_context.stopping; now = monoNow()) {
        link.client.idle();
        bool good = co_await link.exchange(m_shell);
        if (!good || !link.client.idling())
            co_return;
        const Nanoseconds span = std::min<Nanoseconds>(endpoint.idleRenewal, end - now);
        co_await m_shell.hold(span);
        link.client.done();
        good = co_await link.exchange(m_shell);
        if (!good)
            co_return;
    }
}

Task<bool> ImapVisit::carryOut(ImapLink& link, const plan::Step& step)
{
    std::vector<ImapVerb> verbs;
    for (const std::string& text : step.commands)
        verbs.push_back(protocol::imapVerbOf(text));
    for (unsigned round = 0; round < step.repeat; ++round)
        for (std::size_t i = 0; i < verbs.size(); ++i) {
            if ((round > 0 || i > 0) && m_shell.pausesBetween())
                co_await m_shell.pauseBetween();
            const bool good = co_await command(link, verbs[i], step.commands[i]);
            if (!good)
                co_return false;
        }
    co_return true;
}

Task<bool> ImapVisit::command(ImapLink& link, ImapVerb verb, const std::string& text)
{
    link.client.command(verb, text);
    const bool good = co_await link.exchange(m_shell);
    co_return good;
}

} // namespace loadstone::mail
