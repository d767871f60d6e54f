// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage_verdict.h"

#include "analysis/database_series.h"
#include "analysis/exceedings.h"
#include "analysis/io_series.h"
#include "analysis/storage_companions.h"
#include "analysis/storage_findings.h"
#include "analysis/storage_sums.h"
#include "analysis/stretches.h"
#include "analysis/window.h"
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

constexpr const char* kDatabaseRead = "Database read";
constexpr const char* kLogWrite = "Log write";

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
        , m_window(windowOf(recording, measurement))
        , m_range(recording.impl().ticks().rangeOf(m_window))
        , m_sampleLength(sampleLength(step.duration))
        , m_samples(stretchesOf(
              recording, m_window, m_sampleLength, measurement.open ? Rest::leaveOut : Rest::takeLarge))
    {
    }

    Result<std::vector<Criterion>> judge()
    {
        if (const auto done =
                latencies(kDatabaseRead, m_limits.averageDatabaseRead, m_limits.maximumDatabaseRead);
            !done)
            return done.error();
        if (const auto done = latencies(kLogWrite, m_limits.averageLogWrite, m_limits.maximumLogWrite); !done)
            return done.error();
        for (const auto step : { &LoadJudge::pageFaultStalls, &LoadJudge::transferRate, &LoadJudge::minutes })
            if (const auto done = (this->*step)(); !done)
                return done.error();
        return std::move(m_judged);
    }

private:
    /// Of one class, on each volume that had any of it.
    Result<void> latencies(const char* ioClass, Nanoseconds average, Nanoseconds maximum)
    {
        bool any = false;
        for (const HistogramInfo& info : m_recording.header().histograms) {
            if (info.clock != LatencyClock::service || ioOf(info.name).second != ioClass)
                continue;
            metrics::Histogram whole;
            if (const auto done = m_recording.impl().ticks().merge(info.id, m_range, whole); !done)
                return done;
            if (whole.empty())
                continue;
            any = true;
            const auto sums = latencySums(m_recording, info.id, m_samples);
            if (!sums)
                return sums.error();
            if (const auto done = averageOf(info.name, whole, *sums, average); !done)
                return done;
            if (const auto done = maximumOf(info.name, *sums, maximum); !done)
                return done;
        }
        const plan::StorageLoad& load = m_test.load;
        const bool none =
            ioClass == std::string_view(kLogWrite) && load.insert + load.erase + load.replace == 0;
        if (!any && !none) // a mix of reads alone logs nothing
            m_judged.push_back(atMost(Kind::averageLatency, ioClass, seconds(average)));
        return {};
    }

    Result<void> averageOf(const std::string& name, const metrics::Histogram& whole,
        const std::vector<LatencySum>& sums, Nanoseconds limit)
    {
        const double most = static_cast<double>(limit.count());
        const double mean = whole.sum() / static_cast<double>(whole.count());
        Criterion criterion = atMost(Kind::averageLatency, name, seconds(limit));
        criterion.value = mean * 1e-9;
        criterion.met = mean <= most;
        if (!criterion.met) {
            std::vector<bool> above, failing;
            LatencySum sofar;
            for (const LatencySum& sum : sums) {
                above.push_back(sum.mean().value_or(0) > most);
                sofar.count += sum.count;
                sofar.total += sum.total;
                failing.push_back(sofar.mean().value_or(0) > most);
            }
            criterion.failedSince = failsSince(m_samples, failing);
            criterion.reason = latencyText(mean - most) + " over the limit";
            if (const auto done = explain(criterion.reason, "samples above it: ", above); !done)
                return done;
        }
        m_judged.push_back(std::move(criterion));
        return {};
    }

    Result<void> maximumOf(const std::string& name, const std::vector<LatencySum>& sums, Nanoseconds limit)
    {
        Criterion criterion = atMost(Kind::sampleLatency, name, m_test.limits.latencyErrors);
        criterion.sampleLimit = seconds(limit);
        criterion.sampleLength = m_sampleLength;
        std::vector<bool> above, failing;
        std::optional<std::size_t> highest;
        std::size_t count = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::optional<double> mean = sums[i].mean();
            if (mean && (!highest || *mean > *sums[*highest].mean()))
                highest = i;
            above.push_back(mean && *mean > static_cast<double>(limit.count()));
            count += above.back() ? 1 : 0;
            failing.push_back(count > m_test.limits.latencyErrors);
        }
        if (!highest) {
            criterion.reason = "no whole sample with any";
            m_judged.push_back(std::move(criterion));
            return {};
        }
        criterion.value = static_cast<double>(count);
        criterion.met = count <= m_test.limits.latencyErrors;
        criterion.failedSince = failsSince(m_samples, failing);
        criterion.reason = fmt::format("of {} the highest was {}, {}", sums.size(),
            latencyText(*sums[*highest].mean()), windowText(m_samples[*highest].window));
        if (const auto done = explain(criterion.reason, "those above: ", above); !done)
            return done;
        m_judged.push_back(std::move(criterion));
        return {};
    }

    Result<void> pageFaultStalls()
    {
        Criterion criterion = atMost(Kind::pageFaultStalls, "", m_test.limits.pageFaultStalls);
        const std::vector<std::uint32_t> ids = groupCounters(kPageFaultStalls);
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
        const auto read = ratePerSecond(groupCounters(kDatabaseReads));
        const auto written = ratePerSecond(groupCounters(kDatabaseWrites));
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
            criterion.reason = "no whole minute";
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
            addPart(criterion.reason, "those off: " + describePattern(stretches, off, "minutes"));
        m_judged.push_back(std::move(criterion));
        return {};
    }

    [[nodiscard]] std::vector<std::uint32_t> groupCounters(const char* counter) const
    {
        return countersOf(m_recording.header(), kDatabaseObject, counter);
    }

    /// Database reads and writes per second, of all groups.
    [[nodiscard]] Result<std::vector<double>> transferRates(const std::vector<Stretch>& stretches) const
    {
        std::vector<std::uint32_t> ids = groupCounters(kDatabaseReads);
        const std::vector<std::uint32_t> writes = groupCounters(kDatabaseWrites);
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
