// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/run/action_run.h"

#include "mail/action/imap_visit.h"
#include "mail/action/mailbox_visit.h"
#include "mail/action/pop3_script_visit.h"
#include "mail/action/smtp_action.h"
#include "mail/action/smtp_script_visit.h"
#include "mail/action/user_action.h"
#include "mail/prepare/mailbox_cleaning.h"
#include "mail/prepare/mailbox_filling.h"

namespace loadstone::mail {

namespace {

/// False where it must not begin any more: what begins behind the stop would not be ended by it.
bool begin(ActionShell& shell, const Appointment& action)
{
    WorkerContext& context = shell.context();
    ActionOutcome& outcome = shell.outcome();
    outcome.sent = outcome.done = monoNow();
    context.recorder.record(context.series.slip(), outcome.sent - action.ready);
    if (context.stopping)
        outcome.failure.kind = protocol::FailureKind::stopped;
    return !context.stopping;
}

std::optional<Appointment> end(ActionShell& shell, Appointment& action, Worker& worker)
{
    if (!shell.outcome().over)
        shell.outcome().done = monoNow();
    return worker.finished(action, shell.outcome(), shell.generation());
}

/// A coroutine of its own for each kind: GCC gives a frame room for all objects in it, and thousands of sessions wait in theirs.
template <class Run, auto Play>
Task<void> play(Worker& worker, std::optional<Appointment>& action)
{
    ActionShell shell(worker.context(), *action);
    Run run(shell);
    if (begin(shell, *action))
        co_await (run.*Play)();
    action = end(shell, *action, worker);
}

} // namespace

Task<void> playActions(Worker& worker, std::optional<Appointment> action)
{
    const bool users = worker.context().setup.plan.workload.pacing == plan::Pacing::users;
    while (action) {
        if (action->kind == plan::ActionKind::initialiseMailbox)
            co_await play<MailboxFilling, &MailboxFilling::carryOut>(worker, action);
        else if (action->kind == plan::ActionKind::cleanMailbox)
            co_await play<MailboxCleaning, &MailboxCleaning::carryOut>(worker, action);
        else if (users)
            co_await play<UserAction, &UserAction::live>(worker, action);
        else if (action->kind == plan::ActionKind::sendMessage)
            co_await play<SmtpAction, &SmtpAction::send>(worker, action);
        else if (action->kind == plan::ActionKind::imapSession)
            co_await play<ImapVisit, &ImapVisit::visit>(worker, action);
        else if (action->kind == plan::ActionKind::smtpSession)
            co_await play<SmtpScriptVisit, &SmtpScriptVisit::visit>(worker, action);
        else if (action->kind == plan::ActionKind::pop3Session)
            co_await play<Pop3ScriptVisit, &Pop3ScriptVisit::visit>(worker, action);
        else
            co_await play<MailboxVisit, &MailboxVisit::visit>(worker, action);
    }
}

Task<void> renewIdle(WorkerContext& context, std::uint32_t mailbox)
{
    Appointment action;
    action.mailbox = mailbox;
    action.of = TimedAction {};
    ActionShell shell(context, action);
    UserAction run(shell);
    co_await run.renewIdle();
}

} // namespace loadstone::mail
