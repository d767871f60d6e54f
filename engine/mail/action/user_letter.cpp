// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_letter.h"

#include "mail/users/user_decisions.h"

namespace loadstone::mail {

UserLetter::UserLetter(UserCommands& commands)
    : m_commands(commands)
    , m_shell(commands.shell())
    , m_session(commands.session())
    , m_action(m_shell.action())
    , m_submission(m_shell, *this)
{
}

MessageOrder UserLetter::compose(SmtpSession& session, std::uint32_t)
{
    const MailSetup& setup = m_shell.setup();
    const plan::Profile& profile = *setup.plan.workload.profile;
    const std::uint32_t users = m_shell.mailboxes();
    Letter letter;
    letter.recipients = std::move(session.mailboxes); // for its memory
    decideLetter(profile, setup.listsOf.at(users), setup.plan.seed, users, m_action, {}, letter);
    session.mailboxes = std::move(letter.recipients);
    MessageOrder order;
    order.kind = &profile.messages[letter.kind];
    return order;
}

void UserLetter::accepted(SmtpSession& session)
{
    m_written = std::move(session.message);
}

Task<void> UserLetter::write()
{
    if (m_commands.dropped(m_action.message())) // an answer to it
        co_return;
    co_await m_submission.send();
    const bool saves = m_written != nullptr && m_shell.setup().plan.workload.profile->saveToSent;
    if (!saves || !m_session.alive())
        co_return;
    const std::string sent = m_session.nameOf(kSentItems);
    if (m_session.oracle)
        m_session.oracle->appending(kSentItems, static_cast<std::uint32_t>(m_written->size));
    m_session.link()->client.append(sent, "\\Seen", m_written->pieces, m_written->size);
    const bool saved = co_await m_session.link()->exchange(m_shell);
    m_session.settled(saved);
}

} // namespace loadstone::mail
