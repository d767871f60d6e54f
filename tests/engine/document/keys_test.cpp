// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"

#include <loadstone/keys.h>

#include <algorithm>
#include <set>
#include <string>

using namespace loadstone;

namespace {

constexpr FileKind kKinds[] { FileKind::plan, FileKind::profile, FileKind::lab };

std::string tableOf(std::string_view path)
{
    const auto dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string() : std::string(path.substr(0, dot));
}

/// The row of a table, or of the list whose entry it is; items of labs are those of the list.
const KeyRow* rowOfTable(FileKind kind, const std::string& table)
{
    return findKey(kind,
        table.substr(0, std::min(table.find('['), table.size())) == table
            ? table
            : table.substr(0, table.rfind('[')));
}

const KeyRow& rowOf(FileKind kind, const char* path)
{
    const KeyRow* row = findKey(kind, path);
    REQUIRE(row != nullptr);
    return *row;
}

} // namespace

TEST_CASE("each key has one row, and a table that has a row as well")
{
    for (const FileKind kind : kKinds) {
        std::set<std::string_view> seen;
        CHECK(keysOf(kind).size() > 50);
        for (const KeyRow& row : keysOf(kind)) {
            INFO(toString(kind) << ": " << row.path);
            CHECK(seen.insert(row.path).second);
            const std::string table = tableOf(row.path);
            if (table.empty())
                continue;
            const KeyRow* above = rowOfTable(kind, table);
            REQUIRE(above != nullptr);
            CHECK((above->type == KeyType::table || above->type == KeyType::tables
                || above->type == KeyType::secret));
        }
    }
}

TEST_CASE("each row says in a sentence what its key means, and what it may be")
{
    for (const FileKind kind : kKinds)
        for (const KeyRow& row : keysOf(kind)) {
            INFO(toString(kind) << ": " << row.path);
            CHECK(row.help.ends_with('.'));
            CHECK((row.type != KeyType::choice || !row.choices.empty()));
            CHECK(!(row.required && !row.fallback.empty()));
            CHECK((!row.least || !row.most || *row.least <= *row.most));
            CHECK(row.help.find('\n') == std::string_view::npos);
        }
}

TEST_CASE("a condition names a key that has a row, and values that this key can have")
{
    for (const FileKind kind : kKinds)
        for (const KeyRow& row : keysOf(kind))
            for (const KeyCondition& condition : row.when) {
                INFO(toString(kind) << ": " << row.path << " where " << condition.key);
                const KeyRow* other = findKey(kind, condition.key);
                REQUIRE(other != nullptr);
                if (other->type == KeyType::choice)
                    for (const std::string_view value : condition.values)
                        CHECK(std::ranges::find(other->choices, value) != other->choices.end());
            }
}

TEST_CASE("the default of a choice is one of the choices")
{
    for (const FileKind kind : kKinds)
        for (const KeyRow& row : keysOf(kind))
            if (row.type == KeyType::choice && !row.fallback.empty()) {
                INFO(row.path);
                CHECK(std::ranges::find(row.choices, row.fallback) != row.choices.end());
            }
}

TEST_CASE("a row is found by a path with or without indices")
{
    CHECK(findKey(FileKind::plan, "mixes[2].clients") == findKey(FileKind::plan, "mixes[].clients"));
    CHECK(rowOf(FileKind::plan, "counters[0].values[13].unit").path == "counters[].values[].unit");
    CHECK(rowOf(FileKind::plan, "targets[1].smtp.port").path == "targets[].smtp.port");
    CHECK(findKey(FileKind::plan, "mixes.clients") == nullptr);
    CHECK(findKey(FileKind::plan, "mixes[2].client") == nullptr);
    CHECK(findKey(FileKind::plan, "") == nullptr);
    CHECK(findKey(FileKind::plan, "mixes[") == nullptr);
    CHECK(findKey(FileKind::profile, "mixes[].clients") == nullptr);
}

TEST_CASE("keys that people choose themselves have the row of any key")
{
    CHECK(rowOf(FileKind::plan, "counters[0].volumes.\"IS 1.5 Database\"").path == "counters[].volumes.*");
    CHECK(rowOf(FileKind::plan, "counters[].volumes").type == KeyType::table);
}

TEST_CASE("an item of a lab has the rows of its kind and those of all items")
{
    CHECK(rowOf(FileKind::lab, "item[drive].size").path == "item[drive].size");
    CHECK(rowOf(FileKind::lab, "item[drive].vendor").path == "item[].vendor");
    CHECK(findKey(FileKind::lab, "item[network].rotation") == nullptr);
    const auto rows = keysBelow(FileKind::lab, "item[drive]");
    const auto has = [&](std::string_view path) {
        return std::ranges::find(rows, path, &KeyRow::path) != rows.end();
    };
    CHECK(has("item[drive].size"));
    CHECK(has("item[].vendor"));
    CHECK(!has("item[machine].sockets"));
}

TEST_CASE("the keys below a table are those directly below it, in the order of the table")
{
    std::vector<std::string_view> paths;
    for (const KeyRow* row : keysBelow(FileKind::plan, "workload.retry"))
        paths.push_back(row->path);
    CHECK(paths == std::vector<std::string_view> { "workload.retry.attempts", "workload.retry.pause" });
    const auto top = keysBelow(FileKind::plan, "");
    CHECK(top.front()->path == "format");
    CHECK(std::ranges::all_of(
        top, [](const KeyRow* row) { return row->path.find('.') == std::string_view::npos; }));
    CHECK(keysBelow(FileKind::plan, "nothing").empty());
    CHECK(keysBelow(FileKind::study, "").front()->path == "format");
}

TEST_CASE("a key of [mix] or [[targets]] is as that of [[mixes]] or [target], but never needed")
{
    for (const auto& [from, to] : { std::pair("mixes[].", "mix."), std::pair("target.", "targets[].") })
        for (const KeyRow& row : keysOf(FileKind::plan)) {
            if (!row.path.starts_with(from) || row.path == "mixes[].name")
                continue;
            const std::string path = to + std::string(row.path.substr(std::string_view(from).size()));
            INFO(path);
            const KeyRow& other = rowOf(FileKind::plan, path.c_str());
            CHECK(other.type == row.type);
            CHECK(other.least == row.least);
            CHECK(other.most == row.most);
            CHECK(other.choices == row.choices);
            CHECK(!other.required);
            CHECK(other.fallback.empty());
        }
}

TEST_CASE("rows are described in words")
{
    CHECK(describeKey(rowOf(FileKind::plan, "mixes[].ramp_up")) == "duration from 0 s to 30 d, default 0 s");
    CHECK(describeKey(rowOf(FileKind::plan, "workload.pacing"))
        == "\"closed\", \"open\" or \"users\", default closed");
    CHECK(describeKey(rowOf(FileKind::plan, "format")) == "whole number from 1 up, needed");
    CHECK(describeKey(rowOf(FileKind::plan, "device.size")) == "size from 1 MB to 1 PB, needed");
    CHECK(describeKey(rowOf(FileKind::plan, "derived[].ratio")) == "list of texts of 2");
    CHECK(describeKey(rowOf(FileKind::plan, "criteria.queue_growth")) == "number from 0 up, in messages");
    CHECK(describeKey(rowOf(FileKind::plan, "criteria.counters[].least")) == "number");
    CHECK(describeConditions(rowOf(FileKind::plan, "workload.rate")) == "pacing is \"open\"");
    CHECK(describeConditions(rowOf(FileKind::plan, "mixes[].users"))
        == "kind is \"mail\" and workload.pacing is \"users\"");
    CHECK(describeConditions(rowOf(FileKind::plan, "load.most_threads"))
        == "pacing is \"threads\" and tuning is true");
    CHECK(describeConditions(rowOf(FileKind::plan, "counters[].user")) == "openmetrics is stated");
    CHECK(describeConditions(rowOf(FileKind::plan, "title")).empty());
}

TEST_CASE("a table of Markdown has one row for each key, also of tables with keys in common")
{
    CHECK(markdownOf(FileKind::plan, { "workload.retry" })
        == "| key | value | default | meaning |\n|---|---|---|---|\n"
           "| `attempts` | whole number from 0 to 100 | `0` | Further attempts after a failed action. A "
           "message that was "
           "refused for some of its recipients is sent again to these only. |\n"
           "| `pause` | duration from 0 s to 1 h | `\"1 s\"` | Before each further attempt. |\n");
    const std::string endpoints = markdownOf(FileKind::plan, { "target.smtp", "target.pop3", "target.imap" });
    CHECK(std::ranges::count(endpoints, '\n') > 10);
    CHECK_THAT(endpoints, ContainsSubstring("| `lmtp` | true or false | `false` | smtp only. "));
    CHECK_THAT(endpoints, ContainsSubstring("smtp: `\"none\"`; pop3, imap: `\"automatic\"`"));
    CHECK_THAT(endpoints, ContainsSubstring("| `auth` | \"none\" (smtp), \"automatic\", \"plain\", "));
    CHECK_THAT(endpoints, ContainsSubstring("\"user/pass\" (pop3) or \"apop\" (pop3) |"));
    CHECK(endpoints.find("| `host` |") == endpoints.rfind("| `host` |"));
    const std::string drives = markdownOf(FileKind::lab, { "item[drive]" });
    CHECK_THAT(drives, ContainsSubstring("| `size` |") && !ContainsSubstring("| `vendor` |"));
    CHECK_THAT(markdownOf(FileKind::lab, { "item[]" }), ContainsSubstring("| `vendor` |"));
    CHECK(markdownOf(FileKind::plan, { "nothing" }).empty());
}
