// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/run_kind.h"
#include "loadstone/run_lab.h"
#include "loadstone/run_study.h"
#include "loadstone/series.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// Identifies a run: "20261121-140305-7f3a" (start in UTC, then four random hex digits).
/// Sorts by time; is the stem of the recording's file name.
class RunId {
public:
    RunId() = default;
    /// A new id with the present time. Any thread.
    static RunId make();
    /// Accepts only the form above; an Error quotes any other text.
    static Result<RunId> parse(std::string_view text);
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    [[nodiscard]] bool empty() const noexcept { return m_text.empty(); }
    auto operator<=>(const RunId&) const = default;

private:
    std::string m_text;
};

/// The origin of a recording.
enum class RunOrigin : std::uint8_t {
    measured, ///< written by a run
    merged, ///< merged from the recordings of several generators, which are its sources
};
const char* toString(RunOrigin origin);

enum class RunState : std::uint8_t {
    preparing,
    running,
    finished, ///< at the plan's end
    stopped, ///< by a user or a signal before the plan's end
    failed, ///< ended by an error that was recorded
    interrupted, ///< the program died; the recording is complete up to its last tick
};
const char* toString(RunState state);
constexpr bool isOver(RunState state)
{
    return state != RunState::preparing && state != RunState::running;
}

/// The facts written when a run began; they never change.
struct RunHeader {
    RunId id;
    RunKind kind = RunKind::mail;
    RunOrigin origin = RunOrigin::measured;
    std::string title; ///< from the plan
    WallTime started {}; ///< by the generator's clock; 0 of the run's time axis
    std::string planName; ///< file name of the plan
    std::string planText; ///< the whole plan as run, passwords taken out
    std::uint64_t seed = 0;
    std::string versionsJson; ///< {"loadstone": "0.1.0", "boost": …}
    std::string hostJson; ///< facts about this machine, see lab/
    std::string computer; ///< host name of the generator; of the first one in a merged run
    RunLab lab; ///< as it was when the run began; empty: the plan names none
    RunStudy study; ///< that it is a run of; empty: none
    Nanoseconds plannedLength {}; ///< all mixes and the drain
    std::vector<CounterInfo> counters;
    std::vector<HistogramInfo> histograms;
    std::vector<std::string> targets; ///< the names of several servers under test; empty for one
    std::string target; ///< the one that was opened; empty: all together
    bool operator==(const RunHeader&) const = default;
};

} // namespace loadstone
