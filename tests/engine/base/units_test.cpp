// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/recording.h>
#include <loadstone/units.h>

using namespace loadstone;
using namespace std::chrono_literals;

TEST_CASE("durations are read as people write them")
{
    CHECK(parseDuration("22 s").value() == 22s);
    CHECK(parseDuration("90min").value() == 90min);
    CHECK(parseDuration(" 1.5 h ").value() == 90min);
    CHECK(parseDuration("250 ms").value() == 250ms);
}

TEST_CASE("a duration without a unit, with an unknown one or without a number says what would be right")
{
    CHECK(parseDuration("22").error().message.find("no unit") != std::string::npos);
    CHECK(parseDuration("22 parsec").error().message.find("parsec") != std::string::npos);
    CHECK_FALSE(parseDuration("-3 s"));
    CHECK_FALSE(parseDuration("1.2.3 s"));
    CHECK_FALSE(parseDuration(""));
    CHECK_FALSE(parseDuration("900000 d"));
}

TEST_CASE("what formatDuration prints reads back to the same value")
{
    for (Nanoseconds t : { Nanoseconds(22s), Nanoseconds(330s), Nanoseconds(90min), Nanoseconds(5h + 30min),
             Nanoseconds(61s), Nanoseconds(1501ms), Nanoseconds(7ns), Nanoseconds(0) })
        CHECK(parseDuration(formatDuration(t)).value() == t);
}

TEST_CASE("sizes count 1024 bytes to the KB, rates are per second")
{
    CHECK(parseBytes("10 KB").value() == 10240);
    CHECK(parseBytes("1.5 MB").value() == 1572864);
    CHECK(parseRate("0.4/s").value() == Approx(0.4));
    CHECK(parseRate("1/h").value() == Approx(1.0 / 3600));
    CHECK_FALSE(parseRate("0.4"));
    CHECK_FALSE(parseBytes("10 kilos"));
}

TEST_CASE("latencies print three significant digits with a fitting unit")
{
    CHECK(formatLatency(845us) == "845 us");
    CHECK(formatLatency(12'345us) == "12.3 ms");
    CHECK(formatLatency(2'040ms) == "2.04 s");
    CHECK(formatClock(3725s) == "1:02:05");
}

TEST_CASE("a run id is accepted only in its own form")
{
    const RunId id = RunId::make();
    CHECK(RunId::parse(id.text()).value() == id);
    CHECK_FALSE(RunId::parse("../../etc/passwd"));
    CHECK_FALSE(RunId::parse("20261121-140305-7F3A"));
}
