// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "plan/model/pause.h"

namespace loadstone::mail {

/// Draws the pauses of one kind. Their mean is the plan's, whatever the bounds:
/// - uniform: between bounds that are equally far from the mean;
/// - exponential with a least value a: a plus an exponential time of mean m - a;
/// - exponential between a and b: the exponential distribution that is cut off at b, whose rate r is the one that solves
///   m - a = 1/r - (b - a) / (exp(r (b - a)) - 1) (Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions, volume 1,
///   2nd edition 1994, chapter 19: the truncated exponential). Immutable: any thread.
class Pauses {
public:
    explicit Pauses(const plan::Pause& pause);
    [[nodiscard]] bool varies() const { return m_pause.varies(); }
    [[nodiscard]] Nanoseconds mean() const { return m_pause.mean; }
    /// One pause; takes one number of the stream where pauses vary, else none.
    [[nodiscard]] Nanoseconds draw(Random& random) const;

private:
    plan::Pause m_pause;
    double m_rate = 0; ///< exponential between two bounds: of it, per nanosecond
};

} // namespace loadstone::mail
