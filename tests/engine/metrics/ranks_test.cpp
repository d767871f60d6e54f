// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/ranks.h"
#include "support/catch.h"

#include <array>
#include <cmath>
#include <limits>

using loadstone::metrics::ranksOf;

TEST_CASE("ranks are places among what is there, and equal values share the mean of theirs")
{
    const std::array series { 3.0, std::numeric_limits<double>::quiet_NaN(), 1e9, 3.0, -7.0 };
    const auto ranks = ranksOf(series);
    REQUIRE(ranks.size() == 5);
    CHECK(ranks[4] == 1);
    CHECK(ranks[0] == 2.5);
    CHECK(ranks[3] == 2.5);
    CHECK(ranks[2] == 4);
    CHECK(std::isnan(ranks[1]));
    CHECK(ranksOf({}).empty());
}
