// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/svg.h"

#include "report/axis.h"
#include "report/wording.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace loadstone::report {

namespace {

constexpr double kWidth = 960, kHeight = 300;
constexpr double kLeft = 74, kRight = 18, kTop = 26, kBottom = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight, kPlotHeight = kHeight - kTop - kBottom;
constexpr double kCharacter = 6.3; ///< mean width of a label's character at 11 px

struct Frame {
    Axis x, y;
    [[nodiscard]] double left(double value) const { return kLeft + x.position(value) * kPlotWidth; }
    [[nodiscard]] double top(double value) const { return kTop + (1 - y.position(value)) * kPlotHeight; }
};

/// The least and the largest value drawn; the least above 0, for logarithmic axes.
struct Extent {
    double x = 0, least = std::numeric_limits<double>::infinity(), most = 0;
};
Extent extentOf(const Chart& chart)
{
    Extent all, main;
    for (const Band& band : chart.bands)
        all.x = std::max(all.x, band.end);
    const auto add = [](Extent& extent, double y) {
        extent.most = std::max(extent.most, y);
        if (y > 0)
            extent.least = std::min(extent.least, y);
    };
    for (const Curve& curve : chart.curves)
        for (const Point& point : curve.points) {
            all.x = std::max(all.x, point.x);
            if (!std::isfinite(point.y))
                continue;
            add(all, point.y);
            if (!chart.isAside(point))
                add(main, point.y);
        }
    constexpr double kBurst = 3; // what is less above the rest does not flatten it
    if (main.most <= 0 || all.most <= main.most * kBurst)
        return all;
    main.x = all.x;
    return main;
}

/// The largest value that does not fit below the top of the frame; 0: all do.
double cutOff(const Chart& chart, const Frame& frame)
{
    double most = 0;
    for (const Curve& curve : chart.curves)
        for (const Point& point : curve.points)
            if (std::isfinite(point.y) && point.y > frame.y.high)
                most = std::max(most, point.y);
    return most;
}

Frame frameOf(const Chart& chart)
{
    const Extent extent = extentOf(chart);
    Frame frame;
    frame.x = chart.timeAxis ? timeAxis(extent.x) : linearAxis(extent.x, AxisUnit::number, 8);
    frame.y = chart.logarithmic && extent.most > extent.least
        ? logarithmicAxis(extent.least, extent.most, chart.quantity)
        : linearAxis(
            chart.quantity == AxisUnit::percent && extent.most > 60 ? 100 : extent.most, chart.quantity);
    return frame;
}

void drawBands(const Chart& chart, const Frame& frame, std::string& out)
{
    for (const Band& band : chart.bands) {
        const double left = frame.left(band.begin), width = frame.left(band.end) - left;
        out += fmt::format(
            "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}"
            "</title></rect>",
            band.kind == PhaseKind::measurement                                      ? "measured"
                : band.kind == PhaseKind::rampUp || band.kind == PhaseKind::rampDown ? "ramp"
                                                                                     : "quiet",
            left, kTop, width, kPlotHeight, escaped(band.title));
    }
    for (const Band& band : chart.bands) {
        const double left = frame.left(band.begin), width = frame.left(band.end) - left;
        const auto fits = static_cast<std::size_t>(std::max(0.0, width / kCharacter));
        if (band.label.empty() || fits < std::min<std::size_t>(6, textWidth(band.label)))
            continue;
        out += fmt::format("<text class=\"phase\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left + width / 2,
            kTop - 8, escaped(shortened(band.label, fits)));
    }
}

void drawAxes(const Chart& chart, const Frame& frame, std::string& out)
{
    for (const AxisTick& tick : frame.y.ticks) {
        const double y = frame.top(tick.value);
        out += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
            kLeft + kPlotWidth, y, y);
        out += fmt::format(
            "<text class=\"y\" x=\"{}\" y=\"{:.1f}\">{}</text>", kLeft - 8, y + 4, escaped(tick.label));
    }
    double free = -1e9; // labels must not touch
    for (const AxisTick& tick : frame.x.ticks) {
        const double x = frame.left(tick.value),
                     half = static_cast<double>(tick.label.size()) * kCharacter / 2;
        out +=
            fmt::format("<line class=\"tick\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>",
                x, kTop + kPlotHeight, kTop + kPlotHeight + 5);
        if (x - half < free + 8 || x + half > kWidth)
            continue;
        free = x + half;
        out += fmt::format("<text class=\"x\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x,
            kTop + kPlotHeight + 18, escaped(tick.label));
    }
    out += fmt::format("<text class=\"x title\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kLeft + kPlotWidth / 2,
        kHeight - 8, escaped(chart.xTitle));
    out += fmt::format(
        "<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>", kLeft, kTop, kTop + kPlotHeight, kLeft + kPlotWidth);
}

std::string valueText(double value, AxisUnit quantity)
{
    switch (quantity) {
    case AxisUnit::seconds:
        return formatLatency(Nanoseconds(std::llround(value * 1e9)));
    case AxisUnit::percent:
        return formatNumber(value) + " %";
    case AxisUnit::bytesPerSecond:
        return formatBytes(static_cast<std::uint64_t>(std::max(0.0, value))) + "/s";
    case AxisUnit::number:
        break;
    }
    return rate(value);
}

/// "95th percentile: 12 ms to 80 ms".
std::string curveTitle(const Curve& curve, AxisUnit quantity)
{
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Point& point : curve.points)
        if (std::isfinite(point.y)) {
            least = std::min(least, point.y);
            most = std::max(most, point.y);
        }
    if (most < least)
        return curve.name;
    return fmt::format("{}: {} to {}", curve.name, valueText(least, quantity), valueText(most, quantity));
}

void drawCurve(
    const Curve& curve, AxisUnit quantity, const Frame& frame, const char* colour, std::string& out)
{
    std::string path, marks;
    bool drawing = false;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const Point& point = curve.points[i];
        if (!std::isfinite(point.y)) {
            drawing = false;
            continue;
        }
        const double x = frame.left(point.x), y = frame.top(point.y);
        path += fmt::format("{}{:.1f} {:.1f}", drawing ? 'L' : 'M', x, y);
        const bool alone =
            !drawing && (i + 1 == curve.points.size() || !std::isfinite(curve.points[i + 1].y));
        drawing = true;
        if (curve.marked || alone) // a single point between gaps would be invisible
            marks += fmt::format(
                "<circle fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}: {}</title></circle>",
                colour, x, y, curve.marked ? 4 : 1.5, escaped(curve.name), valueText(point.y, quantity));
    }
    out += fmt::format("<path class=\"curve\" stroke=\"{}\" d=\"{}\"><title>{}</title></path>{}", colour,
        path, escaped(curveTitle(curve, quantity)), marks);
}

} // namespace

std::string escaped(const std::string& text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        // How many bytes follow in a well-formed sequence; overlong forms are not worth telling apart on a
        // page.
        const std::size_t more = c < 0x80 ? 0
            : c >= 0xC2 && c < 0xE0       ? 1
            : c >= 0xE0 && c < 0xF0       ? 2
            : c >= 0xF0 && c < 0xF5       ? 3
                                          : 99;
        bool whole = i + more < text.size();
        for (std::size_t k = 1; whole && k <= more; ++k)
            whole = (static_cast<unsigned char>(text[i + k]) & 0xC0U) == 0x80U;
        if (!whole || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
            out += "\xEF\xBF\xBD";
            ++i;
            continue;
        }
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default: // what turns the order of letters stands there as an escape
            out += plainLines(std::string_view(text).substr(i, more + 1));
        }
        i += more + 1;
    }
    return out;
}

std::string chartFigure(const Chart& chart)
{
    const Frame frame = frameOf(chart);
    std::string out = fmt::format("<figure><figcaption><b>{}</b>{}", escaped(chart.title),
        frame.y.logarithmic ? " <span class=\"scale\">(logarithmic scale)</span>" : "");
    if (!chart.curves.empty()) {
        out += "<span class=\"legend\">";
        for (std::size_t i = 0; i < chart.curves.size(); ++i)
            out += fmt::format("<span><svg width=\"22\" height=\"10\" aria-hidden=\"true\"><line x1=\"1\" "
                               "x2=\"21\" y1=\"5\" "
                               "y2=\"5\" stroke=\"{}\" stroke-width=\"3\"/></svg>{}</span>",
                kColours[i % kColours.size()], escaped(chart.curves[i].name));
        out += "</span>";
    }
    out +=
        fmt::format("</figcaption><svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
            kWidth, kHeight, escaped(chart.title));
    drawBands(chart, frame, out);
    drawAxes(chart, frame, out);
    for (std::size_t i = chart.curves.size(); i-- > 0;) // the first curve on top
        drawCurve(chart.curves[i], chart.quantity, frame, kColours[i % kColours.size()], out);
    out += "</svg>";
    std::string note = chart.note;
    if (const double most = cutOff(chart, frame); most > 0)
        note += fmt::format("{}The drain's values go up to {} and are cut off at the top.",
            note.empty() ? "" : " ", valueText(most, chart.quantity));
    if (!note.empty())
        out += "<p class=\"note\">" + escaped(note) + "</p>";
    return out + "</figure>\n";
}

} // namespace loadstone::report
