// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_findings.h"

#include "history/recording_reader.h"

#include <loadstone/histogram.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace loadstone::analysis {

namespace {

using Kind = Criterion::Kind;

constexpr std::size_t kMostNamed = 4; // databases or volumes

/// A counter of what may not be, and how one of it is called.
struct Sought {
    Quantity quantity;
    const char* noun;
};
constexpr Sought kDamage[] {
    { Quantity::badPages, "bad page" },
    { Quantity::correctablePages, "correctable page" },
    { Quantity::wrongPageNumbers, "wrong page number" },
    { Quantity::badLogFiles, "bad log file" },
    { Quantity::badLogSegments, "bad log segment" },
};
constexpr Sought kSeen[] {
    { Quantity::pagesSeen, "page" },
    { Quantity::logFilesSeen, "log file" },
    { Quantity::logSegmentsSeen, "log segment" },
};
constexpr Sought kWrong[] { { Quantity::wrongRecords, "wrong record" } };
constexpr Sought kFailed[] { { Quantity::failedTransfers, "failed transfer" } };

/// Some ticks of a recording.
struct Ticks {
    history::TickRange range;
    std::vector<bool> chosen; ///< one for each of the range
};

/// Those in whose phase `belongs`.
template <class Belongs>
Ticks ticksWhere(const Recording& recording, Belongs belongs)
{
    const std::vector<history::TickTime>& times = history::readerOf(recording).ticks().times();
    const std::vector<Phase>& phases = recording.phases();
    const auto isChosen = [&](const history::TickTime& tick) {
        return tick.phase < phases.size() && belongs(phases[tick.phase]);
    };
    const auto first = std::find_if(times.begin(), times.end(), isChosen);
    Ticks ticks;
    ticks.range.first = static_cast<std::uint64_t>(first - times.begin());
    ticks.range.last = ticks.range.first;
    for (auto tick = first; tick != times.end(); ++tick) {
        ticks.chosen.push_back(isChosen(*tick));
        if (ticks.chosen.back())
            ticks.range.last = static_cast<std::uint64_t>(tick - times.begin()) + 1;
    }
    return ticks;
}

Ticks ticksWithin(const Recording& recording, const TimeWindow& window)
{
    const history::TickRange range = history::readerOf(recording).ticks().rangeOf(window);
    return { range, std::vector<bool>(range.empty() ? 0 : range.last - range.first, true) };
}

/// What some counters come to.
struct Tally {
    bool recorded = false; ///< there are such counters
    double count = 0;
    std::map<std::string, std::string> where; ///< "group-1-1": "2 bad pages, 1 correctable page"
    Nanoseconds first {}, last {}; ///< where there is a count: ends of the ticks
};

std::string counted(double count, const char* noun)
{
    return fmt::format("{:.0f} {}{}", count, noun, count == 1 ? "" : "s");
}

Result<void> addCounter(const Recording& recording, const CounterInfo& info, const Sought& sought,
    const Ticks& ticks, Tally& tally)
{
    const auto samples = history::readerOf(recording).ticks().samples(info.id, ticks.range);
    if (!samples)
        return samples.error();
    const std::vector<history::TickTime>& times = history::readerOf(recording).ticks().times();
    double count = 0;
    for (std::size_t i = 0; i < samples->size(); ++i) {
        if (!ticks.chosen[i] || !((*samples)[i] > 0)) // a missing sample is none
            continue;
        const Nanoseconds at = times[ticks.range.first + i].end;
        tally.first = tally.count + count == 0 ? at : std::min(tally.first, at);
        tally.last = std::max(tally.last, at);
        count += (*samples)[i];
    }
    if (count == 0)
        return {};
    tally.count += count;
    std::string& text = tally.where[instanceOf(info.key)];
    text += (text.empty() ? "" : ", ") + counted(count, sought.noun);
    return {};
}

Result<Tally> tallyOf(const Recording& recording, std::span<const Sought> all, const Ticks& ticks)
{
    Tally tally;
    for (const CounterInfo& info : recording.header().counters) {
        // Failed transfers are counted of volumes and of all together, too.
        if (info.key.subject.empty()
            || (info.key.quantity == Quantity::failedTransfers && !info.key.subject.isOwnIo()))
            continue;
        for (const Sought& sought : all) {
            if (info.key.quantity != sought.quantity)
                continue;
            tally.recorded = true;
            if (const auto done = addCounter(recording, info, sought, ticks, tally); !done)
                return done.error();
        }
    }
    return tally;
}

std::string reasonOf(const Tally& tally)
{
    std::string text;
    std::size_t named = 0;
    for (const auto& [instance, what] : tally.where) {
        if (++named > kMostNamed)
            break;
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", instance, what);
    }
    if (tally.where.size() > kMostNamed)
        text += fmt::format("; and {} more", tally.where.size() - kMostNamed);
    return tally.first == tally.last
        ? fmt::format("{}; at {}", text, formatClock(tally.first))
        : fmt::format("{}; from {} to {}", text, formatClock(tally.first), formatClock(tally.last));
}

Criterion noneOf(Kind kind, const Tally& tally)
{
    Criterion criterion;
    criterion.kind = kind;
    criterion.most = 0;
    if (!tally.recorded)
        return criterion;
    criterion.value = tally.count;
    criterion.met = tally.count == 0;
    if (!criterion.met)
        criterion.reason = reasonOf(tally);
    return criterion;
}

/// A volume that takes so long has not answered: the kernel's drivers give up after as much.
constexpr Nanoseconds kUnanswered = std::chrono::seconds(30);

/// The longest that a transfer was not completed for, whether or not it was in the end.
struct Silence {
    bool recorded = false; ///< ages of transfers are
    Nanoseconds longest {};
    bool ended = false;
    std::string instance;
    TimeWindow when;
};

Result<Silence> silenceOf(const Recording& recording, const Ticks& ticks)
{
    Silence silence;
    const std::vector<history::TickTime>& times = history::readerOf(recording).ticks().times();
    Histogram one;
    for (const HistogramInfo& info : recording.header().histograms) {
        const bool ages = isTransferTime(info.key, LatencyClock::serviceAge);
        if (!ages && !isTransferTime(info.key, LatencyClock::service))
            continue;
        silence.recorded = silence.recorded || ages;
        const auto read = history::readerOf(recording).ticks().each(
            info.id, ticks.range, [&](std::uint64_t tick, std::string_view bytes) -> Result<void> {
                if (!ticks.chosen[tick - ticks.range.first])
                    return {};
                one.clear();
                if (auto merged = one.mergeEncoded(bytes); !merged)
                    return merged;
                if (one.maximum() > silence.longest)
                    silence = { silence.recorded, one.maximum(), !ages, instanceOf(info.key),
                        { std::max(Nanoseconds(0), times[tick].end - one.maximum()), times[tick].end } };
                return {};
            });
        if (!read)
            return read.error();
    }
    return silence;
}

Criterion answersOf(const Silence& silence)
{
    Criterion criterion;
    criterion.kind = Kind::unanswered;
    criterion.most = seconds(kUnanswered);
    criterion.value = seconds(silence.longest);
    criterion.atLeast = !silence.ended && silence.longest > Nanoseconds(0);
    criterion.met = silence.longest < kUnanswered;
    if (!criterion.met)
        criterion.reason = fmt::format("{}: not completed {} {}{}", silence.instance,
            silence.ended ? "for" : "for at least", formatLatency(silence.longest),
            fmt::format(", {} - {}", formatClock(silence.when.begin), formatClock(silence.when.end)));
    return criterion;
}

struct Findings {
    Tally damage, seen, wrong, failed;
    Silence silence;
};

Result<Findings> findingsOf(const Recording& recording, const Ticks& ticks)
{
    Findings findings;
    for (const auto& [tally, sought] : { std::pair { &findings.damage, std::span<const Sought>(kDamage) },
             std::pair { &findings.seen, std::span<const Sought>(kSeen) },
             std::pair { &findings.wrong, std::span<const Sought>(kWrong) },
             std::pair { &findings.failed, std::span<const Sought>(kFailed) } }) {
        auto found = tallyOf(recording, sought, ticks);
        if (!found)
            return found.error();
        *tally = *std::move(found);
    }
    auto silence = silenceOf(recording, ticks);
    if (!silence)
        return silence.error();
    findings.silence = *std::move(silence);
    return findings;
}

} // namespace

Result<std::vector<Criterion>> judgeFindings(const Recording& recording, std::int32_t mix,
    plan::StorageTestKind kind, const std::optional<TimeWindow>& window)
{
    const auto findings = findingsOf(recording,
        window ? ticksWithin(recording, *window)
               : ticksWhere(recording, [&](const Phase& phase) { return phase.mix == mix; }));
    if (!findings)
        return findings.error();
    const bool reads = kind == plan::StorageTestKind::backup || kind == plan::StorageTestKind::checksum;
    const bool loads = kind == plan::StorageTestKind::performance || kind == plan::StorageTestKind::stress;
    std::vector<Criterion> criteria;
    if (reads || findings->seen.count + findings->damage.count > 0)
        criteria.push_back(noneOf(Kind::damage, findings->damage));
    if (reads && findings->seen.count + findings->damage.count == 0) {
        Criterion& nothing = criteria.back();
        nothing.value.reset();
        nothing.met = false;
        nothing.cannotTell = true;
        nothing.reason = "nothing was read";
    }
    if (loads || findings->wrong.count > 0)
        criteria.push_back(noneOf(Kind::wrongRecords, findings->wrong));
    criteria.push_back(noneOf(Kind::failedTransfers, findings->failed));
    if (findings->silence.recorded)
        criteria.push_back(answersOf(findings->silence));
    return criteria;
}

Result<std::vector<Criterion>> judgeFindingsElsewhere(const Recording& recording)
{
    std::set<std::int32_t> measured;
    for (const Phase& phase : recording.phases())
        if (phase.kind == PhaseKind::measurement)
            measured.insert(phase.mix);
    const auto findings = findingsOf(
        recording, ticksWhere(recording, [&](const Phase& phase) { return measured.count(phase.mix) == 0; }));
    if (!findings)
        return findings.error();
    std::vector<Criterion> criteria;
    for (const auto& [kind, tally] :
        { std::pair { Kind::damage, &findings->damage }, std::pair { Kind::wrongRecords, &findings->wrong },
            std::pair { Kind::failedTransfers, &findings->failed } })
        if (tally->count > 0)
            criteria.push_back(noneOf(kind, *tally));
    if (const Criterion answers = answersOf(findings->silence); !answers.met)
        criteria.push_back(answers);
    return criteria;
}

Result<std::vector<Criterion>> judgeAnswers(const Recording& recording)
{
    const auto silence = silenceOf(recording, ticksWhere(recording, [](const Phase&) { return true; }));
    if (!silence)
        return silence.error();
    std::vector<Criterion> criteria;
    if (const Criterion answers = answersOf(*silence); !answers.met)
        criteria.push_back(answers);
    return criteria;
}

} // namespace loadstone::analysis
