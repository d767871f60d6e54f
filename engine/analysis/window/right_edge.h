// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/layout.h"

#include <loadstone/histogram.h>
#include <loadstone/recording.h>
#include <loadstone/results.h>

#include <cstdint>
#include <optional>
#include <string>

/// The right edge of a window: what was due by then and had not ended, and what the recording says became of it.
namespace loadstone::analysis {

/// A figure of which the recording tells only bounds, as some of what it is made of had not ended.
struct Bounds {
    Nanoseconds least {};
    std::optional<Nanoseconds> most; ///< none: without limit
    bool open = false; ///< only `least` can be said of it
    /// What is printed: if open `least`, else the figure of what ended well, and `least` at least.
    Nanoseconds value {};
};

/// What of one kind of action had not ended at the end of a window.
struct Unfinished {
    Histogram ages; ///< at the window's end
    /// So long after the window's end all of them had ended; none: that was not seen.
    std::optional<Nanoseconds> endedWithin;
    Nanoseconds longestLater {}; ///< the longest response time of what ended well in that time
    std::uint64_t failedLater =
        0; ///< ended badly in that time, whatever of it was under way at the window's end

    [[nodiscard]] std::uint64_t count() const { return ages.count(); }
    /// How many of them may have ended badly.
    [[nodiscard]] std::uint64_t failedAtMost() const;
    /// The response time of one of that age.
    [[nodiscard]] std::optional<Nanoseconds> responseAtMost(Nanoseconds age) const;
};

/// Response times of what ended well within a window, and of what had not ended at its end.
class CensoredLatency {
public:
    CensoredLatency(Histogram good, Unfinished unfinished);

    [[nodiscard]] std::uint64_t good() const { return m_good.count(); }
    [[nodiscard]] const Unfinished& unfinished() const { return m_unfinished; }
    /// With each that is unfinished at its age.
    [[nodiscard]] const Histogram& atLeast() const { return m_atLeast; }
    [[nodiscard]] Bounds percentile(double percentile) const;
    [[nodiscard]] Bounds mean() const;
    [[nodiscard]] Bounds maximum() const;
    [[nodiscard]] Nanoseconds standardDeviation() const; ///< of what the mean's value is of
    [[nodiscard]] LatencySummary summary() const;

private:
    Histogram m_good;
    Unfinished m_unfinished;
    Histogram m_atLeast, m_atMost; // the latter without what has no limit
};

/// The series that tell what becomes of what is unfinished: their ids.
struct EdgeSeries {
    std::uint32_t ages = 0;
    std::optional<std::uint32_t> good; ///< latencies of what ended well
    std::optional<std::uint32_t> failed; ///< a counter of what ended badly; none: all of it may have
    bool failedIsCutOff =
        false; ///< what counts as failed was cut off by the end of the load: it has not ended
};
/// As below.
Result<Unfinished> unfinishedAfter(
    const Recording& recording, const EdgeSeries& series, history::TickRange window);
/// At the end of the last of `window`'s ticks. What becomes of it is looked for in later ticks, as far as the next mix.
Result<Unfinished> unfinishedAfter(
    const Recording& recording, const SeriesKey& action, history::TickRange window);
/// Transfers of a class of I/O that are in the device at the end; none where the recording does not know their ages.
Result<Unfinished> unfinishedInDevice(
    const Recording& recording, const Subject& io, history::TickRange window);
/// Of an action (see action_series.h) within a window.
Result<CensoredLatency> responsesWithin(
    const Recording& recording, const SeriesKey& action, history::TickRange window);
/// How an action stands at the end of a window; none where the recording does not count it.
Result<std::optional<ActionCounts>> countsWithin(
    const Recording& recording, const SeriesKey& action, history::TickRange window);

} // namespace loadstone::analysis
