// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/results/measured_parts.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <string>

namespace loadstone::analysis {

/// Why a measurement says nothing of the target's service: none of its actions or transfers ended well, or no message was accepted
/// though messages are sent. One sentence; empty: something did, or it goes on and nothing has ended yet. `result`: its counts, its
/// I/O and its storage result, without this sentence.
std::string nothingSucceededIn(const Recording& recording, const MeasuredPart& part, const MixResult& result);

} // namespace loadstone::analysis
