// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/latency_criteria.h"

#include "analysis/storage/storage_sums.h"
#include "analysis/window/right_edge.h"
#include "history/recording_reader.h"

#include <loadstone/histogram.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace loadstone::analysis {

namespace {

using Kind = Criterion::Kind;

std::string latencyText(double nanoseconds)
{
    return formatLatency(Nanoseconds(std::llround(std::min(nanoseconds, 9e18))));
}

std::string transfersText(std::uint64_t count)
{
    return fmt::format("{} transfer{}", count, count == 1 ? "" : "s");
}

class LatencyJudge {
public:
    LatencyJudge(LoadMeasurement& load, std::vector<Criterion>& judged)
        : m_load(load)
        , m_judged(judged)
    {
    }

    Result<void> judge(IoClass ioClass, Nanoseconds average, Nanoseconds maximum)
    {
        bool any = false;
        for (const HistogramInfo& info : m_load.recording().header().histograms) {
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
        const plan::StorageLoad& load = m_load.test().load;
        const bool none = ioClass == IoClass::logWrite && load.insert + load.erase + load.replace == 0;
        if (!any && !none) // a mix of reads alone logs nothing
            m_judged.push_back(atMost(Kind::averageLatency, toString(ioClass), seconds(average)));
        return {};
    }

private:
    /// What the recording tells of one class on one volume.
    struct ClassTimes {
        std::string name;
        Histogram whole; ///< of what was completed
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
        if (const auto done =
                history::readerOf(m_load.recording()).ticks().merge(info.id, m_load.ticks(), times.whole);
            !done)
            return done.error();
        const auto ageSeries = findSeries(m_load.recording().header().histograms,
            { Quantity::transferTime, info.key.subject, LatencyClock::serviceAge });
        auto unfinished = unfinishedInDevice(m_load.recording(), info.key.subject, m_load.ticks());
        if (!unfinished)
            return unfinished.error();
        times.unfinished = *std::move(unfinished);
        auto sums = latencySums(m_load.recording(), info.id, m_load.samples());
        auto ages = ageSums(m_load.recording(), ageSeries, m_load.samples());
        if (!sums || !ages)
            return sums ? ages.error() : sums.error();
        times.sums = *std::move(sums);
        times.ages = *std::move(ages);
        return times;
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
            criterion.failedSince = failsSince(m_load.samples(), failing);
            criterion.reason = latencyText(mean - most) + " over the limit";
            if (const auto done = m_load.explain(criterion.reason, "samples above it: ", above); !done)
                return done;
        } else if (!m_load.open() && !unfinished.endedWithin && unfinished.ages.maximum() > limit) {
            criterion.met = false;
            criterion.cannotTell = true;
            criterion.atLeast = true;
            criterion.reason = fmt::format("not known: {} had not been completed at the end, the oldest for "
                                           "{}, and the recording does not show when they were",
                transfersText(unfinished.count()), formatLatency(unfinished.ages.maximum()));
        }
        m_judged.push_back(std::move(criterion));
        return {};
    }

    /// So many samples above a maximum are tolerated: as the plan says, but in a short measurement no more than a sixth. Of those
    /// that a transfer was outstanding through, none is.
    [[nodiscard]] std::size_t tolerated(std::size_t samples) const
    {
        constexpr std::size_t kSixth = 6;
        return std::min<std::size_t>(
            m_load.test().limits.latencyErrors, std::max<std::size_t>(1, samples / kSixth));
    }

    Result<void> maximumOf(const ClassTimes& times, Nanoseconds limit)
    {
        const std::size_t most = tolerated(times.sums.size());
        Criterion criterion = atMost(Kind::sampleLatency, times.name, static_cast<double>(most));
        criterion.sampleLimit = seconds(limit);
        criterion.sampleLength = m_load.sampleLength();
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
                times.ages[i].count > 0 && times.ages[i].oldest >= m_load.lengthOf(m_load.samples()[i]);
            const bool idle = !outstanding && times.sums[i].count == 0 && (*still)[i];
            through += outstanding ? 1 : 0;
            nothing += idle ? 1 : 0;
            above.push_back(means[i] > static_cast<double>(limit.count()) || outstanding || idle);
            count += above.back() ? 1 : 0;
            failing.push_back(
                count > most || through + nothing > 0); // a standstill is not a spike: none is tolerated
        }
        if (!highest && count == 0) {
            criterion.cannotTell = true;
            criterion.reason = "no complete sample has such transfers";
            m_judged.push_back(std::move(criterion));
            return {};
        }
        criterion.value = static_cast<double>(count);
        if (through + nothing > 0)
            criterion.most = 0;
        criterion.met = static_cast<double>(count) <= *criterion.most;
        criterion.failedSince = failsSince(m_load.samples(), failing);
        if (highest) {
            const bool atLeast = isLowerBound(means[*highest], times.sums[*highest]);
            criterion.reason =
                fmt::format("of {} the highest was {}{}, {}", times.sums.size(), atLeast ? "≥ " : "",
                    latencyText(means[*highest]), windowText(m_load.samples()[*highest].window));
        }
        if (through > 0)
            addPart(
                criterion.reason, fmt::format("a transfer was not completed in the whole of {}", through));
        if (nothing > 0)
            addPart(criterion.reason,
                fmt::format("no transfer was completed in {}, though transactions were under way", nothing));
        if (const auto done = m_load.explain(criterion.reason, "samples above: ", above); !done)
            return done;
        m_judged.push_back(std::move(criterion));
        return {};
    }

    /// The samples in which no transfer of any class was completed, while a transaction was under way or due through all of it.
    [[nodiscard]] Result<std::vector<bool>> stoodStill() const
    {
        std::vector<bool> still(m_load.samples().size());
        const auto ages = ageSums(m_load.recording(),
            findSeries(
                m_load.recording().header().histograms, { Quantity::transactionTime, {}, LatencyClock::age }),
            m_load.samples());
        if (!ages)
            return ages.error();
        bool any = false;
        for (std::size_t i = 0; i < still.size(); ++i) {
            still[i] = (*ages)[i].count > 0 && (*ages)[i].oldest >= m_load.lengthOf(m_load.samples()[i]);
            any = any || still[i];
        }
        if (!any)
            return still;
        for (const HistogramInfo& info : m_load.recording().header().histograms) {
            if (!isTransferTime(info.key, LatencyClock::service))
                continue;
            const auto sums = latencySums(m_load.recording(), info.id, m_load.samples());
            if (!sums)
                return sums.error();
            for (std::size_t i = 0; i < still.size(); ++i)
                still[i] = still[i] && (*sums)[i].count == 0;
        }
        return still;
    }

    LoadMeasurement& m_load;
    std::vector<Criterion>& m_judged;
};

} // namespace

Result<void> judgeLatencies(LoadMeasurement& load, IoClass ioClass, Nanoseconds average, Nanoseconds maximum,
    std::vector<Criterion>& judged)
{
    return LatencyJudge(load, judged).judge(ioClass, average, maximum);
}

} // namespace loadstone::analysis
