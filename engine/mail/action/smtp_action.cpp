// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/smtp_action.h"

#include "mail/users/recipients.h"

namespace loadstone::mail {

SmtpAction::SmtpAction(ActionShell& shell)
    : m_shell(shell)
    , m_action(shell.action())
    , m_submission(shell, *this)
{
}

MessageOrder SmtpAction::compose(SmtpSession& session, std::uint32_t number)
{
    const plan::MailPlan& plan = m_shell.setup().plan;
    const plan::Step& step = plan.workload.steps[m_action.step()];
    drawRecipients(plan.workload.recipientChoice, plan.seed, m_shell.mailboxes(), m_action.mailbox, number,
        step.recipients, session.mailboxes);
    MessageOrder order;
    order.size = step.size;
    return order;
}

} // namespace loadstone::mail
