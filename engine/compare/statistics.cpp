// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/repeatability.h>

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace loadstone {

namespace {

namespace math = boost::math;
// Bad arguments give NaN, and no exception.
using Policy = math::policies::policy<math::policies::domain_error<math::policies::ignore_error>,
    math::policies::pole_error<math::policies::ignore_error>,
    math::policies::overflow_error<math::policies::ignore_error>,
    math::policies::evaluation_error<math::policies::ignore_error>,
    math::policies::promote_double<false>>; // double is exact enough by ten digits, and half the code
using StudentsT = math::students_t_distribution<double, Policy>;

double errorOf(const Repeatability& spread, std::size_t n1, std::size_t n2)
{
    return spread.deviation * std::sqrt(1 / static_cast<double>(n1) + 1 / static_cast<double>(n2));
}

} // namespace

bool isLogarithmic(const ComparedValue& value)
{
    if (value.statistic == Statistic::rate)
        return true;
    const bool spread = value.statistic == Statistic::mean || value.statistic == Statistic::percentile
        || value.statistic == Statistic::minimum || value.statistic == Statistic::maximum;
    return (spread && (value.unit == "s" || value.unit == "ms")) || value.unit.ends_with("/s");
}

double studentQuantile(double level, double degrees)
{
    return math::quantile(math::complement(StudentsT(degrees), level / 2));
}

double pairP(const Repeatability& spread, double difference, std::size_t n1, std::size_t n2)
{
    if (!(spread.degrees > 0) || n1 == 0 || n2 == 0 || std::isnan(difference) || difference == 0)
        return 1;
    if (!(spread.deviation > 0))
        return 0;
    const double t = std::abs(difference) / errorOf(spread, n1, n2);
    return std::min(1.0, 2 * math::cdf(math::complement(StudentsT(spread.degrees), t)));
}

double criticalDifference(const Repeatability& spread, double level, std::size_t n1, std::size_t n2)
{
    return studentQuantile(level, spread.degrees) * errorOf(spread, n1, n2);
}

std::vector<bool> holm(std::span<const double> p, double level)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<bool> shown(p.size(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!(p[order[i]] <= level / static_cast<double>(order.size() - i)))
            break; // and none of the larger ones
        shown[order[i]] = true;
    }
    return shown;
}

MoreRepeats repeatsToShow(
    const Repeatability& spread, double wanted, double level, std::size_t n1, std::size_t n2)
{
    constexpr std::size_t kMost = 8;
    MoreRepeats found;
    for (std::size_t more = 1; more <= kMost; ++more) {
        Repeatability then = spread;
        then.degrees += 2 * static_cast<double>(more); // the new runs are repeats, too
        found = { more, criticalDifference(then, level, n1 + more, n2 + more) };
        if (found.shows <= wanted)
            break;
    }
    return found;
}

} // namespace loadstone
