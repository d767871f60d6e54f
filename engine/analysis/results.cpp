// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/action_series.h"
#include "analysis/generator_health.h"
#include "analysis/io_series.h"
#include "analysis/nothing_succeeded.h"
#include "analysis/preparations.h"
#include "analysis/results_cache.h"
#include "analysis/right_edge.h"
#include "analysis/storage_results.h"

#include <loadstone/results.h>

#include <algorithm>
#include <functional>

namespace loadstone {

namespace {

using analysis::MixSums;

// A measurement that was cut short by less than this ran to its end: the last tick's timer may be a little
// early.
constexpr Nanoseconds kSlack = std::chrono::milliseconds(100);

MessageRates ratesOf(std::uint64_t sent, std::uint64_t received, Nanoseconds begin, Nanoseconds end)
{
    MessageRates rates;
    rates.begin = begin;
    rates.end = end;
    rates.sent = sent;
    rates.received = received;
    if (const double length = seconds(end - begin); length > 0) {
        rates.sentPerSecond = static_cast<double>(sent) / length;
        rates.receivedPerSecond = static_cast<double>(received) / length;
    }
    if (sent > 0)
        rates.receivedToSent = static_cast<double>(received) / static_cast<double>(sent);
    return rates;
}

/// What the mailboxes handed out, where the recording counts it.
Result<void> addRetrieved(const Recording& recording, history::TickRange range, MessageRates& rates)
{
    const auto counter =
        analysis::counterNamed(recording.header(), "\\Loadstone Mail(_Total)\\Messages Retrieved/sec");
    if (!counter || range.empty())
        return {};
    const auto events = analysis::eventsWithin(recording, *counter, range);
    if (!events)
        return events.error();
    rates.retrieved = events->total;
    if (const double length = seconds(rates.end - rates.begin); length > 0)
        rates.retrievedPerSecond = static_cast<double>(events->total) / length;
    return {};
}

Result<MessageRates> ratesWithin(const Recording& recording, history::TickRange range)
{
    const history::ResultSeries& series = recording.impl().series();
    const auto sent = analysis::eventsWithin(recording, series.sent, range);
    const auto received = analysis::eventsWithin(recording, series.received, range);
    if (!sent || !received)
        return sent ? received.error() : sent.error();
    MessageRates rates = ratesOf(sent->total, received->total, sent->begin, sent->end);
    if (auto added = addRetrieved(recording, range, rates); !added)
        return added.error();
    return rates;
}

/// Rows of one scope in the order of their series; response and service of one action share a row.
std::vector<LatencyRow> rowsOf(const RunHeader& header, const MixSums& sums, LatencyScope scope)
{
    std::vector<LatencyRow> rows;
    for (const HistogramInfo& info : header.histograms) {
        if (info.scope != scope)
            continue;
        auto row =
            std::find_if(rows.begin(), rows.end(), [&](const LatencyRow& r) { return r.name == info.name; });
        if (row == rows.end()) {
            LatencyRow fresh;
            fresh.name = info.name;
            fresh.scope = scope;
            row = rows.insert(rows.end(), std::move(fresh));
        }
        if (info.clock == LatencyClock::response)
            row->response = sums.histograms[info.id].summary();
        else if (info.clock == LatencyClock::service)
            row->service = sums.histograms[info.id].summary();
    }
    return rows;
}

/// What did not happen has no row.
void leaveOutIdle(std::vector<LatencyRow>& rows)
{
    std::erase_if(rows, [](const LatencyRow& row) {
        return row.service.count == 0 && (!row.response || row.response->empty())
            && (!row.counts || *row.counts == ActionCounts());
    });
}

/// Of an action, as it was added up.
std::optional<ActionCounts> countsOf(const RunHeader& header, const MixSums& sums, const std::string& action)
{
    ActionCounts counts;
    for (const auto& [counter, figure] : { std::pair { analysis::kActionsDue, &counts.due },
             std::pair { analysis::kActionsBegun, &counts.begun },
             std::pair { analysis::kActionsFailed, &counts.failed } }) {
        const auto id = analysis::actionCounter(header, action, counter);
        if (!id)
            return std::nullopt;
        const auto sum = sums.actions.find(*id);
        *figure = sum == sums.actions.end() ? 0 : sum->second;
    }
    return counts;
}

/// To each action what had not ended at the end of the window, and to the result how all of them stand.
Result<void> addUnfinished(
    const Recording& recording, history::TickRange range, const MixSums& sums, MixResult& result)
{
    const RunHeader& header = recording.header();
    for (LatencyRow& row : result.actions) {
        auto unfinished = analysis::unfinishedAfter(recording, row.name, range);
        if (!unfinished)
            return unfinished.error();
        const std::uint64_t open = unfinished->count();
        const std::uint64_t ended = row.response ? row.response->count : 0;
        if (const auto response = analysis::actionSeries(header, row.name, LatencyClock::response))
            row.response =
                analysis::CensoredLatency(sums.histograms[*response], *std::move(unfinished)).summary();
        row.counts = countsOf(header, sums, row.name);
        if (!row.counts)
            continue;
        row.counts->ended = ended;
        row.counts->unfinished = open;
        ActionCounts& all = result.counts ? *result.counts : result.counts.emplace();
        for (auto figure : { &ActionCounts::due, &ActionCounts::begun, &ActionCounts::ended,
                 &ActionCounts::failed, &ActionCounts::unfinished })
            all.*figure += (*row.counts).*figure;
    }
    leaveOutIdle(result.actions);
    return {};
}

/// Response times of all actions together, with what is unfinished at the end of `range`; of an action that has none its service
/// times.
Result<LatencySummary> responseOf(const Recording& recording, history::TickRange range,
    const std::function<Result<void>(std::uint32_t, metrics::Histogram&)>& addTimes)
{
    metrics::Histogram good;
    analysis::Unfinished all;
    all.endedWithin = Nanoseconds(0);
    const RunHeader& header = recording.header();
    for (const HistogramInfo& info : header.histograms) {
        if (info.scope != LatencyScope::action)
            continue;
        const bool response = info.clock == LatencyClock::response;
        if (!response
            && (info.clock != LatencyClock::service
                || analysis::actionSeries(header, info.name, LatencyClock::response)))
            continue;
        if (const auto added = addTimes(info.id, good); !added)
            return added.error();
        if (!response)
            continue;
        const auto one = analysis::unfinishedAfter(recording, info.name, range);
        if (!one)
            return one.error();
        if (one->count() == 0)
            continue;
        all.ages.merge(one->ages);
        if (all.endedWithin && one->endedWithin)
            all.endedWithin = std::max(*all.endedWithin, *one->endedWithin);
        else
            all.endedWithin.reset();
        all.longestLater = std::max(all.longestLater, one->longestLater);
        all.failedLater += one->failedLater;
    }
    return analysis::CensoredLatency(std::move(good), std::move(all)).summary();
}

std::vector<ErrorRow> errorsOf(const MixSums& sums)
{
    std::vector<ErrorRow> errors;
    for (const auto& [what, count] : sums.errors)
        errors.push_back(
            { std::get<0>(what), std::get<1>(what), std::get<2>(what), count, std::get<3>(what) });
    errors = history::withoutWordings(errors);
    std::stable_sort(
        errors.begin(), errors.end(), [](const ErrorRow& a, const ErrorRow& b) { return a.count > b.count; });
    return errors;
}

void fillFromSums(MixResult& result, const RunHeader& header, const MixSums& sums)
{
    result.actions = rowsOf(header, sums, LatencyScope::action);
    result.commands = rowsOf(header, sums, LatencyScope::command);
    leaveOutIdle(result.commands);
    metrics::Histogram delivery;
    for (const HistogramInfo& info : header.histograms)
        if (info.scope == LatencyScope::delivery)
            delivery.merge(sums.histograms[info.id]);
    result.delivery = delivery.summary();
    result.attempts = sums.attempts;
    result.failures = sums.failures;
    if (sums.attempts > 0)
        result.errorRate = static_cast<double>(sums.failures) / static_cast<double>(sums.attempts);
    result.errors = errorsOf(sums);
}

/// The ticks of a phase; while it goes on (or was cut off) it reaches to its last tick.
history::TickRange ticksOf(const Recording& recording, const Phase& phase)
{
    const history::TickReader& reader = recording.impl().ticks();
    const Nanoseconds end = phase.open ? std::max(phase.begin, recording.length()) : phase.end;
    auto range = reader.rangeOf({ phase.begin, end });
    while (!range.empty() && reader.times()[range.last - 1].phase > phase.index)
        --range.last;
    return range;
}

Result<PreparationResult> preparationOf(const Recording& recording, const Phase& phase)
{
    PreparationResult result;
    result.kind = phase.kind;
    result.begin = phase.begin;
    const history::TickRange range = ticksOf(recording, phase);
    const history::TickReader& reader = recording.impl().ticks();
    result.end = range.empty() ? phase.begin : reader.times()[range.last - 1].end;
    std::uint64_t toDo = 0;
    for (const CounterInfo& info : recording.header().counters) {
        // Of all together the counters have no instance; those with one are single targets'.
        if (info.object != analysis::kPreparationObject || !info.instance.empty())
            continue;
        for (const analysis::PreparationCounter& counter : analysis::kPreparationCounters)
            if (info.counter == counter.name) {
                const auto events = analysis::eventsWithin(recording, info.id, range);
                if (!events)
                    return events.error();
                result.totals.*counter.total = events->total;
            }
        if (info.counter == analysis::kMailboxesToDo) {
            const auto samples = reader.samples(info.id, range);
            if (!samples)
                return samples.error();
            const double last = samples->empty() ? 0 : samples->back();
            toDo = last >= 0 && last < 0x1p63 ? static_cast<std::uint64_t>(last) : 0;
        }
    }
    result.totals.mailboxes = result.totals.done + result.totals.failed + toDo;
    result.complete = !phase.open && !range.empty() && toDo + result.totals.failed == 0;
    const auto sums = analysis::resultsCache(recording).sums(recording, phase.index, range);
    if (!sums)
        return sums.error();
    result.commands = rowsOf(recording.header(), **sums, LatencyScope::command);
    leaveOutIdle(result.commands);
    result.errors = errorsOf(**sums);
    return result;
}

/// A series of latencies; null where it was not recorded.
const HistogramInfo* seriesOf(const RunHeader& header, const std::string& name, LatencyClock clock)
{
    for (const HistogramInfo& info : header.histograms)
        if (info.name == name && info.clock == clock)
            return &info;
    return nullptr;
}

/// Its latencies as they were added up.
LatencySummary latencyOf(
    const RunHeader& header, const MixSums& sums, const std::string& name, LatencyClock clock)
{
    const HistogramInfo* info = seriesOf(header, name, clock);
    return info == nullptr ? LatencySummary() : sums.histograms[info->id].summary();
}

/// The times in the device of a class of I/O, within `range` of this length.
Result<void> addDeviceTimes(const Recording& recording, history::TickRange range, const MixSums& sums,
    const std::string& instance, Nanoseconds length, IoRow& row)
{
    const RunHeader& header = recording.header();
    const auto service = analysis::ioService(header, instance);
    if (!service)
        return {};
    analysis::Unfinished unfinished;
    if (const auto ages = analysis::ioAges(header, instance)) {
        analysis::EdgeSeries series;
        series.ages = *ages;
        series.good = service;
        auto left = analysis::unfinishedAfter(recording, series, range);
        if (!left)
            return left.error();
        unfinished = *std::move(left);
    }
    row.unfinished = unfinished.count();
    row.device = analysis::CensoredLatency(sums.histograms[*service], std::move(unfinished)).summary();
    const auto samples = sums.storage.latencies.find(*service);
    if (samples == sums.storage.latencies.end())
        return {};
    if (const auto longest = analysis::longestMean(samples->second, sums.storage.sample, length)) {
        row.longestSample = longest->mean;
        row.longestAtLeast = longest->atLeast;
    }
    return {};
}

/// A storage test's own I/O, by volume and class.
Result<std::vector<IoRow>> ioOf(const Recording& recording, history::TickRange range, const MixSums& sums)
{
    std::vector<IoRow> rows;
    const RunHeader& header = recording.header();
    for (const CounterInfo& info : header.counters) {
        const auto [volume, name] = analysis::ioOf(info.instance);
        if (info.object != analysis::kStorageObject || name.empty())
            continue;
        auto row = std::find_if(rows.begin(), rows.end(),
            [&](const IoRow& one) { return one.volume == volume && one.name == name; });
        const auto events = analysis::eventsWithin(recording, info.id, range);
        if (!events)
            return events.error();
        if (row == rows.end()) {
            IoRow fresh;
            fresh.volume = volume;
            fresh.name = name;
            fresh.queued =
                latencyOf(header, sums, analysis::kQueuedPrefix + info.instance, LatencyClock::slip);
            if (const auto added = addDeviceTimes(
                    recording, range, sums, info.instance, events->end - events->begin, fresh);
                !added)
                return added.error();
            row = rows.insert(rows.end(), std::move(fresh));
        }
        const double length = seconds(events->end - events->begin);
        const double rate = length > 0 ? static_cast<double>(events->total) / length : 0;
        if (info.counter == analysis::kTransfers) {
            row->count = events->total;
            row->perSecond = rate;
        } else if (info.counter == analysis::kTransferBytes) {
            row->bytes = events->total;
            row->bytesPerSecond = rate;
        } else if (info.counter == analysis::kFailedTransfers) {
            row->failures = events->total;
        }
    }
    std::erase_if(rows, [](const IoRow& row) { return row.count + row.unfinished == 0; });
    return rows;
}

/// Where the plan gives no length, a measurement is whole once the run has gone on from there, or come to its end.
bool isComplete(const Recording& recording, const Phase& phase, Nanoseconds planned)
{
    if (phase.open)
        return false;
    if (planned > Nanoseconds(0))
        return phase.end - phase.begin + kSlack >= planned;
    return phase.index + 1 < recording.phases().size() || recording.state() == RunState::finished;
}

/// What a storage plan's test has besides; nothing of another run.
Result<void> addStorageResult(
    const Recording& recording, history::TickRange range, const MixSums& sums, MixResult& result)
{
    // Each class of I/O has its row there, and is no command.
    std::erase_if(result.commands,
        [](const LatencyRow& command) { return !analysis::ioOf(command.name).second.empty(); });
    const plan::StorageTest* test = analysis::resultsCache(recording).storageTest(recording);
    if (test == nullptr || result.mix < 0 || static_cast<std::size_t>(result.mix) >= test->tests.size())
        return {};
    auto storage = analysis::storageResultOf(
        recording, *test, test->tests[static_cast<std::size_t>(result.mix)], range, sums.storage);
    if (!storage)
        return storage.error();
    result.storage = *std::move(storage);
    return {};
}

Result<MixResult> resultOf(const Recording& recording, const Phase& phase)
{
    const history::ResultSeries& series = recording.impl().series();
    const history::TickReader& reader = recording.impl().ticks();
    MixResult result;
    result.mix = phase.mix;
    result.name = phase.mixName;
    if (phase.mix >= 0 && static_cast<std::size_t>(phase.mix) < series.mixes.size()) {
        const history::MixFacts& facts = series.mixes[static_cast<std::size_t>(phase.mix)];
        result.mailboxes = facts.mailboxes;
        result.threads = facts.threads;
        result.recipientsPerMessage = facts.recipientsPerMessage;
        result.complete = isComplete(recording, phase, facts.measurement);
    }
    const auto range = ticksOf(recording, phase);
    const auto sums = analysis::resultsCache(recording).sums(recording, phase.index, range);
    if (!sums)
        return sums.error();
    fillFromSums(result, recording.header(), **sums);
    if (auto added = addUnfinished(recording, range, **sums, result); !added)
        return added.error();
    const auto response = responseOf(
        recording, range, [&](std::uint32_t id, metrics::Histogram& into) -> Result<void> {
            into.merge((*sums)->histograms[id]);
            return {};
        });
    if (!response)
        return response.error();
    result.response = *response;
    auto io = ioOf(recording, range, **sums);
    if (!io)
        return io.error();
    result.io = *std::move(io);
    if (series.sent == history::kNoCounter)
        if (auto added = addStorageResult(recording, range, **sums, result); !added)
            return added.error();
    result.measured = range.empty()
        ? ratesOf(0, 0, phase.begin, phase.begin)
        : ratesOf((*sums)->sent, (*sums)->received, reader.times()[range.first].begin,
            reader.times()[range.last - 1].end);
    result.nothingSucceeded = analysis::nothingSucceededIn(recording, phase, result);
    if (auto added = addRetrieved(recording, range, result.measured); !added)
        return added.error();
    if (series.finalWindow.count() > 0) {
        const Nanoseconds end =
            range.empty() ? std::max(phase.begin, phase.end) : reader.times()[range.last - 1].end;
        const auto tail = reader.rangeOf({ std::max(phase.begin, end - series.finalWindow), end });
        auto rates = ratesWithin(recording, { std::max(tail.first, range.first), range.last });
        if (!rates)
            return rates.error();
        result.finalWindow = *rates;
    }
    return result;
}

/// The last that a counter of the oracle says; none where there is no such counter, or it says nothing.
Result<std::optional<std::uint64_t>> oracleCounter(const Recording& recording, const char* counter)
{
    const TimeWindow whole { Nanoseconds(0), recording.length() };
    const auto id = analysis::counterNamed(recording.header(), std::string("\\Loadstone Oracle\\") + counter);
    if (!id)
        return std::optional<std::uint64_t>();
    const auto last = recording.counterStatistics(*id, whole);
    if (!last)
        return last.error();
    if (last->samples == 0 || !(last->last >= 0 && last->last < 1e15))
        return std::optional<std::uint64_t>();
    return std::optional(static_cast<std::uint64_t>(last->last));
}

/// The last that the oracle's counters say, and what came after the last tick.
Result<std::optional<OracleTotals>> oracleOf(
    const Recording& recording, const std::vector<AuditException>& exceptions)
{
    OracleTotals totals;
    const auto wrong = std::count_if(exceptions.begin(), exceptions.end(),
        [](const AuditException& exception) { return exception.kind == "wrong"; });
    for (const auto& [counter, figure] : { std::pair { "Users", &totals.users },
             std::pair { "Checks", &totals.checks }, std::pair { "Findings", &totals.findings } }) {
        const auto told = oracleCounter(recording, counter);
        if (!told)
            return told.error();
        if (!*told && wrong == 0)
            return std::optional<OracleTotals>();
        *figure = told->value_or(0); // it follows nobody, and the drain has found something
    }
    const auto compared = oracleCounter(recording, "Compared");
    if (!compared)
        return compared.error();
    totals.compared = *compared;
    totals.findings = std::max(totals.findings, static_cast<std::uint64_t>(wrong));
    return std::optional(totals);
}

} // namespace

Result<LatencySummary> responseWithin(const Recording& recording, const TimeWindow& window)
{
    const history::TickReader& reader = recording.impl().ticks();
    const history::TickRange range = reader.rangeOf(window);
    return responseOf(recording, range, [&](std::uint32_t id, metrics::Histogram& into) {
        return reader.merge(id, range, into);
    });
}

Result<LatencySummary> responseWithin(
    const Recording& recording, const std::string& action, const TimeWindow& window)
{
    const auto latency =
        analysis::responsesWithin(recording, action, recording.impl().ticks().rangeOf(window));
    if (!latency)
        return latency.error();
    return latency->summary();
}

Result<RunResults> computeResults(const Recording& recording)
{
    RunResults results;
    results.state = recording.state();
    results.ofMail = recording.impl().series().sent != history::kNoCounter;
    const auto& counters = recording.header().counters;
    const bool hasMailboxes = std::any_of(counters.begin(), counters.end(),
        [](const CounterInfo& info) { return info.object == analysis::kPreparationObject; });
    for (const Phase& phase : recording.phases()) {
        if (isPreparation(phase.kind) && hasMailboxes) {
            auto preparation = preparationOf(recording, phase);
            if (!preparation)
                return preparation.error();
            results.preparations.push_back(std::move(*preparation));
        }
        if (phase.kind != PhaseKind::measurement)
            continue;
        auto mix = resultOf(recording, phase);
        if (!mix)
            return mix.error();
        results.mixes.push_back(std::move(*mix));
    }
    auto end = recording.impl().end();
    if (!end)
        return end.error();
    results.audit = end->audit;
    const auto oracle = oracleOf(recording, end->exceptions);
    if (!oracle)
        return oracle.error();
    results.oracle = *oracle;
    results.exceptions = std::move(end->exceptions);
    auto reasons = analysis::generatorReasons(recording);
    if (!reasons)
        return reasons.error();
    results.invalidReasons = *std::move(reasons);
    // What only the end of a run brings to light.
    results.invalidReasons.insert(
        results.invalidReasons.end(), end->invalidReasons.begin(), end->invalidReasons.end());
    const bool nothingMeasured = isOver(results.state) && results.mixes.empty()
        && recording.header().plannedLength > Nanoseconds(0);
    results.valid = results.invalidReasons.empty() && !nothingMeasured && results.state != RunState::failed
        && results.state != RunState::interrupted
        && std::ranges::all_of(
            results.mixes, [](const MixResult& mix) { return mix.nothingSucceeded.empty(); });
    return results;
}

} // namespace loadstone
