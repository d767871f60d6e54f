// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_line.h"

#include <algorithm>
#include <cmath>

namespace loadstone::ui {

std::vector<QList<QPointF>> linePieces(const std::vector<CounterBand>& bands, double scale)
{
    std::vector<QList<QPointF>> pieces;
    Nanoseconds lastEnd { -1 };
    for (const CounterBand& band : bands) {
        if (pieces.empty() || band.begin != lastEnd)
            pieces.emplace_back();
        lastEnd = band.end;
        QList<QPointF>& piece = pieces.back();
        const double end = seconds(band.end);
        if (band.minimum == band.maximum) {
            piece.append({ end, band.average * scale });
        } else {
            const double middle = (seconds(band.begin) + end) / 2;
            // First the extreme nearer to where the line comes from: no needless zigzag.
            const double from = piece.isEmpty() ? band.minimum * scale : piece.last().y();
            const bool lowFirst
                = std::abs(from - band.minimum * scale) <= std::abs(from - band.maximum * scale);
            piece.append({ middle, (lowFirst ? band.minimum : band.maximum) * scale });
            piece.append({ end, (lowFirst ? band.maximum : band.minimum) * scale });
        }
    }
    std::size_t index = 0;
    for (auto& piece : pieces) { // a lone sample holds for its whole band
        if (piece.size() == 1) {
            const auto it = std::find_if(bands.begin() + static_cast<std::ptrdiff_t>(index), bands.end(),
                [&](const CounterBand& b) { return seconds(b.end) == piece.first().x(); });
            index = static_cast<std::size_t>(it - bands.begin());
            piece.prepend({ seconds(it->begin), piece.first().y() });
        }
    }
    return pieces;
}

const CounterBand* bandAt(const std::vector<CounterBand>& bands, Nanoseconds at)
{
    const auto it = std::lower_bound(
        bands.begin(), bands.end(), at, [](const CounterBand& b, Nanoseconds t) { return b.end < t; });
    return it != bands.end() && it->begin <= at ? &*it : nullptr;
}

double automaticScale(const std::vector<CounterBand>& bands)
{
    double largest = 0;
    for (const CounterBand& b : bands)
        largest = std::max(largest, std::max(std::abs(b.minimum), std::abs(b.maximum)));
    if (largest == 0 || !std::isfinite(largest))
        return 1;
    const double exponent = std::floor(std::log10(100 / largest) + 1e-9); // 100 itself still fits
    return std::pow(10, std::clamp(exponent, -12.0, 7.0));
}

} // namespace loadstone::ui
