// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone {

/// What a simulated user does: a step of a script, an action of a user's day, or sendMessage, which is both.
enum class ActionKind : std::uint8_t {
    // Of scripts:
    emptyMailbox, ///< log in over POP3, read and delete all, quit
    readMailbox, ///< log in, read all, delete nothing
    sendMessage, ///< submit one message; of a user's day: a new one
    holdSession, ///< log in over POP3 and stay connected for `hold`
    listMailbox, ///< log in, list with UIDL and fetch all headers with TOP, delete nothing
    imapSession, ///< log in over IMAP, open the Inbox, send the step's commands, stay for `hold`, log out
    smtpSession, ///< connect over SMTP, send the step's commands, quit
    pop3Session, ///< log in over POP3, send the step's commands, quit

    // Of a user's day:
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
    copyMessage, ///< to one of the user's own folders
    deleteMessage, ///< move to Deleted Items
    emptyDeletedItems,

    // Likewise, with a calendar or contacts server:
    updateSchedule, ///< change one of the user's events
    makeAppointment, ///< put an event into the user's calendar
    requestMeeting, ///< the same with attendees
    checkFreeBusy,
    browseCalendar, ///< look for the events of a week, and fetch them
    createContact,
    browseContacts, ///< look for the contacts of a name, and fetch them
    journal, ///< put a journal entry into the user's calendar

    // Filling and cleaning of mailboxes, without users:
    initialiseMailbox,
    cleanMailbox,
};
inline constexpr std::size_t kActionKinds = 31;
/// "Send message", "Check Inbox", …
const char* toString(ActionKind kind);
/// The inverse; none for any other text.
std::optional<ActionKind> actionKindOf(std::string_view name);

/// The purpose of an I/O of a storage or raw test. Each class is measured separately.
enum class IoClass : std::uint8_t {
    databaseRead,
    databaseWrite,
    logWrite,
    logRead,
    checksum,
    backup, ///< reads
    maintenance,
    backupWrite, ///< the copy that a backup makes
    other, ///< writes of checkpoints, and writes that prepare log files
    flush, ///< of any class: when it completes, all earlier writes are durable
};
inline constexpr std::size_t kIoClasses = 10;
/// "Database read", "Log write", …
const char* toString(IoClass ioClass);
std::optional<IoClass> ioClassOf(std::string_view name);

/// A flush transfers no data.
enum class IoDirection : std::uint8_t { neither, read, write };
IoDirection directionOf(IoClass ioClass);

/// The subject of a measurement. Each part is optional: a series without an action counts all actions, and so on.
struct Subject {
    std::string host; ///< its name; empty: the machine that Loadstone runs on
    std::string generator; ///< one of several
    std::string target; ///< one of several servers under test
    std::string volume;
    std::optional<IoClass> ioClass;
    std::string group; ///< a storage group
    std::optional<std::uint32_t> database; ///< of the group, from 0
    std::optional<std::uint32_t> worker; ///< a load thread, from 0
    std::string process;
    std::string device; ///< a processor ("0"), a disk or a network interface of the host
    std::string script, test;
    std::optional<ActionKind> action;
    std::string command; ///< of a protocol: "SMTP DATA"

    static Subject ofAction(ActionKind action);
    static Subject ofCommand(std::string command);
    static Subject ofWorker(std::uint32_t worker);
    static Subject ofGroup(std::string group);
    static Subject ofVolume(std::string volume, std::optional<IoClass> ioClass = {});
    static Subject ofProcess(std::string process);
    static Subject ofDevice(std::string device);

    /// One class of I/O on one volume of the machine that runs Loadstone.
    [[nodiscard]] bool isOwnIo() const { return ioClass && !volume.empty() && host.empty(); }
    [[nodiscard]] bool empty() const { return *this == Subject {}; }
    auto operator<=>(const Subject&) const = default;
};

} // namespace loadstone
