// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/judgement.h>
#include <loadstone/results.h>
#include <loadstone/time.h>

#include <QColor>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>

namespace loadstone::ui {

// The one place where numbers become text for the screen; built on <loadstone/units.h>, which knows no locale: the
// program's default one has to write numbers in the same way. No value is "–".

/// What Qt's tr() would make of a text outside of a class that has one. The program is in English only.
QString translated(const char* source);
QString text(const std::string& utf8);
/// A text of the engine, which writes ASCII, with "153 µs" as on the rest of the screen.
QString prose(const std::string& ascii);
std::string bytes(const QString& text); ///< UTF-8

QString formatValue(double value); ///< a counter's value: four significant digits, whole numbers as such
/// A counter's value where its unit stands elsewhere, too: times as "148 µs", "12.3 ms", bytes as "1.5 MB", "20 KB/s" (1024 bytes
/// each), shares as "45.2 %"; of all other units the number alone.
QString formatIn(double value, const QString& unit);
QString formatCount(std::uint64_t count); ///< "83,300"
QString formatRate(double perSecond); ///< "693.8"
QString formatRatio(std::optional<double> ratio); ///< "2.98"
QString formatShare(double share); ///< 0.0123 is "1.23 %"; 0 is "0 %"
/// A figure with its unit; "≥" before a lower bound.
QString formatFigure(const Figure& figure);
QString formatTime(Nanoseconds latency, std::uint64_t samples = 1); ///< "12.3 ms"
QString formatElapsed(Nanoseconds offset); ///< "1:02:05", "-00:30"
QString formatDuration(
    Nanoseconds length); ///< in words, which no clock time is taken for: "2 min 55 s", "28 h 45 min"
QString formatElapsedExact(Nanoseconds offset); ///< with tenths where they are not 0
/// The same of a moment whose values are shown: never later than it is, so that it is not taken for that of the next sample.
QString formatMoment(Nanoseconds at);
/// As the axis of a chart writes it: since the run's start, or the local time of day of a run that began at `start`.
QString formatMoment(Nanoseconds at, const std::optional<WallTime>& start);
QString formatWhen(WallTime when); ///< local date and time
QString formatSize(std::uint64_t bytes); ///< "1.5 MB"
QString formatScale(double factor); ///< as PerfMon writes it: "0.001", "1.0", "100.0"
QString stateName(RunState state);
QString verdictName(Verdict verdict); ///< for a column and a title: "criteria met"
QString phaseName(PhaseKind kind);
QString severityName(int severity);

} // namespace loadstone::ui
