// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole sessions over SMTP and LMTP, by the real coroutines: messages are submitted, over a connection each or over one that is
// kept, some again after a failure; the preflight looks. TLS goes no further than its handshake.
//
// The head (see session_stage.h): p preflight, else s for each message, r for one that is a further attempt, c for a script of
// commands, e for one that expects what it should not; capitals for
// options: L LMTP, P pipelining, K the connection is kept, T STARTTLS, A login by the best that is offered, M CRAM-MD5, S
// SCRAM-SHA-256, B small buffers.

#include "mail/action/smtp_action.h"
#include "mail/action/smtp_script_visit.h"
#include "session_stage.h"

#include <cstdint>
#include <set>

using namespace loadstone;
using namespace loadstone::fuzz;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
[target]
password = "x"
[target.smtp]
[workload]
pacing = "closed"
[[workload.steps]]
action = "send message"
size = "6 KB"
recipients = 3
[[workload.steps]]
action = "SMTP session"
size = "6 KB"
recipients = 2
repeat = 2
commands = ["NOOP", "MAIL FROM:<{sender}> SIZE={size}", "RCPT TO:<{recipient}>", "DATA", "{message}"]
[[workload.steps]]
action = "SMTP session"
size = "6 KB"
recipients = 2
commands = ["VRFY {user} -> any", "MAIL FROM:<> -> any", "RCPT TO:<{recipient}> -> any", "DATA -> any", "{message} -> 5xx", "DATA -> 503", "RSET"]
[[mixes]]
clients = 1
threads_per_client = 1
mailboxes_per_client = 4
measurement = "1 min"
)";

void choose(SessionStage& stage, const SessionInput& input)
{
    mail::MailSetup& setup = stage.setup();
    setup.purpose = RunPurpose::run;
    setup.plan.target.smtp.reuseConnection = input.has('K');
    setup.plan.target.smtp.pipelining = setup.smtpOptions.pipelining = input.has('P');
    setup.plan.target.smtp.lmtp = setup.smtpOptions.lmtp = input.has('L');
    setup.smtpOptions.startTls = input.has('T');
    chooseMechanism(input, setup.smtpOptions.sasl, protocol::SaslMechanism::scramSha256);
    setup.smtpOptions.auth = input.has('A') ? protocol::SmtpAuth::automatic
        : input.has('M') || input.has('S')  ? protocol::SmtpAuth::sasl
                                            : protocol::SmtpAuth::none;
    stage.setSmallBuffers(input.has('B'));
}

mail::Task<void> send(mail::WorkerContext& context, std::string messages)
{
    mail::Appointment action;
    for (const char letter : messages) {
        if (letter == 'c' || letter == 'e') {
            mail::Appointment scripted;
            scripted.kind = plan::ActionKind::smtpSession;
            scripted.of = mail::ScriptAction { .step = static_cast<std::uint16_t>(letter == 'c' ? 1 : 2) };
            mail::ActionShell shell(context, scripted);
            mail::SmtpScriptVisit run(shell);
            co_await run.visit();
            continue;
        }
        if (letter != 's' && letter != 'r')
            continue;
        if (letter == 's') // else it is tried again
            action = {};
        action.kind = plan::ActionKind::sendMessage;
        mail::ActionShell shell(context, action);
        mail::SmtpAction run(shell);
        co_await run.send();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static SessionStage stage(kPlan);
    const SessionInput input(data, size);
    if (input.head.empty())
        return 0;
    choose(stage, input);
    if (input.head[0] == 'p') {
        stage.preflight(input.server);
        return 0;
    }
    const std::string messages(input.head);
    const Played played =
        stage.play(input.server, [&](mail::WorkerContext& context) { return send(context, messages); });
    std::set<std::uint64_t> accepted;
    for (const mail::AcceptedCopy& copy : played.pages.accepted)
        if (!copy.uncertain)
            accepted.insert(copy.id);
    if (accepted.size() > played.dots)
        found("a message was accepted that was not sent to its end");
    return 0;
}
