// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counters/live/metric_pattern.h"
#include "counters/live/metric_series.h"
#include "counters/live/metrics_mapping.h"

#include <loadstone/series.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loadstone::counters {

/// What a plan says of an exporter's metrics.
struct MetricWishes {
    std::string computer;
    std::vector<MetricPattern> patterns; ///< of foreign counters, and of the processes that are wanted
    std::vector<std::uint32_t> processors; ///< empty: all
    std::vector<std::pair<std::string, std::vector<std::string>>> volumes; ///< role and its devices
};

/// The counters that are made of an exporter's series: which series go into which, and the values.
///
/// A sum over several series, as over processors, is missing once when their set changes, and is of those that are there afterwards.
/// The sum of a role's devices is missing until all of them are there. The sum over the processes of one name is of those that are
/// there.
class MetricOutputs {
public:
    using Place = MetricSeries::Place;

    explicit MetricOutputs(MetricWishes wishes);

    /// Whether any counter is made of this series, which is new.
    bool attach(const MetricSample& sample, Place place);
    /// Adds the counters that are complete now to counters().
    void publish(const MetricSeries& series);
    /// The values of counters(); `passed`: seconds since the answer before, 0: none.
    void evaluate(const MetricSeries& series, double passed, std::vector<double>& values) const;
    /// These series are gone for good.
    void forget(const std::vector<Place>& gone);

    [[nodiscard]] const std::vector<CounterInfo>& counters() const { return m_counters; }
    /// Whether a rate is made of the series.
    [[nodiscard]] bool isTotal(Place place) const { return place < m_isTotal.size() && m_isTotal[place]; }
    /// What the plan asks for and this answer has not: one sentence each.
    [[nodiscard]] std::vector<std::string> lacks() const;

private:
    struct Member {
        Place place = 0;
        std::uint8_t input = 0; ///< of the rule: `top`, then `bottom`
        bool mayDip = false;
    };
    struct Output {
        CounterInfo info;
        const MetricRule* rule = nullptr; ///< none: a foreign counter by a pattern
        MetricForm form = MetricForm::level;
        std::size_t devices = 1; ///< of a role: how many members each input must have
        std::vector<Member> members {};
        bool isPublished = false;
    };
    struct Use {
        const MetricRule* rule;
        std::uint8_t input;
    };
    struct Sum;

    bool attachToRule(const MetricSample& sample, Place place, const Use& use);
    bool attachToSubject(
        Place place, const Use& use, const std::string& part, const std::vector<std::string>* devices);
    bool attachAsForeign(const MetricSample& sample, Place place);
    Output* outputOf(CounterInfo info, const MetricRule* rule);
    [[nodiscard]] bool isChosen(const MetricSample& sample, bool ofOneOnly);
    [[nodiscard]] bool takesProcessor(std::string_view label);
    [[nodiscard]] static bool hasAllInputs(const Output& output, const MetricSeries& series);
    [[nodiscard]] static double valueOf(const Output& output, const MetricSeries& series, double passed);
    [[nodiscard]] static Sum sumOf(
        const Output& output, const MetricSeries& series, bool ofTop, bool ofGrowth);
    [[nodiscard]] bool couldSeeQueues(const MetricSeries& series) const;

    MetricWishes m_wishes;
    std::unordered_map<std::string_view, std::vector<Use>> m_uses; ///< by the name of the metric
    std::vector<Output> m_outputs;
    std::map<SeriesKey, std::size_t> m_byKey;
    std::vector<std::size_t> m_published; ///< by place in m_counters
    std::vector<CounterInfo> m_counters;
    std::vector<bool> m_isTotal; ///< by place of the series
    std::vector<bool> m_patternUsed, m_processorSeen; ///< as m_wishes has them
    std::set<std::string, std::less<>> m_devicesSeen; ///< of those that roles are made of
    std::vector<Place> m_showq; ///< whether Postfix's queues could be looked at
    std::vector<Place> m_queues; ///< of the metric in which an empty queue has no series
    bool m_sawProcessors = false;
    bool m_isFull = false;
};

} // namespace loadstone::counters
