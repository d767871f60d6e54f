// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/view/goto_time.h"

#include "format.h"

#include <loadstone/units.h>

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

constexpr int kMostDays = 400; // of a run, more than which no time of day is looked for

Error failTyped(const QString& words)
{
    return fail(bytes(words));
}

/// "1:51:03.5", "14:05" or "02:10.8" as its numbers, the last one with its fraction; none for any other text.
std::optional<std::vector<double>> clockNumbers(const QString& typed)
{
    static const QRegularExpression form(
        QStringLiteral("^(\\d{1,5}):(?:(\\d{1,2}):)?(\\d{1,2}(?:[.]\\d{1,9})?)$"));
    const QRegularExpressionMatch match = form.match(typed);
    if (!match.hasMatch())
        return std::nullopt;
    std::vector<double> numbers { match.captured(1).toDouble() };
    if (!match.captured(2).isEmpty())
        numbers.push_back(match.captured(2).toDouble());
    numbers.push_back(match.captured(3).toDouble());
    return numbers;
}

bool isSexagesimal(const std::vector<double>& numbers)
{
    return std::all_of(numbers.begin() + 1, numbers.end(), [](double n) { return n < 60; });
}

/// Hours, minutes, seconds; of two numbers minutes and seconds, as the axis writes the time of a run.
Nanoseconds elapsedOf(const std::vector<double>& numbers)
{
    double s = 0;
    for (const double n : numbers)
        s = s * 60 + n;
    return Nanoseconds(std::llround(s * 1e9));
}

/// The first such time of day within the run; of two numbers hours and minutes.
std::optional<Nanoseconds> timeOfDay(const std::vector<double>& numbers, const TypedTimeContext& context)
{
    const bool hasFraction = numbers.back() != std::floor(numbers.back());
    if (numbers[0] >= 24 || context.started == WallTime {} || (numbers.size() == 2 && hasFraction))
        return std::nullopt;
    const auto since1970 =
        std::chrono::duration_cast<std::chrono::milliseconds>(context.started.time_since_epoch());
    const QDateTime start = QDateTime::fromMSecsSinceEpoch(since1970.count());
    const double second = numbers.size() > 2 ? numbers[2] : 0;
    const QTime time = QTime(static_cast<int>(numbers[0]), static_cast<int>(numbers[1]))
                           .addMSecs(static_cast<int>(std::lround(second * 1e3)));
    for (int day = 0; day < kMostDays; ++day) {
        // A time that the change to summer time skips is read as the moment that the clocks then showed.
        const qint64 milliseconds = start.msecsTo(QDateTime(start.date().addDays(day), time));
        const Nanoseconds at = std::chrono::milliseconds(milliseconds);
        if (at > context.length)
            return std::nullopt;
        if (at >= Nanoseconds(0))
            return at;
        if (numbers.size() == 2 && at > -std::chrono::minutes(1)) // the minute in which the run begins
            return Nanoseconds(0);
    }
    return std::nullopt;
}

Result<TypedTime> within(Nanoseconds at, const QString& typed, const TypedTimeContext& context)
{
    if (at < Nanoseconds(0) || at > context.length)
        return failTyped(QStringLiteral("\"%1\" is not within the run, which lasts from 00:00 to %2.")
                             .arg(typed, formatElapsed(context.length)));
    return TypedTime { at, std::nullopt };
}

Result<TypedTime> readClock(
    const std::vector<double>& numbers, const QString& typed, const TypedTimeContext& context)
{
    if (!isSexagesimal(numbers))
        return failTyped(
            QStringLiteral("\"%1\": minutes and seconds are below 60, as in 1:51:03.").arg(typed));
    const Nanoseconds elapsed = elapsedOf(numbers);
    const auto ofDay = timeOfDay(numbers, context);
    if (elapsed <= context.length && !(context.clockFirst && ofDay))
        return TypedTime { elapsed, std::nullopt };
    if (ofDay)
        return TypedTime { *ofDay, std::nullopt };
    return failTyped(
        QStringLiteral("\"%1\" is neither a time of the run, which lasts from 00:00 to %2, nor a time of "
                       "day within it.")
            .arg(typed, formatElapsed(context.length)));
}

Result<TypedTime> readRelative(const QString& typed, const TypedTimeContext& context)
{
    const QString amount = typed.mid(1).trimmed();
    Nanoseconds by {};
    if (const auto numbers = clockNumbers(amount); numbers && isSexagesimal(*numbers)) {
        by = elapsedOf(*numbers);
    } else {
        const auto duration = parseDuration(bytes(amount));
        if (!duration)
            return failTyped(text(duration.error().message));
        by = *duration;
    }
    return within(typed.startsWith(QLatin1Char('-')) ? context.from - by : context.from + by, typed, context);
}

QString normalised(QString name)
{
    return name.toLower().replace(QLatin1Char('-'), QLatin1Char(' ')).simplified();
}

/// What was typed is a kind of phase, or begins with one: "measurement 2", "ramp-up", "drain".
std::optional<Result<TypedTime>> readPhase(const QString& typed, const TypedTimeContext& context)
{
    static const QRegularExpression form(QStringLiteral("^(.*?)(?: (\\d{1,6}))?$"));
    const QString words = normalised(typed);
    const auto goTo = [](const Phase& phase) {
        return TypedTime { phase.begin, TimeWindow { phase.begin, phase.end } };
    };
    for (const Phase& phase : context.phases) // before kinds: a mix may be called "measurement 2"
        if (!phase.mixName.empty() && normalised(text(phase.mixName)) == words) {
            const auto measured = std::find_if(context.phases.begin(), context.phases.end(),
                [&](const Phase& p) { return p.mix == phase.mix && p.kind == PhaseKind::measurement; });
            return goTo(measured == context.phases.end() ? phase : *measured);
        }
    const QRegularExpressionMatch match = form.match(words);
    const int wanted = match.captured(2).isEmpty() ? 1 : match.captured(2).toInt();
    int found = 0;
    for (const Phase& phase : context.phases)
        if (normalised(QLatin1String(toString(phase.kind))) == match.captured(1) && ++found == wanted)
            return goTo(phase);
    if (found > 0)
        return Result<TypedTime>(failTyped(
            QStringLiteral("There is no \"%1\" yet: the run has %2 of them.").arg(typed).arg(found)));
    return std::nullopt;
}

} // namespace

Result<TypedTime> readTypedTime(const QString& entered, const TypedTimeContext& context)
{
    const QString typed = entered.simplified();
    const QString words = typed.toLower();
    if (words == QLatin1String("start") || words == QLatin1String("begin"))
        return TypedTime {};
    if (words == QLatin1String("end"))
        return TypedTime { context.length, std::nullopt };
    if (words == QLatin1String("first error") || words == QLatin1String("error")) {
        if (!context.firstError)
            return failTyped(QStringLiteral("The recording has no error so far."));
        return within(*context.firstError, typed, context);
    }
    if (const auto numbers = clockNumbers(typed))
        return readClock(*numbers, typed, context);
    if (typed.startsWith(QLatin1Char('+')) || typed.startsWith(QLatin1Char('-')))
        return readRelative(typed, context);
    if (const auto phase = readPhase(typed, context))
        return *phase;
    if (!typed.isEmpty() && typed.front().isDigit())
        if (const auto duration = parseDuration(bytes(typed)))
            return within(*duration, typed, context);
    return failTyped(
        QStringLiteral("\"%1\" is no time: type 1:51:03, 14:05, +90 s, measurement 2, or first error.")
            .arg(typed));
}

std::optional<Nanoseconds> firstErrorOf(
    const std::vector<RunEvent>& events, const std::vector<Transcript>& transcripts)
{
    std::optional<Nanoseconds> first;
    const auto take = [&](Nanoseconds at) { first = std::min(first.value_or(at), at); };
    for (const RunEvent& event : events)
        if (event.severity == Severity::error)
            take(event.at);
    for (const Transcript& transcript : transcripts)
        take(transcript.at);
    return first;
}

} // namespace loadstone::ui
