// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/subject.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace loadstone::plan {

using loadstone::ActionKind;
using loadstone::kActionKinds;
using loadstone::toString;

/// What kinds of action have in common. A kind may belong to several sets.
enum class ActionSet : std::uint8_t {
    script, ///< steps of scripts
    pop3, ///< of these, visits that hold a mailbox over POP3, which gives it to one session at a time
    day, ///< what users do in their day
    following, ///< of these, what follows from a message that was found
    calendar, ///< of these, what needs a calendar server
    contacts, ///< of these, what needs a contacts server
    preparation, ///< filling and cleaning of mailboxes
};

struct ActionRow {
    ActionKind kind;
    std::uint32_t sets; ///< one bit for each
    constexpr ActionRow(ActionKind which, std::initializer_list<ActionSet> all)
        : kind(which)
        , sets(0)
    {
        for (const ActionSet set : all)
            sets |= 1U << static_cast<unsigned>(set);
    }
    [[nodiscard]] constexpr bool isOf(ActionSet set) const
    {
        return (sets >> static_cast<unsigned>(set) & 1U) != 0;
    }
};

/// Every kind, once, and what it belongs to.
inline constexpr std::array<ActionRow, kActionKinds> kActionTable { {
    { ActionKind::emptyMailbox, { ActionSet::script, ActionSet::pop3 } },
    { ActionKind::readMailbox, { ActionSet::script, ActionSet::pop3 } },
    { ActionKind::sendMessage, { ActionSet::script, ActionSet::day } },
    { ActionKind::holdSession, { ActionSet::script, ActionSet::pop3 } },
    { ActionKind::listMailbox, { ActionSet::script, ActionSet::pop3 } },
    { ActionKind::imapSession, { ActionSet::script } },
    { ActionKind::smtpSession, { ActionSet::script } },
    { ActionKind::pop3Session, { ActionSet::script, ActionSet::pop3 } },
    { ActionKind::logon, { ActionSet::day } },
    { ActionKind::logoff, { ActionSet::day } },
    { ActionKind::checkInbox, { ActionSet::day } },
    { ActionKind::browseFolder, { ActionSet::day } },
    { ActionKind::readMessage, { ActionSet::day, ActionSet::following } },
    { ActionKind::loadAttachment, { ActionSet::day, ActionSet::following } },
    { ActionKind::reply, { ActionSet::day, ActionSet::following } },
    { ActionKind::replyAll, { ActionSet::day, ActionSet::following } },
    { ActionKind::forward, { ActionSet::day, ActionSet::following } },
    { ActionKind::moveMessage, { ActionSet::day, ActionSet::following } },
    { ActionKind::copyMessage, { ActionSet::day, ActionSet::following } },
    { ActionKind::deleteMessage, { ActionSet::day, ActionSet::following } },
    { ActionKind::emptyDeletedItems, { ActionSet::day } },
    { ActionKind::updateSchedule, { ActionSet::day, ActionSet::calendar } },
    { ActionKind::makeAppointment, { ActionSet::day, ActionSet::calendar } },
    { ActionKind::requestMeeting, { ActionSet::day, ActionSet::calendar } },
    { ActionKind::checkFreeBusy, { ActionSet::day, ActionSet::calendar } },
    { ActionKind::browseCalendar, { ActionSet::day, ActionSet::calendar } },
    { ActionKind::createContact, { ActionSet::day, ActionSet::contacts } },
    { ActionKind::browseContacts, { ActionSet::day, ActionSet::contacts } },
    { ActionKind::journal, { ActionSet::day, ActionSet::calendar } },
    { ActionKind::initialiseMailbox, { ActionSet::preparation } },
    { ActionKind::cleanMailbox, { ActionSet::preparation } },
} };

/// The place of a kind in arrays by kind.
constexpr std::size_t indexOf(ActionKind kind)
{
    return static_cast<std::size_t>(kind);
}

constexpr bool isOf(ActionKind kind, ActionSet set)
{
    return kActionTable[indexOf(kind)].isOf(set);
}

/// It needs a calendar server or a contacts server.
constexpr bool needsCollections(ActionKind kind)
{
    return isOf(kind, ActionSet::calendar) || isOf(kind, ActionSet::contacts);
}

/// All kinds, in the order of the table.
inline constexpr std::array<ActionKind, kActionKinds> kAllActions = [] {
    std::array<ActionKind, kActionKinds> all {};
    for (std::size_t i = 0; i < kActionKinds; ++i)
        all[i] = kActionTable[i].kind;
    return all;
}();

/// The kinds of a set, likewise.
template <ActionSet set>
inline constexpr auto kActionsOf = [] {
    constexpr auto count = [] {
        std::size_t all = 0;
        for (const ActionRow& row : kActionTable)
            all += row.isOf(set) ? 1 : 0;
        return all;
    };
    std::array<ActionKind, count()> kinds {};
    std::size_t next = 0;
    for (const ActionRow& row : kActionTable)
        if (row.isOf(set))
            kinds[next++] = row.kind;
    return kinds;
}();

static_assert(
    [] {
        for (std::size_t i = 0; i < kActionKinds; ++i)
            if (indexOf(kActionTable[i].kind) != i)
                return false;
        return true;
    }(),
    "each kind has the row of its index");

} // namespace loadstone::plan
