// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_line.h"

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

namespace {

double placeOf(const CounterBand& band)
{
    return seconds(band.begin + band.end) / 2;
}

/// Calls `use(first, last)` for each stretch of bands without a gap, both inclusive.
template <class Use>
void forUnbroken(const std::vector<CounterBand>& bands, Use use)
{
    for (std::size_t first = 0; first < bands.size();) {
        std::size_t last = first;
        while (last + 1 < bands.size() && bands[last + 1].begin == bands[last].end)
            ++last;
        use(first, last);
        first = last + 1;
    }
}

} // namespace

std::vector<QList<QPointF>> linePieces(const std::vector<CounterBand>& bands, double scale)
{
    std::vector<QList<QPointF>> pieces;
    forUnbroken(bands, [&](std::size_t first, std::size_t last) {
        QList<QPointF> piece;
        if (first == last) { // a lone sample holds for its whole band
            piece.append({ seconds(bands[first].begin), bands[first].average * scale });
            piece.append({ seconds(bands[first].end), bands[first].average * scale });
        } else {
            for (std::size_t i = first; i <= last; ++i)
                piece.append({ placeOf(bands[i]), bands[i].average * scale });
        }
        pieces.push_back(std::move(piece));
    });
    return pieces;
}

std::vector<QPolygonF> lineRanges(const std::vector<CounterBand>& bands, double scale)
{
    std::vector<QPolygonF> ranges;
    forUnbroken(bands, [&](std::size_t first, std::size_t last) {
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

const CounterBand* bandAt(const std::vector<CounterBand>& bands, Nanoseconds at)
{
    const auto it = std::lower_bound(
        bands.begin(), bands.end(), at, [](const CounterBand& b, Nanoseconds t) { return b.end < t; });
    return it != bands.end() && it->begin <= at ? &*it : nullptr;
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

double automaticScale(const std::vector<CounterBand>& bands)
{
    const double largest = largestShown(bands);
    if (largest == 0 || !std::isfinite(largest))
        return 1;
    const double exponent = std::floor(std::log10(100 / largest) + 1e-9); // 100 itself still fits
    return std::pow(10, std::clamp(exponent, -12.0, 7.0));
}

} // namespace loadstone::ui
