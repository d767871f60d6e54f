// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/view/curve_cache.h"
#include "run/view/run_assessor.h"
#include "run/view/run_view.h"

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
    Result<void> refreshResults();
    Result<LineData> readLine(
        const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands);
    Result<void> readSource(const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands,
        LineData& line) const;
    Result<void> readPercentile(
        std::uint32_t histogramId, TimeWindow visible, TimeWindow statistics, LineData& line);
    Result<std::vector<LatencyRow>> readLatencies(TimeWindow window, bool commands) const;
    Result<RunFigures> readFigures(const RunView& view) const;
    Result<void> readMomentFigures(RunFigures& figures, Nanoseconds at) const;
    /// Of a counter, within the last seconds before `at`; NaN or 0 without one.
    double lastValue(Quantity quantity, Nanoseconds at) const;
    std::uint64_t lastCount(Quantity quantity, Nanoseconds at) const;

    std::optional<Recording> m_recording;
    std::shared_ptr<const RunHeader> m_header;
    CurveCache m_curves, m_statisticsCurves;
    RunAssessor m_assessor;
    std::optional<RunQuery> m_lastQuery; // answered; none after a failure
    std::shared_ptr<const RunResults> m_results;
    std::shared_ptr<const RunVerdict> m_verdict; // once it is over
    std::shared_ptr<const std::vector<RunEvent>> m_events;
    std::shared_ptr<const std::vector<Transcript>> m_transcripts;
    std::shared_ptr<const std::vector<Annotation>> m_annotations;
    std::shared_ptr<const std::vector<SourceInfo>> m_sources;
    std::vector<std::string> m_sourceNames; // of m_sources, as lines know them
    MonoTime m_resultsRead {}; // with the transcripts
    std::uint64_t m_resultsTicks = 0;
    RunState m_resultsState = RunState::preparing;
};

} // namespace loadstone::ui
