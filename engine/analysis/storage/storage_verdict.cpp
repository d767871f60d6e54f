// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/storage_verdict.h"

#include "analysis/storage/exceedings.h"
#include "analysis/storage/storage_companions.h"
#include "analysis/storage/storage_findings.h"
#include "analysis/storage/storage_sums.h"
#include "analysis/window/right_edge.h"
#include "analysis/window/stretches.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"
#include "metrics/histogram.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace loadstone::analysis {

namespace {

using namespace std::chrono_literals;
using Kind = Criterion::Kind;

/// Several parts of a reason in one line.
void addPart(std::string& text, const std::string& part)
{
    if (!part.empty())
        text += (text.empty() ? "" : "; ") + part;
}

std::string latencyText(double nanoseconds)
{
    return formatLatency(Nanoseconds(std::llround(std::min(nanoseconds, 9e18))));
}

std::string rateText(double perSecond)
{
    return formatNumber(perSecond) + "/s";
}

std::string counted(std::uint64_t count, const char* noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

bool isTrue(bool value)
{
    return value;
}

/// The criteria of one measurement under load.
class LoadJudge {
public:
    LoadJudge(const Recording& recording, const plan::StorageTest& test, const plan::StorageTestStep& step,
        const Phase& measurement)
        : m_recording(recording)
        , m_test(test)
        , m_limits(step.lenient ? test.limits.lenient : test.limits.strict)
        , m_planned(step.duration)
        , m_open(measurement.open)
        , m_window(windowOf(recording, measurement))
        , m_range(history::readerOf(recording).ticks().rangeOf(m_window))
        , m_sampleLength(sampleLength(step.duration))
        , m_samples(stretchesOf(
              recording, m_window, m_sampleLength, measurement.open ? Rest::leaveOut : Rest::takeLarge))
    {
    }

    Result<std::vector<Criterion>> judge()
    {
        if (const auto done =
                latencies(IoClass::databaseRead, m_limits.averageDatabaseRead, m_limits.maximumDatabaseRead);
            !done)
            return done.error();
        if (const auto done =
                latencies(IoClass::logWrite, m_limits.averageLogWrite, m_limits.maximumLogWrite);
            !done)
            return done.error();
        for (const auto step : { &LoadJudge::pageFaultStalls, &LoadJudge::transferRate, &LoadJudge::minutes })
            if (const auto done = (this->*step)(); !done)
                return done.error();
        return std::move(m_judged);
    }

private:
    /// What the recording tells of one class on one volume.
    struct ClassTimes {
        std::string name;
        metrics::Histogram whole; ///< of what was completed
        Unfinished unfinished; ///< at the end of the measurement
        std::vector<LatencySum> sums; ///< of each sample
        std::vector<AgeSum> ages; ///< at the end of each sample
        [[nodiscard]] bool any() const
        {
            return !whole.empty() || unfinished.count() > 0
                || std::any_of(ages.begin(), ages.end(), [](const AgeSum& age) { return age.count > 0; });
        }
    };

    [[nodiscard]] Result<ClassTimes> timesOf(const HistogramInfo& info) const
    {
        ClassTimes times;
        times.name = latencyNameOf(info.key);
        if (const auto done = history::readerOf(m_recording).ticks().merge(info.id, m_range, times.whole);
            !done)
            return done.error();
        const auto ageSeries = findSeries(m_recording.header().histograms,
            { Quantity::transferTime, info.key.subject, LatencyClock::serviceAge });
        if (ageSeries) {
            EdgeSeries series;
            series.ages = *ageSeries;
            series.good = info.id;
            auto unfinished = unfinishedAfter(m_recording, series, m_range);
            if (!unfinished)
                return unfinished.error();
            times.unfinished = *std::move(unfinished);
        }
        auto sums = latencySums(m_recording, info.id, m_samples);
        auto ages = ageSums(m_recording, ageSeries, m_samples);
        if (!sums || !ages)
            return sums ? ages.error() : sums.error();
        times.sums = *std::move(sums);
        times.ages = *std::move(ages);
        return times;
    }

    /// Of one class, on each volume that had any of it.
    Result<void> latencies(IoClass ioClass, Nanoseconds average, Nanoseconds maximum)
    {
        bool any = false;
        for (const HistogramInfo& info : m_recording.header().histograms) {
            if (!isTransferTime(info.key, LatencyClock::service) || info.key.subject.ioClass != ioClass)
                continue;
            const auto times = timesOf(info);
            if (!times)
                return times.error();
            if (!times->any())
                continue;
            any = true;
            if (const auto done = averageOf(*times, average); !done)
                return done;
            if (const auto done = maximumOf(*times, maximum); !done)
                return done;
        }
        const plan::StorageLoad& load = m_test.load;
        const bool none = ioClass == IoClass::logWrite && load.insert + load.erase + load.replace == 0;
        if (!any && !none) // a mix of reads alone logs nothing
            m_judged.push_back(atMost(Kind::averageLatency, toString(ioClass), seconds(average)));
        return {};
    }

    Result<void> averageOf(const ClassTimes& times, Nanoseconds limit)
    {
        const double most = static_cast<double>(limit.count());
        const Unfinished& unfinished = times.unfinished;
        const LatencySum whole { times.whole.count(), times.whole.sum() };
        const double mean = leastMean(whole, { unfinished.count(), unfinished.ages.sum(), {} }).value_or(0);
        Criterion criterion = atMost(Kind::averageLatency, times.name, seconds(limit));
        criterion.value = mean * 1e-9;
        criterion.atLeast = isLowerBound(mean, whole);
        criterion.met = mean <= most;
        if (!criterion.met) {
            std::vector<bool> above, failing;
            LatencySum sofar;
            for (std::size_t i = 0; i < times.sums.size(); ++i) {
                above.push_back(leastMean(times.sums[i], times.ages[i]).value_or(0) > most);
                sofar.count += times.sums[i].count;
                sofar.total += times.sums[i].total;
                failing.push_back(leastMean(sofar, times.ages[i]).value_or(0) > most);
            }
            criterion.failedSince = failsSince(m_samples, failing);
            criterion.reason = latencyText(mean - most) + " over the limit";
            if (const auto done = explain(criterion.reason, "samples above it: ", above); !done)
                return done;
        } else if (!m_open && !unfinished.endedWithin && unfinished.ages.maximum() > limit) {
            criterion.met = false;
            criterion.atLeast = true;
            criterion.reason = fmt::format("not known: {} had not been completed at the end, the oldest for "
                                           "{}, and the recording does not show when they were",
                counted(unfinished.count(), "transfer"), formatLatency(unfinished.ages.maximum()));
        }
        m_judged.push_back(std::move(criterion));
        return {};
    }

    /// So many samples above a maximum are tolerated: as the plan says, but in a short measurement no more than a sixth. Of those
    /// that a transfer was outstanding through, none is.
    [[nodiscard]] std::size_t tolerated(std::size_t samples) const
    {
        constexpr std::size_t kSixth = 6;
        return std::min<std::size_t>(m_test.limits.latencyErrors, std::max<std::size_t>(1, samples / kSixth));
    }

    Result<void> maximumOf(const ClassTimes& times, Nanoseconds limit)
    {
        const std::size_t most = tolerated(times.sums.size());
        Criterion criterion = atMost(Kind::sampleLatency, times.name, static_cast<double>(most));
        criterion.sampleLimit = seconds(limit);
        criterion.sampleLength = m_sampleLength;
        const auto still = stoodStill();
        if (!still)
            return still.error();
        std::vector<bool> above, failing;
        std::optional<std::size_t> highest;
        std::size_t count = 0, through = 0, nothing = 0;
        std::vector<double> means;
        for (std::size_t i = 0; i < times.sums.size(); ++i) {
            const auto mean = leastMean(times.sums[i], times.ages[i]);
            means.push_back(mean.value_or(0));
            if (mean && (!highest || *mean > means[*highest]))
                highest = i;
            const bool outstanding =
                times.ages[i].count > 0 && times.ages[i].oldest >= lengthOf(m_samples[i]);
            const bool idle = !outstanding && times.sums[i].count == 0 && (*still)[i];
            through += outstanding ? 1 : 0;
            nothing += idle ? 1 : 0;
            above.push_back(means[i] > static_cast<double>(limit.count()) || outstanding || idle);
            count += above.back() ? 1 : 0;
            failing.push_back(
                count > most || through + nothing > 0); // a standstill is not a spike: none is tolerated
        }
        if (!highest && count == 0) {
            criterion.reason = "no complete sample has such transfers";
            m_judged.push_back(std::move(criterion));
            return {};
        }
        criterion.value = static_cast<double>(count);
        if (through + nothing > 0)
            criterion.most = 0;
        criterion.met = static_cast<double>(count) <= *criterion.most;
        criterion.failedSince = failsSince(m_samples, failing);
        if (highest) {
            const bool atLeast = isLowerBound(means[*highest], times.sums[*highest]);
            criterion.reason = fmt::format("of {} the highest was {}{}, {}", times.sums.size(),
                atLeast ? "≥ " : "", latencyText(means[*highest]), windowText(m_samples[*highest].window));
        }
        if (through > 0)
            addPart(
                criterion.reason, fmt::format("a transfer was not completed in the whole of {}", through));
        if (nothing > 0)
            addPart(criterion.reason,
                fmt::format("no transfer was completed in {}, though transactions were under way", nothing));
        if (const auto done = explain(criterion.reason, "samples above: ", above); !done)
            return done;
        m_judged.push_back(std::move(criterion));
        return {};
    }

    [[nodiscard]] Nanoseconds lengthOf(const Stretch& sample) const
    {
        const std::vector<history::TickTime>& times = history::readerOf(m_recording).ticks().times();
        return times[sample.ticks.last - 1].end - times[sample.ticks.first].begin;
    }

    /// The samples in which no transfer of any class was completed, while a transaction was under way or due through all of it.
    [[nodiscard]] Result<std::vector<bool>> stoodStill() const
    {
        std::vector<bool> still(m_samples.size());
        const auto ages = ageSums(m_recording,
            findSeries(m_recording.header().histograms, { Quantity::transactionTime, {}, LatencyClock::age }),
            m_samples);
        if (!ages)
            return ages.error();
        bool any = false;
        for (std::size_t i = 0; i < still.size(); ++i) {
            still[i] = (*ages)[i].count > 0 && (*ages)[i].oldest >= lengthOf(m_samples[i]);
            any = any || still[i];
        }
        if (!any)
            return still;
        for (const HistogramInfo& info : m_recording.header().histograms) {
            if (!isTransferTime(info.key, LatencyClock::service))
                continue;
            const auto sums = latencySums(m_recording, info.id, m_samples);
            if (!sums)
                return sums.error();
            for (std::size_t i = 0; i < still.size(); ++i)
                still[i] = still[i] && (*sums)[i].count == 0;
        }
        return still;
    }

    Result<void> pageFaultStalls()
    {
        Criterion criterion = atMost(Kind::pageFaultStalls, "", m_test.limits.pageFaultStalls);
        const std::vector<std::uint32_t> ids = groupCounters(m_recording.header(), Quantity::pageFaultStalls);
        const auto value = ratePerSecond(ids);
        const auto samples = meanValues(m_recording, ids, m_samples);
        if (!value || !samples)
            return value ? samples.error() : value.error();
        criterion.value = *value;
        criterion.met = criterion.value && *criterion.value <= m_test.limits.pageFaultStalls;
        if (criterion.value.value_or(0) > 0 && !samples->empty()) {
            std::vector<bool> any, above;
            std::size_t highest = 0;
            for (std::size_t i = 0; i < samples->size(); ++i) {
                any.push_back((*samples)[i] > 0);
                above.push_back((*samples)[i] > m_test.limits.pageFaultStalls);
                if ((*samples)[i] > (*samples)[highest])
                    highest = i;
            }
            criterion.reason = fmt::format("in {} of {} samples; highest {}, {}",
                std::count_if(any.begin(), any.end(), isTrue), any.size(), rateText((*samples)[highest]),
                windowText(m_samples[highest].window));
            if (!criterion.met)
                if (const auto done = explain(criterion.reason, "samples above the limit: ", above, false);
                    !done)
                    return done;
        }
        criterion.failedSince = meanFailsSince(*samples, criterion);
        m_judged.push_back(std::move(criterion));
        return {};
    }

    Result<void> transferRate()
    {
        // What mailboxes ask for was settled when the plan was read.
        if (!m_test.load.target())
            return {};
        const double target = *m_test.load.target();
        Criterion criterion;
        criterion.kind = Kind::transferRate;
        criterion.least = target * (1 - m_test.limits.margin);
        const auto read = ratePerSecond(groupCounters(m_recording.header(), Quantity::databaseReads));
        const auto written = ratePerSecond(groupCounters(m_recording.header(), Quantity::databaseWrites));
        const auto samples = transferRates(m_samples);
        if (!read || !written || !samples)
            return !read ? read.error() : !written ? written.error() : samples.error();
        if (*read && *written) {
            criterion.value = **read + **written;
            criterion.met = *criterion.value >= *criterion.least;
            criterion.reason = fmt::format(
                "{} reads, {} writes; target {:.10g}/s", rateText(**read), rateText(**written), target);
        }
        if (criterion.value && !criterion.met) {
            std::vector<bool> below;
            for (const double rate : *samples)
                below.push_back(rate < *criterion.least);
            if (const auto done = explain(criterion.reason, "samples below the limit: ", below); !done)
                return done;
        }
        criterion.failedSince = meanFailsSince(*samples, criterion);
        m_judged.push_back(std::move(criterion));
        return {};
    }

    /// A paced load keeps to its target in every minute. Not while it is looked for: then it moves.
    Result<void> minutes()
    {
        const plan::StorageLoad& load = m_test.load;
        if (load.pacing == plan::StoragePacing::threads || load.tuning || !load.target() || m_planned < 1min)
            return {};
        Criterion criterion = atMost(Kind::minutesOffTarget, "", 0);
        const std::vector<Stretch> stretches = stretchesOf(m_recording, m_window, 1min, Rest::leaveOut);
        const auto rates = transferRates(stretches);
        if (!rates)
            return rates.error();
        std::vector<bool> off, failing;
        bool any = false;
        for (const double rate : *rates) {
            off.push_back(
                !(std::abs(rate - load.targetIops) <= load.margin * load.targetIops)); // NaN: nothing
            any = any || off.back();
            failing.push_back(any);
        }
        if (rates->empty()) {
            criterion.reason = "no complete minute";
            m_judged.push_back(std::move(criterion));
            return {};
        }
        criterion.value = static_cast<double>(std::count_if(off.begin(), off.end(), isTrue));
        criterion.met = !any;
        criterion.failedSince = failsSince(stretches, failing);
        const auto [least, most] = std::minmax_element(rates->begin(), rates->end());
        criterion.reason = fmt::format("of {}, between {} and {}; target {:.10g}/s, within {:.4g} %",
            rates->size(), rateText(*least), rateText(*most), load.targetIops, load.margin * 100);
        if (any)
            addPart(criterion.reason, "minutes outside: " + describePattern(stretches, off, "minutes"));
        m_judged.push_back(std::move(criterion));
        return {};
    }

    /// Database reads and writes per second, of all groups.
    [[nodiscard]] Result<std::vector<double>> transferRates(const std::vector<Stretch>& stretches) const
    {
        std::vector<std::uint32_t> ids = groupCounters(m_recording.header(), Quantity::databaseReads);
        const std::vector<std::uint32_t> writes =
            groupCounters(m_recording.header(), Quantity::databaseWrites);
        ids.insert(ids.end(), writes.begin(), writes.end());
        return meanValues(m_recording, ids, stretches);
    }

    /// How the exceeding samples lie, and what else happened in them; `stalls`: page fault stalls are worth telling.
    Result<void> explain(
        std::string& reason, const char* which, const std::vector<bool>& exceeding, bool stalls = true)
    {
        const std::string pattern = describePattern(m_samples, exceeding, "samples");
        if (pattern.empty())
            return {};
        addPart(reason, which + pattern);
        if (!m_companions) {
            auto companions = storageCompanions(m_recording, m_samples);
            if (!companions)
                return companions.error();
            m_companions = *std::move(companions);
        }
        std::vector<Companion> told = *m_companions;
        if (!stalls)
            std::erase_if(told, [](const Companion& one) { return one.name == kStallsCompanion; });
        addPart(reason, describeCompanions(exceeding, told));
        return {};
    }

    /// Over the measurement, of all these counters together; none where there are none, or no tick yet.
    [[nodiscard]] Result<std::optional<double>> ratePerSecond(const std::vector<std::uint32_t>& ids) const
    {
        std::uint64_t total = 0;
        double length = 0;
        for (const std::uint32_t id : ids) {
            const auto events = eventsWithin(m_recording, id, m_range);
            if (!events)
                return events.error();
            total += events->total;
            length = seconds(events->end - events->begin);
        }
        if (length <= 0)
            return std::optional<double>();
        return std::optional<double>(static_cast<double>(total) / length);
    }

    /// Of a mean over the measurement so far; `values`: one for each sample.
    [[nodiscard]] std::optional<Nanoseconds> meanFailsSince(
        const std::vector<double>& values, const Criterion& criterion) const
    {
        if (criterion.met || !criterion.value)
            return std::nullopt;
        std::vector<bool> failing;
        double sum = 0, count = 0;
        for (const double value : values) {
            if (!std::isnan(value)) {
                sum += value;
                count += 1;
            }
            failing.push_back(count > 0
                && (sum / count < criterion.least.value_or(sum / count)
                    || sum / count > criterion.most.value_or(sum / count)));
        }
        return failsSince(m_samples, failing);
    }

    static Criterion atMost(Kind kind, const std::string& subject, double most)
    {
        Criterion criterion;
        criterion.kind = kind;
        criterion.subject = subject;
        criterion.most = most;
        return criterion;
    }

    const Recording& m_recording;
    const plan::StorageTest& m_test;
    const plan::LatencyLimits& m_limits;
    Nanoseconds m_planned;
    bool m_open; // it goes on, or was cut off
    TimeWindow m_window;
    history::TickRange m_range;
    Nanoseconds m_sampleLength;
    std::vector<Stretch> m_samples;
    std::optional<std::vector<Companion>> m_companions; // read when something is to be explained
    std::vector<Criterion> m_judged;
};

} // namespace

Result<std::vector<Criterion>> judgeStorageTest(
    const Recording& recording, const plan::StorageTest& test, const Phase& measurement)
{
    std::vector<Criterion> criteria;
    if (measurement.mix < 0 || static_cast<std::size_t>(measurement.mix) >= test.tests.size())
        return criteria;
    const plan::StorageTestStep& step = test.tests[static_cast<std::size_t>(measurement.mix)];
    if (step.isLoad()) {
        auto judged = LoadJudge(recording, test, step, measurement).judge();
        if (!judged)
            return judged.error();
        criteria = *std::move(judged);
    }
    auto findings = judgeFindings(recording, measurement.mix, step.kind);
    if (!findings)
        return findings.error();
    std::move(findings->begin(), findings->end(), std::back_inserter(criteria));
    return criteria;
}

} // namespace loadstone::analysis
