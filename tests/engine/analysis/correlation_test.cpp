// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/correlation.h"
#include "support/catch.h"

#include <array>
#include <cmath>
#include <limits>

using loadstone::analysis::correlationByLag;
using loadstone::analysis::ranksOf;

namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("ranks are places among what is there, and equal values share the mean of theirs")
{
    const std::array series { 3.0, kNotThere, 1e9, 3.0, -7.0 };
    const auto ranks = ranksOf(series);
    REQUIRE(ranks.size() == 5);
    CHECK(ranks[4] == 0);
    CHECK(ranks[0] == Approx(1.5 / 4));
    CHECK(ranks[3] == ranks[0]);
    CHECK(ranks[2] == Approx(3.0 / 4));
    CHECK(std::isnan(ranks[1]));
    CHECK(ranksOf({}).empty());
}

TEST_CASE("a correlation is of the pairs that are there at each lag")
{
    const std::array a { 1.0, 5.0, 2.0, kNotThere, 4.0, 3.0, 9.0, 7.0 };
    const std::array b { 5.0, 2.0, kNotThere, 4.0, 3.0, 9.0, 7.0 }; // a, one place later
    const auto curve = correlationByLag(a, b, 3, 4);
    REQUIRE(curve.size() == 7);
    CHECK(curve[3 + 1] == Approx(1));
    for (const std::size_t other : { 2, 3, 5 })
        CHECK(curve[other] < 0.999);
    CHECK(std::isnan(correlationByLag(a, b, 7, 4).front())); // too few pairs
}
