// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/run_reader.h"

#include "format.h"
#include "run/view/run_figures.h"

#include <loadstone/event_rates.h>

#include <algorithm>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr Nanoseconds kResultsInterval =
    std::chrono::seconds(2); // a long live run's results cost some milliseconds

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

/// Whether both lie at the same places of the run's axis. A source that is being written changes with every tick.
bool sameOffsets(const std::vector<SourceInfo>& a, const std::vector<SourceInfo>& b)
{
    return std::ranges::equal(
        a, b, [](const SourceInfo& x, const SourceInfo& y) { return x.id == y.id && x.offset == y.offset; });
}

/// Only mixes that had begun to be measured, in the phases until then: the ramp-up is not a result of its mix.
/// Measurements that go on in these phases are not complete.
std::shared_ptr<const RunResults> asOf(
    const std::shared_ptr<const RunResults>& results, const std::vector<Phase>& phases)
{
    const auto goesOn = [&](const MixResult& mix) {
        return std::ranges::any_of(phases, [&](const Phase& phase) {
            return phase.mix == mix.mix && phase.kind == PhaseKind::measurement && phase.open;
        });
    };
    const auto isMeasured = [&](const MixResult& mix) {
        const Nanoseconds middle =
            (mix.measured.begin + mix.measured.end) / 2; // ticks do not begin exactly with phases
        return std::ranges::any_of(phases, [&](const Phase& phase) {
            return phase.mix == mix.mix && phase.kind == PhaseKind::measurement && phase.begin < middle;
        });
    };
    if (!results)
        return results;
    auto then = std::make_shared<RunResults>(*results);
    std::erase_if(then->mixes, [&](const MixResult& mix) { return !isMeasured(mix); });
    for (MixResult& mix : then->mixes)
        mix.complete = mix.complete && !goesOn(mix);
    return then;
}

/// A checksum, a backup or a recovery of a storage programme.
bool hasNoLoad(const RunResults* results, const Phase& phase)
{
    return results != nullptr && std::ranges::any_of(results->mixes, [&](const MixResult& mix) {
        return mix.mix == phase.mix && mix.storage && !mix.storage->hasLoad();
    });
}

} // namespace

std::optional<TimeWindow> windowWithin(
    const WindowQuery& query, const RunView& view, const RunResults* results, TimeWindow visible)
{
    switch (query.over) {
    case WindowKind::steadyState:
        return std::nullopt;
    case WindowKind::chart:
        return visible;
    case WindowKind::planned:
    case WindowKind::lastMeasurement: {
        const auto lastOf = [&](bool ofLoads) {
            return std::find_if(view.phases.rbegin(), view.phases.rend(), [&](const Phase& phase) {
                return phase.kind == PhaseKind::measurement && !(ofLoads && hasNoLoad(results, phase));
            });
        };
        auto last = lastOf(query.over == WindowKind::planned);
        if (last == view.phases.rend())
            last = lastOf(false);
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
    bool due = !query.linesOnly && resultsDue();
    const bool sameQuestion = m_lastQuery == query;
    if (!*news && !due && sameQuestion && (query.linesOnly || !m_assessor.due(*m_recording, query)))
        return std::shared_ptr<const RunView>();
    const bool firstOrFailed = !m_lastQuery;
    m_lastQuery.reset();
    const bool otherDerived = m_typedDerived != query.derived;
    m_typedDerived = query.derived;
    if (*news)
        m_tables.reset();
    if (*news || firstOrFailed) {
        if (const auto done = refreshTables(); !done)
            return done.error();
        due = !query.linesOnly && resultsDue(); // other sources
    }
    if (otherDerived) {
        refreshDerived();
        m_extents.clear(); // one of the same name may be another one now
    }
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
        auto line = readLine(key, visible, statistics, query.bands, view->shown);
        if (!line)
            return line.error();
        view->lines.push_back(std::move(*line));
        if (key.source.empty() && key.isLatency())
            if (const auto done =
                    readHiddenMoments(key, visible, query.moments, view->shown, view->lines.back());
                !done)
                return done.error();
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
    view->outcome = m_verdict;
    view->sources = m_sources;
    view->computers = m_computers;
    view->derived = m_derived;
    if (query.linesOnly) {
        m_lastQuery = query;
        return std::shared_ptr<const RunView>(std::move(view));
    }
    const bool quick = !sameQuestion; // what is chosen is shown at once
    m_assessor.placeWindow(*m_recording, m_results.get(), visible, quick, *view);
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
        std::ranges::stable_sort(*errors, std::ranges::greater {}, &ErrorRow::count);
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
    const bool moved = m_sources && !sameOffsets(*m_sources, *sources);
    if (!m_sources || moved)
        m_extents.clear(); // one of them lies elsewhere now
    const bool newCounters = !m_sources || !haveSameLines(*m_sources, *sources);
    if (m_sources && (moved || newCounters)) { // criteria, readings and the verdict are of sources, too
        m_assessor.clear();
        m_results.reset();
    }
    m_sources = std::make_shared<const std::vector<SourceInfo>>(std::move(*sources));
    if (newCounters)
        refreshDerived();
    return {};
}

void RunReader::refreshDerived()
{
    m_computed.derived = derivedOf(*m_recording).counters;
    for (const std::string& definition : m_typedDerived) {
        auto counter = derive(*m_recording, definition);
        // What does not fit this run is a line that it lacks. The plan's own keeps its name.
        if (counter
            && std::ranges::find(m_computed.derived, counter->name, &DerivedCounter::name)
                == m_computed.derived.end())
            m_computed.derived.push_back(*std::move(counter));
    }
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
    // They are only ever added to: the same number is the same transcripts.
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

Result<std::vector<LatencyRow>> RunReader::readLatencies(TimeWindow window, bool commands) const
{
    std::vector<LatencyRow> rows;
    for (const HistogramInfo& h : m_header->histograms) {
        if (h.scope != LatencyScope::action && !commands)
            continue;
        if (isAge(h.clock)) // in the response times of its action
            continue;
        auto summary = latencyWithin(*m_recording, h, window);
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
