// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace loadstone::analysis {

/// How alike two series are when the second is shifted by each of these lags, -reach to +reach: entry `reach + lag` is Pearson's coefficient
/// of all pairs a[i + lag], b[i] of which both are there, -1 to 1. NaN values are missing. NaN where fewer than `leastPairs` pairs are there,
/// and where one of the two does not vary over them. By fast Fourier transforms of masked series (Padfield, "Masked object registration in
/// the Fourier domain", IEEE Transactions on Image Processing 21, 2012): time n log n, memory some 200 bytes for each value.
std::vector<double> correlationByLag(
    std::span<const double> a, std::span<const double> b, std::size_t reach, double leastPairs);

/// The highest point of such a curve, how wide its peak is, and the highest one outside of it.
struct CurvePeak {
    std::size_t at = 0;
    double value = 0;
    /// Lags from where the curve rises above half of the peak to where it falls below it again.
    std::size_t first = 0, last = 0;
    std::size_t second = 0; ///< the highest local maximum farther from the peak than its width
    double secondValue = 0; ///< 0: there is none above 0
};
/// False where no value of the curve is above 0.
bool findPeak(std::span<const double> curve, CurvePeak& peak);

} // namespace loadstone::analysis
