// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole sessions over CalDAV and CardDAV, by the real coroutines: collections are filled or cleaned, a user lives a day.
//
// The head (see session_stage.h): i fill, c clean, else a user's actions: l logon, u update a schedule, m make an appointment, q
// request a meeting, f free or busy, v browse the calendar, t create a contact, g browse contacts, j journal, h hang up; N no
// login, B small buffers.

#include "mail/action/dav_action.h"
#include "mail/prepare/collection_errand.h"
#include "session_stage.h"

#include <cstdint>

using namespace loadstone;
using namespace loadstone::fuzz;
using plan::ActionKind;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "mail"
[target]
password = "x"
[target.smtp]
[target.imap]
[target.caldav]
path = "/{user}/calendar/"
[target.carddav]
path = "/{user}/contacts/"
[workload]
pacing = "users"
profile = "fuzz"
[[mixes]]
users = 4
measurement = "1 min"
)";

mail::Task<void> errand(mail::WorkerContext& context, ActionKind kind)
{
    mail::Appointment action;
    action.kind = kind;
    mail::ActionShell shell(context, action);
    mail::CollectionErrand run(shell);
    co_await run.carryOut();
}

ActionKind kindOf(char letter)
{
    switch (letter) {
    case 'u':
        return ActionKind::updateSchedule;
    case 'm':
        return ActionKind::makeAppointment;
    case 'q':
        return ActionKind::requestMeeting;
    case 'f':
        return ActionKind::checkFreeBusy;
    case 'v':
        return ActionKind::browseCalendar;
    case 't':
        return ActionKind::createContact;
    case 'g':
        return ActionKind::browseContacts;
    case 'j':
        return ActionKind::journal;
    default:
        return ActionKind::logon;
    }
}

mail::Task<void> live(mail::WorkerContext& context, std::string actions)
{
    mail::DavSession session;
    std::uint32_t number = 0;
    for (const char letter : actions) {
        if (letter == 'h') {
            session.hangUp();
            continue;
        }
        if (letter < 'a' || letter > 'z')
            continue;
        mail::Appointment action;
        action.kind = kindOf(letter);
        action.of = mail::TimedAction { .number = number++ };
        mail::ActionShell shell(context, action);
        mail::DavAction run(shell);
        co_await run.act(session);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static SessionStage stage(kPlan);
    const SessionInput input(data, size);
    if (input.head.empty())
        return 0;
    mail::MailSetup& setup = stage.setup();
    stage.setSmallBuffers(input.has('B'));
    setup.plan.target.caldav.basic = setup.plan.target.carddav.basic = !input.has('N');
    Played played;
    if (input.head[0] == 'i' || input.head[0] == 'c') {
        const bool fills = input.head[0] == 'i';
        setup.purpose = fills ? RunPurpose::initialise : RunPurpose::cleanUp;
        const ActionKind kind = fills ? ActionKind::initialiseMailbox : ActionKind::cleanMailbox;
        played =
            stage.play(input.server, [&](mail::WorkerContext& context) { return errand(context, kind); });
    } else {
        setup.purpose = RunPurpose::run;
        const std::string actions(input.head);
        played =
            stage.play(input.server, [&](mail::WorkerContext& context) { return live(context, actions); });
    }
    constexpr std::uint64_t kLeast = 200; // bytes of a request that puts an entry
    if (played.prepared.entriesMade * kLeast > played.bytes)
        found("more was put than was sent");
    return 0;
}
