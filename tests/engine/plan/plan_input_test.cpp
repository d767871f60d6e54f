// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/plan_file.h>

#include <fstream>

using namespace loadstone;
using loadstone::test::ScratchFolder;

namespace {

constexpr const char* kUsers =
    "format = 1\nkind = \"mail\"\n[target]\nuser = \"u{n}\"\npassword = \"x\"\n[target.embedded]\n"
    "[target.smtp]\n[target.imap]\n[workload]\npacing = \"users\"\nprofile = \"mine\"\n"
    "[[mixes]]\nusers = 3\nmeasurement = \"1 min\"\n";

std::string problemsOf(const PlanSummary& summary)
{
    std::string all;
    for (const Problem& problem : summary.problems)
        all += problem.format("plan") + "\n";
    return all;
}

} // namespace

TEST_CASE("a document is checked as its file is")
{
    REQUIRE_FALSE(shippedPlans().empty());
    for (const auto& file : shippedPlans()) {
        INFO(file);
        const auto ofFile = checkPlan(file).value();
        const auto ofDocument = checkPlan(Document::read(file).value()).value();
        CHECK(ofDocument.file == file);
        CHECK(ofDocument.title == ofFile.title);
        CHECK(ofDocument.length == ofFile.length);
        CHECK(ofDocument.problems == ofFile.problems);
        CHECK(ofDocument.runnable());
    }
}

TEST_CASE("what is edited and not saved counts, and the file stays as it is")
{
    auto document = Document::read(shippedPlans().front()).value();
    REQUIRE(document.set("title", "\"edited\""));
    REQUIRE(document.set("seed", "\"no number\""));
    const auto summary = checkPlan(document).value();
    CHECK_FALSE(summary.runnable());
    CHECK_THAT(problemsOf(summary), ContainsSubstring(": seed: "));
    CHECK(checkPlan(shippedPlans().front()).value().runnable());
}

TEST_CASE("a document finds its profile beside its file, and one without a file among those of the program")
{
    const ScratchFolder folder;
    std::filesystem::copy_file(
        std::filesystem::path(LOADSTONE_SOURCE_DIR) / "resources/profiles/medium-5.5.toml",
        folder / "mine.toml");
    Document document(kUsers, "users.toml");
    const auto without = checkPlan(document).value();
    CHECK_THAT(problemsOf(without), ContainsSubstring("there is no profile \"mine\""));
    CHECK(without.file.empty());
    CHECK(without.title == "users");
    REQUIRE(document.saveAs(folder / "plan.toml"));
    const auto beside = checkPlan(document).value();
    CHECK(problemsOf(beside).empty());
    REQUIRE(document.set("workload.profile", "\"medium-5.5\""));
    const auto shipped = checkPlan(Document(document.text())).value();
    CHECK(problemsOf(shipped).empty());
}

TEST_CASE("a plan that is not saved yet finds a lab by its whole path, and no other")
{
    const ScratchFolder folder;
    std::ofstream(folder / "mine.toml")
        << "kind = \"lab\"\ntitle = \"Mine\"\n[[item]]\nid = \"srv\"\nkind = \"machine\"\n";
    auto document = Document(Document::read(shippedPlans().front()).value().text(), "new.toml");
    REQUIRE(document.file().empty());
    REQUIRE(document.setText("lab", (folder / "mine.toml").string()));
    CHECK_THAT(problemsOf(checkPlan(document).value()), !ContainsSubstring("there is no lab"));
    REQUIRE(document.setText("lab", "mine.toml")); // from where?
    CHECK_THAT(problemsOf(checkPlan(document).value()), ContainsSubstring("there is no lab"));
}
