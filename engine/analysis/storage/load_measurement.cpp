// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/storage/load_measurement.h"

#include "analysis/storage/storage_companions.h"
#include "analysis/storage/storage_sums.h"
#include "analysis/window/window.h"
#include "history/recording_reader.h"

#include <cmath>
#include <utility>

namespace loadstone::analysis {

Criterion atMost(Criterion::Kind kind, const std::string& subject, double most)
{
    Criterion criterion;
    criterion.kind = kind;
    criterion.subject = subject;
    criterion.most = most;
    return criterion;
}

void addPart(std::string& text, const std::string& part)
{
    if (!part.empty())
        text += (text.empty() ? "" : "; ") + part;
}

LoadMeasurement::LoadMeasurement(const Recording& recording, const plan::StorageTest& test,
    const plan::StorageTestStep& step, const Phase& phase)
    : m_recording(recording)
    , m_test(test)
    , m_limits(step.lenient ? test.limits.lenient : test.limits.strict)
    , m_planned(step.duration)
    , m_open(phase.open)
    , m_window(windowOf(recording, phase))
    , m_range(history::readerOf(recording).ticks().rangeOf(m_window))
    , m_sampleLength(analysis::sampleLength(step.duration))
    , m_samples(
          stretchesOf(recording, m_window, m_sampleLength, phase.open ? Rest::leaveOut : Rest::takeLarge))
{
}

Nanoseconds LoadMeasurement::lengthOf(const Stretch& sample) const
{
    const std::vector<history::TickTime>& times = history::readerOf(m_recording).ticks().times();
    return times[sample.ticks.last - 1].end - times[sample.ticks.first].begin;
}

Result<std::optional<double>> LoadMeasurement::ratePerSecond(const std::vector<std::uint32_t>& ids) const
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

Result<void> LoadMeasurement::explain(
    std::string& reason, const char* which, const std::vector<bool>& exceeding, bool stalls)
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

std::optional<Nanoseconds> LoadMeasurement::meanFailsSince(
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

} // namespace loadstone::analysis
