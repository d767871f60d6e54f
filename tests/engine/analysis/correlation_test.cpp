// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/curves/correlation.h"
#include "support/catch.h"

#include <array>
#include <cmath>
#include <limits>

using loadstone::analysis::correlationByLag;

namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

} // namespace

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
