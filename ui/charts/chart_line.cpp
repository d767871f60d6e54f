// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_line.h"

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

/// A value is known when its stretch has ended; a cursor reads it there, too. See valueAt().
double placeOf(const CounterBand& band)
{
    return seconds(band.end);
}

/// Calls `use(first, last)` for each stretch of bands without a gap, both inclusive.
template <class Use>
void forUnbroken(const std::vector<CounterBand>& bands, bool logarithmic, Use use)
{
    const auto drawn = [&](std::size_t i) { return !logarithmic || bands[i].average > 0; };
    for (std::size_t first = 0; first < bands.size();) {
        std::size_t last = first;
        while (last + 1 < bands.size() && bands[last + 1].begin == bands[last].end
            && drawn(last) == drawn(last + 1))
            ++last;
        if (drawn(first))
            use(first, last);
        first = last + 1;
    }
}

} // namespace

std::vector<QList<QPointF>> linePieces(const std::vector<CounterBand>& bands, double scale, bool logarithmic)
{
    std::vector<QList<QPointF>> pieces;
    forUnbroken(bands, logarithmic, [&](std::size_t first, std::size_t last) {
        QList<QPointF> piece;
        for (std::size_t i = first; i <= last; ++i)
            piece.append({ placeOf(bands[i]), bands[i].average * scale });
        pieces.push_back(std::move(piece));
    });
    return pieces;
}

std::vector<QPolygonF> lineRanges(const std::vector<CounterBand>& bands, double scale, bool logarithmic)
{
    std::vector<QPolygonF> ranges;
    forUnbroken(bands, logarithmic, [&](std::size_t first, std::size_t last) {
        bool wide = false;
        QPolygonF outline;
        for (std::size_t i = first; i <= last; ++i) {
            wide = wide || bands[i].minimum != bands[i].maximum;
            outline.append({ placeOf(bands[i]), bands[i].maximum * scale });
        }
        for (std::size_t i = last + 1; i-- > first;)
            outline.append({ placeOf(bands[i]), bands[i].minimum * scale });
        if (wide && last > first)
            ranges.push_back(std::move(outline));
    });
    return ranges;
}

double largestShown(const std::vector<CounterBand>& bands)
{
    constexpr std::size_t kFew = 100; // bands, below which none is left out
    constexpr double kBurst = 10;
    std::vector<double> amounts;
    amounts.reserve(bands.size());
    for (const CounterBand& b : bands)
        amounts.push_back(std::max(std::abs(b.minimum), std::abs(b.maximum)));
    if (amounts.empty())
        return 0;
    const double largest = *std::max_element(amounts.begin(), amounts.end());
    if (amounts.size() < kFew)
        return largest;
    const auto common = amounts.end() - 1 - static_cast<std::ptrdiff_t>(amounts.size() / 100);
    std::nth_element(amounts.begin(), common, amounts.end());
    return *common > 0 && largest > kBurst * *common ? *common : largest;
}

std::optional<ValueExtent> wholeExtent(const std::vector<CounterBand>& bands)
{
    if (bands.empty())
        return std::nullopt;
    const double most = largestShown(bands);
    ValueExtent extent { most, -most };
    for (const CounterBand& b : bands) {
        extent.minimum = std::min(extent.minimum, std::max(b.minimum, -most));
        extent.maximum = std::max(extent.maximum, std::min(b.maximum, most));
        const double positive = smallestPositive(b);
        if (positive > 0 && (extent.positive <= 0 || positive < extent.positive))
            extent.positive = positive;
        extent.peak = std::max(extent.peak, b.maximum);
    }
    return extent;
}

double smallestPositive(const CounterBand& band)
{
    for (const double value : { band.minimum, band.average, band.maximum })
        if (value > 0)
            return value;
    return 0;
}

ValueExtent joined(const ValueExtent& a, const ValueExtent& b)
{
    const bool both = a.positive > 0 && b.positive > 0;
    return { std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum),
        both ? std::min(a.positive, b.positive) : std::max(a.positive, b.positive),
        std::max(a.peak, b.peak) };
}

double automaticScale(const ValueExtent& extent)
{
    const double largest = std::max(std::abs(extent.minimum), std::abs(extent.maximum));
    if (largest == 0 || !std::isfinite(largest))
        return 1;
    const double exponent = std::floor(std::log10(100 / largest) + 1e-9); // 100 itself still fits
    return std::pow(10, std::clamp(exponent, -12.0, 7.0));
}

double automaticScale(const ValueExtent& extent, const QString& unit)
{
    return unit == QLatin1String("%") ? std::min(1.0, automaticScale(extent)) : automaticScale(extent);
}

double automaticScale(const std::vector<CounterBand>& bands)
{
    const auto extent = wholeExtent(bands);
    return extent ? automaticScale(*extent) : 1;
}

std::vector<std::optional<double>> automaticScales(const std::vector<ScaledLine>& lines)
{
    std::vector<std::optional<double>> scales;
    for (const ScaledLine& line : lines) {
        std::optional<ValueExtent> all;
        for (const ScaledLine& other : lines) {
            if (!other.whole || other.unit != line.unit || other.family != line.family)
                continue;
            all = all ? joined(*all, *other.whole) : *other.whole;
        }
        scales.push_back(line.whole && all ? std::optional(automaticScale(*all, line.unit)) : std::nullopt);
    }
    return scales;
}

} // namespace loadstone::ui
