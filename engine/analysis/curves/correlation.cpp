// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/correlation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

namespace loadstone::analysis {

namespace {

using Spectrum = std::vector<std::complex<double>>;

/// In place, of a power of two values; Cooley and Tukey (1965).
void transform(Spectrum& values, bool inverse)
{
    const std::size_t size = values.size();
    for (std::size_t i = 1, j = 0; i < size; ++i) {
        std::size_t bit = size >> 1U;
        for (; (j & bit) != 0; bit >>= 1U)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
    Spectrum turns(size / 2); // each with full precision, not as powers of the one before
    for (std::size_t i = 0; i < turns.size(); ++i)
        turns[i] = std::polar(
            1.0, (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));
    for (std::size_t length = 2; length <= size; length <<= 1U)
        for (std::size_t begin = 0; begin < size; begin += length)
            for (std::size_t i = 0; i < length / 2; ++i) {
                std::complex<double>& low = values[begin + i];
                std::complex<double>& high = values[begin + i + length / 2];
                const std::complex<double> turned = high * turns[i * (size / length)];
                high = low - turned;
                low += turned;
            }
    if (inverse)
        for (std::complex<double>& value : values)
            value /= static_cast<double>(size);
}

/// A series with mean 0 and deviation 1, 0 where it is missing, and the spectra that sums over pairs are made of.
struct Masked {
    Masked(std::span<const double> series, std::size_t size)
        : there(size)
        , value(size)
        , square(size)
    {
        double sum = 0, count = 0, squares = 0;
        for (const double one : series)
            if (!std::isnan(one)) {
                sum += one;
                ++count;
            }
        const double mean = count > 0 ? sum / count : 0;
        for (const double one : series)
            if (!std::isnan(one))
                squares += (one - mean) * (one - mean);
        const double deviation = count > 0 ? std::sqrt(squares / count) : 0;
        varies = deviation > 1e-9 * std::abs(mean) && deviation > 0;
        for (std::size_t i = 0; varies && i < series.size(); ++i)
            if (!std::isnan(series[i])) {
                const double scaled = (series[i] - mean) / deviation;
                there[i] = 1;
                value[i] = scaled;
                square[i] = scaled * scaled;
            }
        for (Spectrum* spectrum : { &there, &value, &square })
            transform(*spectrum, false);
    }
    Spectrum there, value, square;
    bool varies = false;
};

/// For each shift the sum of a[i + shift] b[i], shifts below 0 at the end.
std::vector<double> sums(const Spectrum& a, const Spectrum& b)
{
    Spectrum product(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        product[i] = a[i] * std::conj(b[i]);
    transform(product, true);
    std::vector<double> real(a.size());
    std::ranges::transform(
        product, real.begin(), [](const std::complex<double>& value) { return value.real(); });
    return real;
}

} // namespace

std::vector<double> correlationByLag(
    std::span<const double> a, std::span<const double> b, std::size_t reach, double leastPairs)
{
    std::vector<double> curve(2 * reach + 1, std::numeric_limits<double>::quiet_NaN());
    const std::size_t size = std::bit_ceil(a.size() + b.size() + 2 * reach + 1);
    const Masked one(a, size), other(b, size);
    if (!one.varies || !other.varies)
        return curve;
    const auto pairs = sums(one.there, other.there), ofA = sums(one.value, other.there),
               ofB = sums(one.there, other.value), squaresA = sums(one.square, other.there),
               squaresB = sums(one.there, other.square), products = sums(one.value, other.value);
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const std::size_t shift = (i + size - reach) % size;
        const double count = std::round(pairs[shift]);
        if (count < std::max(2.0, leastPairs))
            continue;
        const double spreadA = squaresA[shift] - ofA[shift] * ofA[shift] / count;
        const double spreadB = squaresB[shift] - ofB[shift] * ofB[shift] / count;
        const double least = 1e-9 * count; // what rounding leaves where nothing varies
        if (spreadA <= least || spreadB <= least)
            continue;
        curve[i] = std::clamp(
            (products[shift] - ofA[shift] * ofB[shift] / count) / std::sqrt(spreadA * spreadB), -1.0, 1.0);
    }
    return curve;
}

bool findPeak(std::span<const double> curve, CurvePeak& peak)
{
    peak = {};
    for (std::size_t i = 0; i < curve.size(); ++i)
        if (curve[i] > peak.value) {
            peak.at = i;
            peak.value = curve[i];
        }
    if (!(peak.value > 0))
        return false;
    peak.first = peak.last = peak.at;
    while (peak.first > 0 && curve[peak.first - 1] >= peak.value / 2)
        --peak.first;
    while (peak.last + 1 < curve.size() && curve[peak.last + 1] >= peak.value / 2)
        ++peak.last;
    const std::size_t width = peak.last - peak.first + 1;
    const auto above = [&](std::size_t i, std::size_t beside) {
        return beside >= curve.size() || std::isnan(curve[beside]) || curve[i] >= curve[beside];
    };
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const std::size_t away = i > peak.at ? i - peak.at : peak.at - i;
        if (away > width && curve[i] > peak.secondValue && above(i, i + 1) && (i == 0 || above(i, i - 1))) {
            peak.second = i;
            peak.secondValue = curve[i];
        }
    }
    return true;
}

} // namespace loadstone::analysis
