// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/run_view.h"

namespace loadstone::ui {

/// Keeps what is computed from a whole recording, and computes it again only when it is asked for and old. Lives with
/// the RunReader, on its thread.
class RunAssessor {
public:
    /// Another recording.
    void clear() { *this = RunAssessor(); }
    /// Something that the query asks for is not known yet or old by now.
    [[nodiscard]] bool due(const Recording& recording, const RunQuery& query) const;
    /// Fills in what the view's query asks for. What may take long is left as it is when `quick`.
    void fill(const Recording& recording, TimeWindow visible, bool quick, RunView& view);

private:
    /// A value and when, of what, at what cost it was computed.
    struct Age {
        MonoTime at {};
        Nanoseconds cost {};
        std::uint64_t ticks = 0;
        RunState state = RunState::preparing;
    };
    template <class T>
    struct Kept : Age {
        std::shared_ptr<const T> value;
    };
    [[nodiscard]] static bool isOld(const Age& age, const Recording& recording, Nanoseconds interval);
    template <class T, class Compute>
    static void renew(Kept<T>& kept, const Recording& recording, Compute compute);
    [[nodiscard]] ScoreView scoreOf(const Recording& recording, TimeWindow visible, const RunView& view);
    /// An error where there is no such window, or not yet; none while it is being looked for.
    [[nodiscard]] Result<std::optional<TimeWindow>> windowOf(TimeWindow visible, const RunView& view) const;
    [[nodiscard]] bool asksForSteadyState(const RunQuery& query) const;

    Kept<CriteriaView> m_criteria;
    Kept<SteadyView> m_steady;
    Kept<ScoreView> m_score;
    Kept<LoadView> m_loads;
    std::optional<RunQuery> m_last; // that score and loads answer
    std::optional<bool> m_ownWeights;
};

} // namespace loadstone::ui
