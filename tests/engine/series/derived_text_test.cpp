// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/derived_text.h"
#include "series/path_pattern.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::series;
using Catch::Matchers::Contains;
using Kind = DerivedStep::Kind;

namespace {

std::string refusal(const std::string& text)
{
    const auto derived = parseDerived(text);
    REQUIRE_FALSE(derived);
    return derived.error().message;
}

} // namespace

TEST_CASE("a derived counter is read as a name, a unit and steps from left to right", "[derived]")
{
    const auto derived = parseDerived(
        R"(CPU per user [%] = sum("\Process(store*)\% Processor Time", '\Process(mta)\% CPU') / users * 2)")
                             .value();
    CHECK(derived.name == "CPU per user");
    CHECK(derived.unit == "%");
    REQUIRE(derived.steps.size() == 5);
    CHECK(derived.steps[0]
        == DerivedStep {
            Kind::sum, { R"(\Process(store*)\% Processor Time)", R"(\Process(mta)\% CPU)" }, 0 });
    CHECK(derived.steps[1].kind == Kind::users);
    CHECK(derived.steps[2].kind == Kind::over);
    CHECK(derived.steps[3] == DerivedStep { Kind::number, {}, 2 });
    CHECK(derived.steps[4].kind == Kind::times);

    const auto brackets = parseDerived(R"(a = 'x' / (mean("y") * processors))").value();
    CHECK(brackets.unit.empty());
    CHECK(brackets.steps.back().kind == Kind::over);
    CHECK(brackets.steps[3].kind == Kind::times);
    CHECK(parseDerived("a = \"say \"\"x\"\"\"").value().steps[0].patterns[0] == "say \"x\"");
    const std::string odd = R"(\EX1\Disk("C:")\Reads, all)";
    CHECK(parseDerived("a = " + quotedPath(odd)).value().steps[0].patterns[0] == odd);
}

TEST_CASE("a wrong definition is refused with its column and what would be right", "[derived]")
{
    CHECK_THAT(refusal("sum(\"a\")"), Contains("no name"));
    CHECK_THAT(refusal(" = \"a\""), Contains("no name"));
    CHECK_THAT(refusal("a % ] = \"a\""), Contains("no [ before it"));
    CHECK_THAT(refusal("a ="), Contains("column 4") && Contains("found the end"));
    CHECK_THAT(refusal("a = 5"), Contains("names no counter"));
    CHECK_THAT(
        refusal("a = \"b\" + \"c\""), Contains("column 9") && Contains("*, / or the end") && Contains("+"));
    CHECK_THAT(refusal("a = total(\"b\")"), Contains("column 5") && Contains("sum(...)"));
    CHECK_THAT(refusal("a = sum \"b\""), Contains("column 9") && Contains("( and the counters"));
    CHECK_THAT(refusal("a = sum(b)"), Contains("column 9") && Contains("a path in quotes"));
    CHECK_THAT(refusal("a = sum(\"b\" \"c\")"), Contains("column 13") && Contains(", or )"));
    CHECK_THAT(refusal("a = (\"b\" * 2"), Contains("*, / or )"));
    CHECK_THAT(refusal("a = \"b"), Contains("column 5") && Contains("a quote at its end"));
    CHECK_THAT(refusal("a = \"\""), Contains("the path of a counter"));
    CHECK_THAT(refusal("a = \"b\" / "), Contains("found the end"));
    CHECK_THAT(
        refusal("a = \"b\" / 0"), Contains("column 11: expected something to divide by that is not 0"));
    CHECK_THAT(refusal("a = " + std::string(30, '(') + "\"b\""), Contains("20 brackets"));
    std::string many = "a = \"b\"";
    for (int i = 0; i < 60; ++i)
        many += " * 2";
    CHECK_THAT(refusal(many), Contains("100 parts"));
    CHECK_THAT(refusal("a = \"" + std::string(5000, 'b') + "\""), Contains("4000 bytes"));
}

TEST_CASE("a pattern fits a path with * and ?, or as a part of it, in steps that no pattern makes many",
    "[derived]")
{
    const std::string store = R"(\\EX1\Process(Store)\% Processor Time)";
    CHECK(fitsPattern("store", store));
    CHECK(fitsPattern(R"(\\ex?\Process(*)\%*)", store));
    CHECK(fitsPattern(R"(\Process(*)\%*)", store)); // of any computer
    CHECK(fitsPattern(R"(\Process(*)\%*)", R"(\Process(Store)\% Processor Time)"));
    CHECK_FALSE(fitsPattern(R"(\\EX2\*)", store));
    CHECK_FALSE(fitsPattern(R"(Process(*)\%*)", store)); // with * it is the whole path
    CHECK(fitsPattern(R"(??EX*)", store));
    CHECK(fitsPattern("", "anything"));
    CHECK_FALSE(fitsPattern("aab", "aaac"));
    CHECK(fitsPattern("aab", "aaab"));
    CHECK(fitsPattern("end", "the end"));
    std::string pattern;
    for (int i = 0; i < 500; ++i)
        pattern += "*a";
    CHECK_FALSE(fitsPattern(pattern + "b", std::string(10'000, 'a')));
}
