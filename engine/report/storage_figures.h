// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <optional>
#include <string>
#include <vector>

namespace loadstone::report {

/// One number of a storage test's tables, for writers that do not round.
struct StorageFigure {
    const char* table;
    std::string item; ///< group, database, log, volume and class; empty: all together
    const char* quantity;
    std::string unit;
    std::optional<double> value; ///< none: nothing to divide by, or nobody knows
};
/// Of one test, its I/O included; of a raw device test its I/O alone.
std::vector<StorageFigure> storageFigures(const MixResult& mix);

/// All classes that read or write together, with count, failures, bytes and rates alone.
IoRow togetherOf(const MixResult& mix);
/// Of a class of I/O, those that failed left out; none where there was nothing, or no bytes belong to it.
std::optional<double> bytesPerTransfer(const IoRow& row);

} // namespace loadstone::report
