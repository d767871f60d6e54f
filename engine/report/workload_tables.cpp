// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"
#include "plan/model/plan.h"
#include "report/cells.h"
#include "report/fact_tables.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

namespace loadstone::report {

namespace {

/// "MAIL FROM:<{sender}>, RCPT TO:<{recipient}> (for each recipient), ..."
std::string scriptText(const plan::Step& step)
{
    using Turn = plan::ScriptCommand::Turn;
    std::string text;
    for (const plan::ScriptCommand& command : step.script) {
        text += ", " + command.text;
        if (command.turn == Turn::eachRecipient)
            text += fmt::format(" (for each of {})", plural(step.recipients, "recipient"));
        else if (command.turn == Turn::eachMessage)
            text += " (for each message)";
        else if (command.turn == Turn::message)
            text += " of " + formatBytes(step.size);
    }
    return step.repeat > 1 ? text + fmt::format(" ({} times)", step.repeat) : text;
}

std::string stepText(const plan::Step& step)
{
    switch (step.kind) {
    case plan::ActionKind::smtpSession:
        return "Connect over SMTP" + scriptText(step) + ", quit";
    case plan::ActionKind::pop3Session:
        return "Log in over POP3" + scriptText(step) + ", quit";
    case plan::ActionKind::emptyMailbox:
        return "Log in, read and delete all messages, log out";
    case plan::ActionKind::readMailbox:
        return "Log in, read all messages, delete none, log out";
    case plan::ActionKind::sendMessage:
        return fmt::format(
            "Send one message of {} to {}", formatBytes(step.size), plural(step.recipients, "recipient"));
    case plan::ActionKind::listMailbox:
        return "Log in, list all messages and read their headers, delete none, log out";
    case plan::ActionKind::holdSession:
        return "Log in and stay connected for " + formatDuration(step.hold);
    case plan::ActionKind::imapSession: {
        std::string text = "Log in over IMAP";
        for (const std::string& command : step.commands)
            text += ", " + command;
        if (step.repeat > 1 && !step.commands.empty())
            text += fmt::format(" ({} times)", step.repeat);
        if (step.hold > Nanoseconds(0))
            text += ", stay connected for " + formatDuration(step.hold);
        return text + ", log out";
    }
    default:
        break; // no step of a script
    }
    return "?";
}

/// A profile's day: what comes by the clock, and what follows from reading.
Table profileTable(const plan::Workload& workload)
{
    const plan::Profile& profile = *workload.profile;
    Table table { "Workload: what a user does in a day", "",
        { { "Action", kText }, { "How often" }, { "Of", kText } }, {} };
    for (const plan::ActionKind action : plan::kAllActions)
        if (profile.perDayOf(action) > 0) {
            const char* const left = !workload.leavesOut(action) ? ""
                : plan::isOf(action, plan::ActionSet::contacts)
                ? ", left out: the plan names no CardDAV server"
                : ", left out: the plan names no CalDAV server";
            table.rows.push_back({ toString(action),
                Number { profile.perDayOf(action), Unit::one, { Notation::significant, 3 } },
                std::string("a day") + left });
        }
    const plan::Reading& reading = profile.reading;
    const auto add = [&](plan::ActionKind kind, double of, const char* what) {
        if (of > 0)
            table.rows.push_back(
                { toString(kind), Number { of, Unit::share, { Notation::percent, 3 } }, what });
    };
    const char* answered = reading.attentive < 1 ? "attentive first reads" : "first reads";
    add(plan::ActionKind::reply, reading.reply, answered);
    add(plan::ActionKind::replyAll, reading.replyAll, answered);
    add(plan::ActionKind::forward, reading.forward, answered);
    add(plan::ActionKind::loadAttachment, reading.loadAttachment, "those of messages that have one");
    const char* disposed = reading.disposalOf == plan::ReadsMeant::all ? "all reads" : "first reads";
    add(plan::ActionKind::moveMessage, reading.move, disposed);
    add(plan::ActionKind::copyMessage, reading.copy, disposed);
    add(plan::ActionKind::deleteMessage, reading.remove, disposed);
    if (reading.attentive < 1)
        table.note = formatPercent(reading.attentive, 3) + " of first reads in the Inbox are attentive.";
    return table;
}

/// The steps of named workloads.
Table scriptsTable(const plan::Workload& workload)
{
    Table table { "Workloads: what happens in each iteration", "",
        { { "Workload", kText }, { "Step" }, { "Action", kText } }, {} };
    for (const plan::Script& script : workload.scripts)
        for (std::size_t i = 0; i < script.count; ++i)
            table.rows.push_back(
                { script.name, countCell(i + 1), stepText(workload.steps[script.first + i]) });
    return table;
}

} // namespace

Table workloadTable(const Recording& recording)
{
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::MailPlan* mail = loaded.ok() ? loaded.plan.mail() : nullptr;
    if (mail != nullptr && mail->workload.profile)
        return profileTable(mail->workload);
    Table table { "Workload: what a user does in each iteration", "", { { "Step" }, { "Action", kText } },
        {} };
    if (mail != nullptr && !mail->workload.scripts.empty())
        return scriptsTable(mail->workload);
    if (mail != nullptr)
        for (const plan::Step& step : mail->workload.steps)
            table.rows.push_back({ countCell(table.rows.size() + 1), stepText(step) });
    return table;
}

} // namespace loadstone::report
