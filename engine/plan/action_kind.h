// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::plan {

/// What a simulated user does: the steps of a script (up to imapSession), the actions of a user's day (from logon on), and
/// sendMessage, which is both.
enum class ActionKind : std::uint8_t {
    emptyMailbox, ///< log in over POP3, read and delete all, quit
    readMailbox, ///< log in, read all, delete nothing
    sendMessage, ///< submit one message; of a user's day: a new one
    holdSession, ///< log in over POP3 and stay connected for `hold`
    listMailbox, ///< log in, list with UIDL and fetch all headers with TOP, delete nothing
    imapSession, ///< log in over IMAP, open the Inbox, send the step's commands, stay for `hold`, log out

    logon,
    logoff,
    checkInbox, ///< look for new mail and list it
    browseFolder, ///< open one of the user's own folders and list it
    readMessage, ///< open a message
    loadAttachment,
    reply,
    replyAll,
    forward,
    moveMessage, ///< to one of the user's own folders
    copyMessage, ///< likewise
    deleteMessage, ///< move to Deleted Items
    emptyDeletedItems,

    updateSchedule, ///< alter one of one's events; the rest needs a calendar or contacts server
    makeAppointment, ///< put an event into one's calendar
    requestMeeting, ///< the same with attendees
    checkFreeBusy,
    browseCalendar, ///< look for the events of a week, and fetch them
    createContact,
    browseContacts, ///< look for the contacts of a name, and fetch them
    journal, ///< put a journal entry into one's calendar

    // To mailboxes, before and after all users:
    initialiseMailbox,
    cleanMailbox,
};
inline constexpr std::size_t kActionKinds = 29;
inline constexpr ActionKind kFirstCalendarAction = ActionKind::updateSchedule;

constexpr bool isPreparation(ActionKind kind)
{
    return kind == ActionKind::initialiseMailbox || kind == ActionKind::cleanMailbox;
}

/// It needs a contacts server, the other calendar actions a calendar server.
constexpr bool isContactAction(ActionKind kind)
{
    return kind == ActionKind::createContact || kind == ActionKind::browseContacts;
}

/// "Send message", "Check Inbox", …
const char* toString(ActionKind kind);

} // namespace loadstone::plan
