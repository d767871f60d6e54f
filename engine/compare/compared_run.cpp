// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/batch_means.h"
#include "compare/compared_facts.h"
#include "compare/configuration.h"
#include "compare/reading_values.h"
#include "history/archive.h"
#include "history/recording_reader.h"
#include "plan/model/plan.h"

#include <loadstone/compared.h>
#include <loadstone/results.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone {

namespace {

/// The heading above figures of a table.
const char* groupOf(FigureTable table)
{
    switch (table) {
    case FigureTable::preparation:
        return "Mailboxes";
    case FigureTable::messages:
        return "Messages";
    case FigureTable::finalWindow:
        return "Final window";
    case FigureTable::delivery:
        return "Delivery";
    case FigureTable::standing:
        return "Actions";
    case FigureTable::response:
        return "Response times";
    case FigureTable::service:
        return "Service times";
    case FigureTable::test:
        return "Test";
    case FigureTable::sizing:
        return "Sizing";
    case FigureTable::groupLoad:
        return "Load of the storage groups";
    case FigureTable::groupLog:
        return "Logs of the storage groups";
    case FigureTable::records:
        return "Records";
    case FigureTable::io:
        return "I/O";
    case FigureTable::device:
        return "Time in the device";
    case FigureTable::queued:
        return "Time before the device";
    case FigureTable::command:
        return "Commands";
    case FigureTable::score:
    case FigureTable::scoreActions:
        return "Score";
    case FigureTable::audit:
        return "Audit";
    case FigureTable::readings:
        return "Counters";
    case FigureTable::checksum:
    case FigureTable::logChecksum:
        return "Checksums";
    case FigureTable::backup:
        return "Backup";
    case FigureTable::recovery:
        return "Recovery";
    case FigureTable::queue:
        return "Queues";
    }
    return "";
}

/// "Send message, 95th percentile": what it is of, then the figure without what the group says already.
std::string labelOf(const Figure& figure, const FigureInfo& info)
{
    const std::string of = figure.path.empty() ? nameOf(figure.subject) : figure.path;
    if (of.empty())
        return std::string(info.name);
    const std::string_view words = info.name;
    const auto comma = words.find(", ");
    return of + ", " + std::string(comma == std::string_view::npos ? words : words.substr(comma + 2));
}

/// What is compared only if everything is: totals, plans, extremes, and what most readers do not ask for.
bool isDetail(const FigureInfo& info, const Figure& figure)
{
    if (info.table == FigureTable::audit || info.table == FigureTable::preparation)
        return !info.shown;
    switch (info.statistic) {
    case Statistic::total:
    case Statistic::planned:
    case Statistic::minimum:
    case Statistic::maximum:
        return true;
    default:
        break;
    }
    constexpr std::array kUsual { FigureTable::messages, FigureTable::delivery, FigureTable::response,
        FigureTable::test, FigureTable::groupLoad, FigureTable::groupLog, FigureTable::io,
        FigureTable::device, FigureTable::score, FigureTable::backup, FigureTable::recovery,
        FigureTable::queue };
    if (!info.shown || !info.unless.empty() || std::ranges::find(kUsual, info.table) == kUsual.end())
        return true;
    // Of latencies the mean and the two percentiles that reports print.
    const bool far = info.key.ends_with(".p50") || info.key.ends_with(".p99.9");
    // Of the parts of a storage test all together are enough.
    const bool part = !figure.subject.empty()
        && (info.table == FigureTable::groupLoad || info.table == FigureTable::groupLog);
    return far || part;
}

ComparedValue valueOf(const Figure& figure)
{
    const FigureInfo& info = infoOf(figure.id);
    ComparedValue value;
    value.key.figure = info.key;
    value.key.subject = figure.subject;
    if (figure.counter)
        value.key.counter = SeriesKey(*figure.counter);
    else
        value.key.name = figure.path;
    value.group = groupOf(info.table);
    value.label = labelOf(figure, info);
    if (figure.value && std::isfinite(*figure.value))
        value.value = figure.value;
    value.unit = unitOf(figure).name;
    value.rounding = info.rounding;
    value.better = betterOf(figure);
    value.statistic = figure.statistic;
    value.flags = figure.flags;
    value.version = info.version;
    value.samples = figure.samples;
    value.detail = isDetail(info, figure);
    return value;
}

/// In the order of the figures; readings are taken elsewhere, of all computers.
std::vector<ComparedValue> valuesOf(const std::vector<Figure>& figures)
{
    std::vector<ComparedValue> values;
    for (const Figure& figure : figures)
        if (infoOf(figure.id).table != FigureTable::readings)
            values.push_back(valueOf(figure));
    return values;
}

Nanoseconds warmUpOf(const Recording& recording, std::int32_t mix)
{
    for (const Phase& phase : recording.phases())
        if (phase.mix == mix && phase.kind == PhaseKind::rampUp && !phase.open)
            return phase.end - phase.begin;
    return {};
}

/// Of a storage test: the measurement did not wait until it was warm. A tuning hides that, for it takes as long as it needs.
bool ranOut(Nanoseconds warmUp, const plan::LoadedPlan& loaded, std::int32_t mix)
{
    const plan::StoragePlan* storage = loaded.ok() ? loaded.plan.storage() : nullptr;
    if (storage == nullptr || mix < 0 || static_cast<std::size_t>(mix) >= storage->test.tests.size())
        return false;
    const plan::StorageTestStep& step = storage->test.tests[static_cast<std::size_t>(mix)];
    return step.isLoad() && !storage->test.load.tuning && warmUp >= step.warmUp;
}

ComparedMix mixOf(const Recording& recording, const MixResult& from, bool live)
{
    ComparedMix mix;
    mix.index = from.mix;
    mix.name = from.name;
    if (from.mailboxes > 0) {
        mix.load = static_cast<double>(from.mailboxes);
        mix.loadUnit = "users";
    }
    const plan::LoadedPlan& loaded = history::readerOf(recording).keptPlan();
    const plan::MailPlan* mail = loaded.ok() ? loaded.plan.mail() : nullptr;
    if (mail != nullptr && from.mix >= 0 && static_cast<std::size_t>(from.mix) < mail->mixes.size()) {
        const plan::Mix& planned = mail->mixes[static_cast<std::size_t>(from.mix)];
        if (planned.mailboxesPerClient > 1 || planned.threadsPerClient > 1)
            mix.clients = static_cast<double>(planned.clients);
    }
    mix.window = { from.measured.begin, from.measured.end };
    if (!from.storage || from.storage->hasLoad())
        mix.measured = from.measured.end - from.measured.begin;
    const Nanoseconds warmUp = warmUpOf(recording, from.mix);
    mix.warm = !from.storage || !ranOut(warmUp, loaded, from.mix);
    if (!from.storage || !mix.warm)
        mix.warmUp = warmUp;
    mix.complete = from.complete && !live;
    mix.values = valuesOf(from.figures);
    return mix;
}

/// Whether each mix keeps the criteria of the plan.
Result<void> addPassed(
    const Recording& recording, const std::optional<TimeWindow>& window, std::vector<ComparedMix>& mixes)
{
    const auto judged = window ? judge(recording, *window) : judge(recording);
    if (!judged)
        return judged.error();
    if (!judged->stated)
        return {};
    for (ComparedMix& mix : mixes)
        for (const MixJudgement& one : judged->mixes)
            if (one.mix == mix.index && !one.criteria.empty())
                mix.passed = one.met();
    return {};
}

} // namespace

Result<ComparedRun> comparedRun(const Recording& recording, const std::optional<TimeWindow>& window)
{
    const auto results = window ? computeResults(recording, *window) : computeResults(recording);
    if (!results)
        return results.error();
    const auto verdict = verdictOf(recording);
    if (!verdict)
        return verdict.error();
    const RunHeader& header = recording.header();
    ComparedRun run;
    run.id = header.id;
    const auto annotations = recording.annotations();
    if (!annotations)
        return annotations.error();
    const history::Remarks remarks = history::remarksOf(*annotations);
    run.title = remarks.title.empty() ? header.title : remarks.title;
    run.started = header.started;
    run.length = recording.length();
    run.kind = header.kind;
    run.live = !isOver(results->state);
    run.verdict = verdict->verdict;
    // A chosen window of a run that was cut short is a window as any other.
    if (window && (run.verdict == Verdict::cutShort || run.verdict == Verdict::nothingMeasured))
        run.verdict = Verdict::measured;
    run.invalidReasons = results->invalidReasons;
    run.remarks = results->remarks;
    run.facts = compare::factsOfRun(recording);
    auto digest = compare::configurationDigest(recording);
    if (!digest)
        return digest.error();
    run.configuration = *std::move(digest);
    run.file = recording.file();
    run.target = header.target;
    for (const MixResult& mix : results->mixes)
        run.mixes.push_back(mixOf(recording, mix, run.live && !window));
    if (auto passed = addPassed(recording, window, run.mixes); !passed)
        return passed.error();
    if (auto readings = compare::addReadings(recording, window, run.mixes); !readings)
        return readings.error();
    for (ComparedMix& mix : run.mixes)
        if (auto errors = compare::addWithinErrors(recording, mix); !errors)
            return errors.error();
    run.wholeRun = valuesOf(results->figures);
    if (!results->preparations.empty())
        for (const Figure& figure : results->preparations.back().figures)
            run.wholeRun.push_back(valueOf(figure));
    return run;
}

} // namespace loadstone
