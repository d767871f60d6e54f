// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/database.h"
#include "history/layout.h"

#include <loadstone/series.h>

#include <functional>
#include <span>

namespace loadstone::history {

/// One tick as a row of the table `hot`: `insert` has its six columns.
Result<void> insertHot(Statement& insert, std::int64_t id, const HotTick& tick);
/// Turns hot ticks of a source (at most kChunkTicks, the first a multiple of that) into chunks per series and removes
/// their rows. To be called within a writing transaction. `pause` is called now and then and may end that transaction
/// and begin another: readers see nothing of a chunk before the last one is committed.
Result<void> sealTicks(Database& database, const SourcePlace& place, std::uint64_t first,
    std::span<const HotTick> ticks, std::span<const CounterKind> counters,
    const std::function<Result<void>()>& pause = {});

} // namespace loadstone::history
