// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/curve.h"
#include "loadstone/histogram.h"
#include "loadstone/result.h"
#include "loadstone/run_header.h"
#include "loadstone/run_log.h"
#include "loadstone/series.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadstone {

struct ErrorRow; // results.h
class Recording;

namespace history { // for the rooms of the engine
class RecordingReader;
const RecordingReader& readerOf(const Recording& recording);
}

/// One run, past or live, read from its file. Reads use short transactions; a live run's writer
/// never waits for them. Not thread-safe: one object per thread. Damage in the file comes back as an Error
/// that names the file and what cannot be read; nothing in the file is trusted.
class Recording {
public:
    /// `target`: one target of a run on several, with its own users, counters, latencies, failures and audit under the
    /// names that they have in a run on one target, and with the counters of the machine, which all targets share.
    static Result<Recording> open(const std::filesystem::path& file, const std::string& target = {});
    /// One target of this run, from the same file: as open(), and faster, for what both have in common is read once.
    Result<Recording> openTarget(const std::string& target) const;
    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;
    ~Recording();

    [[nodiscard]] const RunHeader& header() const;
    [[nodiscard]] const std::filesystem::path& file() const;

    /// Looks for changes; true when anything changed since the last call. About 0.02 ms when nothing did.
    Result<bool> refresh();

    [[nodiscard]] RunState state() const; ///< running turns to interrupted when its writer is gone
    [[nodiscard]] Nanoseconds length() const; ///< end of the last tick
    [[nodiscard]] std::uint64_t ticks() const; ///< number of the last tick + 1
    [[nodiscard]] const std::vector<Phase>& phases() const;

    /// Every tick of one counter within the window. An id that the header does not have is an Error, here and below.
    Result<std::vector<CounterPoint>> counter(std::uint32_t id, TimeWindow window) const;
    /// The same reduced to at most `bands` stretches, which keep the extremes; for drawing.
    Result<std::vector<CounterBand>> counterBands(
        std::uint32_t id, TimeWindow window, std::size_t bands) const;
    Result<CounterStatistics> counterStatistics(std::uint32_t id, TimeWindow window) const;
    /// All latencies of one series within the window, summarised from the merged histogram; ages are those at its end.
    /// responseWithin() includes what is unfinished.
    Result<LatencySummary> latency(std::uint32_t histogramId, TimeWindow window) const;
    /// The same as a histogram, for figures that the summary does not have; it can be merged with others.
    Result<Histogram> histogram(std::uint32_t histogramId, TimeWindow window) const;
    /// One percentile (0..100) per tick-aligned stretch, for latency curves; NaN where there is no sample. In seconds. What had not ended
    /// at the end of a stretch counts with its age where that makes the percentile larger, and alone where nothing ended all through it.
    Result<std::vector<CounterPoint>> latencyCurve(
        std::uint32_t histogramId, double percentile, TimeWindow window, Nanoseconds stretch) const;
    /// All latencies of each such stretch, for what one figure does not tell: `visit` is called in order of time with the
    /// stretch's ticks and their merged histogram, which is empty where nothing ended. One reading for all stretches.
    Result<void> eachStretch(std::uint32_t histogramId, TimeWindow window, Nanoseconds stretch,
        const std::function<void(TimeWindow, const Histogram&)>& visit) const;

    // Each of these reads the file again, in the order of writing.
    Result<RunLog> log() const; ///< events and annotations of one moment
    Result<std::vector<RunEvent>> events() const;
    Result<std::vector<Transcript>> transcripts() const;
    Result<std::vector<Annotation>> annotations() const;
    /// The lab that the run began with, if it has one, then those that were attached later; the last one counts. Their texts are
    /// bounded, and nothing else: a recording may come from elsewhere.
    Result<std::vector<RunLab>> labs() const;
    /// The one that counts; an empty one where there is none.
    Result<RunLab> lab() const;
    /// Failures within the window: a row for each place, kind and code.
    Result<std::vector<ErrorRow>> errors(TimeWindow window) const;

private:
    friend const history::RecordingReader& history::readerOf(const Recording& recording);
    explicit Recording(std::unique_ptr<history::RecordingReader> reader);
    std::unique_ptr<history::RecordingReader> m_reader;
};

} // namespace loadstone
