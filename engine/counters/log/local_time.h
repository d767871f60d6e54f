// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace loadstone::counters {

/// "10/29/2017 01:59:44.562", as PerfMon writes local time in every language: since 1970 as if it were UTC. Fractions of a second may be
/// missing. Nothing for any other text, and for a day that no calendar has.
std::optional<Nanoseconds> parsePdhTime(std::string_view text);

/// Makes a series of local times rise as the clock of the sampled computer did. A log has one offset from UTC, of its beginning, but
/// local time repeats an hour when daylight saving ends and leaves one out when it begins.
class LocalClock {
public:
    /// `repairs`: false for a zone without daylight saving.
    explicit LocalClock(bool repairs = true)
        : m_repairs(repairs)
    {
    }
    enum class Step : std::uint8_t {
        forward, ///< as it should be
        repeatedHour, ///< the hour that daylight saving gives back: repaired
        skippedHour, ///< the hour that it takes: repaired
        back, ///< the clock was set back: the row has no place in time
    };
    /// `local`: of the next row. `at`: its repaired time, unless the step is `back`.
    Step operator()(Nanoseconds local, Nanoseconds& at);

private:
    Nanoseconds m_shift {}; // what repairs have added
    Nanoseconds m_last {}, m_interval {}; // interval: the shortest between two rows; 0: not known yet
    bool m_begun = false, m_repairs;
};

} // namespace loadstone::counters
