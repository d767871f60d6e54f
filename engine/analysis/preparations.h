// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <array>
#include <cstdint>

namespace loadstone::analysis {

/// A counter of initialisations and clean-ups: recorded by the mail room, added up again for results.
struct PreparationCounter {
    const char* name;
    const char* unit;
    const char* help;
    std::uint64_t PreparationTotals::*total;
};
inline constexpr const char* kPreparationObject = "Loadstone Mailboxes";
inline constexpr std::array kPreparationCounters {
    PreparationCounter { "Mailboxes Done/sec", "mailboxes", "Mailboxes that are now as they should be",
        &PreparationTotals::done },
    PreparationCounter { "Mailboxes Given Up/sec", "mailboxes",
        "Mailboxes that are not as they should be after several attempts", &PreparationTotals::failed },
    PreparationCounter {
        "Folders Made/sec", "folders", "Folders that were created", &PreparationTotals::foldersMade },
    PreparationCounter {
        "Folders Removed/sec", "folders", "Folders that were deleted", &PreparationTotals::foldersRemoved },
    PreparationCounter { "Messages Appended/sec", "messages", "Initial messages put into folders",
        &PreparationTotals::appended },
    PreparationCounter { "Messages Found/sec", "messages", "Initial messages that were there already",
        &PreparationTotals::found },
    PreparationCounter { "Messages Removed/sec", "messages", "Messages of Loadstone's that were removed",
        &PreparationTotals::removed },
    PreparationCounter { "Doubles Removed/sec", "messages",
        "Initial messages that were there once more and were removed", &PreparationTotals::doubles },
    PreparationCounter { "Foreign Messages/sec", "messages",
        "Messages found that are not Loadstone's and were left alone", &PreparationTotals::foreign },
    PreparationCounter { "Entries Made/sec", "entries",
        "Initial appointments and contacts put into calendars and address books",
        &PreparationTotals::entriesMade },
    PreparationCounter { "Entries Found/sec", "entries",
        "Initial appointments and contacts that were there already", &PreparationTotals::entriesFound },
    PreparationCounter { "Entries Removed/sec", "entries",
        "Events, journal entries and contacts of Loadstone's that were removed",
        &PreparationTotals::entriesRemoved },
    PreparationCounter { "Foreign Entries/sec", "entries",
        "Those found that are not Loadstone's and were left alone", &PreparationTotals::entriesForeign },
};
/// The level beside them.
inline constexpr const char* kMailboxesToDo = "Mailboxes to Do";

} // namespace loadstone::analysis
