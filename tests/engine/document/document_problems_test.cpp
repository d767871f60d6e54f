// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_texts.h"
#include "support/catch.h"

#include <loadstone/document.h>

using namespace loadstone;

namespace {

/// All problems, one a line: "3:8 error mixes[0].clients".
std::string problemsOf(const std::string& text, const std::string& name = "plan.toml")
{
    std::string all;
    for (const Problem& problem : Document(text, name).problems()) {
        CHECK_FALSE(problem.message.empty());
        CHECK_FALSE(problem.remedy.empty());
        all += std::to_string(problem.line) + ":" + std::to_string(problem.column)
            + (problem.severity == ProblemSeverity::error ? " error " : " warning ") + problem.field + "\n";
    }
    return all;
}

} // namespace

TEST_CASE("the table of keys finds nothing wrong with what comes with the program")
{
    for (const auto& file : goodFiles()) {
        INFO(file);
        const auto document = Document::read(file).value();
        std::string problems;
        for (const Problem& problem : document.problems())
            problems += problem.format(document.name()) + "\n";
        CHECK(problems.empty());
    }
}

TEST_CASE("unknown keys, wrong types and values out of range are told with their places")
{
    CHECK(
        problemsOf("format = 1\nkind = \"mail\"\n\n[[mixes]]\nclientz = 4\nmeasurement = 60\nclients = -1\n")
        == "5:1 error mixes[0].clientz\n6:15 error mixes[0].measurement\n7:11 error mixes[0].clients\n");
    CHECK(problemsOf("kind = \"mail\"\nseed = \"x\"\nmixes = 3\n[workload]\npacing = \"opne\"\n")
        == "2:8 error seed\n3:9 error mixes\n5:10 error workload.pacing\n");
    CHECK_THAT(Document("kind = \"mail\"\n[workload]\npacing = \"opne\"\n").problems().at(0).message,
        ContainsSubstring("did you mean \"open\""));
    CHECK_THAT(Document("kind = \"mail\"\ntitel = \"\"\n").problems().at(0).remedy,
        ContainsSubstring("did you mean title?"));
}

TEST_CASE("in a lab the kind of an item decides its keys, and unknown keys are kept")
{
    const std::string lab =
        "kind = \"lab\"\n[[item]]\nid = \"d\"\nkind = \"drive\"\nsize = \"600 GB\"\nsockets = 2\n"
        "detected = { at = 2026-11-23T14:05:00Z, by = \"SMBIOS\", size = \"none\" }\n"
        "[[variant]]\nid = \"v\"\n[[variant.set]]\nitem = \"d\"\nsize = 5\ncount = 2\n"
        "[[variant.add]]\nid = \"m\"\nkind = \"machine\"\nsockets = 2\nnonsense = 1\n";
    CHECK(problemsOf(lab)
        == "6:1 warning item[0].sockets\n7:63 error item[0].detected.size\n12:8 error "
           "variant[0].set[0].size\n"
           "18:1 warning variant[0].add[0].nonsense\n");
}

TEST_CASE("a text from a form is written as the table of keys asks")
{
    Document plan("kind = \"mail\"\n");
    REQUIRE(plan.setText("seed", "7"));
    REQUIRE(plan.setText("title", "7"));
    REQUIRE(plan.setText("mix.measurement", "60 s"));
    CHECK(plan.text() == "kind = \"mail\"\nseed = 7\ntitle = \"7\"\n\n[mix]\nmeasurement = \"60 s\"\n");
    CHECK_FALSE(plan.setText("seed", "seven"));
    CHECK_FALSE(plan.setText("mixes", "1"));

    Document lab("kind = \"lab\"\n[[item]]\nid = \"d\"\nkind = \"drive\"\n");
    REQUIRE(lab.setText("item[0].count", "4"));
    REQUIRE(lab.setText("item[0].size", "4 GiB"));
    REQUIRE(lab.setText("item[0].role", "system under test, directory"));
    REQUIRE(lab.setText("item[0].notes", "first\nsecond"));
    CHECK_THAT(lab.text(),
        Catch::EndsWith("count = 4\nsize = \"4 GiB\"\nrole = [\"system under test\", \"directory\"]\n"
                        "notes = \"\"\"\nfirst\nsecond\"\"\"\n"));
}

TEST_CASE("a long list of decimals on one line is no deeply nested key, and such a key is refused")
{
    std::string list = "a = [0.5";
    for (int i = 0; i < 100; ++i)
        list += ", 1.25";
    CHECK(Document(list + "]\n").isWellFormed());
    std::string key = "a";
    for (int i = 0; i < 30; ++i)
        key += ".a";
    for (const std::string& text :
        { key + " = 1\n", "[" + key + "]\n", "x = { b = 1, " + key + " = 1 }\n" }) {
        const auto problems = Document("title = \"x\"\n" + text).problems();
        REQUIRE(problems.size() == 1);
        CHECK(problems.front().line == 2);
        CHECK_THAT(problems.front().message, ContainsSubstring("more levels"));
    }
}

TEST_CASE(
    "of a file of nothing but unknown keys the first are shown with what was meant, and the rest are counted")
{
    std::string plan = "kind = \"mail\"\ntitel = 1\n";
    for (int i = 1; i < 2000; ++i)
        plan += "unknown_" + std::to_string(i) + " = 1\n";
    const auto problems = Document(plan).problems();
    REQUIRE(problems.size() == 101);
    CHECK_THAT(problems.front().remedy, ContainsSubstring("did you mean title?"));
    CHECK_THAT(problems.back().message, ContainsSubstring("1900 more problems"));
}
