// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstdint>
#include <deque>

namespace loadstone::storage {

/// Whether a paced load has come to its target and what it does to the storage repeats itself: two minutes in a row, each within
/// the margin, while the log up to the oldest change that is not on the disk grows no more. Until then the pages that are
/// changed are not yet the pages that are written.
class Settling {
public:
    /// I/Os per second; a share of it; and the bytes of log at which changed pages are written.
    Settling(double target, double margin, std::uint64_t checkpointDepth);

    enum class State : std::uint8_t {
        changing,
        settled,
        behind, ///< transactions have been waiting for sessions for two minutes: there is nothing to settle at
    };
    /// To be called once a second, or about that, with the I/Os since the beginning, the depth now, and whether transactions are
    /// due that no session has come to.
    State update(Nanoseconds sinceBegin, std::uint64_t transfers, std::uint64_t depth, bool waiting);

private:
    struct Sample {
        double time, transfers, depth; // s, count, bytes
    };
    double m_target, m_margin, m_fullDepth;
    double m_waitingSince = -1; // s; below 0: none wait
    std::deque<Sample> m_samples; // of the last two minutes
};

} // namespace loadstone::storage
