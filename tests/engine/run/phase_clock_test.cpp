// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/phase_clock.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::run;
using namespace std::chrono_literals;

TEST_CASE("a run goes through its phases; those without a length are no phases")
{
    PhaseClock clock({ { 0, "a", PhaseKind::rampUp, 0s }, { 0, "a", PhaseKind::measurement, 10s },
        { 0, "a", PhaseKind::rampDown, 0s }, { 0, "a", PhaseKind::quiet, -1s },
        { -1, "", PhaseKind::drain, 5s }, { -1, "", PhaseKind::quiet, 0s } });
    REQUIRE_FALSE(clock.over());
    CHECK(clock.current() == Phase { 0, 0, "a", PhaseKind::measurement, 0s, 10s, true });
    CHECK(clock.runEnd() == 15s);
    CHECK(clock.advance(10s) == Phase { 0, 0, "a", PhaseKind::measurement, 0s, 10s, false });
    CHECK(clock.current() == Phase { 1, -1, "", PhaseKind::drain, 10s, 15s, true });
    CHECK(clock.advance(12s) == Phase { 1, -1, "", PhaseKind::drain, 10s, 12s, false }); // done early
    CHECK(clock.over());
    CHECK(clock.runEnd() == 12s);
}

TEST_CASE("a phase that ends early or late moves all that follow")
{
    PhaseClock clock({ { 0, "a", PhaseKind::measurement, 10s }, { 1, "b", PhaseKind::measurement, 10s } });
    clock.advance(3s);
    CHECK(clock.phaseEnd() == 13s);
    CHECK(clock.runEnd() == 13s);
}

TEST_CASE("lengths of phases that end when they are done are bounds: they are no planned ends")
{
    constexpr Nanoseconds kBound = 168h;
    PhaseClock clock({ { 0, "a", PhaseKind::measurement, 10s }, { -1, "", PhaseKind::initialisation, kBound },
        { 1, "b", PhaseKind::measurement, kBound, true }, { 1, "b", PhaseKind::quiet, 5s } });
    CHECK(clock.runEnd() == 15s);
    CHECK(clock.endIsOpen());
    clock.advance(10s);
    CHECK(clock.current() == Phase { 1, -1, "", PhaseKind::initialisation, 10s, 10s, true });
    CHECK(clock.phaseEnd() == 10s + kBound);
    CHECK(clock.runEnd() == clock.phaseEnd() + 5s); // the present one's bound, none of later ones
    CHECK(clock.advance(12s) == Phase { 1, -1, "", PhaseKind::initialisation, 10s, 12s, false });
    CHECK(clock.current() == Phase { 2, 1, "b", PhaseKind::measurement, 12s, 12s, true });
    CHECK(clock.runEnd() - clock.phaseEnd() == 5s);
    CHECK_FALSE(clock.endIsOpen()); // of what follows
    clock.advance(20s);
    CHECK(clock.current() == Phase { 3, 1, "b", PhaseKind::quiet, 20s, 25s, true });
    CHECK(clock.runEnd() == 25s);
}

TEST_CASE("a run that is ended has no further phases")
{
    PhaseClock clock({ { 0, "a", PhaseKind::measurement, 10s }, { 1, "b", PhaseKind::measurement, 10s } });
    CHECK(clock.finish(4s).end == 4s);
    CHECK(clock.over());
    CHECK(PhaseClock({}).over());
}
