// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/asked_keys.h"
#include "support/catch.h"

#include <loadstone/external_result.h>
#include <loadstone/study.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

using namespace loadstone;

namespace {

const std::filesystem::path kSource { LOADSTONE_SOURCE_DIR };

std::vector<std::filesystem::path> filesIn(const std::string& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(kSource / folder))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::ranges::sort(files);
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

void checkExpected(const std::filesystem::path& file, const std::vector<Problem>& problems, bool usable)
{
    std::string list;
    for (const Problem& problem : problems)
        list += problem.format(file.filename().string()) + "\n";
    INFO(file.filename().string() << "\n" << list);
    const auto expectations = expectationsOf(file);
    CHECK_FALSE(expectations.empty());
    CHECK(problems.size() == expectations.size());
    bool good = true;
    for (const Expectation& expected : expectations) {
        INFO("expected: line " << expected.line << ", " << expected.field << ", \"" << expected.fragment
                               << "\"");
        good = good && expected.severity == ProblemSeverity::warning;
        CHECK(std::ranges::any_of(problems, [&](const Problem& problem) {
            return problem.severity == expected.severity && problem.line == expected.line
                && problem.field == expected.field && !problem.remedy.empty()
                && (problem.message + "; " + problem.remedy).find(expected.fragment) != std::string::npos;
        }));
    }
    CHECK(usable == good);
}

} // namespace

TEST_CASE("every bad result has exactly the expected problems, with line, field and remedy")
{
    const auto files = filesIn("tests/results/bad");
    REQUIRE(files.size() >= 60);
    for (const auto& file : files) {
        const auto checked = checkResult(file);
        REQUIRE(checked);
        checkExpected(file, checked->problems, checked->usable());
    }
}

TEST_CASE("every bad study has exactly the expected problems, with line, field and remedy")
{
    const auto files = filesIn("tests/studies/bad");
    REQUIRE(files.size() >= 60);
    for (const auto& file : files) {
        const auto checked = checkStudy(file);
        REQUIRE(checked);
        checkExpected(file, checked->problems, checked->usable());
    }
}

TEST_CASE("shipped results and studies have no problem, and the editor's table of keys agrees")
{
    const auto check = [](const std::filesystem::path& file, const auto& checked) {
        INFO(file);
        REQUIRE(checked);
        for (const Problem& problem : checked->problems)
            FAIL_CHECK(problem.format(file.filename().string()));
        const auto document = Document::read(file);
        for (const Problem& problem : document->problems())
            FAIL_CHECK(problem.format(file.filename().string()));
    };
    REQUIRE(shippedResults().size() >= 9);
    REQUIRE(shippedStudies().size() >= 2);
    for (const auto& file : shippedResults())
        check(file, checkResult(file));
    for (const auto& file : shippedStudies())
        check(file, checkStudy(file));
}

TEST_CASE("readers of results and studies and the tables of keys have the same keys, types and choices")
{
    document::AskedKeys keys;
    for (const char* folder : { "tests/results/bad", "resources/examples" })
        for (const auto& file : filesIn(folder))
            static_cast<void>(checkResult(file));
    for (const char* folder : { "tests/studies/bad", "resources/studies" })
        for (const auto& file : filesIn(folder))
            static_cast<void>(checkStudy(file));
    for (const std::string& fault : keys.faults())
        FAIL_CHECK(fault);
    for (const FileKind kind : { FileKind::result, FileKind::study })
        for (const KeyRow& row : keysOf(kind)) {
            const std::string path(row.path);
            INFO(toString(kind) << ": " << path);
            CHECK((path.ends_with(".*") || keys.asked().contains({ kind, path })));
        }
}
