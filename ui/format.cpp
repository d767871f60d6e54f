// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <cmath>
#include <iterator>

namespace loadstone::ui {

namespace {
const QString kNone = QStringLiteral("–");
}

QString translated(const char* source)
{
    return QCoreApplication::translate("window", source);
}
QString prose(const std::string& ascii)
{
    static const QRegularExpression kMicroseconds(QStringLiteral("(?<=\\d) us\\b"));
    return text(ascii).replace(kMicroseconds, QStringLiteral(" µs"));
}

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}
std::string bytes(const QString& text)
{
    return text.toStdString();
}

QString formatValue(double value)
{
    if (std::isnan(value))
        return kNone;
    if (std::abs(value) >= 999.95
        || value == std::round(value)) // from there on four digits are a whole number
        return QLocale().toString(value, 'f', 0);
    return text(formatNumber(value, 4));
}

QString formatIn(double value, const QString& unit)
{
    if (!std::isfinite(value))
        return kNone;
    const QString sign = value < 0 ? QStringLiteral("-") : QString();
    const double amount = std::abs(value);
    const bool isMilliseconds = unit == QLatin1String("ms");
    if (isMilliseconds || unit == QLatin1String("s")) {
        if (amount == 0)
            return QStringLiteral("0 ms"); // and not of the smallest unit that there is
        const double inNanoseconds = amount * (isMilliseconds ? 1e6 : 1e9);
        if (inNanoseconds < 1e18)
            return sign + formatTime(Nanoseconds(std::llround(inNanoseconds)));
    }
    if (unit == QLatin1String("bytes") || unit == QLatin1String("bytes/s")) {
        static const char* const kPrefixes[] = { "bytes", "KB", "MB", "GB", "TB" };
        std::size_t step = 0;
        double shown = amount;
        for (; shown >= 1024 && step + 1 < std::size(kPrefixes); ++step)
            shown /= 1024;
        return QStringLiteral("%1%2 %3%4")
            .arg(sign, formatValue(shown), QLatin1String(kPrefixes[step]), unit.mid(5));
    }
    if (unit == QLatin1String("%"))
        return formatValue(value) + QStringLiteral(" %");
    return formatValue(value);
}

QString formatCount(std::uint64_t count)
{
    return QLocale().toString(static_cast<qulonglong>(count));
}

QString formatRate(double perSecond)
{
    if (std::isnan(perSecond))
        return kNone;
    if (std::abs(perSecond) >= 1000)
        return QLocale().toString(perSecond, 'f', 0);
    // As the reports round a half: 3.125 is 3.12 there, and would be 3.13 by Qt.
    return text(fmt::format("{:.{}f}", perSecond, perSecond >= 100 ? 1 : 2));
}

QString formatRatio(std::optional<double> ratio)
{
    return ratio && !std::isnan(*ratio) ? QLocale().toString(*ratio, 'f', 2) : kNone;
}

QString formatShare(double share)
{
    if (std::isnan(share))
        return kNone;
    if (share == 0)
        return QStringLiteral("0 %");
    return text(formatNumber(share * 100, 3)) + QStringLiteral(" %");
}

QString formatTime(Nanoseconds latency, std::uint64_t samples)
{
    if (samples == 0)
        return kNone;
    return prose(formatLatency(latency));
}

QString formatFigure(const Figure& figure)
{
    if (!figure.value)
        return kNone;
    const QString bound = figure.flags.lowerBound ? QStringLiteral("≥ ") : QString();
    switch (infoOf(figure.id).rounding.notation) {
    case Notation::whole:
        return bound + QLocale().toString(*figure.value, 'f', 0);
    case Notation::rate:
        return bound + formatRate(*figure.value);
    case Notation::plain:
        return bound + formatRatio(figure.value);
    case Notation::percent:
        return bound + formatShare(*figure.value);
    case Notation::latency:
        return bound + formatTime(Nanoseconds(std::llround(*figure.value * 1e9)));
    default:
        return text(format(figure));
    }
}

QString formatElapsed(Nanoseconds offset)
{
    if (offset < Nanoseconds(0))
        return QLatin1Char('-') + formatElapsed(-offset);
    return text(formatClock(offset));
}

QString formatDuration(Nanoseconds length)
{
    const auto whole = std::chrono::round<std::chrono::seconds>(length).count();
    const auto hours = whole / 3600, minutes = whole / 60 % 60, left = whole % 60;
    QStringList parts;
    if (hours > 0)
        parts.append(translated("%1 h").arg(hours));
    if (minutes > 0)
        parts.append(translated("%1 min").arg(minutes));
    if (left > 0 && hours == 0) // hours are shown without seconds
        parts.append(translated("%1 s").arg(left));
    return parts.isEmpty() ? translated("0 s") : parts.join(QLatin1Char(' '));
}

QString formatElapsedExact(Nanoseconds offset)
{
    const auto tenths = (std::abs(offset.count()) + 50'000'000) / 100'000'000;
    if (offset < Nanoseconds(0) && tenths > 0)
        return QLatin1Char('-') + formatElapsedExact(-offset);
    // formatClock rounds; hand it whole seconds so that 59.9 s does not read 01:00.9.
    QString result = text(formatClock(std::chrono::seconds(tenths / 10)));
    return tenths % 10 == 0 ? result : result + QLatin1Char('.') + QString::number(tenths % 10);
}

QString formatMoment(Nanoseconds at)
{
    return formatElapsedExact(std::chrono::floor<std::chrono::duration<std::int64_t, std::deci>>(at));
}

QString formatMoment(Nanoseconds at, const std::optional<WallTime>& start)
{
    if (!start)
        return formatMoment(at);
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(start->time_since_epoch() + at);
    return QDateTime::fromMSecsSinceEpoch(ms.count()).toString(QStringLiteral("hh:mm:ss"));
}

QString formatWhen(WallTime when)
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(ms.count()).toString(QStringLiteral("yyyy-MM-dd hh:mm:ss"));
}

QString formatSize(std::uint64_t size)
{
    return text(formatBytes(size));
}

QString formatScale(double factor)
{
    return factor >= 1 ? QString::number(factor, 'f', 1) : QString::number(factor, 'g', 7);
}

QString verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::met:
        return translated("criteria met");
    case Verdict::notMet:
        return translated("criteria not met");
    default:
        return translated(toString(verdict));
    }
}

QString stateName(RunState state)
{
    switch (state) {
    case RunState::preparing:
        return translated("preparing");
    case RunState::running:
        return translated("running");
    case RunState::finished:
        return translated("finished");
    case RunState::stopped:
        return translated("stopped");
    case RunState::failed:
        return translated("failed");
    case RunState::interrupted:
        return translated("interrupted");
    }
    return {};
}

QString phaseName(PhaseKind kind)
{
    switch (kind) {
    case PhaseKind::rampUp:
        return translated("ramp-up");
    case PhaseKind::measurement:
        return translated("measurement");
    case PhaseKind::rampDown:
        return translated("ramp-down");
    case PhaseKind::quiet:
        return translated("quiet");
    case PhaseKind::drain:
        return translated("drain");
    case PhaseKind::initialisation:
        return translated("initialisation");
    case PhaseKind::cleanUp:
        return translated("clean-up");
    }
    return {};
}

QString severityName(int severity)
{
    return severity == 0 ? translated("info") : severity == 1 ? translated("warning") : translated("error");
}

} // namespace loadstone::ui
