// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/results/measured_parts.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::analysis {

namespace {

/// Ticks do not begin and end exactly with phases: a window that reaches a moment into the next phase does not mean it.
bool touches(const TimeWindow& a, const TimeWindow& b)
{
    constexpr Nanoseconds kGrazes = std::chrono::milliseconds(100);
    const Nanoseconds common = std::min(a.end, b.end) - std::max(a.begin, b.begin);
    const Nanoseconds shorter = std::min(a.end - a.begin, b.end - b.begin);
    return common > Nanoseconds(0) && common >= std::min(kGrazes, shorter / 2);
}

MeasuredPart chosenPart(const Recording& recording, Phase phase, TimeWindow window)
{
    phase.begin = window.begin;
    phase.end = window.end;
    phase.open = phase.open && window.end > recording.length();
    window.end = std::max(window.begin, std::min(window.end, recording.length()));
    return { phase, tickWindow(recording, window), history::readerOf(recording).ticks().rangeOf(window),
        true };
}

} // namespace

TimeWindow tickWindow(const Recording& recording, const TimeWindow& window)
{
    return history::readerOf(recording).ticks().wholeTicks(window);
}

history::TickRange ticksOf(const Recording& recording, const Phase& phase)
{
    const history::TickReader& reader = history::readerOf(recording).ticks();
    auto range = reader.rangeOf(windowOf(recording, phase));
    while (!range.empty() && reader.times()[range.last - 1].phase > phase.index)
        --range.last;
    return range;
}

std::vector<MeasuredPart> measuredParts(const Recording& recording, const std::optional<TimeWindow>& window)
{
    std::vector<MeasuredPart> parts;
    const Phase* first = nullptr; // of the mixes that the window touches
    for (const Phase& phase : recording.phases()) {
        const TimeWindow whole = windowOf(recording, phase);
        const bool touched = !window || touches(*window, whole);
        if (touched && first == nullptr && phase.mix >= 0)
            first = &phase;
        if (!touched || phase.kind != PhaseKind::measurement)
            continue;
        if (window)
            parts.push_back(chosenPart(recording, phase,
                { std::max(whole.begin, window->begin), std::min(whole.end, window->end) }));
        else
            parts.push_back({ phase, whole, ticksOf(recording, phase), false });
        if (window && parts.back().ticks.empty())
            parts.pop_back();
    }
    if (window && parts.empty() && first != nullptr)
        parts.push_back(chosenPart(recording, *first, *window));
    return parts;
}

Result<void> checkWindow(const Recording& recording, const TimeWindow& window)
{
    if (window.begin >= window.end)
        return fail(fmt::format(
            "the window from {} to {} has no length", formatClock(window.begin), formatClock(window.end)));
    if (history::readerOf(recording).ticks().rangeOf(window).empty())
        return fail(fmt::format("no tick ends between {} and {}; the run is {} long",
            formatClock(window.begin), formatClock(window.end), formatClock(recording.length())));
    return {};
}

Result<const MixSums*> sumsOf(const Recording& recording, const MeasuredPart& part)
{
    return resultsCache(recording).sums(recording, part.phase.index, part.ticks, part.chosen);
}

} // namespace loadstone::analysis
