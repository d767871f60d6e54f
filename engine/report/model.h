// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/recording.h>
#include <loadstone/report.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/// What a report says, in words and rounded numbers, before anything is known of HTML or terminals. Text may
/// come from plans and servers: writers escape all of it.
namespace loadstone::report {

using Column = ReportColumn;
using Table = ReportTable;

/// What the values of an axis are, so that its ticks can be chosen and labelled.
enum class AxisUnit { number, percent, seconds, bytesPerSecond };

struct Point {
    double x = 0, y = 0; ///< y is NaN where nothing was measured: the curve has a gap there
};

struct Curve {
    std::string name;
    std::vector<Point> points;
    bool marked = false; ///< a mark at each point
};

/// A stretch of the time axis with a name.
struct Band {
    double begin = 0, end = 0; ///< seconds
    PhaseKind kind = PhaseKind::measurement;
    std::string label; ///< drawn where it fits
    std::string title; ///< shown on hover
};

struct Chart {
    std::string title;
    std::string note;
    std::string xTitle;
    AxisUnit quantity = AxisUnit::number;
    bool timeAxis = true; ///< x are seconds since the run's start
    bool logarithmic = false;
    std::vector<Curve> curves;
    std::vector<Band> bands;
    /// Of the drain, whose burst must not flatten the measurement: the value axis is chosen without it.
    [[nodiscard]] bool isAside(const Point& point) const
    {
        return std::ranges::any_of(bands, [&](const Band& band) {
            return band.kind == PhaseKind::drain && point.x > band.begin && point.x <= band.end;
        });
    }
};

struct Section {
    std::string heading;
    std::string introduction;
    std::vector<Table> tables;
    std::vector<Chart> charts;
    std::string picture {}; ///< SVG, as formatSvg() writes it; it goes into the page as it is
    [[nodiscard]] bool empty() const { return tables.empty() && charts.empty() && picture.empty(); }
};

struct Report {
    std::string title;
    std::string subtitle; ///< when, where, which run
    std::string note; ///< as the run has it now; may have several lines
    std::vector<std::string> tags; ///< likewise, without the star's
    RunVerdict verdict;
    std::vector<std::string> sentences; ///< below its headline
    std::vector<Section> sections;
    std::string planName, planText;
};

/// Reads what a report needs from a recording, live or past. Errors name what cannot be read.
Result<Report> buildReport(const Recording& recording, const std::optional<TimeWindow>& window = {});

} // namespace loadstone::report
