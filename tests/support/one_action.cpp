// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/one_action.h"

#include "base/thread_placement.h"
#include "mail/action/mailbox_visit.h"
#include "mail/action/pop3_script_visit.h"
#include "mail/action/smtp_action.h"
#include "mail/action/smtp_script_visit.h"
#include "mail/action/user_action.h"
#include "mail/prepare/mailbox_filling.h"
#include "support/program.h"

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <stdexcept>

namespace loadstone::test {

namespace asio = boost::asio;
using plan::ActionKind;

namespace {

constexpr auto kWatch = std::chrono::milliseconds(5);

mail::Task<void> perform(
    mail::WorkerContext& context, mail::Appointment& action, mail::ActionOutcome& outcome)
{
    mail::ActionShell shell(context, action);
    if (action.kind == ActionKind::initialiseMailbox) {
        mail::MailboxFilling run(shell);
        co_await run.carryOut();
    } else if (context.setup.plan.workload.pacing == plan::Pacing::users) {
        mail::UserAction run(shell);
        co_await run.live();
    } else if (action.kind == ActionKind::sendMessage) {
        mail::SmtpAction run(shell);
        co_await run.send();
    } else if (action.kind == ActionKind::smtpSession) {
        mail::SmtpScriptVisit run(shell);
        co_await run.visit();
    } else if (action.kind == ActionKind::pop3Session) {
        mail::Pop3ScriptVisit run(shell);
        co_await run.visit();
    } else {
        mail::MailboxVisit run(shell);
        co_await run.visit();
    }
    outcome = shell.outcome();
}

asio::ip::tcp::endpoint placeOf(const plan::Endpoint& endpoint)
{
    return { asio::ip::make_address(endpoint.host), endpoint.port };
}

} // namespace

std::string planOf(ActionKind kind, const std::string& target, bool users)
{
    const char* step = kind == ActionKind::sendMessage ? "action = \"send message\"\nsize = \"2 KB\""
        : kind == ActionKind::emptyMailbox             ? "action = \"empty mailbox\""
                                                       : "action = \"read mailbox\"";
    const std::string work = users ? std::string("pacing = \"users\"\nprofile = \"hourly\"\n")
                                   : fmt::format("pacing = \"closed\"\n[[workload.steps]]\n{}\n", step);
    const char* mix = users ? "users = 4" : "clients = 1\nthreads_per_client = 1\nmailboxes_per_client = 2";
    return fmt::format("format = 1\nkind = \"mail\"\n{}\n[workload]\n{}[[mixes]]\n{}\nmeasurement = \"2 s\"\n"
                       "ramp_up = \"1 s\"\n",
        target, work, mix);
}

struct ActionStage::State {
    mail::MailSetup setup;
    std::unique_ptr<mail::WorkerContext> context;
};

ActionStage::ActionStage(const std::string& text)
    : m_state(std::make_unique<State>())
{
    const ScratchFolder folder;
    const auto file = folder / "plan.toml";
    std::ofstream(file) << text;
    auto loaded = plan::loadPlan(file);
    if (!loaded || !loaded->ok()) {
        std::string why = loaded ? "" : loaded.error().message;
        for (const Problem& problem : loaded ? loaded->problems : std::vector<Problem>())
            why += problem.field + " " + problem.message + "; ";
        throw std::runtime_error("no plan: " + why);
    }
    mail::MailSetup& setup = m_state->setup;
    setup.plan = *loaded->plan.mail();
    setup.password = plan::readPassword(setup.plan.target.password).value();
    setup.smtp = placeOf(setup.plan.target.smtp);
    setup.pop3 = placeOf(setup.plan.target.pop3);
    setup.imap = placeOf(setup.plan.target.imap);
    setup.calendars.address = placeOf(setup.plan.target.caldav);
    if (setup.plan.workload.initial)
        setup.purpose = RunPurpose::initialise; // so that there are initial messages
    setup.maxSessions = 10;
    setup.started = wallNow();
    if (const auto finished = setup.finish(); !finished)
        throw std::runtime_error(finished.error().message);

    blockBrokenPipeSignal();
    m_state->context = std::make_unique<mail::WorkerContext>(setup);
    m_state->context->mailboxes = static_cast<std::uint32_t>(setup.plan.largestMix());
    m_state->context->origin = monoNow();
    m_state->context->pauses = setup.requestPausesOf(0);
}

ActionStage::~ActionStage() = default;

void ActionStage::owe(mail::OwedCopies owed)
{
    m_state->context->owed = std::make_shared<const mail::OwedCopies>(std::move(owed));
}

void ActionStage::onPause(std::function<void()> call)
{
    m_state->context->pausing = [call = std::move(call)](std::uint32_t, Nanoseconds) { call(); };
}

const mail::MailSetup& ActionStage::setup() const
{
    return m_state->setup;
}

ActionEnd ActionStage::play(ActionKind kind)
{
    mail::Appointment action;
    action.kind = kind;
    return play(std::move(action));
}

ActionEnd ActionStage::play(mail::Appointment action, std::chrono::seconds limit)
{
    mail::WorkerContext& context = *m_state->context;
    action.intended = action.ready = monoNow();
    mail::ActionOutcome outcome;
    bool over = false;
    asio::steady_timer watch(context.io); // as the worker's heartbeat
    std::function<void()> look = [&] {
        watch.expires_after(kWatch);
        watch.async_wait([&](const boost::system::error_code& error) {
            context.connections.expire(monoNow());
            if (!error && !over)
                look();
        });
    };
    look();
    asio::co_spawn(context.io, perform(context, action, outcome), [&](const std::exception_ptr& error) {
        over = true;
        watch.cancel();
        if (error)
            std::rethrow_exception(error);
    });
    context.io.restart();
    context.io.run_for(limit);
    if (!over)
        throw std::runtime_error("the action did not end");
    mail::JournalPages pages;
    context.journal.collect([&](mail::JournalPages& written) { pages = std::exchange(written, {}); });
    ActionEnd end;
    end.failure = outcome.failure;
    end.where = outcome.where;
    end.dropped = outcome.dropped;
    end.found = outcome.found;
    end.renumbered = outcome.renumbered;
    end.notes = pages.notes;
    end.warnings = pages.warnings;
    metrics::Slab counted = metrics::Slab::of(context.series.list());
    context.recorder.collect(counted);
    end.appended = context.series.preparationIn(counted).appended;
    end.retrieved = counted[context.series.total().retrieved];
    end.readToEnd = pages.reads.size();
    end.accepted = pages.accepted;
    end.copies = pages.retrieved;
    end.sent = counted[context.series.total().sent];
    end.recipients = counted[context.series.total().recipients];
    end.paused = outcome.paused;
    for (const Transcript& transcript : pages.transcripts)
        end.transcript += transcript.text;
    for (const metrics::ErrorCount& row : pages.errors)
        end.errors += static_cast<unsigned>(row.count);
    return end;
}

ActionEnd carryOut(ActionKind kind, const std::string& text, std::chrono::seconds limit)
{
    mail::Appointment action;
    action.kind = kind;
    return ActionStage(text).play(std::move(action), limit);
}

} // namespace loadstone::test
