// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/comparison_dots.h"

#include "report/svg.h"
#include "report/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace loadstone::report {

namespace {

constexpr double kDotsWidth = 960, kDotsLeft = 330, kDotsRight = 70, kDotsTop = 26, kDotsLine = 18,
                 kDotsBottom = 30;
constexpr double kDotsPlot = kDotsWidth - kDotsLeft - kDotsRight;
constexpr std::size_t kMostDots = 40;
constexpr double kLeastSpan = 0.02,
                 kMostSpan = 2; // of the axis, as shares; what is further out is a triangle at its end
bool isDrawn(const Comparison& comparison, const ComparisonRow& row)
{
    const auto& base = row.cells[comparison.options.baseline].value;
    return base && *base > 0
        && std::ranges::any_of(row.cells, [](const ComparedCell& cell) { return cell.change.has_value(); });
}

/// The change of one value from the baseline's mean.
double changeOf(const ComparisonRow& row, std::size_t baseline, double value)
{
    return value / *row.cells[baseline].value - 1;
}

/// What chance alone makes of a row, as shares of the baseline's mean: down to `from` and up to `to`.
struct ChanceBand {
    double from = 0, to = 0;
};

/// Figures that are compared by their logarithms fall by half as easily as they double, and never by more than all.
ChanceBand chanceOf(const ComparisonRow& row)
{
    const bool logarithmic = row.spread && row.spread->logarithmic;
    ChanceBand band;
    for (const ComparedCell& cell : row.cells) {
        const double change = cell.criticalChange.value_or(0);
        if (!(change > 0))
            continue;
        const bool falls = cell.difference.value_or(0) <= 0; // as the critical change was taken
        const double up = logarithmic && falls ? (change < 1 ? 1 / (1 - change) - 1 : kMostSpan) : change;
        band.to = std::max(band.to, up);
        band.from = std::min(band.from, logarithmic ? 1 / (1 + up) - 1 : -up);
    }
    return band;
}

double spanOf(const std::vector<const ComparisonRow*>& rows, std::size_t baseline)
{
    double span = kLeastSpan;
    for (const ComparisonRow* row : rows) {
        for (const ComparedCell& cell : row->cells)
            for (const RunDot& dot : cell.dots)
                if (dot.value)
                    span = std::max(span, std::abs(changeOf(*row, baseline, *dot.value)));
        span = std::max(span, chanceOf(*row).to);
    }
    return std::min(span * 1.05, kMostSpan);
}

/// Where the axis begins: what is above 0 cannot fall by more than 100 %.
double lowestOf(const std::vector<const ComparisonRow*>& rows, std::size_t baseline, double span)
{
    double lowest = std::min(span, 1.0);
    for (const ComparisonRow* row : rows)
        for (const ComparedCell& cell : row->cells)
            for (const RunDot& dot : cell.dots)
                if (dot.value && changeOf(*row, baseline, *dot.value) < -1)
                    lowest = span;
    return -lowest;
}

/// A round step with about four of them on each side.
double stepOf(double span)
{
    const double raw = span / 4, unit = std::pow(10, std::floor(std::log10(raw)));
    for (const double times : { 1.0, 2.0, 5.0 })
        if (times * unit >= raw)
            return times * unit;
    return 10 * unit;
}

} // namespace

std::string dotFigure(const Comparison& comparison, const ComparisonMix& mix)
{
    const std::size_t baseline = comparison.options.baseline;
    std::vector<const ComparisonRow*> rows;
    for (const ComparisonRow& row : mix.rows)
        if (rows.size() < kMostDots && isDrawn(comparison, row))
            rows.push_back(&row);
    if (rows.empty())
        return {};
    const double span = spanOf(rows, baseline), lowest = lowestOf(rows, baseline, span),
                 height = kDotsTop + kDotsLine * static_cast<double>(rows.size()) + kDotsBottom;
    const auto left = [&](double change) {
        return kDotsLeft + (std::clamp(change, lowest, span) - lowest) / (span - lowest) * kDotsPlot;
    };
    const std::string title = fmt::format("Runs against the mean of {}{}", comparison.columns[baseline],
        mix.name.empty() ? "" : ": " + mix.name);
    std::string out = fmt::format("<figure><figcaption><b>{}</b><span class=\"legend\">", escaped(title));
    for (std::size_t c = 0; c < comparison.columns.size(); ++c)
        out += fmt::format(
            "<span><svg width=\"12\" height=\"10\" aria-hidden=\"true\"><circle cx=\"6\" cy=\"5\" r=\"4\" "
            "fill=\"{}\"/></svg>{}</span>",
            kColours[c % kColours.size()], escaped(comparison.columns[c]));
    out += fmt::format(
        "</span></figcaption><svg class=\"chart\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">",
        kDotsWidth, height, escaped(title));
    const double bottom = height - kDotsBottom, step = stepOf(span);
    for (double at = std::ceil(lowest / step - 1e-9) * step; at <= span; at += step) {
        out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.1f}\"/>",
            left(at), kDotsTop, bottom);
        out += fmt::format("<text class=\"x\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left(at), bottom + 16,
            std::abs(at) < step / 2 ? std::string("0 %") : fmt::format("{:+.4g} %", 100 * at));
    }
    bool anyBeyond = false;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const ComparisonRow& row = *rows[r];
        double most = 0;
        const double y = kDotsTop + kDotsLine * (static_cast<double>(r) + 0.5);
        out += fmt::format("<text class=\"y\" x=\"{}\" y=\"{:.1f}\">{}</text>", kDotsLeft - 8, y + 4,
            escaped(shortenedName(row.label, 50)));
        if (const ChanceBand chance = chanceOf(row); chance.to > 0)
            out += fmt::format("<rect class=\"ramp\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                               "height=\"{}\"><title>needed: "
                               "{} or {}</title></rect>",
                left(chance.from), y - kDotsLine / 2 + 2, left(chance.to) - left(chance.from), kDotsLine - 4,
                difference(chance.from), difference(chance.to));
        for (std::size_t c = 0; c < row.cells.size(); ++c)
            for (const RunDot& dot : row.cells[c].dots) {
                if (!dot.value || !dot.counts) // left out of the means
                    continue;
                const double change = changeOf(row, baseline, *dot.value);
                const char* colour = kColours[c % kColours.size()];
                most = std::max(most, change);
                if (change > span) { // nothing is more than 100 % below
                    out += fmt::format("<path d=\"M{0:.1f} {1:.1f}l8 4l-8 4z\" fill=\"{2}\"><title>{3}: "
                                       "{4}</title></path>",
                        left(span), y - 4, colour, escaped(comparison.columns[c]), difference(change));
                    continue;
                }
                if (dot.withinError) {
                    const double half = 1.96 * *dot.withinError / *row.cells[baseline].value;
                    out += fmt::format(
                        "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
                        "stroke-width=\"1\"/>",
                        left(change - half), left(change + half), y, colour);
                }
                out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\" "
                                   "fill-opacity=\"0.75\"><title>{}: "
                                   "{}</title></circle>",
                    left(change), y, colour, escaped(comparison.columns[c]), difference(change));
            }
        if (most > span)
            out += fmt::format("<text class=\"x\" style=\"text-anchor: start\" x=\"{:.1f}\" y=\"{:.1f}\">"
                               "{:+.0f} %</text>",
                left(span) + 12, y + 4, 100 * most);
        anyBeyond = anyBeyond || most > span;
    }
    out += "</svg>";
    out += "<p class=\"note\">Each dot is a run; the thin line through it is what fluctuates within it. The "
           "grey band is the largest difference that "
           "chance alone makes of one row.";
    if (anyBeyond)
        out += " A triangle is a run beyond the axis; beside it is the largest difference of its row.";
    return out + "</p></figure>\n";
}

} // namespace loadstone::report
