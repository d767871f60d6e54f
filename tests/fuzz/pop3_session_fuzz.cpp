// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole sessions over POP3, by the real coroutines: mailboxes are emptied, read, listed, held open; the preflight looks. TLS goes
// no further than its handshake.
//
// The head (see session_stage.h): p preflight, else a letter for each visit: e empty, r read (the drain's), l list, h hold, c a
// script of commands;
// capitals for options: P pipelining, T STLS, A the best login that is offered, D APOP, M CRAM-MD5, S SCRAM-SHA-256, else USER.

#include "mail/action/mailbox_visit.h"
#include "mail/action/pop3_script_visit.h"
#include "session_stage.h"

#include <algorithm>
#include <cstdint>

using namespace loadstone;
using namespace loadstone::fuzz;
using plan::ActionKind;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
[target]
password = "x"
[target.pop3]
[workload]
pacing = "closed"
[[workload.steps]]
action = "hold session"
hold = "1 s"
[[workload.steps]]
action = "POP3 session"
repeat = 2
commands = ["CAPA -> any", "STAT", "LIST -> any", "UIDL -> any", "TOP {n} 0 -> any", "RETR {n} -> any", "DELE {n} -> any", "NOOP", "RETR {n} -> -ERR or +OK", "RSET"]
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
    setup.plan.target.pop3.pipelining = setup.pop3Options.pipelining = input.has('P');
    setup.pop3Options.startTls = input.has('T');
    using protocol::Pop3Auth;
    chooseMechanism(input, setup.pop3Options.sasl, protocol::SaslMechanism::scramSha256);
    setup.pop3Options.auth = input.has('A') ? Pop3Auth::automatic
        : input.has('D')                    ? Pop3Auth::apop
        : input.has('M') || input.has('S')  ? Pop3Auth::sasl
                                            : Pop3Auth::userPass;
}

mail::Task<void> visit(mail::WorkerContext& context, std::string visits)
{
    for (const char letter : visits) {
        mail::Appointment action;
        if (letter == 'c') {
            action.kind = ActionKind::pop3Session;
            action.of = mail::ScriptAction { .step = 1 };
            mail::ActionShell shell(context, action);
            mail::Pop3ScriptVisit run(shell);
            co_await run.visit();
            continue;
        }
        switch (letter) {
        case 'e':
            action.kind = ActionKind::emptyMailbox;
            break;
        case 'r':
            action.kind = ActionKind::readMailbox;
            break;
        case 'l':
            action.kind = ActionKind::listMailbox;
            break;
        case 'h':
            action.kind = ActionKind::holdSession;
            break;
        default:
            continue;
        }
        mail::ActionShell shell(context, action);
        mail::MailboxVisit run(shell);
        co_await run.visit();
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
    const std::string visits(input.head);
    const Played played =
        stage.play(input.server, [&](mail::WorkerContext& context) { return visit(context, visits); });
    const auto visited = static_cast<std::size_t>(std::count_if(
        visits.begin(), visits.end(), [](char letter) { return letter == 'e' || letter == 'r'; }));
    if (played.pages.reads.size() > visited)
        found("a mailbox was read more often than it was visited");
    return 0;
}
