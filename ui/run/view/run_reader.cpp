// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_reader.h"

#include "format.h"
#include "run/view/run_figures.h"

#include <loadstone/event_rates.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kResultsInterval =
    std::chrono::seconds(2); // a long live run's results cost some milliseconds
constexpr Nanoseconds kRecent = std::chrono::seconds(10);
constexpr std::size_t kLatencyPoints = 240;
constexpr std::size_t kOverviewBands = 800; // whatever the chart's width: scales do not depend on it
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool isEmpty(TimeWindow w)
{
    return w.end <= w.begin;
}

/// The last `span` of what is shown, as the chart draws it.
TimeWindow followed(Nanoseconds span, Nanoseconds shown)
{
    return { std::max(Nanoseconds(0), shown - span), shown };
}

TimeWindow clipped(TimeWindow w, Nanoseconds shown)
{
    if (isEmpty(w))
        return { Nanoseconds(0), shown };
    return { std::min(w.begin, shown), std::min(w.end, shown) };
}

CounterStatistics statisticsOf(const std::vector<CounterPoint>& points, TimeWindow window)
{
    CounterStatistics s { kNaN, kNaN, kNaN, kNaN, window.end - window.begin, 0 };
    double sum = 0;
    for (const CounterPoint& p : points) {
        if (std::isnan(p.value))
            continue;
        s.last = p.value;
        s.minimum = s.samples == 0 ? p.value : std::min(s.minimum, p.value);
        s.maximum = s.samples == 0 ? p.value : std::max(s.maximum, p.value);
        sum += p.value;
        ++s.samples;
    }
    if (s.samples != 0)
        s.average = sum / static_cast<double>(s.samples);
    return s;
}

/// Whether both lie at the same places of the run's axis. A source that is being written changes with every tick.
bool sameOffsets(const std::vector<SourceInfo>& a, const std::vector<SourceInfo>& b)
{
    return std::ranges::equal(
        a, b, [](const SourceInfo& x, const SourceInfo& y) { return x.id == y.id && x.offset == y.offset; });
}

/// Measurements that go on in these phases are not complete.
std::shared_ptr<const RunResults> asOf(
    const std::shared_ptr<const RunResults>& results, const std::vector<Phase>& phases)
{
    const auto goesOn = [&](const MixResult& mix) {
        return std::ranges::any_of(phases, [&](const Phase& phase) {
            return phase.mix == mix.mix && phase.kind == PhaseKind::measurement && phase.open;
        });
    };
    if (!results || std::ranges::none_of(results->mixes, goesOn))
        return results;
    auto then = std::make_shared<RunResults>(*results);
    for (MixResult& mix : then->mixes)
        mix.complete = mix.complete && !goesOn(mix);
    return then;
}

} // namespace

Nanoseconds latencyStretch(TimeWindow window, std::size_t points)
{
    constexpr int kSteps[] = { 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200 };
    const auto least =
        (window.end - window.begin) / static_cast<std::int64_t>(std::max<std::size_t>(points, 1));
    for (const int s : kSteps)
        if (std::chrono::seconds(s) >= least)
            return std::chrono::seconds(s);
    return std::chrono::ceil<std::chrono::hours>(least);
}

std::optional<TimeWindow> windowWithin(const WindowQuery& query, const RunView& view, TimeWindow visible)
{
    switch (query.over) {
    case WindowKind::steadyState:
        return std::nullopt;
    case WindowKind::chart:
        return visible;
    case WindowKind::planned:
    case WindowKind::lastMeasurement: {
        const auto last = std::find_if(view.phases.rbegin(), view.phases.rend(),
            [](const Phase& phase) { return phase.kind == PhaseKind::measurement; });
        return clipped(
            last == view.phases.rend() ? TimeWindow() : TimeWindow { last->begin, last->end }, view.shown);
    }
    case WindowKind::given:
        break;
    }
    return clipped(query.window, view.shown);
}

Result<void> RunReader::open(const std::filesystem::path& file, const std::string& target)
{
    auto recording = Recording::open(file, target);
    if (!recording)
        return recording.error();
    m_recording.emplace(std::move(*recording));
    m_header = std::make_shared<const RunHeader>(m_recording->header());
    m_lastQuery.reset();
    m_results.reset();
    m_verdict.reset();
    m_transcripts.reset();
    m_sources.reset();
    m_computers.reset();
    m_computed = { eventRatesOf(*m_header), {} };
    m_derived.reset();
    m_curves.clear();
    m_statisticsCurves.clear();
    m_extents.clear();
    m_tables.reset();
    m_heatMaps.clear();
    m_assessor.clear();
    return {};
}

Result<std::shared_ptr<const RunView>> RunReader::read(const RunQuery& query)
{
    if (!m_recording)
        return fail("no recording is open");
    const auto news = m_recording->refresh();
    if (!news) {
        m_lastQuery.reset(); // else a later reading without news would give no view
        return news.error();
    }
    const bool due = resultsDue();
    const bool sameQuestion = m_lastQuery == query;
    if (!*news && !due && sameQuestion && !m_assessor.due(*m_recording, query))
        return std::shared_ptr<const RunView>();
    const bool firstOrFailed = !m_lastQuery;
    m_lastQuery.reset();
    if (*news)
        m_tables.reset();
    if (*news || firstOrFailed)
        if (const auto done = refreshTables(); !done)
            return done.error();
    if (due)
        if (const auto done = refreshResults(); !done)
            return done.error();

    auto view = std::make_shared<RunView>();
    view->query = query;
    view->header = m_header;
    view->state = m_recording->state();
    view->length = m_recording->length();
    view->shown = query.until ? std::min(*query.until, view->length) : view->length;
    for (Phase phase : m_recording->phases())
        if (phase.begin < view->shown || (phase.begin == view->shown && !query.until)) {
            if (phase.end > view->shown && !phase.open) {
                phase.open = true; // as it was then: not yet over
                phase.end = view->shown;
            }
            if (phase.open) // also one without a planned end
                phase.end = std::max(phase.end, view->shown);
            view->phases.push_back(std::move(phase));
        }
    const TimeWindow visible = query.follow > Nanoseconds(0) ? followed(query.follow, view->shown)
                                                             : clipped(query.visible, view->shown);
    const TimeWindow statistics =
        isEmpty(query.statistics) ? visible : clipped(query.statistics, view->shown);
    for (const LineKey& key : query.lines) {
        auto line = readLine(key, visible, statistics, query.bands);
        if (!line)
            return line.error();
        view->lines.push_back(std::move(*line));
        const auto counter = key.source.empty() && !key.isLatency()
            ? findOwnCounter(*m_header, m_computed, key.series)
            : std::nullopt;
        if (counter)
            if (const auto done = readMoments(*counter, query.moments, view->shown, view->lines.back());
                !done)
                return done.error();
    }
    if (query.heatMap) {
        auto map = m_heatMaps.read(*m_recording, *query.heatMap, visible, query.bands);
        if (!map)
            return map.error();
        view->heatMap = std::move(*map);
    }
    if (query.overview) {
        auto overview = readOverview(*query.overview, { Nanoseconds(0), view->shown });
        if (!overview)
            return overview.error();
        view->overview = std::move(*overview);
    }
    const bool quick = !sameQuestion; // what is chosen is shown at once
    m_assessor.placeWindow(*m_recording, visible, quick, *view);
    if (const auto done = readTables(*view); !done)
        return done.error();
    const bool past = view->shown < view->length;
    if (!past) {
        view->verdict = m_verdict;
        view->planned = m_results;
    }
    view->events = m_events;
    view->transcripts = m_transcripts;
    view->annotations = m_annotations;
    view->sources = m_sources;
    view->computers = m_computers;
    view->derived = m_derived;
    m_assessor.fill(*m_recording, quick, *view);
    auto figures = figuresOf(*m_recording, m_results.get(), *view);
    if (!figures)
        return figures.error();
    view->figures = std::move(*figures);
    m_lastQuery = query;
    return std::shared_ptr<const RunView>(std::move(view));
}

Result<void> RunReader::readTables(RunView& view)
{
    const bool past = view.shown < view.length;
    if (isPlanned(view.query.window)) // as it was then: measurements up to that time
        view.results = past
            ? asOf(m_assessor.resultsWithin(*m_recording, { Nanoseconds(0), view.shown }), view.phases)
            : m_results;
    else if (view.windowProblem.empty())
        view.results = m_assessor.resultsWithin(*m_recording, view.window);
    if (!view.windowProblem.empty())
        return {};
    const bool commands = view.query.commands;
    if (!m_tables || m_tables->window != view.window || m_tables->errorWindow != view.errorWindow
        || m_tables->commands != commands) {
        auto latencies = readLatencies(view.window, commands);
        if (!latencies)
            return latencies.error();
        auto errors = m_recording->errors(view.errorWindow);
        if (!errors)
            return errors.error();
        m_tables = { view.window, view.errorWindow, commands, std::move(*latencies), std::move(*errors) };
    }
    view.latencies = m_tables->latencies;
    view.errors = m_tables->errors;
    return {};
}

bool RunReader::resultsDue() const
{
    if (!m_results || m_resultsState != m_recording->state())
        return true;
    return m_resultsTicks != m_recording->ticks() && monoNow() - m_resultsRead >= kResultsInterval;
}

Result<void> RunReader::refreshTables()
{
    auto log = m_recording->log();
    if (!log)
        return log.error();
    m_events = std::make_shared<const std::vector<RunEvent>>(std::move(log->events));
    m_annotations = std::make_shared<const std::vector<Annotation>>(std::move(log->annotations));
    return refreshSources();
}

Result<void> RunReader::refreshSources()
{
    auto computers = computersOf(*m_recording);
    if (!computers)
        return computers.error();
    if (!m_computers || *m_computers != *computers)
        m_computers = std::make_shared<const std::vector<ComputerFacts>>(std::move(*computers));
    auto sources = sourcesOf(*m_recording);
    if (!sources)
        return sources.error();
    if (m_sources && *m_sources == *sources)
        return {};
    m_sourceNames = sourceNames(*sources);
    if (!m_sources || !sameOffsets(*m_sources, *sources))
        m_extents.clear(); // one of them lies elsewhere now
    const bool newCounters = !m_sources || !haveSameLines(*m_sources, *sources);
    m_sources = std::make_shared<const std::vector<SourceInfo>>(std::move(*sources));
    if (newCounters)
        refreshDerived();
    return {};
}

void RunReader::refreshDerived()
{
    m_computed.derived = derivedOf(*m_recording).counters;
    std::vector<CounterInfo> infos;
    for (const DerivedCounter& counter : m_computed.derived)
        infos.push_back(derivedInfo(counter));
    if (!m_derived || *m_derived != infos)
        m_derived = std::make_shared<const std::vector<CounterInfo>>(std::move(infos));
}

Result<void> RunReader::refreshResults()
{
    auto transcripts = m_recording->transcripts();
    if (!transcripts)
        return transcripts.error();
    // They are only ever added to: the same number is the same transcripts, and nobody need look again.
    if (!m_transcripts || transcripts->size() != m_transcripts->size())
        m_transcripts = std::make_shared<const std::vector<Transcript>>(std::move(*transcripts));
    auto results = computeResults(*m_recording);
    if (!results)
        return results.error();
    if (isOver(results->state)) {
        auto verdict = verdictOf(*m_recording);
        if (!verdict)
            return verdict.error();
        m_verdict = std::make_shared<const RunVerdict>(std::move(*verdict));
    }
    m_results = std::make_shared<const RunResults>(std::move(*results));
    m_resultsRead = monoNow();
    m_resultsTicks = m_recording->ticks();
    m_resultsState = m_recording->state();
    return {};
}

Result<LineData> RunReader::readLine(
    const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands)
{
    LineData line;
    line.key = key;
    line.statistics = statisticsOf({}, statistics);
    if (!key.source.empty()) {
        if (const auto done = readSource(key, visible, statistics, bands, line); !done)
            return done.error();
    } else if (key.isLatency()) {
        const auto id = findSeries(m_header->histograms, key.series);
        if (!id)
            return line;
        line.found = true;
        if (const auto done = readPercentile(*id, visible, statistics, line); !done)
            return done.error();
    } else {
        const auto counter = findOwnCounter(*m_header, m_computed, key.series);
        if (!counter)
            return line;
        line.found = true;
        auto curve = ownBands(*m_recording, *counter, visible, bands);
        if (!curve)
            return curve.error();
        line.bands = std::move(*curve);
        auto values = ownStatistics(*m_recording, *counter, statistics);
        if (!values)
            return values.error();
        line.statistics = *values;
    }
    std::erase_if(line.bands, [](const CounterBand& b) { return std::isnan(b.average); });
    auto whole = readWhole(key);
    if (!whole)
        return whole.error();
    line.whole = *whole;
    return line;
}

Result<void> RunReader::readMoments(const OwnCounter& counter, const std::vector<Nanoseconds>& moments,
    Nanoseconds shown, LineData& line) const
{
    for (const Nanoseconds at : moments) {
        ReadValue value { at, {} };
        if (at <= shown) { // nothing is known of later
            auto points = ownPoints(*m_recording, counter, { std::max(Nanoseconds(0), at - kRecent), at });
            if (!points)
                return points.error();
            if (!points->empty() && std::isfinite(points->back().value))
                value.value = { points->back().value, at - points->back().at, points->back().at, {} };
        }
        line.read.push_back(value);
    }
    return {};
}

Result<std::optional<ValueExtent>> RunReader::readWhole(const LineKey& key)
{
    return m_extents.of(
        key, m_recording->length(), [&](TimeWindow window) { return readOverview(key, window); });
}

Result<std::vector<CounterBand>> RunReader::readOverview(const LineKey& key, TimeWindow window)
{
    std::vector<CounterBand> bands;
    if (!key.source.empty()) {
        LineData line;
        if (const auto done = readSource(key, window, window, kOverviewBands, line); !done)
            return done.error();
        bands = std::move(line.bands);
    } else if (key.isLatency()) {
        const auto id = findSeries(m_header->histograms, key.series);
        if (!id)
            return bands;
        // Always from the beginning, whose stretches are known already.
        auto all = percentileBands(*id, key.percentile, { Nanoseconds(0), window.end });
        if (!all)
            return all.error();
        bands = std::move(*all);
        std::erase_if(bands, [&](const CounterBand& b) { return b.end <= window.begin; });
    } else if (const auto counter = findOwnCounter(*m_header, m_computed, key.series)) {
        auto all = ownBands(*m_recording, *counter, window, kOverviewBands);
        if (!all)
            return all.error();
        bands = std::move(*all);
    }
    std::erase_if(bands, [](const CounterBand& b) { return std::isnan(b.average); });
    return bands;
}

Result<std::vector<CounterBand>> RunReader::percentileBands(
    std::uint32_t histogramId, double percentile, TimeWindow window)
{
    // Stretches begin at multiples of their length: growing or panned, the curve changes at its ends only.
    const Nanoseconds stretch = latencyStretch(window, kLatencyPoints);
    auto curve = m_curves.read(
        *m_recording, histogramId, percentile, { window.begin / stretch * stretch, window.end }, stretch);
    if (!curve)
        return curve.error();
    std::vector<CounterBand> bands;
    Nanoseconds before = window.begin;
    for (const CounterPoint& p : *curve) {
        if (p.at <= window.begin)
            continue;
        const double shown = p.value * 1e3; // in milliseconds
        bands.push_back({ before, p.at, shown, shown, shown });
        before = p.at;
    }
    return bands;
}

Result<void> RunReader::readSource(
    const LineKey& key, TimeWindow visible, TimeWindow statistics, std::size_t bands, LineData& line) const
{
    const auto named = std::ranges::find(m_sourceNames, key.source);
    if (named == m_sourceNames.end())
        return {};
    const SourceInfo& source = (*m_sources)[static_cast<std::size_t>(named - m_sourceNames.begin())];
    const auto counter = findSeries(source.counters, key.series);
    if (!counter)
        return {};
    line.found = true;
    auto curve = sourceBands(*m_recording, source.id, *counter, visible, bands);
    if (!curve)
        return curve.error();
    line.bands = std::move(*curve);
    auto values = sourceStatistics(*m_recording, source.id, *counter, statistics);
    if (!values)
        return values.error();
    line.statistics = *values;
    const double factor = shownFactor(source.counters[*counter]);
    multiply(line.bands, factor);
    multiply(line.statistics, factor);
    return {};
}

Result<void> RunReader::readPercentile(
    std::uint32_t histogramId, TimeWindow visible, TimeWindow statistics, LineData& line)
{
    auto bands = percentileBands(histogramId, line.key.percentile, visible);
    if (!bands)
        return bands.error();
    line.bands = std::move(*bands);
    std::vector<CounterPoint> points;
    if (statistics != visible) { // of points of its own: wherever the chart looks, they are the same
        auto curve = m_statisticsCurves.read(*m_recording, histogramId, line.key.percentile, statistics,
            latencyStretch(statistics, kLatencyPoints));
        if (!curve)
            return curve.error();
        points = std::move(*curve);
        for (CounterPoint& p : points)
            p.value *= 1e3; // shown in milliseconds
    } else {
        for (const CounterBand& b : line.bands)
            points.push_back({ b.end, b.average });
    }
    line.statistics = statisticsOf(points, statistics);
    return {};
}

Result<std::vector<LatencyRow>> RunReader::readLatencies(TimeWindow window, bool commands) const
{
    std::vector<LatencyRow> rows;
    for (const HistogramInfo& h : m_header->histograms) {
        if (h.scope != LatencyScope::action && !commands)
            continue;
        if (isAge(h.clock)) // in the response times of its action
            continue;
        auto summary = h.scope == LatencyScope::action && h.clock == LatencyClock::response
            ? responseWithin(*m_recording, h.key, window)
            : m_recording->latency(h.id, window);
        if (!summary)
            return summary.error();
        SeriesKey key = h.key;
        key.clock.reset();
        auto it = std::find_if(rows.begin(), rows.end(),
            [&](const LatencyRow& r) { return r.key == key && r.scope == h.scope; });
        if (it == rows.end())
            it = rows.insert(rows.end(), LatencyRow { h.name, h.scope, std::nullopt, {}, {}, key });
        if (h.clock == LatencyClock::response)
            it->response = *summary;
        else
            it->service = *summary;
    }
    std::erase_if(rows, [](const LatencyRow& r) {
        return r.service.count == 0
            && (!r.response || r.response->empty()); // commands that the run never used
    });
    return rows;
}

} // namespace loadstone::ui
