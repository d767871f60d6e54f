// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the JSON of a run says, of the same samples as ever. What changes on purpose is named in CHANGELOG.md, and
// LOADSTONE_GOLDEN=write in the environment writes the files beside this one again.
#include "base/posix_file.h"
#include "golden/golden_text.h"
#include "golden/made_up_run.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/report.h>

#include <cstdlib>
#include <string_view>

using namespace loadstone;
using namespace loadstone::test;

namespace {

bool isToBeWritten()
{
    const char* const asked = std::getenv("LOADSTONE_GOLDEN");
    return asked != nullptr && std::string_view(asked) == "write";
}

void checkRun(const MadeUpRun& run)
{
    const ScratchFolder folder;
    run.write(folder / "run.loadstone");
    const auto recording = Recording::open(folder / "run.loadstone");
    REQUIRE(recording);
    const auto json = formatJson(*recording);
    REQUIRE(json);
    const std::string text = goldenText(*json);
    const auto file = std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/golden" / (run.name + ".json");
    if (isToBeWritten())
        REQUIRE(writeFileAtomically(file, text));
    const auto golden = readFile(file);
    REQUIRE(golden);
    INFO("LOADSTONE_GOLDEN=write in the environment writes " << file.string() << " again");
    CHECK(differences(*golden, text) == "");
}

} // namespace

TEST_CASE("the JSON of a run of scripts is the one of the golden file")
{
    checkRun(mailRun());
}

TEST_CASE("the JSON of a run on several targets is the one of the golden file")
{
    checkRun(severalTargetsRun());
}

TEST_CASE("the JSON of a raw device test is the one of the golden file")
{
    checkRun(rawRun());
}

TEST_CASE("the JSON of a storage plan's run is the one of the golden file")
{
    checkRun(storageRun());
}

TEST_CASE("a golden text differs where the JSON does, and says where")
{
    const std::string was = goldenText(R"({"a": [1, 0.1], "b": {"c": "x"}})");
    CHECK(was == "{\n \"a\": [\n  1,\n  0.1\n ],\n \"b\": {\n  \"c\": \"x\"\n }\n}\n");
    CHECK(differences(was, goldenText(R"({"a": [1, 0.10000000000000001], "b": {"c": "x"}})")).empty());
    CHECK(differences(was, goldenText(R"({"a": [1, 0.11], "b": {"c": "x"}})"))
        == "line 4\n-   0.1\n+   0.11\n");
    CHECK_THAT(differences(was, "{\n"), ContainsSubstring("(end)"));
}

TEST_CASE("a golden text has the definition of a figure once")
{
    const std::string text = goldenText(
        R"({"figures": [{"key": "a", "unit": "s", "value": 1}, {"key": "a", "unit": "s", "value": 1},
            {"key": "b", "unit": "s", "value": 2}, {"key": "a", "unit": "ms", "value": 3}]})");
    CHECK(text
        == "{\n \"figures\": [\n  { \"key\": \"a\", \"unit\": \"s\", \"value\": 1 },\n  { \"key\": \"a\", "
           "\"value\": 1 },\n"
           "  { \"key\": \"b\", \"unit\": \"s\", \"value\": 2 },\n  { \"key\": \"a\", \"unit\": \"ms\", "
           "\"value\": 3 }\n ]\n}\n");
}
