// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"
#include "history/layout.h"

#include <loadstone/series.h>

#include <span>

namespace loadstone::history {

/// Turns hot ticks (at most kChunkTicks, the first a multiple of that) into chunks per series and removes
/// their rows. To be called within a writing transaction.
Result<void> sealTicks(Database& database, std::uint64_t first, std::span<const HotTick> ticks,
    std::span<const CounterKind> counters, std::uint32_t histograms);

} // namespace loadstone::history
