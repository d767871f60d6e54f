// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/view/overlay_axis.h"

#include "format.h"

#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace loadstone::ui {

namespace {

Nanoseconds sinceMidnight(WallTime at)
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
    return std::chrono::milliseconds(
        QDateTime::fromMSecsSinceEpoch(ms.count()).time().msecsSinceStartOfDay());
}

/// Where a run has what all are aligned at, on its own axis; none: it has not.
std::optional<Nanoseconds> placeWithin(const OverlayRun& run, OverlayAlign align, const QString& load)
{
    if (align == OverlayAlign::start)
        return Nanoseconds(0);
    for (const Phase& phase : run.phases)
        if (phase.kind == PhaseKind::measurement
            && (align == OverlayAlign::measurement || text(phase.mixName) == load))
            return phase.begin;
    return std::nullopt;
}

} // namespace

OverlayAxis overlayAxis(const std::vector<OverlayRun>& runs, OverlayAlign align, const QString& load)
{
    OverlayAxis axis;
    const bool byClock = align == OverlayAlign::wallClock || align == OverlayAlign::timeOfDay;
    WallTime first = WallTime::max();
    for (const OverlayRun& run : runs)
        first = std::min(first, run.started);
    for (const OverlayRun& run : runs) {
        Nanoseconds start {};
        const auto place = byClock ? std::nullopt : placeWithin(run, align, load);
        if (byClock)
            start = align == OverlayAlign::wallClock ? Nanoseconds(run.started - first)
                                                     : sinceMidnight(run.started);
        else
            start = -place.value_or(Nanoseconds(0));
        axis.aligned.push_back(byClock || place.has_value());
        axis.starts.push_back(start + run.byHand);
    }
    if (runs.empty())
        return axis;
    const Nanoseconds begin = *std::min_element(axis.starts.begin(), axis.starts.end());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        axis.starts[i] -= begin;
        axis.length = std::max(axis.length, axis.starts[i] + runs[i].length);
    }
    axis.origin = -begin;
    return axis;
}

QStringList commonLoads(const std::vector<OverlayRun>& runs)
{
    QStringList all, common;
    for (const OverlayRun& run : runs) {
        QStringList own;
        for (const Phase& phase : run.phases)
            if (const QString name = text(phase.mixName);
                phase.kind == PhaseKind::measurement && !name.isEmpty() && !own.contains(name))
                own.append(name);
        for (const QString& name : own)
            (all.contains(name) && !common.contains(name) ? common : all).append(name);
    }
    return common;
}

TimeWindow withMargins(TimeWindow visible)
{
    const Nanoseconds margin = (visible.end - visible.begin) / 2;
    return { visible.begin - margin, visible.end + margin };
}

bool isRead(TimeWindow read, TimeWindow visible)
{
    const Nanoseconds span = visible.end - visible.begin;
    // Panning may round the span; another one is a zoom.
    const bool isZoomed = std::chrono::abs(2 * span - (read.end - read.begin)) > span / 1000;
    return !isZoomed && read.begin <= visible.begin && visible.end <= read.end;
}

TimeWindow ofRun(TimeWindow window, Nanoseconds start)
{
    const TimeWindow own { std::max(Nanoseconds(0), window.begin - start),
        std::max(Nanoseconds(1), window.end - start) };
    return own.end <= own.begin ? TimeWindow { own.begin, own.begin + Nanoseconds(1) } : own;
}

} // namespace loadstone::ui
