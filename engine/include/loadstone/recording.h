// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/result.h"
#include "loadstone/results.h"
#include "loadstone/series.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// Names one run for ever: "20261121-140305-7f3a" (start in UTC, then four random hex digits).
/// Sorts by time; is the stem of the recording's file name.
class RunId {
public:
    RunId() = default;
    static RunId make();
    /// Accepts exactly the form above.
    static Result<RunId> parse(std::string_view text);
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    [[nodiscard]] bool empty() const noexcept { return m_text.empty(); }
    auto operator<=>(const RunId&) const = default;

private:
    std::string m_text;
};

/// What was written when a run began; never changes afterwards.
struct RunHeader {
    RunId id;
    std::string title; ///< from the plan
    WallTime started {};
    std::string planName; ///< file name of the plan
    std::string planText; ///< the whole plan as run, passwords taken out
    std::uint64_t seed = 0;
    std::string versionsJson; ///< {"loadstone": "0.1.0", "boost": …}
    std::string hostJson; ///< facts about this machine, see lab/
    std::string computer; ///< host name of the generator
    Nanoseconds plannedLength {}; ///< all mixes and the drain
    std::vector<CounterInfo> counters;
    std::vector<HistogramInfo> histograms;
    std::vector<std::string> targets; ///< the names of several servers under test; empty for one
    std::string target; ///< the one of them that was opened alone; empty: all together
    bool operator==(const RunHeader&) const = default;
};

enum class Severity : std::uint8_t { info, warning, error };
const char* toString(Severity severity);

/// One line of the event log.
struct RunEvent {
    Nanoseconds at {}; ///< since the run's start
    Severity severity = Severity::info;
    std::string text;
    bool operator==(const RunEvent&) const = default;
};

/// The bytes of a failed session: the first 20 per error kind and phase are kept.
struct Transcript {
    Nanoseconds at {};
    std::uint32_t phase = 0;
    std::string where; ///< action or command
    std::string kind; ///< as ErrorRow::kind
    std::string text; ///< at most 16 KB; secrets masked
    bool operator==(const Transcript&) const = default;
};

/// A later remark: note, event mark, window choice. Appended, never altered.
struct Annotation {
    WallTime made {};
    std::string kind; ///< "note", "mark", "window", "tag", "title"
    std::string text;
    Nanoseconds at {}; ///< for marks: position on the run's time axis
    bool operator==(const Annotation&) const = default;
};

/// A counter over the time of a run.
struct CounterPoint {
    Nanoseconds at {}; ///< end of the tick, since the run's start
    double value =
        0; ///< NaN: missing. For CounterKind::count already divided by the tick's length: per second
    bool operator==(const CounterPoint&) const = default;
};
struct CounterBand { ///< one stretch of a thinned-out curve
    Nanoseconds begin {}, end {};
    double minimum = 0, maximum = 0, average = 0;
    bool operator==(const CounterBand&) const = default;
};
struct CounterStatistics { ///< PerfMon's five boxes
    double last = 0, average = 0, minimum = 0, maximum = 0;
    Nanoseconds duration {};
    std::uint64_t samples = 0; ///< 0: all values above are NaN
};

/// A half-open stretch of a run: (begin, end]. A tick belongs to it when its end does.
struct TimeWindow {
    Nanoseconds begin {}, end {};
    bool operator==(const TimeWindow&) const = default;
};

/// One run, past or still growing, read from its file. Reads use short transactions; a live run's writer
/// is never held up. Not thread-safe: one object per thread. Damage in the file comes back as an Error
/// that names the file and what cannot be read; nothing in the file is trusted.
class Recording {
public:
    /// `target`: of a run on several targets one alone, with its own users, counters, latencies, failures and audit under the
    /// names that those of a run on one target have; beside them the counters of the machine, which are everybody's.
    static Result<Recording> open(const std::filesystem::path& file, const std::string& target = {});
    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;
    ~Recording();

    [[nodiscard]] const RunHeader& header() const;
    [[nodiscard]] const std::filesystem::path& file() const;

    /// Looks for news; true when anything changed since the last call. About 0.02 ms when nothing did.
    Result<bool> refresh();

    [[nodiscard]] RunState state() const; ///< running turns to interrupted when its writer is gone
    [[nodiscard]] Nanoseconds length() const; ///< end of the last tick
    [[nodiscard]] std::uint64_t ticks() const; ///< number of the last tick + 1
    [[nodiscard]] const std::vector<Phase>& phases() const;

    /// Every tick of one counter within the window.
    Result<std::vector<CounterPoint>> counter(std::uint32_t id, TimeWindow window) const;
    /// The same thinned to at most `bands` stretches, extremes kept; for drawing.
    Result<std::vector<CounterBand>> counterBands(
        std::uint32_t id, TimeWindow window, std::size_t bands) const;
    Result<CounterStatistics> counterStatistics(std::uint32_t id, TimeWindow window) const;
    /// All latencies of one series within the window, summarised from the merged histogram; of ages those at its end. What a window
    /// leaves unfinished is in responseWithin().
    Result<LatencySummary> latency(std::uint32_t histogramId, TimeWindow window) const;
    /// One percentile (0..100) per tick-aligned stretch, for latency curves; NaN where there is no sample. In seconds.
    Result<std::vector<CounterPoint>> latencyCurve(
        std::uint32_t histogramId, double percentile, TimeWindow window, Nanoseconds stretch) const;

    Result<std::vector<RunEvent>> events() const;
    Result<std::vector<Transcript>> transcripts() const;
    Result<std::vector<Annotation>> annotations() const;
    Result<std::vector<ErrorRow>> errors(TimeWindow window) const;

    class Impl;
    /// For the rooms of the engine.
    [[nodiscard]] const Impl& impl() const { return *m_impl; }

private:
    explicit Recording(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace loadstone
