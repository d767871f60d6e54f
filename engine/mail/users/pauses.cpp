// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/users/pauses.h"

#include <algorithm>
#include <cmath>

namespace loadstone::mail {

namespace {

/// The mean of an exponential distribution of rate `rate` that is cut off at `length`, as a share of the length.
double cutMean(double rateTimesLength)
{
    const double x = rateTimesLength;
    // Near 0 both terms are large and nearly equal: the series of their difference.
    return x < 1e-3 ? 0.5 - x / 12 : 1 / x - 1 / std::expm1(x);
}

/// The rate for which that mean is `share`, below a half; the mean falls with it.
double rateFor(double share)
{
    double low = 0, high = 1;
    while (cutMean(high) > share && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
        const double middle = (low + high) / 2;
        (cutMean(middle) > share ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace

Pauses::Pauses(const plan::Pause& pause)
    : m_pause(pause)
{
    const plan::PauseShape& shape = pause.shape;
    if (shape.kind != plan::PauseShape::Kind::exponential || shape.most <= shape.least
        || pause.mean <= shape.least)
        return;
    const auto length = static_cast<double>((shape.most - shape.least).count());
    m_rate = rateFor(static_cast<double>((pause.mean - shape.least).count()) / length) / length;
}

Nanoseconds Pauses::draw(Random& random) const
{
    const plan::PauseShape& shape = m_pause.shape;
    if (!m_pause.varies())
        return m_pause.mean;
    const double u = random.uniform();
    const auto least = static_cast<double>(shape.least.count());
    const auto mean = static_cast<double>(m_pause.mean.count());
    double drawn = 0;
    if (shape.kind == plan::PauseShape::Kind::uniform)
        drawn = 2 * (mean - least) * u;
    else if (m_rate > 0) {
        const auto length = static_cast<double>((shape.most - shape.least).count());
        drawn = std::min(length, -std::log1p(u * std::expm1(-m_rate * length)) / m_rate);
    } else
        drawn = -(mean - least) * std::log1p(-u);
    return Nanoseconds(std::llround(least + drawn));
}

} // namespace loadstone::mail
