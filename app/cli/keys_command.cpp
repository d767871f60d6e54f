// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <loadstone/keys.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadstone::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// The path itself, or something below it.
bool isWithin(std::string_view path, std::string_view of)
{
    return of.empty()
        || (path.starts_with(of)
            && (path.size() == of.size() || path[of.size()] == '.' || path[of.size()] == '['));
}

/// "mixes[2].clients" as the table has it; a path without brackets means entries of lists, too: "mixes.clients".
std::vector<const KeyRow*> rowsOf(FileKind kind, const std::string& path)
{
    std::vector<const KeyRow*> rows;
    const auto add = [&](std::string_view of) {
        for (const KeyRow& row : keysOf(kind))
            if (isWithin(row.path, of))
                rows.push_back(&row);
    };
    const KeyRow* row = findKey(kind, path);
    add(row != nullptr ? row->path : path);
    if (!rows.empty())
        return rows;
    for (const KeyRow& one : keysOf(kind)) {
        std::string plain;
        bool within = false;
        for (const char c : one.path) {
            within = c == '[' || (within && c != ']');
            if (!within && c != ']')
                plain += c;
        }
        if (isWithin(plain, path))
            rows.push_back(&one);
    }
    return rows;
}

OrderedJson jsonOf(const KeyRow& row)
{
    const auto bound = [](std::optional<double> value) {
        return value ? OrderedJson(*value) : OrderedJson(nullptr);
    };
    OrderedJson json { { "path", row.path }, { "type", toString(row.type) }, { "unit", row.unit },
        { "least", bound(row.least) }, { "most", bound(row.most) },
        { "default", row.fallback.empty() ? OrderedJson(nullptr) : OrderedJson(row.fallback) },
        { "required", row.required }, { "choices", row.choices }, { "when", OrderedJson::array() },
        { "help", row.help }, { "label", row.label }, { "rare", row.rare } };
    for (const KeyCondition& condition : row.when)
        json["when"].push_back({ { "key", condition.key }, { "values", condition.values } });
    return json;
}

std::string defaultText(const KeyRow& row)
{
    return row.required ? "needed" : std::string(row.fallback.empty() ? "-" : row.fallback);
}

void printTable(const std::vector<const KeyRow*>& rows)
{
    std::size_t keys = 3, values = 5;
    constexpr std::size_t kWidest = 44; // longer values push their default to the right
    for (const KeyRow* row : rows) {
        keys = std::max(keys, row->path.size());
        values = std::max(values, std::min(describeValue(*row).size(), kWidest));
    }
    print("{:<{}}  {:<{}}  {}\n", "KEY", keys, "VALUE", values, "DEFAULT");
    for (const KeyRow* row : rows) {
        print("{:<{}}  {:<{}}  {}\n", row->path, keys, describeValue(*row), values, defaultText(*row));
        if (const std::string when = describeConditions(*row); !when.empty())
            print("    where {}\n", when);
        print("    {}\n", row->help);
    }
}

/// Each table of the file under its name.
void printMarkdown(FileKind kind, const std::vector<const KeyRow*>& rows)
{
    std::vector<std::string_view> tables;
    for (const KeyRow* row : rows) {
        const auto dot = row->path.rfind('.');
        const std::string_view table = dot == std::string_view::npos ? "" : row->path.substr(0, dot);
        if (std::ranges::find(tables, table) == tables.end())
            tables.push_back(table);
    }
    for (const std::string_view table : tables)
        print("{}## {}\n\n{}", table == tables.front() ? "" : "\n",
            table.empty() ? "At the top" : fmt::format("`{}`", table), markdownOf(kind, { table }));
}

} // namespace

int keys(const KeysCommand& command)
{
    std::optional<FileKind> kind;
    for (const FileKind one :
        { FileKind::plan, FileKind::profile, FileKind::lab, FileKind::study, FileKind::result })
        if (command.kind == toString(one))
            kind = one;
    if (!kind)
        return complain(fmt::format("\"{}\" is not a kind of file; write plan, profile, lab, study or result",
                            command.kind),
            kBadInput);
    const std::vector<const KeyRow*> rows = rowsOf(*kind, command.path);
    if (rows.empty())
        return complain(
            fmt::format("a {} has no key or table \"{}\"; \"loadstone keys {}\" prints all of them",
                command.kind, command.path, command.kind),
            kBadInput);
    if (command.json) {
        OrderedJson json = OrderedJson::array();
        for (const KeyRow* row : rows)
            json.push_back(jsonOf(*row));
        say(json.dump(2) + "\n");
    } else if (command.markdown)
        printMarkdown(*kind, rows);
    else
        printTable(rows);
    return kGood;
}

} // namespace loadstone::cli
