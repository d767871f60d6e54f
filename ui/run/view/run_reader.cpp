// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_reader.h"

#include "format.h"

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

/// The window that was asked for, within what `view` shows; `visible`: what the chart shows.
TimeWindow windowOf(const WindowQuery& query, const RunView& view, TimeWindow visible)
{
    if (query.over == WindowKind::chart)
        return visible;
    if (query.over == WindowKind::lastMeasurement) {
        const auto last = std::find_if(view.phases.rbegin(), view.phases.rend(),
            [](const Phase& phase) { return phase.kind == PhaseKind::measurement; });
        return clipped(
            last == view.phases.rend() ? TimeWindow() : TimeWindow { last->begin, last->end }, view.shown);
    }
    return clipped(query.window, view.shown);
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

RunResults resultsAsOf(const RunResults& results, const std::vector<Phase>& phases, Nanoseconds until)
{
    RunResults known = results;
    known.audit.reset(); // a recording keeps only the audit's last state
    known.oracle.reset();
    known.exceptions.clear();
    known.figures.clear();
    std::erase_if(known.mixes, [&](const MixResult& m) {
        return std::none_of(phases.begin(), phases.end(), [&](const Phase& p) {
            return p.mix == m.mix && p.kind == PhaseKind::measurement && !p.open && p.end <= until;
        });
    });
    return known;
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
    m_curves.clear();
    m_statisticsCurves.clear();
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
    }
    view->table = windowOf(query.table, *view, visible);
    auto latencies = readLatencies(view->table, query.commands);
    if (!latencies)
        return latencies.error();
    view->latencies = std::move(*latencies);
    view->errorWindow = windowOf(query.errors, *view, visible);
    auto errors = m_recording->errors(view->errorWindow);
    if (!errors)
        return errors.error();
    view->errors = std::move(*errors);
    const bool past = view->shown < view->length;
    view->results = past && m_results
        ? std::make_shared<const RunResults>(resultsAsOf(*m_results, m_recording->phases(), view->shown))
        : m_results;
    if (!past)
        view->verdict = m_verdict;
    view->events = m_events;
    view->transcripts = m_transcripts;
    view->annotations = m_annotations;
    view->sources = m_sources;
    m_assessor.fill(*m_recording, visible, !sameQuestion, *view); // what is chosen is shown at once
    auto figures = readFigures(*view);
    if (!figures)
        return figures.error();
    view->figures = std::move(*figures);
    m_lastQuery = query;
    return std::shared_ptr<const RunView>(std::move(view));
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
    auto sources = sourcesOf(*m_recording);
    if (!sources)
        return sources.error();
    if (m_sources && *m_sources == *sources)
        return {};
    m_sourceNames = sourceNames(*sources);
    m_sources = std::make_shared<const std::vector<SourceInfo>>(std::move(*sources));
    return {};
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
        const auto id = findSeries(m_header->counters, key.series);
        if (!id)
            return line;
        line.found = true;
        auto curve = m_recording->counterBands(*id, visible, bands);
        if (!curve)
            return curve.error();
        line.bands = std::move(*curve);
        auto values = m_recording->counterStatistics(*id, statistics);
        if (!values)
            return values.error();
        line.statistics = *values;
    }
    std::erase_if(line.bands, [](const CounterBand& b) { return std::isnan(b.average); });
    return line;
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
    return {};
}

Result<void> RunReader::readPercentile(
    std::uint32_t histogramId, TimeWindow visible, TimeWindow statistics, LineData& line)
{
    const auto read = [&](CurveCache& cache, TimeWindow window, Nanoseconds stretch) {
        auto points = cache.read(*m_recording, histogramId, line.key.percentile, window, stretch);
        if (points)
            for (CounterPoint& p : *points)
                p.value *= 1e3; // shown in milliseconds
        return points;
    };
    // Stretches begin at multiples of their length: growing or panned, the curve changes at its ends only.
    const Nanoseconds stretch = latencyStretch(visible, kLatencyPoints);
    auto curve = read(m_curves, { visible.begin / stretch * stretch, visible.end }, stretch);
    if (!curve)
        return curve.error();
    std::erase_if(*curve, [&](const CounterPoint& p) { return p.at <= visible.begin; });
    Nanoseconds before = visible.begin;
    for (const CounterPoint& p : *curve) {
        line.bands.push_back({ before, p.at, p.value, p.value, p.value });
        before = p.at;
    }
    if (statistics != visible) { // of points of its own: wherever the chart looks, they are the same
        curve = read(m_statisticsCurves, statistics, latencyStretch(statistics, kLatencyPoints));
        if (!curve)
            return curve.error();
    }
    line.statistics = statisticsOf(*curve, statistics);
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

double RunReader::lastValue(Quantity quantity, Nanoseconds at) const
{
    const auto id = findSeries(m_header->counters, quantity);
    if (!id)
        return kNaN;
    const auto s = m_recording->counterStatistics(*id, { std::max(Nanoseconds(0), at - kRecent), at });
    return s && s->samples != 0 ? s->last : kNaN;
}

std::uint64_t RunReader::lastCount(Quantity quantity, Nanoseconds at) const
{
    const double value = lastValue(quantity, at);
    return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

Result<void> RunReader::readMomentFigures(RunFigures& figures, Nanoseconds at) const
{
    figures.sentPerSecond = lastValue(Quantity::messagesSent, at);
    figures.receivedPerSecond = lastValue(Quantity::messagesReceived, at);
    figures.users = lastCount(Quantity::users, at);
    const auto io = ioRatesAt(*m_recording, at);
    if (!io)
        return io.error();
    figures.io = *io;
    const auto response = responseWithin(*m_recording, { std::max(Nanoseconds(0), at - kRecent), at });
    if (!response)
        return response.error();
    if (response->count != 0)
        figures.p95 = response->p95;
    return {};
}

Result<RunFigures> RunReader::readFigures(const RunView& view) const
{
    RunFigures figures;
    figures.elapsed = view.shown;
    const bool whole = view.shown == view.length && !view.growing();
    if (!view.phases.empty() && !whole)
        figures.phase = view.phases.back();
    if (view.growing() && view.shown == view.length) {
        if (figures.phase && figures.phase->open && figures.phase->end > view.shown)
            figures.phaseLeft = figures.phase->end - view.shown;
        // Phases that end when they are done took time that was not planned: the present one at least goes on.
        if (m_header->plannedLength > Nanoseconds(0))
            figures.totalLeft =
                std::max(figures.phaseLeft.value_or(Nanoseconds(0)), m_header->plannedLength - view.shown);
    }
    if (whole) { // what its last second was says nothing of a run
        figures.sentPerSecond = figures.receivedPerSecond = kNaN;
        if (view.results)
            for (const MixResult& m : view.results->mixes)
                figures.users = std::max(figures.users, m.mailboxes);
    } else if (const auto done = readMomentFigures(figures, view.shown); !done) {
        return done.error();
    }
    const auto errors = m_recording->errors({ Nanoseconds(0), view.shown });
    if (!errors)
        return errors.error();
    for (const ErrorRow& row : *errors)
        figures.errors += row.count;
    if (view.results) {
        // Of a run that died only an earlier state of the audit is kept.
        if (view.results->kind == RunKind::mail && view.results->state != RunState::interrupted)
            figures.audit = view.results->audit;
        figures.healthy = view.results->invalidReasons.empty();
        if (!figures.healthy)
            figures.healthReason = text(view.results->invalidReasons.front());
    }
    if (view.verdict) {
        figures.verdict = view.verdict->verdict;
        figures.healthy = view.verdict->good();
        figures.healthReason = text(view.verdict->headline);
        for (const std::string& reason : view.verdict->reasons)
            figures.healthReason += QLatin1Char('\n') + text(reason);
    }
    // In a replay the audit's counters say how it stood; they are there, and 0, without an audit too.
    if (!whole && m_results && m_results->audit && !figures.audit
        && findSeries(m_header->counters, Quantity::copiesLost)) {
        AuditTotals audit;
        audit.expected = m_results->audit->expected;
        audit.outstanding = lastCount(Quantity::copiesOutstanding, view.shown);
        audit.late = lastCount(Quantity::copiesLate, view.shown);
        audit.twice = lastCount(Quantity::copiesTwice, view.shown);
        audit.damaged = lastCount(Quantity::copiesDamaged, view.shown);
        audit.lost = lastCount(Quantity::copiesLost, view.shown);
        figures.audit = audit;
    }
    return figures;
}

} // namespace loadstone::ui
