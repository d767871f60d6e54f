// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/trend.h"

#include "metrics/ranks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace loadstone::metrics {

namespace {

constexpr std::size_t kMostSamples = 500; // 125,000 pairs
constexpr std::size_t kStretches = 60;
constexpr std::size_t kLeastSamples = 10;

std::vector<Sample> meansOf(std::span<const Sample> samples)
{
    const std::size_t count = std::min(samples.size(), kStretches);
    std::vector<Sample> means(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i * samples.size() / count, end = (i + 1) * samples.size() / count;
        for (std::size_t j = begin; j < end; ++j) {
            means[i].at += samples[j].at / static_cast<double>(end - begin);
            means[i].value += samples[j].value / static_cast<double>(end - begin);
        }
    }
    return means;
}

/// By how much autocorrelation widens the variance of Kendall's sum: Hamed and Rao's formula over the significant
/// coefficients of the ranks, at least 1.
double widening(const std::vector<double>& ranks)
{
    const std::size_t n = ranks.size();
    const auto size = static_cast<double>(n);
    const double mean = (size + 1) / 2;
    double variance = 0;
    for (const double rank : ranks)
        variance += (rank - mean) * (rank - mean);
    if (variance == 0)
        return 1;
    double sum = 0;
    for (std::size_t lag = 1; lag + 2 < n; ++lag) {
        double covariance = 0;
        for (std::size_t i = 0; i + lag < n; ++i)
            covariance += (ranks[i] - mean) * (ranks[i + lag] - mean);
        const double coefficient = covariance / variance;
        const auto left = static_cast<double>(n - lag);
        if (std::abs(coefficient) > 1.96 / std::sqrt(size))
            sum += left * (left - 1) * (left - 2) * coefficient;
    }
    return std::max(1.0, 1 + 2 / (size * (size - 1) * (size - 2)) * sum);
}

/// The variance of Kendall's sum of independent values, ties counted.
double kendallVariance(std::vector<double> values)
{
    const auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
    double variance = term(static_cast<double>(values.size()));
    std::sort(values.begin(), values.end());
    for (auto begin = values.begin(); begin != values.end();) {
        const auto end = std::upper_bound(begin, values.end(), *begin);
        variance -= end - begin > 1 ? term(static_cast<double>(end - begin)) : 0;
        begin = end;
    }
    return variance / 18;
}

} // namespace

double robustSlope(std::span<const Sample> samples)
{
    std::vector<Sample> taken;
    const std::size_t count = std::min(samples.size(), kMostSamples);
    for (std::size_t i = 0; i < count; ++i)
        taken.push_back(samples[i * samples.size() / count]);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < taken.size(); ++i)
        for (std::size_t j = i + 1; j < taken.size(); ++j)
            if (taken[j].at > taken[i].at)
                slopes.push_back((taken[j].value - taken[i].value) / (taken[j].at - taken[i].at));
    if (slopes.empty())
        return 0;
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::nth_element(slopes.begin(), middle, slopes.end());
    if (slopes.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(slopes.begin(), middle)) / 2;
}

std::optional<Growth> growthOf(std::span<const Sample> samples)
{
    if (samples.size() < kLeastSamples)
        return std::nullopt;
    const std::vector<Sample> means = meansOf(samples);
    Growth growth;
    growth.slope = robustSlope(means);
    double sum = 0;
    std::vector<double> values, detrended;
    for (std::size_t i = 0; i < means.size(); ++i) {
        for (std::size_t j = i + 1; j < means.size(); ++j)
            sum += means[j].value > means[i].value ? 1 : means[j].value < means[i].value ? -1 : 0;
        values.push_back(means[i].value);
        detrended.push_back(means[i].value - growth.slope * means[i].at);
    }
    const double variance = kendallVariance(values) * widening(ranksOf(detrended));
    const auto middle = detrended.begin() + static_cast<std::ptrdiff_t>(detrended.size() / 2);
    std::nth_element(detrended.begin(), middle, detrended.end());
    growth.begin = *middle + growth.slope * samples.front().at;
    if (variance > 0 && sum != 0)
        growth.deviations = (sum - (sum > 0 ? 1 : -1)) / std::sqrt(variance);
    return growth;
}

std::optional<std::size_t> settledFrom(std::span<const double> samples)
{
    constexpr std::size_t kMostBatches = 500, kBatch = 5;
    if (samples.size() < kLeastToSettle)
        return std::nullopt;
    const std::size_t batch = std::max(kBatch, (samples.size() + kMostBatches - 1) / kMostBatches);
    const std::size_t count = samples.size() / batch;
    const std::size_t skipped = samples.size() - count * batch; // of the beginning, so that the end is whole
    std::vector<double> means(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < batch; ++j)
            means[i] += samples[skipped + i * batch + j] / static_cast<double>(batch);
    // From the end backwards: mean and sum of squares of the rest (Welford).
    double mean = 0, squares = 0, best = 0;
    std::size_t chosen = count;
    for (std::size_t i = count; i-- > 0;) {
        const auto rest = static_cast<double>(count - i);
        const double difference = means[i] - mean;
        mean += difference / rest;
        squares += difference * (means[i] - mean);
        if (count - i < kBatch)
            continue; // the error of a few means is itself chance
        const double error = squares / (rest * rest);
        if (chosen == count || error <= best) {
            best = error;
            chosen = i;
        }
    }
    if (chosen > count / 2)
        return std::nullopt;
    return chosen == 0 ? 0 : skipped + chosen * batch;
}

} // namespace loadstone::metrics
