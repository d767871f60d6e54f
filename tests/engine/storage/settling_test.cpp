// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/load/settling.h"
#include "support/catch.h"

#include <functional>
#include <optional>

using namespace loadstone;
using storage::Settling;
using State = Settling::State;

namespace {

constexpr std::uint64_t kDepth = 20'000'000;

/// In which second a load that goes on for twenty minutes leaves `changing`, and to what. `rate` and `depth`: of a second.
struct Left {
    int second = 0;
    State state = State::changing;
};
std::optional<Left> left(const std::function<double(int)>& rate, const std::function<double(int)>& depth,
    const std::function<bool(int)>& waiting)
{
    Settling settling(1000, 0.05, kDepth);
    double transfers = 0;
    for (int second = 1; second <= 1200; ++second) {
        transfers += rate(second);
        const State state =
            settling.update(std::chrono::seconds(second), static_cast<std::uint64_t>(transfers),
                static_cast<std::uint64_t>(depth(second)), waiting(second));
        if (state != State::changing)
            return Left { second, state };
    }
    return std::nullopt;
}

double full(int)
{
    return kDepth;
}
bool nobody(int)
{
    return false;
}

} // namespace

TEST_CASE("a load has settled after two minutes at its target, not one before")
{
    const auto at = left([](int) { return 1000.0; }, full, nobody);
    REQUIRE(at);
    CHECK(at->state == State::settled);
    CHECK(at->second == 121); // from the first sample on
    const auto later = left([](int second) { return second <= 100 ? 760.0 : 1000.0; }, full, nobody);
    REQUIRE(later);
    // With twelve seconds of 760 in it a minute is 4.8 % below.
    CHECK(later->second == 208);
}

TEST_CASE("a load that passes through its target has not settled")
{
    const auto at =
        left([](int second) { return second <= 300 ? 500.0 + second * 4 : 1000.0; }, full, nobody);
    REQUIRE(at);
    CHECK(at->state == State::settled);
    CHECK(at->second > 400);
    CHECK_FALSE(left([](int) { return 940.0; }, full, nobody));
    CHECK_FALSE(left([](int) { return 1060.0; }, full, nobody));
}

TEST_CASE(
    "while the log grows towards the checkpoint depth a load has not settled, though it is at its target")
{
    const auto grows = [](double most) {
        return [most](int second) { return std::min(most, second * 0.002 * kDepth); };
    };
    const auto at = left([](int) { return 1000.0; }, grows(kDepth), nobody);
    REQUIRE(at);
    CHECK(at->state == State::settled);
    CHECK(at->second == 450); // nine tenths
    // A small cache has its pages written before.
    const auto small = left([](int) { return 1000.0; }, grows(0.5 * kDepth), nobody);
    REQUIRE(small);
    CHECK(
        small->second == 285); // at 250 s it is full; a minute later there is a twentieth left of the growth
}

TEST_CASE("a target that the storage does not bear is not waited for")
{
    const auto at = left([](int) { return 600.0; }, full, [](int second) { return second > 30; });
    REQUIRE(at);
    CHECK(at->state == State::behind);
    CHECK(at->second == 151);
    // Now and then some wait anywhere.
    CHECK_FALSE(left([](int) { return 600.0; }, full, [](int second) { return second % 100 != 0; }));
}
