// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_suite.h"
#include "support/catch.h"

#include <loadstone/report.h>

#include <cstdio>
#include <cstdlib>

using namespace loadstone;

// Not part of a test run: report_test "[picture]" writes a large report to look at into $LOADSTONE_PICTURE.
TEST_CASE("a report of five mixes is written to look at", "[.picture]")
{
    const char* folder = std::getenv("LOADSTONE_PICTURE");
    REQUIRE(folder != nullptr);
    const std::filesystem::path root = folder;
    std::filesystem::remove(root / "picture.loadstone");
    test::SampleSuite suite;
    suite.mixes = 5;
    suite.rampUp = 60;
    suite.measurement = 240;
    suite.rampDown = 30;
    suite.quiet = suite.drain = 15;
    suite.title = "POP3/SMTP suite, small: 560 to 1,400 users";
    test::writeSampleSuite(root / "picture.loadstone", suite);
    const auto recording = Recording::open(root / "picture.loadstone");
    REQUIRE(recording);
    CHECK(writeHtmlReport(*recording, root / "picture.html"));
    CHECK(writeCsv(*recording, root / "picture.csv"));
    CHECK(writeJson(*recording, root / "picture.json"));
    std::fputs(formatResultTable(*computeResults(*recording), *verdictOf(*recording)).c_str(), stdout);
}
