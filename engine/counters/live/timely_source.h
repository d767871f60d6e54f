// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/live_source.h"

#include <loadstone/time.h>

#include <chrono>
#include <memory>

namespace loadstone::counters {

/// How long a source may take beyond its time limit, or after a stop: what it started is ended in that time.
constexpr Nanoseconds kGraceOfSources = std::chrono::seconds(3);

/// `source` on a thread of its own, so that read() ends within `timeLimit` and `grace`, and within `grace` after a stop, also when the
/// kernel holds the reading up for ever: a folder of a file server that is gone, a program that cannot be killed. Such a reading is an
/// Error; what it may still give is dropped, and until it has ended the source is not asked again; rates count from its end then. When it
/// has not ended by the end of this object, its thread keeps the source and ends by itself, if ever.
std::unique_ptr<LiveSource> makeTimely(
    std::unique_ptr<LiveSource> source, Nanoseconds timeLimit, Nanoseconds grace = kGraceOfSources);

} // namespace loadstone::counters
