// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/curve.h"
#include "loadstone/histogram.h"
#include "loadstone/result.h"
#include "loadstone/series.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadstone {

class Recording;

/// The facts of a source. A recording holds sources beside the run's own ticks: an attached log, another host, a
/// generator of a merged run. Of the run's results, the time until queues build up and criteria that name the computer or its role
/// use them.
struct SourceFacts {
    std::string origin; ///< for people: "log /var/log/ex1.csv", "host ex1"
    std::string computer; ///< where they were measured
    WallTime began {}; ///< the 0 of its time axis by that computer's clock; the epoch: not known
    Nanoseconds
        offset {}; ///< position of that 0 on the run's axis; at most ten years before or after its start
    /// Ids count from 0 within the source. A counter from elsewhere has a foreign key: `counterOf(ForeignCounter)`.
    std::vector<CounterInfo> counters;
    std::vector<HistogramInfo> histograms;
    /// What `computer` did in the run: "sut", "generator", "directory", or nothing. A computer has one role, which
    /// the first of its sources with a role names.
    std::string role {};
    bool operator==(const SourceFacts&) const = default;
};

/// One source of a recording.
struct SourceInfo : SourceFacts {
    std::uint32_t id = 0; ///< from 1, within one recording
    WallTime made {}; ///< when it was attached, by the clock of the attaching machine
    bool complete = false; ///< false: it is still being written, or its writer ended before it was done
    bool removed = false; ///< its samples are in the file and used for nothing; sourcesOf() leaves it out
    Nanoseconds begin {}, end {}; ///< of its first and last sample, on its own axis
    std::uint64_t ticks = 0; ///< samples of each series
    bool operator==(const SourceInfo&) const = default;
};

/// By how much an attached log lies later in a run that started then than its own clock says; below 0: earlier. None for what was measured
/// during the run, and for a log that does not say the time.
std::optional<Nanoseconds> againstItsClock(const SourceInfo& source, WallTime started);

/// One setting of a source's offset. Settings are appended, and the last one counts.
struct SourceMove {
    WallTime made {};
    Nanoseconds offset {}; ///< from then on
    Nanoseconds by {}; ///< the change; 0 for the first one, which is made when the source is attached
    bool operator==(const SourceMove&) const = default;
};

/// The samples of a source over some time, of any length; the next one begins at its end or later.
struct SourceTick {
    Nanoseconds begin {}, end {}; ///< on the source's axis: 0 or more, at most ten years
    std::vector<double>
        values; ///< by id; NaN or left out: missing. Of CounterKind::count events in this tick.
    std::vector<std::pair<std::uint32_t, Histogram>>
        histograms {}; ///< with rising ids; empty ones may be left out
};

/// The origin of a log that was attached begins with it; other sources are of the run itself and cannot be removed.
inline constexpr std::string_view kLogOrigin = "log ";

// Reading, in the order of attaching; ids rise and may have holes, where a source was removed. On the Recording's thread; sources that were attached or moved since it was opened are
// seen after its refresh(). Damage in the file is an Error that names it.
Result<std::vector<SourceInfo>> sourcesOf(const Recording& recording);
Result<std::vector<SourceMove>> movesOf(const Recording& recording, std::uint32_t source);

// The same as Recording's functions of these names for one series of a source. Windows and results are on the run's time axis, with
// the present offset. A source or series that does not exist is an Error.
Result<std::vector<CounterPoint>> sourceCounter(
    const Recording& recording, std::uint32_t source, std::uint32_t counter, TimeWindow window);
Result<std::vector<CounterBand>> sourceBands(const Recording& recording, std::uint32_t source,
    std::uint32_t counter, TimeWindow window, std::size_t bands);
Result<CounterStatistics> sourceStatistics(
    const Recording& recording, std::uint32_t source, std::uint32_t counter, TimeWindow window);
/// For a series of ages the value of its last tick.
Result<Histogram> sourceHistogram(
    const Recording& recording, std::uint32_t source, std::uint32_t histogram, TimeWindow window);

/// Adds a source to a recording, past or live, from any process. Every call makes short transactions: a live run's writer waits
/// some tens of milliseconds at most. Not thread-safe.
class SourceWriter {
public:
    /// Checks ids and bounds; an Error names the recording and what is wrong.
    static Result<SourceWriter> create(const std::filesystem::path& recording, const SourceFacts& facts);
    SourceWriter(SourceWriter&&) noexcept;
    SourceWriter& operator=(SourceWriter&&) noexcept;
    ~SourceWriter(); ///< without finish(): the source stays, incomplete

    [[nodiscard]] std::uint32_t id() const;
    /// More counters, with the ids behind those so far; samples of before are missing. An Error keeps none of them, or the first few
    /// of very many: counters() says how many there are.
    Result<void> addCounters(std::span<const CounterInfo> counters);
    [[nodiscard]] std::size_t counters() const;
    /// Number of ticks that are kept. After an Error of append() it says which ticks to write again.
    [[nodiscard]] std::uint64_t ticks() const;
    /// Ticks in order of time. If one is not valid, none is kept.
    Result<void> append(std::span<const SourceTick> ticks);
    /// Marks the source as complete.
    Result<void> finish();

    class Impl;

private:
    explicit SourceWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// Writes a complete source at once; returns its id.
Result<std::uint32_t> attachSource(
    const std::filesystem::path& recording, const SourceFacts& facts, std::span<const SourceTick> ticks);
/// Sets the position of the source's 0 on the run's axis. The samples do not change.
Result<void> moveSource(const std::filesystem::path& recording, std::uint32_t source, Nanoseconds offset);
/// Takes an attached log out of the run: nothing is drawn, judged, exported or merged of it any more. The other sources keep their
/// ids. A source that was measured during the run is refused.
Result<void> removeSource(const std::filesystem::path& recording, std::uint32_t source);

} // namespace loadstone
