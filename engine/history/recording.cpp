// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recording_reader.h"
#include "history/tick_curves.h"

#include <loadstone/recording.h>
#include <loadstone/results.h>

namespace loadstone {

namespace {

/// The series of this id; an Error where the recording has none.
template <class Info>
Result<const Info*> seriesIn(const Recording& recording, const std::vector<Info>& all, std::uint32_t id)
{
    if (id >= all.size())
        return fail(recording.file().string() + ": no series " + std::to_string(id));
    return &all[id];
}

} // namespace

Recording::Recording(std::unique_ptr<history::RecordingReader> reader)
    : m_reader(std::move(reader))
{
}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

Result<Recording> Recording::open(const std::filesystem::path& file, const std::string& target)
{
    auto reader = history::RecordingReader::open(file, target);
    if (!reader)
        return reader.error();
    return Recording(std::move(*reader));
}

Result<Recording> Recording::openTarget(const std::string& target) const
{
    auto reader = m_reader->openTarget(target);
    if (!reader)
        return reader.error();
    return Recording(std::move(*reader));
}

const RunHeader& Recording::header() const
{
    return m_reader->header();
}
const std::filesystem::path& Recording::file() const
{
    return m_reader->file();
}
Result<bool> Recording::refresh()
{
    return m_reader->refresh();
}
RunState Recording::state() const
{
    return m_reader->state();
}
const std::vector<Phase>& Recording::phases() const
{
    return m_reader->phases();
}
std::uint64_t Recording::ticks() const
{
    return m_reader->ticks().times().size();
}

Nanoseconds Recording::length() const
{
    const auto& times = m_reader->ticks().times();
    return times.empty() ? Nanoseconds() : times.back().end;
}

const history::RecordingReader& history::readerOf(const Recording& recording)
{
    return *recording.m_reader;
}

Result<std::vector<CounterPoint>> Recording::counter(std::uint32_t id, TimeWindow window) const
{
    const auto info = seriesIn(*this, header().counters, id);
    if (!info)
        return info.error();
    return history::counterPoints(m_reader->ticks(), (*info)->kind, id, window);
}

Result<std::vector<CounterBand>> Recording::counterBands(
    std::uint32_t id, TimeWindow window, std::size_t bands) const
{
    const auto info = seriesIn(*this, header().counters, id);
    if (!info)
        return info.error();
    return history::counterBands(m_reader->ticks(), (*info)->kind, id, window, bands);
}

Result<CounterStatistics> Recording::counterStatistics(std::uint32_t id, TimeWindow window) const
{
    const auto info = seriesIn(*this, header().counters, id);
    if (!info)
        return info.error();
    return history::counterStatistics(m_reader->ticks(), (*info)->kind, id, window);
}

Result<Histogram> Recording::histogram(std::uint32_t histogramId, TimeWindow window) const
{
    const auto info = seriesIn(*this, header().histograms, histogramId);
    if (!info)
        return info.error();
    return history::latenciesWithin(m_reader->ticks(), (*info)->clock, histogramId, window);
}

Result<LatencySummary> Recording::latency(std::uint32_t histogramId, TimeWindow window) const
{
    auto merged = histogram(histogramId, window);
    if (!merged)
        return merged.error();
    return merged->summary();
}

Result<std::vector<CounterPoint>> Recording::latencyCurve(
    std::uint32_t histogramId, double percentile, TimeWindow window, Nanoseconds stretch) const
{
    const auto info = seriesIn(*this, header().histograms, histogramId);
    if (!info)
        return info.error();
    history::CurveSeries series { (*info)->clock, histogramId };
    if (series.clock == LatencyClock::response || series.clock == LatencyClock::service) {
        SeriesKey ages = (*info)->key;
        ages.clock = series.clock == LatencyClock::response ? LatencyClock::age : LatencyClock::serviceAge;
        series.ages = findSeries(header().histograms, ages);
    }
    return history::latencyCurve(m_reader->ticks(), series, percentile, window, stretch);
}

Result<void> Recording::eachStretch(std::uint32_t histogramId, TimeWindow window, Nanoseconds stretch,
    const std::function<void(TimeWindow, const Histogram&)>& visit) const
{
    const auto info = seriesIn(*this, header().histograms, histogramId);
    if (!info)
        return info.error();
    return history::eachStretch(m_reader->ticks(), (*info)->clock, histogramId, window, stretch, visit);
}

Result<RunLog> Recording::log() const
{
    return m_reader->log();
}
Result<std::vector<RunEvent>> Recording::events() const
{
    return m_reader->events();
}
Result<std::vector<Transcript>> Recording::transcripts() const
{
    return m_reader->transcripts();
}
Result<std::vector<Annotation>> Recording::annotations() const
{
    return m_reader->annotations();
}

Result<std::vector<RunLab>> Recording::labs() const
{
    return m_reader->labs();
}
Result<RunLab> Recording::lab() const
{
    auto labs = m_reader->labs();
    if (!labs)
        return labs.error();
    return labs->empty() ? RunLab() : std::move(labs->back());
}

Result<std::vector<ErrorRow>> Recording::errors(TimeWindow window) const
{
    auto rows = m_reader->errors(m_reader->ticks().rangeOf(window));
    if (!rows)
        return rows.error();
    return history::withoutWordings(*rows);
}

} // namespace loadstone
