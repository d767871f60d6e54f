// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/judgement_tables.h"

#include "report/cells.h"
#include "report/wording.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace loadstone {
namespace report {

namespace {

using Kind = Criterion::Kind;
constexpr double kMostCounted = 0x1p53; // beyond it whole numbers are not exact

Nanoseconds duration(double inSeconds)
{
    return Nanoseconds(static_cast<std::int64_t>(std::llround(inSeconds * 1e9)));
}

/// With the computer that it is of, where the plan names one.
std::string counterOf(const Criterion& criterion)
{
    return criterion.computer.empty() ? criterion.subject : criterion.computer + ": " + criterion.subject;
}

std::string whatOf(const Criterion& criterion)
{
    switch (criterion.kind) {
    case Kind::score:
        return fmt::format("Score, {:g} %", criterion.percentile);
    case Kind::responseTime:
        return fmt::format("{}, {:g} %", criterion.subject, criterion.percentile);
    case Kind::processor:
        return criterion.computer.empty() ? "Processor time here" : "Processor time of " + criterion.computer;
    case Kind::errorRate:
        return "Failed actions";
    case Kind::queueGrowth:
        return "Growth of the queue";
    case Kind::counter:
        return counterOf(criterion);
    case Kind::counterGrowth:
        return "Growth of " + counterOf(criterion);
    case Kind::audit:
        return "Copies lost, twice, damaged";
    case Kind::generator:
        return "Load generator";
    case Kind::oracle:
        return "Findings of the oracle";
    case Kind::averageLatency:
        return criterion.subject + ", average";
    case Kind::sampleLatency:
        return fmt::format("{}, samples of {} above {}", criterion.subject,
            formatDuration(criterion.sampleLength), formatDuration(duration(criterion.sampleLimit)));
    case Kind::pageFaultStalls:
        return "Page fault stalls";
    case Kind::transferRate:
        return "Database transfers";
    case Kind::minutesOffTarget:
        return "Minutes off the target rate";
    case Kind::damage:
        return "Damaged pages, log files, log segments";
    case Kind::wrongRecords:
        return "Wrong records";
    case Kind::failedTransfers:
        return "Failed transfers";
    case Kind::unanswered:
        return "Longest wait for a transfer";
    }
    return {};
}

/// How many significant digits a number has as the plan states it: 2 of 0.25, 1 of 5.
int digitsOf(double value)
{
    std::string digits = fmt::format("{:.10g}", value);
    std::erase(digits, '.');
    const auto first = digits.find_first_not_of('0');
    return first == std::string::npos ? 1 : static_cast<int>(digits.size() - first);
}

/// A number of the criterion's quantity: measured with four digits, a limit as the plan has it.
Number numberOf(const Criterion& criterion, double value, bool limit)
{
    const auto plain = [&](Unit unit) {
        Number number { value, unit,
            limit ? Rounding { Notation::shortest, 10 } : Rounding { Notation::significant, 4 } };
        number.rounding.named = true;
        return number;
    };
    switch (criterion.kind) {
    case Kind::score:
    case Kind::responseTime:
    case Kind::averageLatency:
    case Kind::unanswered:
        return { value, Unit::seconds,
            limit ? Rounding { Notation::duration, 9 } : Rounding { Notation::latency } };
    case Kind::processor:
        return plain(Unit::percent);
    case Kind::errorRate:
        // Both are shares: in a workbook they are compared.
        return { value, Unit::share, { Notation::percent, limit ? digitsOf(value * 100) : 2 } };
    case Kind::queueGrowth:
        return plain(Unit::copies);
    case Kind::pageFaultStalls:
    case Kind::transferRate:
        return plain(Unit::perSecond);
    case Kind::audit:
    case Kind::oracle:
    case Kind::sampleLatency:
    case Kind::minutesOffTarget:
    case Kind::damage:
    case Kind::wrongRecords:
    case Kind::failedTransfers:
        return { std::clamp(value, 0.0, kMostCounted), Unit::one, { Notation::whole, 0, true } };
    default:
        return plain(criterion.unit);
    }
}

Cell limitOf(const Criterion& criterion)
{
    if (criterion.kind == Kind::generator)
        return "keeps up";
    if (criterion.kind == Kind::counterGrowth)
        return "none";
    if (!criterion.least && !criterion.most)
        return "";
    Number limit = numberOf(criterion, criterion.most ? *criterion.most : *criterion.least, true);
    if (criterion.least && criterion.most)
        limit.from = numberOf(criterion, *criterion.least, true).value;
    else if (criterion.kind == Kind::unanswered)
        limit.limit = Limit::below;
    else
        limit.limit = criterion.most ? Limit::most : Limit::least;
    return limit;
}

/// A value that is beyond its limit has so many digits that it does not read as the limit: 2.02 %, not 2.0 %, of at most 2 %.
void tellApart(const Criterion& criterion, Number& value)
{
    constexpr int kMostDigits = 9, kDigitsOfLatency = 3;
    const Notation notation = value.rounding.notation;
    if (notation != Notation::percent && notation != Notation::significant && notation != Notation::latency)
        return;
    for (const auto& limit : { criterion.most, criterion.least }) {
        Number same = value;
        same.value = limit;
        const bool differs = limit && criterion.value && *limit != *criterion.value;
        while (differs && value.rounding.digits < kMostDigits && format(same) == format(value))
            same.rounding.digits = value.rounding.digits =
                std::max(value.rounding.digits, notation == Notation::latency ? kDigitsOfLatency : 0) + 1;
    }
}

Cell valueOf(const Criterion& criterion)
{
    if (criterion.kind == Kind::generator)
        return criterion.met ? "kept up" : criterion.cannotTell ? "-" : "did not keep up";
    Number value = numberOf(criterion, criterion.value.value_or(0), false);
    if (!criterion.value)
        value.value.reset();
    else if (!criterion.met)
        tellApart(criterion, value);
    value.flags.lowerBound = criterion.atLeast;
    return value;
}

bool isGrowth(const Criterion& criterion)
{
    return criterion.kind == Kind::queueGrowth || criterion.kind == Kind::counterGrowth;
}

std::string explanationOf(const Criterion& criterion)
{
    if (criterion.kind == Kind::generator || criterion.kind == Kind::oracle)
        return criterion.reason;
    if (!criterion.met && !criterion.reason.empty() && (!criterion.ofStorage() || !criterion.value))
        return criterion.reason;
    if (!criterion.value && criterion.ofStorage())
        return criterion.kind == Kind::averageLatency ? "it did not happen"
                                                      : "the recording has no such counter";
    if (!criterion.value)
        return isGrowth(criterion)              ? "too few samples, or no such counter"
            : criterion.kind == Kind::audit     ? "there was no audit"
            : criterion.kind == Kind::counter   ? "the recording has no such counter"
            : criterion.kind == Kind::processor ? "not measured"
                                                : "it did not happen";
    std::string text = criterion.reason;
    if (isGrowth(criterion)) {
        text = fmt::format("trend {:.1f} sd", criterion.confidence);
        if (criterion.met && *criterion.value > criterion.most.value_or(*criterion.value))
            text += ", not more than chance";
        if (!criterion.reason.empty())
            text += "; " + criterion.reason;
    }
    if (!criterion.met && criterion.failedSince)
        text += fmt::format("{}since {}", text.empty() ? "" : "; ", formatClock(*criterion.failedSince));
    return text;
}

void addRows(Table& table, const std::string& mix, const std::vector<Criterion>& criteria)
{
    for (const Criterion& criterion : criteria) {
        const CriterionText text = describe(criterion);
        table.rows.push_back({ mix, text.what, text.limit, text.value,
            criterion.met              ? "met"
                : criterion.cannotTell ? "cannot tell"
                                       : "NOT MET",
            text.explanation });
    }
}

using LoadText = Cell (*)(const Load&);

double secondsOf(const Load& load)
{
    return std::max(1e-9, seconds(load.window.end - load.window.begin));
}

template <std::uint64_t Load::*member>
Cell total(const Load& load)
{
    return countCell(load.*member);
}
template <std::uint64_t Load::*member>
Cell hourly(const Load& load)
{
    return countCell(
        static_cast<std::uint64_t>(std::llround(static_cast<double>(load.*member) * 3600 / secondsOf(load))));
}
template <std::uint64_t Load::*member>
Cell eachSecond(const Load& load)
{
    return rateCell(static_cast<double>(load.*member) / secondsOf(load));
}
template <std::uint64_t Load::*member>
Cell bytesEachSecond(const Load& load)
{
    return bytesCell(static_cast<double>(load.*member) / secondsOf(load), Unit::bytesPerSecond);
}

std::string shortName(const std::string& counter)
{
    const auto slash = counter.rfind('\\', counter.size() - 1);
    // "Messages Sent/sec" of "\Loadstone Mail(_Total)\Messages Sent/sec"
    return slash == std::string::npos ? counter : counter.substr(slash + 1);
}

} // namespace

Table criteriaTable(const Judgement& judgement)
{
    Table table { "Criteria", "",
        { { judgement.kind == RunKind::mail ? "Mix" : "Test", kText }, { "Criterion", kText }, { "Limit" },
            { "Value" }, { "", kText }, { "Explanation", kText } },
        {} };
    if (!judgement.stated)
        return table;
    for (const MixJudgement& mix : judgement.mixes)
        addRows(table, mix.mixName, mix.criteria);
    for (const Criterion& criterion : judgement.wholeRun) // of a window the generator's health is its own
        addRows(table, judgement.window && criterion.kind == Kind::generator ? "window" : "whole run",
            { criterion });
    if (judgement.kind != RunKind::mail) {
        table.note = "Judged on unrounded values. Average: of the time in the device, over the measurement; "
                     "samples: equal parts of it. At the same time: counters that were at least twice as "
                     "high as in the other samples. They need not be the cause.";
        return table;
    }
    table.note =
        "Judged on unrounded values. A queue grows when the robust slope of the copies accepted and not yet "
        "retrieved exceeds the limit over the measurement and the trend is not chance "
        "(Mann-Kendall test at 1 %, corrected for autocorrelation; sd: standard deviations above chance).";
    return table;
}

std::vector<std::string> failureSentences(const Judgement& judgement)
{
    std::vector<std::string> sentences;
    const auto add = [&](const std::string& where, const std::vector<Criterion>& criteria) {
        for (const Criterion& criterion : criteria) {
            const CriterionText text = describe(criterion);
            if (criterion.ofStorage() && !criterion.met && !text.explanation.empty())
                sentences.push_back(fmt::format("{}, {}: {}.", where, text.what, text.explanation));
        }
    };
    for (const MixJudgement& mix : judgement.mixes)
        add(mix.mixName, mix.criteria);
    add("Whole run", judgement.wholeRun);
    return sentences;
}

Table steadyStateTable(const std::vector<SteadyState>& states)
{
    Table table { "Steady state", "",
        { { "Mix", kText }, { "Measurement" }, { "Would take" }, { "Why", kText } }, {} };
    for (const SteadyState& state : states)
        table.rows.push_back({ state.mixName, clockCell(state.measurement),
            state.window ? clockCell(*state.window) : Cell("none"), steadyStateSentence(state) });
    if (!states.empty())
        table.note =
            "Looked for in ramp-up and measurement: the time from which actions, messages and waiting copies "
            "only fluctuate (smallest marginal standard error, MSER-5), without a later trend.";
    return table;
}

} // namespace report

using namespace report;

CriterionText describe(const Criterion& criterion)
{
    return { whatOf(criterion), limitOf(criterion), valueOf(criterion), explanationOf(criterion) };
}

std::string criteriaSentence(const Judgement& judgement)
{
    if (!judgement.stated)
        return {};
    std::size_t all = 0, failed = 0, unknown = 0;
    const auto add = [&](const std::vector<Criterion>& criteria) {
        all += criteria.size();
        for (const Criterion& one : criteria)
            if (!one.met)
                ++(one.cannotTell ? unknown : failed);
    };
    for (const MixJudgement& mix : judgement.mixes)
        add(mix.criteria);
    add(judgement.wholeRun);
    // "2 of the plan's 5 criteria are NOT met, and 1 cannot be judged"
    const auto shortcomings = [&] {
        const std::string of = all == 1 ? "criterion" : fmt::format("{} criteria", all);
        if (failed == 0)
            return fmt::format("{} of the plan's {} cannot be judged", unknown, of);
        return fmt::format("{} of the plan's {} {} NOT met{}", failed, of, failed == 1 ? "is" : "are",
            unknown == 0 ? "" : fmt::format(", and {} cannot be judged", unknown));
    };
    if (judgement.window) {
        const TimeWindow judged = judgedWindow(judgement);
        const std::string where =
            fmt::format("In {} - {} of the run", formatClock(judged.begin), formatClock(judged.end));
        if (judgement.mixes.empty() && judgement.kind == RunKind::mail)
            return where + " there is no load of a mix: the plan's criteria say nothing of it.";
        if (failed + unknown == 0 && judgement.nothingSucceeded)
            return where + " nothing succeeded: the plan is NOT met.";
        return failed + unknown == 0 ? fmt::format("{} all {} criteria of the plan are met.", where, all)
                                     : fmt::format("{} {}.", where, shortcomings());
    }
    if (judgement.running && failed + unknown == 0)
        return fmt::format("All {} criteria that are judged so far are met; the run goes on.", all);
    if (judgement.running && failed == 0)
        return fmt::format("{} of {} criteria cannot be judged yet; the run goes on.", unknown, all);
    if (judgement.running)
        return fmt::format("{} of {} criteria {} NOT met so far{}; the run goes on.", failed, all,
            failed == 1 ? "is" : "are",
            unknown == 0 ? "" : fmt::format(", and {} cannot be judged yet", unknown));
    if (judgement.cutShort && failed + unknown == 0)
        return "The run ended before all that the plan has was measured: the plan is NOT met.";
    if (judgement.nothingSucceeded && failed + unknown == 0)
        return "In a measurement nothing succeeded: the plan is NOT met.";
    if (failed + unknown == 0)
        return all == 1 ? "The plan's criterion is met."
                        : fmt::format("All {} criteria of the plan are met.", all);
    return shortcomings() + (failed == 0 ? ": the plan is NOT met." : ".");
}

TimeWindow judgedWindow(const Judgement& judgement)
{
    TimeWindow judged = judgement.window.value_or(TimeWindow {});
    if (!judgement.mixes.empty())
        judged = { judgement.mixes.front().window.begin, judgement.mixes.back().window.end };
    return judged;
}

Table loadTable(const std::vector<Load>& loads)
{
    Table table { "Transaction load", "", { { "", kText } }, {} };
    if (loads.empty())
        return table;
    for (const Load& load : loads)
        table.columns.push_back({ load.mixName });
    const auto add = [&](const char* what, LoadText text) {
        std::vector<Cell> row { what };
        for (const Load& load : loads)
            row.emplace_back(text(load));
        table.rows.push_back(std::move(row));
    };
    add("Length", [](const Load& load) { return clockCell(load.window.end - load.window.begin); });
    add("Messages submitted", total<&Load::submitted>);
    add("  per hour", hourly<&Load::submitted>);
    add("  per second", eachSecond<&Load::submitted>);
    add("Message recipients accepted", total<&Load::recipients>);
    add("  per hour", hourly<&Load::recipients>);
    add("  per second", eachSecond<&Load::recipients>);
    add("Message recipients delivered", total<&Load::delivered>);
    add("  per hour", hourly<&Load::delivered>);
    add("  per second", eachSecond<&Load::delivered>);
    const bool opens = std::any_of(loads.begin(), loads.end(),
        [](const Load& load) { return load.messageOpens + load.folderOpens > 0; });
    if (opens) {
        add("Message opens per second", eachSecond<&Load::messageOpens>);
        add("Folder opens per second", eachSecond<&Load::folderOpens>);
    }
    add("Bytes read from clients per second", bytesEachSecond<&Load::bytesFromClients>);
    add("Bytes written to clients per second", bytesEachSecond<&Load::bytesToClients>);
    table.note = "Delivered: handed out by the recipient's mailbox for the first time. Opens: messages read "
                 "and attachments "
                 "loaded; Inbox "
                 "checked and folders browsed.";
    if (!opens)
        table.note = "Delivered: handed out by the recipient's mailbox for the first time.";
    return table;
}

Table userDayTable(const std::vector<Load>& loads)
{
    Table table { "Per user-day", "", { { "", kText } }, {} };
    std::vector<std::string> names; // of all mixes, in the order of the first that has them
    const Load* first = nullptr;
    for (const Load& load : loads) {
        if (load.perUserDay.empty())
            continue;
        first = first != nullptr ? first : &load;
        table.columns.push_back({ load.mixName });
        for (const UserDayRow& row : load.perUserDay)
            if (std::find(names.begin(), names.end(), row.what) == names.end())
                names.push_back(row.what);
    }
    if (first == nullptr)
        return table;
    table.columns.push_back({ "Profile" });
    table.columns.push_back({ "Difference" });
    constexpr Rounding kFour { Notation::significant, 4 };
    for (const std::string& name : names) {
        std::vector<Cell> cells { name };
        std::optional<double> planned, had;
        for (const Load& load : loads) {
            if (load.perUserDay.empty())
                continue;
            const auto row = std::find_if(load.perUserDay.begin(), load.perUserDay.end(),
                [&](const UserDayRow& other) { return other.what == name; });
            const bool there = row != load.perUserDay.end();
            cells.emplace_back(Number { there ? std::optional(row->had) : std::nullopt, Unit::one, kFour });
            if (there) {
                planned = row->planned;
                had = row->had;
            }
        }
        cells.emplace_back(Number { planned, Unit::one, kFour });
        const bool comparable = planned && had && *planned > 0;
        cells.emplace_back(Number { comparable ? std::optional(*had / *planned - 1) : std::nullopt,
            Unit::share, { Notation::difference } });
        table.rows.push_back(std::move(cells));
    }
    table.note = fmt::format("Profile: what it plans, or what its source prints. Difference: of the {}mix. "
                             "The measurement was {} user-days long.",
        loads.size() > 1 ? "last " : "", formatNumber(loads.back().userDays, 4));
    return table;
}

namespace {

/// Of a path: "Transfers/sec (vda: Database read)", and without what it is of where that is all: "Messages Sent/sec".
std::string seriesName(const std::string& path)
{
    const std::string_view before = std::string_view(path).substr(0, path.rfind('\\'));
    const auto open = before.find('(');
    const std::string_view instance = open != std::string_view::npos && before.ends_with(')')
        ? before.substr(open + 1, before.size() - open - 2)
        : std::string_view();
    return instance.empty() || instance == "_Total" ? shortName(path)
                                                    : fmt::format("{} ({})", shortName(path), instance);
}

} // namespace

std::string steadyStateSentence(const SteadyState& state)
{
    const auto last = std::max_element(state.series.begin(), state.series.end(),
        [](const SettledSeries& a, const SettledSeries& b) { return a.from < b.from; });
    if (state.window && last != state.series.end() && std::isnan(last->before))
        return fmt::format("Steady from its beginning, {}, to {}: nothing settled later.",
            formatClock(state.window->begin), formatClock(state.window->end));
    if (state.window)
        return fmt::format(
            "Steady from {} to {}: {} settled last; until then it was {} on average, since then {}.",
            formatClock(state.window->begin), formatClock(state.window->end), seriesName(last->counter),
            formatNumber(last->before, 3), formatNumber(last->after, 3));
    for (const SettledSeries& series : state.series)
        if (!series.settled)
            return series.enoughSamples
                ? fmt::format(
                    "Not steady: {} did not settle within the first half.", seriesName(series.counter))
                : fmt::format("Whether it was steady cannot be told: {} has too few samples.",
                    seriesName(series.counter));
    for (const SettledSeries& series : state.series)
        if (series.drifts)
            return fmt::format("Not steady: {} still drifts.", seriesName(series.counter));
    return "Whether it was steady cannot be told: nothing happened.";
}

} // namespace loadstone
