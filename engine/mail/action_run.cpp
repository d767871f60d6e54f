// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action_run.h"

#include "mail/imap_visit.h"
#include "mail/mail_series.h"
#include "mail/mailbox_cleaning.h"
#include "mail/mailbox_filling.h"
#include "mail/mailbox_visit.h"
#include "mail/smtp_action.h"
#include "mail/user_action.h"

namespace loadstone::mail {

namespace {

/// False where it must not begin any more: what begins behind the stop would not be ended by it.
bool begin(ActionShell& run, const Action& action, WorkerContext& context)
{
    ActionOutcome& outcome = run.outcome();
    outcome.sent = outcome.done = monoNow();
    context.recorder.record(kSlipHistogram, outcome.sent - action.ready);
    if (context.stopping)
        outcome.failure.kind = protocol::FailureKind::stopped;
    return !context.stopping;
}

std::optional<Action> end(ActionShell& run, const Action& action, Worker& worker)
{
    if (!run.outcome().over)
        run.outcome().done = monoNow();
    return worker.finished(action, run.outcome(), run.generation());
}

} // namespace

Task<void> playActions(Worker& worker, Action first)
{
    WorkerContext& context = worker.context();
    const bool users = context.setup.plan.workload.pacing == plan::Pacing::users;
    for (std::optional<Action> action = first; action;) {
        if (action->kind == plan::ActionKind::initialiseMailbox) {
            MailboxFilling run(context, *action);
            if (begin(run, *action, context))
                co_await run.carryOut();
            action = end(run, *action, worker);
        } else if (action->kind == plan::ActionKind::cleanMailbox) {
            MailboxCleaning run(context, *action);
            if (begin(run, *action, context))
                co_await run.carryOut();
            action = end(run, *action, worker);
        } else if (users) {
            UserAction run(context, *action);
            if (begin(run, *action, context))
                co_await run.live();
            action = end(run, *action, worker);
        } else if (action->kind == plan::ActionKind::sendMessage) {
            SmtpAction run(context, *action);
            if (begin(run, *action, context))
                co_await run.send();
            action = end(run, *action, worker);
        } else if (action->kind == plan::ActionKind::imapSession) {
            ImapVisit run(context, *action);
            if (begin(run, *action, context))
                co_await run.visit();
            action = end(run, *action, worker);
        } else {
            MailboxVisit run(context, *action);
            if (begin(run, *action, context))
                co_await run.visit();
            action = end(run, *action, worker);
        }
    }
}

Task<void> renewIdle(WorkerContext& context, Action action)
{
    UserAction run(context, action);
    co_await run.renewIdle();
}

} // namespace loadstone::mail
