// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace loadstone::storage {

/// Faults that tests plant in the page store, to show that the crash tests would find them. Each is a rule of the store left
/// out. In the program itself planted() is constant and false.
enum class Mutant : std::uint8_t {
    none,
    commitBeforeFlush, ///< a durable commit does not wait for its log records
    pageBeforeLog, ///< a page is written before the log records of its changes
    noShadow, ///< the last, partly filled segment of the log is not doubled
    rewriteWithRest, ///< it is written again in one transfer with the segments behind it, over its shadow
    noDoubleWrite, ///< pages are written in place without a copy elsewhere
    checkpointTooFar, ///< the checkpoint passes pages that are not on the disk yet
    logReusedEarly, ///< a log file is used again before the checkpoint on the disk has passed it
    epochKept, ///< recovery goes on in the epoch of the log that it read
    redoAlways, ///< recovery does not look at a page's timestamp
    noFlushOnOpen ///< opening builds on what is only in a disk's volatile cache
};

#ifdef LOADSTONE_MUTANTS
extern Mutant plantedMutant;
inline bool planted(Mutant mutant) noexcept
{
    return plantedMutant == mutant;
}
#else
constexpr bool planted(Mutant) noexcept
{
    return false;
}
#endif

} // namespace loadstone::storage
