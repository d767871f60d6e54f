// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/lab.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace loadstone;

namespace {

std::vector<std::filesystem::path> labsIn(const char* folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(LOADSTONE_SOURCE_DIR) / "tests/labs" / folder))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// `# expect: LINE FIELD "part of message or remedy"`, `# warning: ...`; FIELD "-" for none.
struct Expectation {
    ProblemSeverity severity = ProblemSeverity::error;
    int line = 0;
    std::string field, fragment;
};

std::vector<Expectation> expectationsOf(const std::filesystem::path& file)
{
    std::vector<Expectation> expectations;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        Expectation expected;
        if (line.starts_with("# warning: "))
            expected.severity = ProblemSeverity::warning;
        else if (!line.starts_with("# expect: "))
            continue;
        std::istringstream words(line.substr(line.find(": ") + 2));
        words >> expected.line >> expected.field;
        if (expected.field == "-")
            expected.field.clear();
        const auto open = line.find('"');
        expected.fragment = line.substr(open + 1, line.rfind('"') - open - 1);
        expectations.push_back(expected);
    }
    return expectations;
}

std::string listOf(const CheckedLab& checked, const std::string& file)
{
    std::string text;
    for (const Problem& problem : checked.problems)
        text += problem.format(file) + "\n";
    return text;
}

} // namespace

TEST_CASE("every bad lab has exactly the expected problems, with line, field and remedy")
{
    const auto files = labsIn("bad");
    REQUIRE(files.size() >= 60);
    for (const auto& file : files) {
        const auto checked = checkLab(file);
        REQUIRE(checked);
        INFO(listOf(*checked, file.filename().string()));
        const auto expectations = expectationsOf(file);
        REQUIRE_FALSE(expectations.empty());
        CHECK(checked->problems.size() == expectations.size());
        bool usable = true;
        for (const Expectation& expected : expectations) {
            INFO("expected: line " << expected.line << ", " << expected.field << ", \"" << expected.fragment
                                   << "\"");
            usable = usable && expected.severity == ProblemSeverity::warning;
            CHECK(
                std::any_of(checked->problems.begin(), checked->problems.end(), [&](const Problem& problem) {
                    return problem.severity == expected.severity && problem.line == expected.line
                        && problem.field == expected.field && !problem.remedy.empty()
                        && (problem.message + "; " + problem.remedy).find(expected.fragment)
                        != std::string::npos;
                }));
        }
        CHECK(checked->usable() == usable);
    }
}

TEST_CASE("odd but good labs are read without a complaint")
{
    const auto files = labsIn("good");
    REQUIRE(files.size() >= 3);
    for (const auto& file : files) {
        const auto checked = checkLab(file);
        REQUIRE(checked);
        INFO(listOf(*checked, file.filename().string()));
        CHECK(checked->problems.empty());
        CHECK_FALSE(checked->lab.items.empty());
        for (const LabVariant& variant : checked->lab.variants) {
            const auto applied = checkLab(file, variant.id);
            INFO(listOf(*applied, variant.id));
            CHECK(applied->problems.empty());
        }
    }
}
