// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/time_ticks.h"

#include "format.h"

#include <QDateTime>

#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kSteps[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
    10800, 14400, 21600, 43200, 86400 };

QDateTime localTime(double second, WallTime start)
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(start.time_since_epoch()).count();
    return QDateTime::fromMSecsSinceEpoch(ms + std::llround(second * 1e3));
}

QString elapsedLabel(double second, double step)
{
    const Nanoseconds at(std::llround(second / step) * std::llround(step * 1e9)); // no "-00:00"
    return step < 1 ? formatElapsedExact(at) : formatElapsed(at);
}

} // namespace

bool spansMidnight(TimeWindow window, WallTime start)
{
    return localTime(seconds(window.begin), start).date() != localTime(seconds(window.end), start).date();
}

std::vector<TimeTick> timeTicks(
    TimeWindow window, int most, std::optional<WallTime> start, Nanoseconds origin)
{
    if (start)
        origin = {};
    const double begin = seconds(window.begin - origin), end = seconds(window.end - origin);
    double step = kSteps[std::size(kSteps) - 1];
    for (const double s : kSteps)
        if ((end - begin) / s + 1 <= most) {
            step = s;
            break;
        }
    while ((end - begin) / step + 1 > most)
        step *= 2;
    QString format = step < 1 ? QStringLiteral("hh:mm:ss.zzz") : QStringLiteral("hh:mm:ss");
    if (start && spansMidnight(window, *start)) // the same time comes again on the next day
        format.prepend(QStringLiteral("MM-dd "));
    std::vector<TimeTick> ticks;
    for (double n = std::ceil(begin / step - 1e-9); n * step <= end + 1e-9; ++n) {
        const double at = n * step;
        ticks.push_back({ at + seconds(origin),
            start ? localTime(at, *start).toString(format) : elapsedLabel(at, step) });
    }
    return ticks;
}

} // namespace loadstone::ui
