// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole sessions over IMAP, by the real coroutines: a mailbox is filled or cleaned, a script visits it, a user lives a day
// (with SMTP beside it), the preflight looks. TLS goes no further than its handshake.
//
// The head (see session_stage.h) begins with the session: i fill, c clean, v visit of a script, p preflight, u a user's day;
// then capitals for options (P pipelining, Z compress, C condstore, I idle, T STARTTLS, O the oracle follows the user, K a
// client that keeps copies, B small buffers; logins L LOGIN, A PLAIN, M CRAM-MD5, S SCRAM-SHA-256), then a user's actions: l
// logon, o logoff, n check Inbox, b browse, r read, a attachment, m move, y copy, d delete, e empty, s send, w read all that is
// left, x renew IDLE.

#include "mail/action/imap_visit.h"
#include "mail/action/user_action.h"
#include "mail/prepare/mailbox_cleaning.h"
#include "mail/prepare/mailbox_filling.h"
#include "mail/run/action_run.h"
#include "session_stage.h"

#include <cstdint>

using namespace loadstone;
using namespace loadstone::fuzz;
using plan::ActionKind;

namespace {

constexpr const char* kUsers = R"plan(format = 1
kind = "mail"
[target]
password = "x"
[target.smtp]
[target.imap]
[workload]
pacing = "users"
profile = "fuzz"
[[mixes]]
users = 4
measurement = "1 min"
)plan";
constexpr const char* kScript = R"plan(format = 1
kind = "mail"
[target]
password = "x"
[target.imap]
[workload]
pacing = "closed"
[[workload.steps]]
action = "IMAP session"
commands = ["NOOP", "UID FETCH 1:* (FLAGS BODY.PEEK[])", "STATUS INBOX (MESSAGES)", "SEARCH UNSEEN"]
hold = "1 s"
[[mixes]]
clients = 1
threads_per_client = 1
mailboxes_per_client = 1
measurement = "1 min"
)plan";

SessionStage& stageOf(bool users)
{
    static SessionStage day(kUsers), script(kScript);
    return users ? day : script;
}

void choose(SessionStage& stage, const SessionInput& input)
{
    mail::MailSetup& setup = stage.setup();
    plan::ImapEndpoint& imap = setup.plan.target.imap;
    imap.pipelining = input.has('P');
    imap.compress = input.has('Z');
    imap.condstore = input.has('C');
    imap.idle = input.has('I');
    setup.imapOptions.startTls = input.has('T');
    setup.plan.workload.oracle = input.has('O') ? 1 : 0;
    if (setup.plan.workload.profile)
        setup.plan.workload.profile->cached = input.has('K');
    chooseMechanism(input, setup.imapOptions.sasl, protocol::SaslMechanism::plain);
    setup.imapOptions.auth = input.has('L')                  ? protocol::ImapAuth::login
        : input.has('A') || input.has('M') || input.has('S') ? protocol::ImapAuth::sasl
                                                             : protocol::ImapAuth::automatic;
    stage.setSmallBuffers(input.has('B'));
}

template <class Errand>
mail::Task<void> errand(mail::WorkerContext& context, ActionKind kind)
{
    mail::Appointment action;
    action.kind = kind;
    mail::ActionShell shell(context, action);
    Errand run(shell);
    co_await run.carryOut();
}

mail::Task<void> visit(mail::WorkerContext& context)
{
    mail::Appointment action;
    action.kind = ActionKind::imapSession;
    mail::ActionShell shell(context, action);
    mail::ImapVisit run(shell);
    co_await run.visit();
}

ActionKind kindOf(char letter)
{
    switch (letter) {
    case 'o':
        return ActionKind::logoff;
    case 'n':
        return ActionKind::checkInbox;
    case 'b':
        return ActionKind::browseFolder;
    case 'r':
        return ActionKind::readMessage;
    case 'a':
        return ActionKind::loadAttachment;
    case 'm':
        return ActionKind::moveMessage;
    case 'y':
        return ActionKind::copyMessage;
    case 'd':
        return ActionKind::deleteMessage;
    case 'e':
        return ActionKind::emptyDeletedItems;
    case 's':
        return ActionKind::sendMessage;
    case 'w':
        return ActionKind::readMailbox;
    default:
        return ActionKind::logon;
    }
}

mail::Task<void> live(mail::WorkerContext& context, std::string actions)
{
    mail::SeenMessage seen;
    seen.uid = 1;
    for (const char letter : actions) {
        if (letter < 'a' || letter > 'z')
            continue;
        mail::Appointment action;
        action.kind = kindOf(letter);
        if (letter == 'x') {
            co_await mail::renewIdle(context, action.mailbox);
            continue;
        }
        if (plan::isOf(action.kind, plan::ActionSet::following))
            action.of = mail::FollowingAction { .message = seen, .folder = mail::kFirstOwnFolder };
        else
            action.of = mail::TimedAction { .folder = mail::kFirstOwnFolder };
        mail::ActionShell shell(context, action);
        mail::UserAction run(shell);
        co_await run.live();
        if (!shell.outcome().found.empty())
            seen = shell.outcome().found.front();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const SessionInput input(data, size);
    if (input.head.empty())
        return 0;
    SessionStage& stage = stageOf(input.head[0] != 'v');
    choose(stage, input);
    Played played;
    switch (input.head[0]) {
    case 'i':
        stage.setup().purpose = RunPurpose::initialise;
        played = stage.play(input.server, [](mail::WorkerContext& context) {
            return errand<mail::MailboxFilling>(context, ActionKind::initialiseMailbox);
        });
        break;
    case 'c':
        stage.setup().purpose = RunPurpose::cleanUp;
        played = stage.play(input.server, [](mail::WorkerContext& context) {
            return errand<mail::MailboxCleaning>(context, ActionKind::cleanMailbox);
        });
        break;
    case 'v':
        played = stage.play(input.server, visit);
        break;
    case 'p':
        stage.setup().purpose = RunPurpose::run;
        stage.preflight(input.server);
        return 0;
    default:
        stage.setup().purpose = RunPurpose::run;
        const std::string actions(input.head.substr(1));
        played =
            stage.play(input.server, [&](mail::WorkerContext& context) { return live(context, actions); });
    }
    constexpr std::uint64_t kLeast = 500; // bytes of a message of these plans
    if (played.prepared.appended * kLeast > played.bytes && !input.has('Z'))
        found("more was appended than was sent");
    return 0;
}
