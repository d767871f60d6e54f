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
