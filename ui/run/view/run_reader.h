// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/curve_cache.h"
#include "run/view/own_counter.h"
#include "run/view/run_assessor.h"
#include "run/view/run_view.h"
#include "run/view/whole_extents.h"

#include <filesystem>
#include <string>
#include <vector>

namespace loadstone::ui {

/// Answers queries from one recording's file. Not a QObject and not thread-safe: it lives on a worker's
/// thread, and tests call it directly.
class RunReader {
public:
    /// `target`: one of several alone, see Recording::open().
    Result<void> open(const std::filesystem::path& file, const std::string& target = {});
    /// Of the open recording; null before open().
    [[nodiscard]] std::shared_ptr<const RunHeader> header() const { return m_header; }
    /// A null pointer when nothing changed since the last call with the same query.
    Result<std::shared_ptr<const RunView>> read(const RunQuery& query);

private:
    [[nodiscard]] bool resultsDue() const;
    Result<void> refreshTables();
    Result<void> refreshSources();
    void refreshDerived();
    Result<void> refreshResults();
    /// `shown`: nothing is known of later.
    Result<LineData> readLine(
        const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands, Nanoseconds shown);
    Result<void> readSource(const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands,
        Nanoseconds shown, LineData& line) const;
    Result<void> readPercentile(std::uint32_t histogramId, TimeWindow visible, TimeWindow statistics,
        Nanoseconds shown, LineData& line);
    /// What is over the view's windows.
    Result<void> readTables(RunView& view);
    /// The counter's last sample at or before each moment; none where that tick has no sample.
    Result<void> readMoments(const OwnCounter& counter, const std::vector<Nanoseconds>& moments,
        Nanoseconds shown, LineData& line) const;
    /// A percentile's value at the moments that are out of sight, from its curve over the whole run; the others are in its bands.
    Result<void> readHiddenMoments(const LineKey& key, TimeWindow visible,
        const std::vector<Nanoseconds>& moments, Nanoseconds shown, LineData& line);
    /// What the line reaches over the whole recording.
    Result<std::optional<ValueExtent>> readWhole(const LineKey& key);
    /// The line's values within the window; without those that are missing.
    Result<std::vector<CounterBand>> readOverview(const LineKey& key, TimeWindow window);
    /// As bands from each stretch to the next, in milliseconds; with the one before the window. Nothing later than `shown` is in them.
    Result<std::vector<CounterBand>> percentileBands(
        std::uint32_t histogramId, double percentile, TimeWindow window, Nanoseconds shown);
    Result<std::vector<LatencyRow>> readLatencies(TimeWindow window, bool commands) const;

    std::optional<Recording> m_recording;
    std::shared_ptr<const RunHeader> m_header;
    /// Of the tables below the chart, which do not change while it is panned.
    struct Tables {
        TimeWindow window, errorWindow;
        bool commands = false;
        std::vector<LatencyRow> latencies;
        std::vector<ErrorRow> errors;
    };

    CurveCache m_curves, m_statisticsCurves;
    WholeExtents m_extents;
    std::optional<Tables> m_tables; // none: the recording has news
    HeatMapReader m_heatMaps;
    RunAssessor m_assessor;
    std::optional<RunQuery> m_lastQuery; // answered; none after a failure
    std::shared_ptr<const RunResults> m_results;
    std::shared_ptr<const RunVerdict> m_verdict; // once it is over
    std::shared_ptr<const std::vector<RunEvent>> m_events;
    std::shared_ptr<const std::vector<Transcript>> m_transcripts;
    std::shared_ptr<const std::vector<Annotation>> m_annotations;
    std::shared_ptr<const std::vector<SourceInfo>> m_sources;
    std::shared_ptr<const std::vector<ComputerFacts>> m_computers;
    std::vector<std::string> m_typedDerived; // of the last query
    ComputedCounters m_computed;
    std::shared_ptr<const std::vector<CounterInfo>> m_derived; // of m_computed, as views have them
    std::vector<std::string> m_sourceNames; // of m_sources, as lines know them
    MonoTime m_resultsRead {}; // with the transcripts
    std::uint64_t m_resultsTicks = 0;
    RunState m_resultsState = RunState::preparing;
};

} // namespace loadstone::ui
