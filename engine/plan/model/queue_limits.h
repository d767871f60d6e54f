// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace loadstone::plan {

/// Whose time until it builds up is told, and to which limits.
struct QueueLimits {
    double normal = 50, failing = 1000; ///< messages or copies; normal is the smaller one
    std::vector<std::string>
        counters; ///< patterns of paths; empty: the queues of mail that are known as such
    bool operator==(const QueueLimits&) const = default;
};

} // namespace loadstone::plan
