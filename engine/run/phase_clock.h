// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/workload.h"

#include <vector>

namespace loadstone::run {

/// Where a run stands in its plan: which phase, until when. Without timers or threads; all times are offsets from
/// the run's start.
class PhaseClock {
public:
    explicit PhaseClock(std::vector<PlannedPhase> planned);

    [[nodiscard]] bool over() const noexcept { return m_index >= m_planned.size(); }
    [[nodiscard]] const PlannedPhase& planned() const { return m_planned[m_index]; }
    /// The present phase as it is recorded, open; one whose end is open has none yet.
    [[nodiscard]] Phase current() const;
    [[nodiscard]] Nanoseconds phaseEnd() const noexcept { return m_begin + m_planned[m_index].length; }
    /// The planned end of the last phase, from the present phase's planned end on. Later ones whose end is open count as
    /// nothing: their lengths are bounds of days.
    [[nodiscard]] Nanoseconds runEnd() const;
    /// A later phase has an open end, so that the run ends at runEnd() or later.
    [[nodiscard]] bool endIsOpen() const;
    /// Ends the present phase at `when` and goes to the next one with a length. Returns the ended one, closed.
    Phase advance(Nanoseconds when);
    /// Ends the present phase at `when`; nothing follows.
    Phase finish(Nanoseconds when);

private:
    void skipEmpty();
    std::vector<PlannedPhase> m_planned;
    std::size_t m_index = 0;
    std::uint32_t m_recorded = 0; // index in the recording: empty phases are left out
    Nanoseconds m_begin {};
};

} // namespace loadstone::run
