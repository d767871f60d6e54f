// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/generator_health.h"
#include "analysis/results/measured_parts.h"
#include "analysis/results/nothing_succeeded.h"
#include "analysis/results/remarks.h"
#include "analysis/results/result_parts.h"
#include "analysis/results/results_cache.h"
#include "analysis/storage/storage_results.h"
#include "analysis/window/action_series.h"
#include "analysis/window/right_edge.h"
#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/results.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace loadstone {

namespace {

using analysis::MeasuredPart;
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
    const auto counter = findSeries(recording.header().counters, Quantity::messagesRetrieved);
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
    const auto sent = analysis::eventsOf(recording, Quantity::messagesSent, range);
    const auto received = analysis::eventsOf(recording, Quantity::messagesReceived, range);
    if (!sent || !received)
        return sent ? received.error() : sent.error();
    MessageRates rates = ratesOf(sent->total, received->total, sent->begin, sent->end);
    if (auto added = addRetrieved(recording, range, rates); !added)
        return added.error();
    return rates;
}

/// Of an action, as it was added up.
std::optional<ActionCounts> countsOf(const RunHeader& header, const MixSums& sums, const SeriesKey& action)
{
    using analysis::ActionCount;
    ActionCounts counts;
    for (const auto& [counter, figure] :
        { std::pair { ActionCount::due, &counts.due }, std::pair { ActionCount::begun, &counts.begun },
            std::pair { ActionCount::failed, &counts.failed } }) {
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
        auto unfinished = analysis::unfinishedAfter(recording, row.key, range);
        if (!unfinished)
            return unfinished.error();
        const std::uint64_t open = unfinished->count();
        const std::uint64_t ended = row.response ? row.response->count : 0;
        if (const auto response = analysis::actionLatency(header, row.key, LatencyClock::response))
            row.response =
                analysis::CensoredLatency(sums.histograms[*response], *std::move(unfinished)).summary();
        row.counts = countsOf(header, sums, row.key);
        if (!row.counts)
            continue;
        row.counts->ended = ended;
        row.counts->unfinished = open;
        ActionCounts& all = result.counts ? *result.counts : result.counts.emplace();
        for (auto figure : { &ActionCounts::due, &ActionCounts::begun, &ActionCounts::ended,
                 &ActionCounts::failed, &ActionCounts::unfinished })
            all.*figure += (*row.counts).*figure;
    }
    analysis::leaveOutIdle(result.actions);
    return {};
}

/// Response times of all actions together, with what is unfinished at the end of `range`; of an action that has none its service
/// times.
Result<LatencySummary> responseOf(const Recording& recording, history::TickRange range,
    const std::function<Result<void>(std::uint32_t, Histogram&)>& addTimes)
{
    Histogram good;
    analysis::Unfinished all;
    all.endedWithin = Nanoseconds(0);
    const RunHeader& header = recording.header();
    for (const HistogramInfo& info : header.histograms) {
        if (info.scope != LatencyScope::action)
            continue;
        const bool response = info.clock == LatencyClock::response;
        if (!response
            && (info.clock != LatencyClock::service
                || analysis::actionLatency(header, info.key, LatencyClock::response)))
            continue;
        if (const auto added = addTimes(info.id, good); !added)
            return added.error();
        if (!response)
            continue;
        const auto one = analysis::unfinishedAfter(recording, info.key, range);
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

void fillFromSums(MixResult& result, const RunHeader& header, const MixSums& sums)
{
    result.actions = analysis::latencyRows(header, sums, LatencyScope::action);
    result.commands = analysis::latencyRows(header, sums, LatencyScope::command);
    analysis::leaveOutIdle(result.commands);
    Histogram delivery;
    for (const HistogramInfo& info : header.histograms)
        if (info.scope == LatencyScope::delivery)
            delivery.merge(sums.histograms[info.id]);
    result.delivery = delivery.summary();
    result.attempts = sums.attempts;
    result.failures = sums.failures;
    if (sums.attempts > 0)
        result.errorRate = static_cast<double>(sums.failures) / static_cast<double>(sums.attempts);
    result.errors = analysis::errorRows(sums);
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
    // A class of I/O is not a command: it has a row in the table of I/O.
    std::erase_if(result.commands,
        [](const LatencyRow& command) { return command.key.quantity == Quantity::transferTime; });
    const plan::StorageTest* test = analysis::storageTestOf(recording);
    if (test == nullptr || result.mix < 0 || static_cast<std::size_t>(result.mix) >= test->tests.size())
        return {};
    auto storage = analysis::storageResultOf(
        recording, *test, test->tests[static_cast<std::size_t>(result.mix)], range, sums.storage);
    if (!storage)
        return storage.error();
    result.storage = *std::move(storage);
    return {};
}

Result<MixResult> resultOf(
    const Recording& recording, const MeasuredPart& part, const std::vector<ChosenCounter>& queuesOfRun)
{
    const Phase& phase = part.phase;
    const history::ResultSeries& series = history::readerOf(recording).series();
    const history::TickReader& reader = history::readerOf(recording).ticks();
    MixResult result;
    result.mix = phase.mix;
    result.name = phase.mixName;
    if (phase.mix >= 0 && static_cast<std::size_t>(phase.mix) < series.mixes.size()) {
        const history::MixFacts& facts = series.mixes[static_cast<std::size_t>(phase.mix)];
        result.mailboxes = facts.mailboxes;
        result.threads = facts.threads;
        result.recipientsPerMessage = facts.recipientsPerMessage;
        const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
        if (const plan::MailPlan* plan = loaded.ok() ? loaded.plan.mail() : nullptr;
            plan != nullptr && static_cast<std::size_t>(phase.mix) < plan->mixes.size())
            result.workload =
                plan::describeScripts(plan->workload, plan->mixes[static_cast<std::size_t>(phase.mix)]);
        result.complete = part.chosen ? !phase.open : isComplete(recording, phase, facts.measurement);
    }
    const history::TickRange range = part.ticks;
    const auto sums = analysis::sumsOf(recording, part);
    if (!sums)
        return sums.error();
    fillFromSums(result, recording.header(), **sums);
    if (auto added = addUnfinished(recording, range, **sums, result); !added)
        return added.error();
    const auto response =
        responseOf(recording, range, [&](std::uint32_t id, Histogram& into) -> Result<void> {
            into.merge((*sums)->histograms[id]);
            return {};
        });
    if (!response)
        return response.error();
    result.response = *response;
    auto io = analysis::ioRows(recording, range, **sums);
    if (!io)
        return io.error();
    result.io = *std::move(io);
    if (recording.header().kind != RunKind::mail)
        if (auto added = addStorageResult(recording, range, **sums, result); !added)
            return added.error();
    result.measured = range.empty()
        ? ratesOf(0, 0, phase.begin, phase.begin)
        : ratesOf((*sums)->sent, (*sums)->received, reader.times()[range.first].begin,
            reader.times()[range.last - 1].end);
    result.nothingSucceeded = analysis::nothingSucceededIn(recording, part, result);
    if (auto added = addRetrieved(recording, range, result.measured); !added)
        return added.error();
    if (series.finalWindow.count() > 0 && !part.chosen) {
        const Nanoseconds end =
            range.empty() ? std::max(phase.begin, phase.end) : reader.times()[range.last - 1].end;
        const auto tail = reader.rangeOf({ std::max(phase.begin, end - series.finalWindow), end });
        auto rates = ratesWithin(recording, { std::max(tail.first, range.first), range.last });
        if (!rates)
            return rates.error();
        result.finalWindow = *rates;
    }
    if (recording.header().kind == RunKind::mail) {
        auto score = analysis::scoreOf(recording, range, **sums);
        if (!score)
            return score.error();
        result.score = *std::move(score);
    }
    if (recording.header().kind == RunKind::mail
        && !part.chosen) { // a queue is looked at in the whole of a mix
        auto queues = analysis::queueRows(recording, queuesOfRun, phase, result.complete);
        if (!queues)
            return queues.error();
        result.queues = *std::move(queues);
    }
    result.figures = figuresOf({ result, recording.header().kind, &recording });
    return result;
}

} // namespace

Result<LatencySummary> responseWithin(const Recording& recording, const TimeWindow& window)
{
    const history::TickReader& reader = history::readerOf(recording).ticks();
    const history::TickRange range = reader.rangeOf(window);
    return responseOf(
        recording, range, [&](std::uint32_t id, Histogram& into) { return reader.merge(id, range, into); });
}

Result<LatencySummary> responseWithin(
    const Recording& recording, const SeriesKey& action, const TimeWindow& window)
{
    const auto latency =
        analysis::responsesWithin(recording, action, history::readerOf(recording).ticks().rangeOf(window));
    if (!latency)
        return latency.error();
    return latency->summary();
}

Result<LatencySummary> latencyWithin(
    const Recording& recording, const HistogramInfo& series, const TimeWindow& window)
{
    if (series.scope == LatencyScope::action && series.clock == LatencyClock::response)
        return responseWithin(recording, series.key, window);
    if (series.key.quantity != Quantity::transferTime || series.clock != LatencyClock::service)
        return recording.latency(series.id, window);
    auto ended = recording.histogram(series.id, window);
    if (!ended)
        return ended.error();
    auto unfinished = analysis::unfinishedInDevice(
        recording, series.key.subject, history::readerOf(recording).ticks().rangeOf(window));
    if (!unfinished)
        return unfinished.error();
    return analysis::CensoredLatency(*std::move(ended), *std::move(unfinished)).summary();
}

namespace {

Result<void> addPreparations(
    const Recording& recording, const std::optional<TimeWindow>& window, RunResults& results)
{
    const auto& counters = recording.header().counters;
    if (std::ranges::none_of(
            counters, [](const CounterInfo& info) { return info.key.quantity == Quantity::mailboxesToDo; }))
        return {};
    for (const Phase& phase : recording.phases()) {
        const TimeWindow whole = analysis::windowOf(recording, phase);
        const bool asked = !window || (window->begin <= whole.begin && whole.end <= window->end);
        if (!isPreparation(phase.kind) || !asked)
            continue;
        auto preparation = analysis::preparationOf(recording, phase);
        if (!preparation)
            return preparation.error();
        results.preparations.push_back(std::move(*preparation));
    }
    return {};
}

Result<RunResults> resultsOf(const Recording& recording, const std::optional<TimeWindow>& window)
{
    RunResults results;
    results.window = window;
    results.state = recording.state();
    results.kind = recording.header().kind;
    if (auto added = addPreparations(recording, window, results); !added)
        return added.error();
    const auto parts = analysis::measuredParts(recording, window);
    std::vector<ChosenCounter> queues;
    if (results.kind == RunKind::mail && !std::ranges::all_of(parts, &MeasuredPart::chosen))
        queues = analysis::queuesOf(recording);
    for (const MeasuredPart& part : parts) {
        auto mix = resultOf(recording, part, queues);
        if (!mix)
            return mix.error();
        results.mixes.push_back(std::move(*mix));
    }
    auto end = history::readerOf(recording).end();
    if (!end)
        return end.error();
    results.exceptions = std::move(end->exceptions);
    results.endReason = end->reason;
    if (window) { // of whose messages the totals of the audit and the oracle do not tell
        std::erase_if(results.exceptions, [&](const AuditException& one) {
            return one.accepted <= window->begin || one.accepted > window->end;
        });
    } else {
        if (results.kind == RunKind::mail)
            results.audit = end->audit;
        if (results.audit)
            results.figures = figuresOf(*results.audit, { Nanoseconds(0), recording.length() });
        const auto oracle = analysis::oracleOf(recording, results.exceptions);
        if (!oracle)
            return oracle.error();
        results.oracle = *oracle;
    }
    auto reasons = analysis::generatorReasons(recording, window);
    if (!reasons)
        return reasons.error();
    results.invalidReasons = *std::move(reasons);
    // What only the end of a run brings to light.
    for (const history::InvalidReason& reason : end->invalidReasons)
        results.invalidReasons.push_back(withTarget(reason.target, reason.text));
    if (!isOver(results.state) || results.state == RunState::interrupted) // and this before it
        for (const PreparationResult& one : results.preparations)
            if (one.totals.failed > 0)
                results.invalidReasons.push_back(
                    fmt::format("{} of {} mailboxes could not be {}", one.totals.failed, one.totals.mailboxes,
                        one.kind == PhaseKind::cleanUp ? "cleaned" : "initialised"));
    const bool nothingMeasured = isOver(results.state) && results.mixes.empty() && !window
        && recording.header().plannedLength > Nanoseconds(0);
    results.remarks = analysis::remarksOf(results.mixes, history::readerOf(recording).keptPlan().plan);
    results.valid = results.invalidReasons.empty() && !nothingMeasured && results.state != RunState::failed
        && results.state != RunState::interrupted
        && std::ranges::all_of(
            results.mixes, [](const MixResult& mix) { return mix.nothingSucceeded.empty(); });
    return results;
}

} // namespace

Result<RunResults> computeResults(const Recording& recording)
{
    return resultsOf(recording, {});
}

Result<RunResults> computeResults(const Recording& recording, const TimeWindow& window)
{
    if (const auto good = analysis::checkWindow(recording, window); !good)
        return good.error();
    return resultsOf(recording, window);
}

} // namespace loadstone
