// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstdint>
#include <deque>

namespace loadstone::storage {

/// Finds the rate of transactions that makes a page store do a given number of database I/Os per second. How many a
/// transaction causes is not known beforehand and changes with the cache. Its reads come at once, its writes up to half a
/// minute later: so the rate follows the reads, which are to be their share of the target, and the share is learnt slowly. What
/// is missing is made up for slowly, too, but not what was missing in the beginning: that would make up for the ramp-up in the
/// measurement.
class IopsSteering {
public:
    /// I/Os per second, and about how many reads and writes a transaction costs to begin with.
    IopsSteering(double target, double readsPerTransaction, double writesPerTransaction);

    /// To be called once a second, or about that, with the counts since the beginning. Gives the rate, transactions/s.
    double update(
        Nanoseconds sinceBegin, std::uint64_t reads, std::uint64_t writes, std::uint64_t transactions);
    /// Another target from now on.
    void setTarget(double target);
    [[nodiscard]] double rate() const noexcept { return m_rate; }

private:
    struct Sample {
        double time;
        double reads, writes, transactions;
    };
    double m_target, m_readsPerTransaction, m_writesPerRead, m_rate;
    double m_begin = 0; // s: since when it has this target
    std::deque<Sample> m_samples; // of the last window
};

} // namespace loadstone::storage
