// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "document/row_value.h"
#include "support/catch.h"

#include <set>

using namespace loadstone;
using namespace loadstone::document;

namespace {

double number(std::string_view kind, std::string_view key, const std::string& text)
{
    const KeyRow* row = labPropertyRow(kind, key);
    REQUIRE(row != nullptr);
    const auto read = readText(*row, text);
    INFO(text);
    REQUIRE(std::holds_alternative<RowValue>(read));
    REQUIRE(std::get<RowValue>(read).number);
    return *std::get<RowValue>(read).number;
}

std::string fault(std::string_view kind, std::string_view key, const std::string& text)
{
    const auto read = readText(*labPropertyRow(kind, key), text);
    const auto* found = std::get_if<RowFault>(&read);
    return found == nullptr ? "" : found->message + "; " + found->remedy;
}

} // namespace

TEST_CASE("quantities are read in the unit of their row, however they are printed")
{
    CHECK(number("processor", "speed", "550 MHz") == 550);
    CHECK(number("processor", "speed", "2.66 GHz") == Approx(2660));
    CHECK(number("processor", "speed", "400Mhz") == 400);
    CHECK(number("drive", "speed", "15,000 RPM") == 15000);
    CHECK(number("drive", "speed", "10K RPM") == 10000);
    CHECK(number("drive", "speed", "7200 rpm") == 7200);
    CHECK(number("adapter", "speed", "8 Gb/s") == 8000);
    CHECK(number("adapter", "speed", "100Mbps") == 100);
    CHECK(number("adapter", "speed", "200 MB/s") == 1600);
    CHECK(number("adapter", "lanes", "x8") == 8);
    CHECK(number("adapter", "lanes", "16 x") == 16);
    CHECK(number("adapter", "bus_width", "64-bit") == 64);
    CHECK(number("memory", "speed", "4800 MT/s") == 4800);
    CHECK(number("memory", "speed", "400 MHz") == 400);
    CHECK(number("pool", "utilisation", "45 %") == 45);
    CHECK(number("network", "latency", "250 us") == Approx(250e-6));
    CHECK(number("site", "temperature", "-5 C") == -5);
}

TEST_CASE("drives count in steps of 1000, memory and caches in steps of 1024")
{
    CHECK(number("drive", "size", "600 GB") == 600e9);
    CHECK(number("drive", "size", "9.1GB") == Approx(9.1e9));
    CHECK(number("pool", "raw_size", "86,400GB") == 86400e9);
    CHECK(number("drive", "size", "4 GiB") == 4294967296.0);
    CHECK(number("machine", "memory", "4GB") == 4294967296.0);
    CHECK(number("machine", "memory", "1024MB") == 1073741824.0);
    CHECK(number("processor", "cache_l2", "512K") == 524288);
    CHECK(number("pool", "stripe", "64 KB") == 65536);
}

TEST_CASE("dates are read as TOML, SMBIOS and people of the field write them")
{
    CHECK(dateOf("1970-01-02") == 86400.0);
    CHECK(dateOf("4/19/2000") == dateOf("2000-04-19"));
    CHECK(dateOf("2026-11-23 14:05:00") == *dateOf("2026-11-23") + 14 * 3600 + 5 * 60);
    CHECK_FALSE(dateOf("2025-02-29"));
    CHECK_FALSE(dateOf("13/01/2000"));
    CHECK_FALSE(dateOf("2000-04-19 25:00"));
    CHECK_FALSE(dateOf("a long time ago"));
}

TEST_CASE("what is no quantity is refused with an example of the row's unit")
{
    CHECK_THAT(fault("drive", "size", "600"), ContainsSubstring("\"600 GB\""));
    CHECK_THAT(fault("drive", "size", "600 Gb"), ContainsSubstring("counts bits"));
    CHECK_THAT(fault("drive", "size", "1,00 GB"), ContainsSubstring("is not a size"));
    CHECK_THAT(fault("drive", "size", "-5 GB"), ContainsSubstring("is not a size"));
    CHECK_THAT(fault("drive", "size", "1e999 GB"), ContainsSubstring("is not a size"));
    CHECK_THAT(fault("drive", "size", std::string(500, '9') + " GB"), ContainsSubstring("is not a size"));
    CHECK_THAT(fault("drive", "speed", "15000 MHz"), ContainsSubstring("\"15000 rpm\""));
    CHECK_THAT(fault("machine", "cores", "2.5"), ContainsSubstring("whole number"));
    CHECK_THAT(fault("adapter", "duplex", "fulll"), ContainsSubstring("did you mean \"full\"?"));
    CHECK_THAT(fault("memory", "ecc", "perhaps"), ContainsSubstring("write yes or no"));
}

TEST_CASE("a printed number knows how exact it is")
{
    const auto printed = printedBytes("9.1 GB", ByteSteps::decimal);
    REQUIRE(printed);
    CHECK(printed->value == Approx(9.1e9));
    CHECK(printed->half == Approx(0.05e9));
    CHECK(printedQuantity("10K rpm", "rpm")->half == 500);
    CHECK(printedQuantity("15,000 rpm", "rpm")->half == 0.5);
}

TEST_CASE("choices are the same whatever their case, blanks, hyphens and plus signs")
{
    CHECK(sameChoice("RAID-10", "raid 1+0"));
    CHECK(sameChoice("RAID10", "RAID 10"));
    CHECK_FALSE(sameChoice("RAID 10", "RAID 1"));
    CHECK_FALSE(sameChoice("RAID 10", "RAID 100"));
    CHECK(std::holds_alternative<RowValue>(readText(*labPropertyRow("pool", "raid"), "RAID0+1")));
}

TEST_CASE("texts that would not show as they are written are refused")
{
    CHECK_FALSE(faultOfText("<b>\"Köln\" =1+1 & 日本</b>", false));
    CHECK(faultOfText("a\nb", false));
    CHECK_FALSE(faultOfText("a\nb\tc", true));
    CHECK_THAT(faultOfText("\x1b[31m", true)->message, ContainsSubstring("U+001B"));
    CHECK_THAT(faultOfText("a\xc2\x9b"
                           "b",
                   true)
                   ->message,
        ContainsSubstring("U+009B"));
    for (const char* mark : { "\xe2\x80\xae", "\xe2\x80\x8f", "\xe2\x81\xa6", "\xd8\x9c" })
        CHECK_THAT(faultOfText(mark, true)->message, ContainsSubstring("direction"));
    CHECK_FALSE(faultOfText(std::string(65536, 'x'), false));
    CHECK_THAT(faultOfText(std::string(1 << 20, 'x'), false)->message, ContainsSubstring("1048576 bytes"));
}

TEST_CASE("each key of labs occurs once, has words for people and a range that is one")
{
    std::set<std::string_view> paths;
    for (const KeyRow& row : labKeys()) {
        INFO(row.path);
        CHECK(paths.insert(row.path).second);
        CHECK_FALSE(row.help.empty());
        CHECK(row.help.back() == '.');
        if (row.least && row.most)
            CHECK(*row.least <= *row.most);
        if (row.type == KeyType::quantity)
            CHECK(printedQuantity("1 " + std::string(row.unit), row.unit));
        if (row.type == KeyType::choice)
            CHECK(row.choices.size() > (row.path == "kind" ? 0U : 1U));
    }
    CHECK(paths.size() > 400);
    CHECK(labPropertyRow("drive", "vendor") == labPropertyRow("machine", "vendor"));
    CHECK(labPropertyRow("drive", "bios") == nullptr);
    CHECK(labPropertyRow("drive", "in") == nullptr);
    CHECK(labKindWithProperty("bios") == "machine");
}
