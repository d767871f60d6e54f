// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/storage/load_measurement.h"

#include <vector>

namespace loadstone::analysis {

/// Adds what the limits say of the transfer times of a class of I/O, on each volume that had any of it: their mean, and the means of
/// samples.
Result<void> judgeLatencies(LoadMeasurement& load, IoClass ioClass, Nanoseconds average, Nanoseconds maximum,
    std::vector<Criterion>& judged);

} // namespace loadstone::analysis
