// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <optional>
#include <string>
#include <vector>

namespace loadstone::report {

/// One number of what a storage test read and checked, backed up, replayed and saw of the host, for writers that do not round.
struct StorageReading {
    const char* table;
    std::string item; ///< group, database, log, counter; empty: all together
    const char* quantity;
    std::string unit;
    std::optional<double> value; ///< none: nothing to divide by, or nobody knows
};
std::vector<StorageReading> storageReadings(const MixResult& mix);

} // namespace loadstone::report
