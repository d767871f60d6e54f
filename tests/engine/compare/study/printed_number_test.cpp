// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/external_result.h>

using namespace loadstone;

TEST_CASE("a printed number keeps its digits and says how far the exact one may be from it")
{
    const auto number = parsePrinted("36,589.88", "/s");
    REQUIRE(number);
    CHECK(number->text == "36,589.88");
    CHECK(number->value == 36589.88);
    CHECK(number->slack == Approx(0.005));
    CHECK(number->decimals == 2);

    CHECK(parsePrinted("75%", "%")->value == 75);
    CHECK(parsePrinted("18,040", "", PrintedAs::cut)->slack == 1);
    CHECK(parsePrinted("3533.504", "/s")->value == 3533.504);
    CHECK(parsePrinted("-1.5", "")->value == -1.5);
}

TEST_CASE("a printed number is read in the unit of its figure")
{
    CHECK(parsePrinted("0.25 s", "ms")->value == Approx(250.0));
    CHECK(parsePrinted("0.25 s", "ms")->slack == Approx(5.0));
    CHECK(parsePrinted("1.549GB", "bytes")->value == Approx(1.549 * 1073741824));
    CHECK(parsePrinted("4.25 hours", "s")->value == Approx(15300.0));
    CHECK(*inUnit(3154, "Kbps", "Mbit/s") == Approx(3.154));
    CHECK(*inUnit(8, "Mbit/s", "bytes/s") == Approx(1e6));
    CHECK(*inUnit(3600, "messages/h", "messages/s") == Approx(1.0));
    CHECK(*inUnit(50, "%", "") == Approx(0.5));
    CHECK(*inUnit(7, "IOPS", "transfers/s") == Approx(7.0));
    CHECK_FALSE(inUnit(1, "messages/s", "recipients/s"));
    CHECK_FALSE(inUnit(1, "ms", "MB"));
    CHECK(inUnit(1, "pages", "Pages") == 1.0);
}

TEST_CASE("words in front of a printed number say what it is")
{
    CHECK(parsePrinted("about 73%", "%")->how == PrintedAs::about);
    CHECK(parsePrinted("~ 50,000", "")->slack == 5000);
    CHECK(parsePrinted("≥ 3", "")->how == PrintedAs::atLeast);
    CHECK(parsePrinted("less than 10", "Mbit/s")->how == PrintedAs::atMost);
    CHECK(parsePrinted("about 0", "")->slack == 0.5);
}

TEST_CASE("what is no printed number is refused with what would be right")
{
    for (const char* text : { "", "n/a", "1,23", "12,34,567", "1.2.3", "1.", ".5", "--3", "75 apples%",
             "0x10", "1e5", "99999999999999999999999999999999999999999999999999" })
        CHECK_FALSE(parsePrinted(text, "%"));
    CHECK_THAT(parsePrinted("n/a", "%").error().message, ContainsSubstring("write it like"));
    CHECK_THAT(parsePrinted("3 ms", "MB").error().message, ContainsSubstring("is printed in ms"));
    CHECK_THAT(parsePrinted(std::string(5000, '9'), "").error().message, ContainsSubstring("too long"));
}
