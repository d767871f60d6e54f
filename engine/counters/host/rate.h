// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <limits>

namespace loadstone::counters {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// What a rising count grew by. NaN on the first call, when either value is missing, and when the count went
/// back (the device was replaced, or a counter wrapped around).
class Growth {
public:
    double operator()(double value)
    {
        const double grown = value - m_last;
        m_last = value;
        return grown >= 0 ? grown : kMissing;
    }

private:
    double m_last = kMissing;
};

/// The seconds between two samples; NaN on the first call and when the clock did not move.
class Stopwatch {
public:
    double operator()(MonoTime now)
    {
        const double passed = m_started ? seconds(now - m_last) : 0;
        m_last = now;
        m_started = true;
        return passed > 0 ? passed : kMissing;
    }

private:
    MonoTime m_last;
    bool m_started = false;
};

} // namespace loadstone::counters
