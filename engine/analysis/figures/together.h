// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

namespace loadstone::analysis {

/// All classes that read or write together, with count, failures, bytes and rates alone.
IoRow togetherOf(const MixResult& mix);

} // namespace loadstone::analysis
