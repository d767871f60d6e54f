// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The values of counters; which series they are made of is in metric_outputs.cpp.
#include "counters/live/metric_outputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loadstone::counters {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

} // namespace

bool MetricOutputs::hasAllInputs(const Output& output, const MetricSeries& series)
{
    std::array<bool, 2 * kMetricInputs> has {};
    for (const Member& member : output.members)
        has.at(member.input) = has.at(member.input) || series.isHere(member.place);
    for (std::size_t i = 0; i < has.size(); ++i)
        if (const bool needed = output.rule == nullptr ? i == 0 : !output.rule->input(i).metric.empty();
            needed && !has.at(i))
            return false;
    return true;
}

bool MetricOutputs::couldSeeQueues(const MetricSeries& series) const
{
    return std::ranges::any_of(m_queues, [&](Place place) { return series.isHere(place); })
        || std::ranges::any_of(m_showq, [&](Place place) { return series.level(place) == 1; });
}

void MetricOutputs::evaluate(const MetricSeries& series, double passed, std::vector<double>& values) const
{
    const bool seesQueues = couldSeeQueues(series);
    values.clear();
    values.reserve(m_published.size());
    for (const std::size_t i : m_published) {
        const Output& output = m_outputs[i];
        double value = valueOf(output, series, passed);
        // An empty queue has no series, as one whose length could not be seen.
        const bool isQueue = output.rule != nullptr && output.rule->isOfSeenQueues();
        if (isQueue && seesQueues && !hasAllInputs(output, series))
            value = 0;
        values.push_back(std::isfinite(value) ? value : kNoValue);
    }
}

struct MetricOutputs::Sum {
    double value = 0;
    std::size_t present = 0;
};

MetricOutputs::Sum MetricOutputs::sumOf(
    const Output& output, const MetricSeries& series, bool ofTop, bool ofGrowth)
{
    const bool isLoose = output.rule != nullptr && output.rule->isOfProcesses();
    std::array<std::size_t, 2 * kMetricInputs> present {};
    Sum sum;
    for (const Member& member : output.members) {
        if ((member.input < kMetricInputs) != ofTop)
            continue;
        if (!series.isHere(member.place)) {
            if (!isLoose && series.wasHere(member.place))
                return { kNoValue, 0 };
            continue;
        }
        const double value =
            ofGrowth ? series.growth(member.place, member.mayDip) : series.level(member.place);
        if (std::isnan(value)) {
            if (isLoose)
                continue;
            return { kNoValue, 0 };
        }
        sum.value += value;
        ++sum.present;
        ++present.at(member.input);
    }
    for (std::size_t i = ofTop ? 0 : kMetricInputs; i < (ofTop ? kMetricInputs : 2 * kMetricInputs); ++i)
        if (const bool needed = output.rule == nullptr ? i == 0 : !output.rule->input(i).metric.empty();
            needed && present.at(i) < output.devices)
            return { kNoValue, 0 };
    return sum;
}

double MetricOutputs::valueOf(const Output& output, const MetricSeries& series, double passed)
{
    if (output.rule == nullptr)
        return sumOf(output, series, true, output.info.kind == CounterKind::count).value;
    const double scale = output.rule->scale;
    const double perSecond = passed > 0 ? 1 / passed : kNoValue;
    // The other clock and ours differ by a little, and 100 % of the time is all of it.
    const auto share = [&](double value) {
        return output.info.unit == "%" && !output.rule->isOfProcesses() ? std::clamp(value, 0.0, 100.0)
                                                                        : value;
    };
    // A share of a role is the mean over its disks: of two that are busy half of the time none is busy all the time.
    const double disks = output.info.unit == "%" ? static_cast<double>(output.devices) : 1;
    switch (output.form) {
    case MetricForm::level:
        return scale * sumOf(output, series, true, false).value;
    case MetricForm::rate:
        return share(scale * sumOf(output, series, true, true).value * perSecond / disks);
    case MetricForm::rest:
        return share(scale * (1 - sumOf(output, series, true, true).value * perSecond / disks));
    case MetricForm::quotient: {
        const double whole = sumOf(output, series, false, true).value;
        // Divided first: a quotient of a part and its whole never rounds to more than 1.
        return whole > 0 ? scale * (sumOf(output, series, true, true).value / whole) : kNoValue;
    }
    case MetricForm::above: {
        const Sum bottom = sumOf(output, series, false, false);
        const double value = sumOf(output, series, true, false).value - static_cast<double>(bottom.present);
        return bottom.present == 0 ? kNoValue : value < 0 ? 0 : value;
    }
    }
    return kNoValue;
}

} // namespace loadstone::counters
