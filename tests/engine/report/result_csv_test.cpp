// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/external_result.h>
#include <loadstone/table.h>
#include <loadstone/table_formats.h>

using namespace loadstone;

namespace {

ExternalResult readText(const std::string& text)
{
    INFO(text);
    CheckedResult checked = readResult(Document(text, "made.toml"));
    for (const Problem& problem : checked.problems)
        FAIL_CHECK(problem.format("made.toml"));
    return std::move(checked.result);
}

ExternalResult imported(const std::string& csv, const ResultImport& also = {})
{
    const auto text = importResultCsv(csv, "table.csv", also);
    INFO((text ? std::string() : text.error().message));
    REQUIRE(text);
    return readText(*text);
}

std::string refusal(const std::string& csv)
{
    const auto text = importResultCsv(csv, "table.csv", {});
    REQUIRE_FALSE(text);
    return text.error().message;
}

} // namespace

TEST_CASE("a table of figures by systems becomes a result")
{
    const ExternalResult result = imported("figure,unit,Exchange 2000,Exchange 2003\n"
                                           "% Processor Time,%,75%,76%\n"
                                           "Client Latency (ms),,96,\"1,100\"\n"
                                           "RPC Requests,,7,-\n");
    REQUIRE(result.systems.size() == 2);
    CHECK(result.systems[1].id == "exchange-2003");
    CHECK(result.figures[1].name == "Client Latency");
    CHECK(result.figures[1].unit == "ms");
    CHECK(result.find("exchange-2003", "client-latency")->printed->value == 1100);
    CHECK_FALSE(result.find("exchange-2003", "rpc-requests")->printed);
}

TEST_CASE("a table of loads by systems and figures becomes a result, whatever separates its cells")
{
    ResultImport also;
    also.title = "Two systems";
    also.loadUnit = "users";
    const ExternalResult result = imported("\xef\xbb\xbf"
                                           "load;New: Response time (s);Old: Response time (s)\r\n"
                                           "66,640;0.232;1.304\r\n\r\n83300;0.997;\r\n",
        also);
    CHECK(result.title == "Two systems");
    CHECK(result.find("old", "response-time", 66640)->printed->value == 1.304);
    CHECK_FALSE(result.find("old", "response-time", 83300)->printed);
    CHECK(result.loadUnit == "users");
}

TEST_CASE("a line for each figure becomes a result, and a result such lines")
{
    const std::string csv = "system,figure,printed,unit,load,mix,statistic,as,source\n"
                            "ex1,CPU,75%,%,100,,mean,rounded,page 3\n"
                            "ex1,CPU,80%,%,200,final hour,mean,cut,\n";
    const ExternalResult result = imported(csv);
    CHECK(result.find("ex1", "cpu", 200, "final hour")->printed->how == PrintedAs::cut);
    CHECK(result.values[0].source == "page 3");
    CHECK(formatResultCsv(result) == csv);
    for (const auto& file : shippedResults()) {
        const ExternalResult shipped = checkResult(file)->result;
        ResultImport also;
        also.loadUnit = shipped.loadUnit;
        const ExternalResult again = imported(formatResultCsv(shipped), also);
        INFO(file);
        CHECK(formatResultCsv(again) == formatResultCsv(shipped));
    }
}

TEST_CASE("a CSV that is no table is refused with its line and what would be right")
{
    CHECK_THAT(refusal(""), ContainsSubstring("has no table"));
    CHECK_THAT(
        refusal("a,b\n1,2\n"), ContainsSubstring("table.csv:1: the first heading is \"a\"; write figure"));
    CHECK_THAT(refusal("system,figure,printed,colour\na,b,1,red\n"),
        ContainsSubstring("the heading \"colour\" is unknown"));
    CHECK_THAT(refusal("system,printed\na,1\n"), ContainsSubstring("the heading \"figure\" is missing"));
    CHECK_THAT(refusal("figure,a\nCPU,\"75\n"), ContainsSubstring("table.csv:2: a quoted cell has no end"));
    CHECK_THAT(
        refusal("figure,a\nCPU,1,2,3\n"), ContainsSubstring("table.csv:2: has 4 cells for 2 headings"));
    CHECK_THAT(refusal("figure,a\n,1\n"), ContainsSubstring("table.csv:2: the first cell is empty"));
    CHECK_THAT(refusal("figure,a\nCPU,many\n"), ContainsSubstring("\"many\" is not a printed number"));
    CHECK_THAT(refusal("load,a\nmany,1\n"), ContainsSubstring("the load \"many\" is not a number"));
    CHECK_THAT(refusal("figure\nCPU\n"), ContainsSubstring("has one column"));
    CHECK_THAT(refusal(std::string(2U << 20U, 'a')), ContainsSubstring("divide it"));
    std::string wide = "figure";
    for (int i = 0; i < 1500; ++i)
        wide += ",x";
    CHECK_THAT(refusal(wide + "\n"), ContainsSubstring("more than 1000 cells"));
}

TEST_CASE("numbers with a sign stay numbers in CSV, formulas become texts")
{
    const ReportTable table { "T", "", { { "A" } },
        { { "+175.1 %" }, { "-34.4 ms" }, { "-" }, { "-2+3" }, { "+cmd|' /C calc'!A0" }, { "=1" } } };
    CHECK(formatTablesCsv({ table })
        == "T\nA\n+175.1 %\n-34.4 ms\n-\n\"'-2+3\"\n\"'+cmd|' /C calc'!A0\"\n\"'=1\"\n\n");
}

TEST_CASE("hostile texts of a result do nothing in any output")
{
    const std::string evil = "=HYPERLINK(\"http://x\",\"<script>alert(1)</script>\")";
    const ExternalResult result = readText("kind = \"result\"\ntitle = " + tomlText(evil) + "\nload_unit = "
        + tomlText(evil) + "\n[[figure]]\nid = \"f\"\nname = " + tomlText("@SUM(A1)]]>&\"'")
        + "\nunit = \"%\"\n[[system]]\nid = \"s\"\nname = " + tomlText("+cmd|' /C calc'!A0")
        + "\n[[value]]\nload = 5\nmix = " + tomlText("-2+3")
        + "\nprinted = \"75%\"\nsource = " + tomlText(evil) + "\n");
    const std::string csv = formatResultCsv(result);
    for (const char start : { '=', '+', '-', '@' })
        for (const std::string& before :
            { std::string("\n"), std::string(","), std::string("\n\""), std::string(",\"") })
            CHECK(csv.find(before + start) == std::string::npos);
    CHECK(formatResultCsv(imported(csv)) == csv); // names come back
    CHECK(imported(csv).systems[0].name == "+cmd|' /C calc'!A0");
    const std::string html = formatTablesHtml(result.title, result.title, resultTables(result));
    CHECK(html.find("<script>alert") == std::string::npos);
}
