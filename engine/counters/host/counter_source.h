// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/series.h>

#include <span>
#include <vector>

namespace loadstone::counters {

/// A source of counters that the sampler reads once a tick. Which counters there are is settled at
/// construction. One thread at a time.
class CounterSource {
public:
    virtual ~CounterSource() = default;
    CounterSource(const CounterSource&) = delete;
    CounterSource& operator=(const CounterSource&) = delete;

    /// Always the same list, in the order of sample()'s values. The ids are 0: the recording's owner assigns
    /// them.
    [[nodiscard]] virtual std::vector<CounterInfo> counters() const = 0;
    /// Fills one value per counter; `values` is as long as counters(). NaN: nothing could be read, or the
    /// first sample of something that needs two. Never waits for anything and never fails as a whole.
    virtual void sample(MonoTime now, std::span<double> values) = 0;

protected:
    CounterSource() = default;
};

} // namespace loadstone::counters
