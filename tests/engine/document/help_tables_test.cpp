// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The help's tables of keys are made of the tables of keys. In the help such a table stands between two lines, each with an empty one
// above and below it:
//   [//]: # (keys of plan: target.smtp, target.imap)
//   [//]: # (end of keys)
// LOADSTONE_HELP=write build/dev/bin/document_test writes the tables again.
#include "support/catch.h"

#include <loadstone/keys.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace loadstone;

namespace {

constexpr std::string_view kBegin = "[//]: # (keys of ", kEnd = "[//]: # (end of keys)";

std::string textOfFile(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// The table without the rows of keys that are directly below another one.
std::string withoutKeysOf(FileKind kind, std::string_view other, const std::string& table)
{
    std::istringstream lines(table);
    std::string left;
    for (std::string line; std::getline(lines, line);) {
        const auto isOf = [&](const KeyRow* row) {
            return line.starts_with("| `" + std::string(row->path.substr(row->path.rfind('.') + 1)) + "` |");
        };
        if (std::ranges::none_of(keysBelow(kind, other), isOf))
            left += line + "\n";
    }
    return left;
}

/// "plan: target.smtp, target.imap"; "the top" is that of the file, "targets[] without target" has the keys that only targets[] has.
std::string tableFor(const std::string& of)
{
    const auto colon = of.find(": ");
    REQUIRE(colon != std::string::npos);
    std::optional<FileKind> kind;
    for (const FileKind known :
        { FileKind::plan, FileKind::profile, FileKind::lab, FileKind::study, FileKind::result })
        if (of.substr(0, colon) == toString(known))
            kind = known;
    REQUIRE(kind.has_value());
    constexpr std::string_view kWithout = " without ";
    std::string_view list = std::string_view(of).substr(colon + 2), without;
    if (const auto at = list.find(kWithout); at != std::string_view::npos) {
        without = list.substr(at + kWithout.size());
        list = list.substr(0, at);
    }
    std::vector<std::string_view> tables;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(", ", at), list.size());
        const std::string_view table = list.substr(at, end - at);
        tables.push_back(table == "the top" ? std::string_view() : table);
        at = end + 2;
    }
    const std::string made = markdownOf(*kind, tables);
    return without.empty() ? made : withoutKeysOf(*kind, without, made);
}

/// The page with its tables made again.
std::string withTables(const std::string& page)
{
    std::string made;
    std::size_t from = 0;
    for (std::size_t at = page.find(kBegin); at != std::string::npos; at = page.find(kBegin, from)) {
        const std::size_t line = page.find('\n', at), end = page.find(kEnd, at);
        REQUIRE(line != std::string::npos);
        REQUIRE(end != std::string::npos);
        const std::string of = page.substr(at + kBegin.size(), line - 1 - at - kBegin.size());
        INFO("keys of " << of);
        const std::string table = tableFor(of);
        CHECK(!table.empty());
        made += page.substr(from, line + 1 - from) + "\n" + table + "\n";
        from = end;
    }
    return made + page.substr(from);
}

} // namespace

TEST_CASE("the help's tables of keys are those of the tables of keys")
{
    const auto folder = std::filesystem::path(LOADSTONE_SOURCE_DIR) / "resources/help";
    const char* write = std::getenv("LOADSTONE_HELP");
    std::size_t pages = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string page = textOfFile(entry.path());
        if (page.find(kBegin) == std::string::npos)
            continue;
        ++pages;
        const std::string made = withTables(page);
        if (write != nullptr && std::string_view(write) == "write")
            std::ofstream(entry.path(), std::ios::binary) << made;
        INFO(entry.path().filename()
            << " differs; LOADSTONE_HELP=write build/dev/bin/document_test writes its tables again");
        CHECK((made == page || write != nullptr));
    }
    CHECK(pages >= 2);
}
