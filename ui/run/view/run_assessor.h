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
    /// Places the window that the view's query asks for: its windows, or why there is none. A steady state is looked for unless
    /// `quick`; `results`: of the whole recording, null if there are none; `visible`: what the chart shows.
    void placeWindow(
        const Recording& recording, const RunResults* results, TimeWindow visible, bool quick, RunView& view);
    /// Fills in what else the view's query asks for, over the windows that the view has by then. What may take long is left as it is
    /// when `quick`.
    void fill(const Recording& recording, bool quick, RunView& view);
    /// The results over `window`.
    std::shared_ptr<const RunResults> resultsWithin(const Recording& recording, TimeWindow window);

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
    /// What depends on the page's window, and the window that it is over; none: the plan's measurements.
    template <class T>
    struct KeptWithin : Kept<T> {
        std::optional<TimeWindow> window;
        std::string problem; // why there was no window
    };
    /// While a run grows, the answer to the same question is renewed as the others are, not whenever its window grows.
    template <class T>
    [[nodiscard]] bool fits(const KeptWithin<T>& kept, std::optional<TimeWindow> window) const
    {
        return kept.value && kept.problem == m_problem && (kept.window == window || m_sameWindow);
    }
    template <class T, class Compute>
    void renewWithin(KeptWithin<T>& kept, const Recording& recording, std::optional<TimeWindow> window,
        Nanoseconds interval, Compute compute);
    [[nodiscard]] ScoreView scoreOf(const Recording& recording, const RunView& view);
    /// An error where there is no such window; none while it is being looked for.
    [[nodiscard]] Result<std::optional<TimeWindow>> steadyWindow(const RunView& view) const;
    [[nodiscard]] bool asksForSteadyState(const RunQuery& query) const;
    void findCriteria(const Recording& recording, bool quick, RunView& view);

    Kept<CriteriaView> m_criteria;
    KeptWithin<CriteriaView> m_windowCriteria;
    KeptWithin<RunResults> m_windowResults;
    Kept<SteadyView> m_steady;
    KeptWithin<ScoreView> m_score;
    KeptWithin<LoadView> m_loads;
    KeptWithin<ReadingsView> m_readings;
    std::optional<RunQuery> m_last; // that the score answers
    bool m_sameWindow = false;
    std::string m_problem; // why there is no window now
    std::optional<bool> m_ownWeights;
};

} // namespace loadstone::ui
