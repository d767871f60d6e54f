// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

using namespace loadstone;

namespace {

std::vector<std::filesystem::path> plansIn(const char* folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/plans" / folder))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// `# expect: LINE FIELD "part of message or remedy"`; FIELD "-" for none.
struct Expectation {
    int line = 0;
    std::string field, fragment;
};

std::vector<Expectation> expectationsOf(const std::string& text, const std::string& word)
{
    std::vector<Expectation> expectations;
    std::istringstream lines(text);
    const std::string prefix = "# " + word + ": ";
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(prefix))
            continue;
        Expectation expected;
        std::istringstream words(line.substr(prefix.size()));
        words >> expected.line >> expected.field;
        if (expected.field == "-")
            expected.field.clear();
        const auto open = line.find('"');
        expected.fragment = line.substr(open + 1, line.rfind('"') - open - 1);
        expectations.push_back(expected);
    }
    return expectations;
}

std::string listOf(const std::vector<Problem>& problems, const std::string& file)
{
    std::string text;
    for (const Problem& problem : problems)
        text += problem.format(file) + "\n";
    return text;
}

void checkExpectations(const std::vector<Problem>& problems, ProblemSeverity severity,
    const std::vector<Expectation>& expectations)
{
    for (const Expectation& expected : expectations) {
        INFO("expected: line " << expected.line << ", " << expected.field << ", \"" << expected.fragment
                               << "\"");
        CHECK(std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
            return problem.severity == severity && problem.line == expected.line
                && problem.field == expected.field
                && (problem.message + "; " + problem.remedy).find(expected.fragment) != std::string::npos
                && !problem.remedy.empty();
        }));
    }
    const auto count = std::count_if(problems.begin(), problems.end(),
        [&](const Problem& problem) { return problem.severity == severity; });
    CHECK(static_cast<std::size_t>(count) == expectations.size());
}

} // namespace

TEST_CASE("every bad plan is refused with exactly the expected lines, fields and remedies")
{
    const auto files = plansIn("bad");
    REQUIRE(files.size() >= 40);
    for (const auto& file : files) {
        const auto loaded = plan::loadPlan(file);
        REQUIRE(loaded);
        INFO(listOf(loaded->problems, file.filename().string()));
        const auto expectations = expectationsOf(loaded->text, "expect");
        CHECK_FALSE(expectations.empty());
        CHECK_FALSE(loaded->ok());
        checkExpectations(loaded->problems, ProblemSeverity::error, expectations);
        CHECK_FALSE(checkPlan(file).value().runnable());
    }
}

TEST_CASE("odd but good plans are accepted, with the expected warnings and no others")
{
    const auto files = plansIn("good");
    REQUIRE(files.size() >= 5);
    for (const auto& file : files) {
        const auto loaded = plan::loadPlan(file);
        REQUIRE(loaded);
        INFO(listOf(loaded->problems, file.filename().string()));
        CHECK(loaded->ok());
        checkExpectations(
            loaded->problems, ProblemSeverity::warning, expectationsOf(loaded->text, "warning"));
        CHECK(loaded->plan.length() > Nanoseconds::zero());
    }
}
