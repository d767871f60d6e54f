// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/action_rows.h"
#include "loadstone/figure.h"

#include <cstdint>
#include <vector>

namespace loadstone {

/// What an initialisation or a clean-up did to the mailboxes.
struct PreparationTotals {
    std::uint64_t mailboxes = 0; ///< in total
    std::uint64_t done = 0; ///< mailboxes that are as planned
    std::uint64_t failed = 0; ///< given up after several attempts
    std::uint64_t foldersMade = 0, foldersRemoved = 0;
    std::uint64_t appended = 0; ///< messages
    std::uint64_t found = 0; ///< initial messages that were there already
    std::uint64_t removed = 0; ///< messages
    std::uint64_t doubles = 0; ///< initial messages that were there twice; all but one of each were removed
    std::uint64_t foreign = 0; ///< messages that are not Loadstone's: they stay
    // Events, journal entries and contacts, of calendars and address books:
    std::uint64_t entriesMade = 0, entriesFound = 0, entriesRemoved = 0, entriesForeign = 0;
    [[nodiscard]] bool hasEntries() const
    {
        return entriesMade + entriesFound + entriesRemoved + entriesForeign > 0;
    }
    bool operator==(const PreparationTotals&) const = default;
};

/// One initialisation or clean-up of a run.
struct PreparationResult {
    PhaseKind kind = PhaseKind::initialisation;
    Nanoseconds begin {}, end {}; ///< since the run's start
    bool complete = false; ///< every mailbox is as planned
    PreparationTotals totals;
    std::vector<LatencyRow> commands;
    std::vector<ErrorRow> errors;
    std::vector<Figure> figures; ///< all that is a figure of it
    bool operator==(const PreparationResult&) const = default;
};

} // namespace loadstone
