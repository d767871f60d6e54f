// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/preparation_rows.h>
#include <loadstone/quantity.h>

#include <array>
#include <cstdint>

namespace loadstone::metrics {

/// A count of initialisations and clean-ups: recorded by the mail room, added up again for results.
struct PreparationCounter {
    Quantity quantity;
    std::uint64_t PreparationTotals::*total;
};
inline constexpr std::array kPreparationCounters {
    PreparationCounter { Quantity::mailboxesDone, &PreparationTotals::done },
    PreparationCounter { Quantity::mailboxesGivenUp, &PreparationTotals::failed },
    PreparationCounter { Quantity::foldersMade, &PreparationTotals::foldersMade },
    PreparationCounter { Quantity::foldersRemoved, &PreparationTotals::foldersRemoved },
    PreparationCounter { Quantity::messagesAppended, &PreparationTotals::appended },
    PreparationCounter { Quantity::messagesFound, &PreparationTotals::found },
    PreparationCounter { Quantity::messagesRemoved, &PreparationTotals::removed },
    PreparationCounter { Quantity::doublesRemoved, &PreparationTotals::doubles },
    PreparationCounter { Quantity::foreignMessages, &PreparationTotals::foreign },
    PreparationCounter { Quantity::entriesMade, &PreparationTotals::entriesMade },
    PreparationCounter { Quantity::entriesFound, &PreparationTotals::entriesFound },
    PreparationCounter { Quantity::entriesRemoved, &PreparationTotals::entriesRemoved },
    PreparationCounter { Quantity::foreignEntries, &PreparationTotals::entriesForeign },
};

} // namespace loadstone::metrics
