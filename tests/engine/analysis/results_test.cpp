// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/recording.h>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

TEST_CASE("a mix's results cover its measurement and its final window", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 30);
    const auto results = computeResults(Recording::open(file).value()).value();
    CHECK(results.state == RunState::finished);
    CHECK(results.valid);
    REQUIRE(results.mixes.size() == 1);
    const MixResult& mix = results.mixes[0];
    CHECK(mix.name == "500 users");
    CHECK(mix.complete);
    CHECK(mix.measured.sent == 330);
    CHECK(mix.measured.sentPerSecond == Approx(11.0));
    CHECK(mix.measured.receivedToSent.value() == Approx(3.0));
    CHECK(mix.finalWindow.begin == 20s);
    CHECK(mix.finalWindow.sent == 111);
    CHECK(mix.errorRate == Approx(30.0 / 360));
    REQUIRE(mix.actions.size() == 1);
    CHECK(mix.actions[0].response->count == 330);
    CHECK(mix.actions[0].service.minimum == 2ms);
    REQUIRE(mix.errors.size() == 2);
    CHECK(mix.errors[0] == ErrorRow { "POP3 PASS", "timeout", 0, 6 });
}
