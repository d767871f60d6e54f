// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/derived_program.h"
#include "history/recording_reader.h"

#include <loadstone/derived.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace loadstone {

namespace {

using StepKind = series::DerivedStep::Kind;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The ticks of the run or of a source, on the run's axis.
struct Axis {
    std::uint32_t source = 0;
    std::span<const history::TickTime> ticks;
    Nanoseconds offset {};
    [[nodiscard]] Nanoseconds begin(std::size_t tick) const { return ticks[tick].begin + offset; }
    [[nodiscard]] Nanoseconds end(std::size_t tick) const { return ticks[tick].end + offset; }
    [[nodiscard]] double interval() const ///< s, on average
    {
        return ticks.empty()
            ? 0
            : seconds(ticks.back().end - ticks.front().begin) / static_cast<double>(ticks.size());
    }
};

Result<Axis> axisOf(const Recording& recording, std::uint32_t source)
{
    const history::RecordingReader& reader = history::readerOf(recording);
    if (source == 0)
        return Axis { 0, reader.ticks().times(), {} };
    const auto sources = reader.sources();
    if (!sources)
        return sources.error();
    if (source > (*sources)->size())
        return fail(recording.file().string() + ": no source " + std::to_string(source));
    const history::ReadSource& one = *(**sources)[source - 1];
    return Axis { source, one.ticks.times(), one.info.offset };
}

/// A value of the result with its tick.
struct Point {
    Nanoseconds begin {}, end {};
    double value = kMissing;
};

/// Which ticks a window has.
enum class Edge {
    ended, ///< those that end in it
    overlapping, ///< and the one that goes on at its end
};

/// Computes one program over one window.
class Evaluation {
public:
    explicit Evaluation(const Recording& recording, Edge edge = Edge::ended)
        : m_recording(recording)
        , m_edge(edge)
    {
    }
    Result<std::vector<Point>> evaluate(const DerivedCounter& counter, TimeWindow window);

private:
    using Values = std::vector<double>;
    Result<void> chooseAxis(const DerivedCounter& counter, TimeWindow window);
    Result<Values> valuesOf(const CounterPlace& place);
    Result<Values> groupOf(const DerivedProgram::Step& step);
    [[nodiscard]] Values users() const;

    const Recording& m_recording;
    Edge m_edge;
    Axis m_axis; // of the result: its ticks are those within the window
};

Result<void> Evaluation::chooseAxis(const DerivedCounter& counter, TimeWindow window)
{
    for (const ChosenCounter& part : counter.parts) {
        const bool first = &part == counter.parts.data();
        if (!first && part.place.source == m_axis.source)
            continue;
        const auto axis = axisOf(m_recording, part.place.source);
        if (!axis)
            return axis.error();
        if (first || axis->interval() > m_axis.interval())
            m_axis = *axis;
    }
    const auto after = [&](Nanoseconds at) {
        const auto found = std::ranges::upper_bound(
            m_axis.ticks, at - m_axis.offset, {}, [](const history::TickTime& tick) { return tick.end; });
        return static_cast<std::size_t>(found - m_axis.ticks.begin());
    };
    const auto bounded = [](Nanoseconds at) {
        return std::clamp(at, -2 * history::kLongestRun, 2 * history::kLongestRun);
    };
    const std::size_t from = after(bounded(window.begin));
    std::size_t to = after(bounded(window.end));
    if (m_edge == Edge::overlapping && to < m_axis.ticks.size() && m_axis.begin(to) < window.end)
        ++to;
    m_axis.ticks = m_axis.ticks.subspan(from, std::max(from, to) - from);
    return {};
}

/// On the axis of the result.
Result<Evaluation::Values> Evaluation::valuesOf(const CounterPlace& place)
{
    Values values(m_axis.ticks.size(), kMissing);
    if (values.empty())
        return values;
    const TimeWindow window { m_axis.begin(0), m_axis.end(values.size() - 1) };
    if (place.source == m_axis.source) {
        const auto points = pointsOf(m_recording, place, { m_axis.end(0) - Nanoseconds(1), window.end });
        if (!points)
            return points.error();
        for (std::size_t i = 0; i < std::min(values.size(), points->size()); ++i)
            values[i] = (*points)[i].value;
        return values;
    }
    const auto own = axisOf(m_recording, place.source);
    if (!own)
        return own.error();
    // The tick that holds the window's end belongs to it, too.
    const auto firstBeyond = [&](Nanoseconds at) {
        const auto found = std::ranges::upper_bound(
            own->ticks, at - own->offset, {}, [](const history::TickTime& tick) { return tick.end; });
        return static_cast<std::size_t>(found - own->ticks.begin());
    };
    const std::size_t first = firstBeyond(window.begin);
    const std::size_t last = std::min(own->ticks.size(), firstBeyond(window.end) + 1);
    if (first >= last)
        return values;
    const auto points =
        pointsOf(m_recording, place, { own->end(first) - Nanoseconds(1), own->end(last - 1) });
    if (!points)
        return points.error();
    std::size_t tick = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        double sum = 0, known = 0;
        while (tick < points->size() && own->end(first + tick) <= m_axis.begin(i))
            ++tick;
        for (std::size_t j = tick; j < points->size() && own->begin(first + j) < m_axis.end(i); ++j) {
            const double overlap = seconds(std::min(own->end(first + j), m_axis.end(i))
                - std::max(own->begin(first + j), m_axis.begin(i)));
            if (overlap <= 0 || std::isnan((*points)[j].value))
                continue;
            sum += overlap * (*points)[j].value;
            known += overlap;
        }
        if (known > 0 && known >= 0.5 * seconds(m_axis.end(i) - m_axis.begin(i)))
            values[i] = sum / known;
    }
    return values;
}

Result<Evaluation::Values> Evaluation::groupOf(const DerivedProgram::Step& step)
{
    Values sum;
    for (const CounterPlace& part : step.parts) {
        auto values = valuesOf(part);
        if (!values)
            return values.error();
        if (sum.empty())
            sum = *std::move(values);
        else
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += (*values)[i]; // missing if one of them is
    }
    if (step.kind == StepKind::mean)
        for (double& value : sum)
            value /= static_cast<double>(step.parts.size());
    return sum;
}

/// Of the mix in whose phases a tick ends; missing outside of mixes.
Evaluation::Values Evaluation::users() const
{
    const auto& mixes = history::readerOf(m_recording).series().mixes;
    const auto& phases = m_recording.phases();
    Values values(m_axis.ticks.size(), kMissing);
    std::size_t phase = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        while (phase + 1 < phases.size() && phases[phase + 1].begin < m_axis.end(i))
            ++phase;
        if (phase >= phases.size())
            break;
        const Phase& in = phases[phase];
        if (in.begin < m_axis.end(i) && (in.open || m_axis.end(i) <= in.end) && in.mix >= 0
            && static_cast<std::size_t>(in.mix) < mixes.size()
            && mixes[static_cast<std::size_t>(in.mix)].mailboxes > 0)
            values[i] = static_cast<double>(mixes[static_cast<std::size_t>(in.mix)].mailboxes);
    }
    return values;
}

Result<std::vector<Point>> Evaluation::evaluate(const DerivedCounter& counter, TimeWindow window)
{
    if (auto done = chooseAxis(counter, window); !done)
        return done.error();
    std::vector<Values> stack;
    for (const DerivedProgram::Step& step : counter.program->steps) {
        if (step.kind == StepKind::number)
            stack.emplace_back(m_axis.ticks.size(), step.number);
        else if (step.kind == StepKind::users)
            stack.push_back(users());
        else if (step.kind == StepKind::times || step.kind == StepKind::over) {
            const Values right = std::move(stack.back());
            stack.pop_back();
            Values& left = stack.back();
            for (std::size_t i = 0; i < left.size(); ++i)
                left[i] = step.kind == StepKind::times ? left[i] * right[i] : left[i] / right[i];
        } else {
            auto values = groupOf(step);
            if (!values)
                return values.error();
            stack.push_back(*std::move(values));
        }
    }
    std::vector<Point> samples;
    for (std::size_t i = 0; i < m_axis.ticks.size(); ++i) {
        const double value = stack.back()[i];
        samples.push_back({ m_axis.begin(i), m_axis.end(i), std::isfinite(value) ? value : kMissing });
    }
    return samples;
}

/// Adds to a band or to statistics.
struct Extent {
    double minimum = kMissing, maximum = kMissing, sum = 0, length = 0;
    std::uint64_t samples = 0;
    void add(const Point& sample)
    {
        if (std::isnan(sample.value))
            return;
        minimum = samples == 0 ? sample.value : std::min(minimum, sample.value);
        maximum = samples == 0 ? sample.value : std::max(maximum, sample.value);
        sum += sample.value * seconds(sample.end - sample.begin);
        length += seconds(sample.end - sample.begin);
        ++samples;
    }
    [[nodiscard]] double average() const { return length > 0 ? sum / length : kMissing; }
};

/// Of each sample what lies within the window.
Extent extentWithin(const std::vector<Point>& samples, TimeWindow window)
{
    Extent extent;
    for (const Point& sample : samples)
        if (const Point part {
                std::max(sample.begin, window.begin), std::min(sample.end, window.end), sample.value };
            part.begin < part.end)
            extent.add(part);
    return extent;
}

} // namespace

Result<std::vector<CounterPoint>> derivedCounter(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window)
{
    const auto samples = Evaluation(recording).evaluate(counter, window);
    if (!samples)
        return samples.error();
    std::vector<CounterPoint> points;
    for (const Point& sample : *samples)
        points.push_back({ sample.end, sample.value });
    return points;
}

Result<std::vector<CounterBand>> derivedBands(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window, std::size_t bands)
{
    const auto samples = Evaluation(recording).evaluate(counter, window);
    if (!samples)
        return samples.error();
    std::vector<CounterBand> curve;
    if (samples->empty() || bands == 0)
        return curve;
    const std::size_t each = (samples->size() + bands - 1) / bands;
    for (std::size_t first = 0; first < samples->size(); first += each) {
        const auto part = std::span(*samples).subspan(first, std::min(each, samples->size() - first));
        Extent extent;
        for (const Point& sample : part)
            extent.add(sample);
        curve.push_back(
            { part.front().begin, part.back().end, extent.minimum, extent.maximum, extent.average() });
    }
    return curve;
}

Result<CounterStatistics> derivedStatistics(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window)
{
    const TimeWindow within = history::readerOf(recording).ticks().wholeTicks(window);
    const auto samples = Evaluation(recording, Edge::overlapping).evaluate(counter, within);
    if (!samples)
        return samples.error();
    const Extent extent = extentWithin(*samples, within);
    const double length = seconds(within.end - within.begin);
    const auto last = std::find_if(samples->rbegin(), samples->rend(),
        [&](const Point& sample) { return sample.end <= within.end && !std::isnan(sample.value); });
    const Nanoseconds begin =
        samples->empty() ? within.begin : std::max(samples->front().begin, within.begin);
    const Nanoseconds end = samples->empty() ? begin : std::min(samples->back().end, within.end);
    return CounterStatistics { last == samples->rend() ? kMissing : last->value, extent.average(),
        extent.minimum, extent.maximum, end - begin, extent.samples, begin,
        length > 0 ? std::min(1.0, extent.length / length) : 0 };
}

Result<DerivedReading> derivedReading(
    const Recording& recording, const DerivedCounter& counter, TimeWindow window)
{
    const auto samples = Evaluation(recording, Edge::overlapping).evaluate(counter, window);
    if (!samples)
        return samples.error();
    const Extent extent = extentWithin(*samples, window);
    const double length = seconds(window.end - window.begin);
    return DerivedReading { extent.average(), extent.minimum, extent.maximum, extent.samples,
        length > 0 ? std::min(1.0, extent.length / length) : 0 };
}

} // namespace loadstone
