// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the tables of keys in words.
#include "document/key_rows.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadstone {

namespace {

std::string number(double value)
{
    return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:g}", value);
}

/// Sizes with the unit "GB" count in steps of 1000, all others in steps of 1024.
std::string sizeText(double bytes, bool decimal)
{
    constexpr std::array kNames { "B", "KB", "MB", "GB", "TB", "PB" };
    const double step = decimal ? 1000 : 1024;
    std::size_t i = 0;
    for (; bytes >= step && i + 1 < kNames.size(); ++i)
        bytes /= step;
    return fmt::format("{} {}", number(bytes), kNames[i]);
}

/// An end of the range, with its unit.
std::string boundText(const KeyRow& row, double value)
{
    switch (row.type) {
    case KeyType::duration:
        return formatDuration(Nanoseconds(std::llround(value * 1e9)));
    case KeyType::bytes:
        return sizeText(value, row.unit == "GB");
    case KeyType::rate:
        return number(value) + "/s";
    case KeyType::percent:
        return number(value) + " %";
    case KeyType::quantity:
        return number(value) + (row.unit.empty() ? "" : fmt::format(" {}", row.unit));
    default:
        return number(value);
    }
}

/// " from 1 s to 30 d"; what no value reaches is no bound.
std::string rangeText(const KeyRow& row)
{
    constexpr double kAnySize = 1e18; // the exabyte
    const double any = row.type == KeyType::bytes ? kAnySize : document::kAnyValue;
    const bool least = row.least && *row.least > -any;
    const bool most = row.most && *row.most < any;
    if (least && most)
        return fmt::format(" from {} to {}", boundText(row, *row.least), boundText(row, *row.most));
    if (least)
        return fmt::format(" from {} up", boundText(row, *row.least));
    return most ? fmt::format(" up to {}", boundText(row, *row.most)) : "";
}

/// " of 2 to 1440", of a list.
std::string countText(const KeyRow& row)
{
    const double least = row.least.value_or(0);
    if (row.most && *row.most == least)
        return fmt::format(" of {}", number(least));
    if (row.most && least > 1)
        return fmt::format(" of {} to {}", number(least), number(*row.most));
    if (row.most)
        return fmt::format(", at most {}", number(*row.most));
    return least > 1 ? fmt::format(", at least {}", number(least)) : "";
}

std::string lengthText(const KeyRow& row)
{
    if (row.most)
        return fmt::format(" of at most {} bytes", number(*row.most));
    return row.least.value_or(0) > 1 ? fmt::format(" of at least {} bytes", number(*row.least)) : "";
}

/// `"a", "b" or "c"`; without quotes where `bare`.
std::string alternatives(const std::vector<std::string_view>& texts, bool bare)
{
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i)
        all += fmt::format("{}{}{}{}",
            i == 0                      ? ""
                : i + 1 == texts.size() ? " or "
                                        : ", ",
            bare ? "" : "\"", texts[i], bare ? "" : "\"");
    return all;
}

std::string_view tableOf(std::string_view path)
{
    const auto dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

bool isQuoted(KeyType type)
{
    switch (type) {
    case KeyType::flag:
    case KeyType::integer:
    case KeyType::number:
    case KeyType::texts:
    case KeyType::numbers:
    case KeyType::date:
    case KeyType::table:
    case KeyType::tables:
        return false;
    default:
        return true;
    }
}

std::string defaultText(const KeyRow& row)
{
    if (row.required)
        return "needed";
    if (row.fallback.empty())
        return "";
    return isQuoted(row.type) ? fmt::format("`\"{}\"`", row.fallback) : fmt::format("`{}`", row.fallback);
}

/// So that nothing in a text ends a cell or begins an emphasis.
std::string cellText(std::string_view text)
{
    std::string cell;
    for (const char c : text) {
        if (c == '|' || c == '*' || c == '<')
            cell += '\\';
        cell += c;
    }
    return cell;
}

/// One row of the table of Markdown, for one or several tables of the file.
struct HelpRow {
    std::string_view key;
    std::vector<std::pair<std::string_view, const KeyRow*>> of; ///< by the last key of the table
};

/// What all say, or what each says where they differ.
template <class TextOf>
std::string together(const HelpRow& row, const char* separator, TextOf textOf)
{
    std::vector<std::pair<std::string, std::string>> texts; // text, whose
    for (const auto& [table, one] : row.of) {
        const std::string text = textOf(*one);
        const auto same = std::ranges::find(texts, text, &std::pair<std::string, std::string>::first);
        if (same == texts.end())
            texts.emplace_back(text, table);
        else
            same->second += fmt::format(", {}", table);
    }
    if (texts.size() == 1)
        return texts.front().first;
    std::string all;
    for (const auto& [text, whose] : texts)
        all += fmt::format("{}{}: {}", all.empty() ? "" : separator, whose, text.empty() ? "none" : text);
    return all;
}

/// What the values may be; choices that not all have say whose they are: `"none" (smtp), "automatic" or "plain"`.
std::string valuesOf(const HelpRow& row)
{
    const bool choices =
        std::ranges::all_of(row.of, [](const auto& one) { return one.second->type == KeyType::choice; });
    if (!choices || row.of.size() == 1)
        return together(row, "; ", [](const KeyRow& one) { return describeValue(one); });
    std::vector<std::string_view> all;
    for (const auto& [table, one] : row.of)
        for (const std::string_view choice : one->choices)
            if (std::ranges::find(all, choice) == all.end())
                all.push_back(choice);
    std::vector<std::string> texts;
    for (const std::string_view choice : all) {
        std::string whose;
        std::size_t owners = 0;
        for (const auto& [table, one] : row.of)
            if (std::ranges::find(one->choices, choice) != one->choices.end()) {
                whose += fmt::format("{}{}", whose.empty() ? "" : ", ", table);
                ++owners;
            }
        texts.push_back(
            fmt::format("\"{}\"{}", choice, owners == row.of.size() ? "" : fmt::format(" ({})", whose)));
    }
    return alternatives({ texts.begin(), texts.end() }, true);
}

} // namespace

std::string describeValue(const KeyRow& row)
{
    switch (row.type) {
    case KeyType::text:
        return row.choices.empty() ? "text" + lengthText(row)
                                   : "text, such as " + alternatives(row.choices, false);
    case KeyType::flag:
        return "true or false";
    case KeyType::integer:
    case KeyType::number:
        return (row.type == KeyType::integer ? "whole number" : "number") + rangeText(row)
            + (row.unit.empty() ? "" : fmt::format(", in {}", row.unit));
    case KeyType::duration:
        return "duration" + rangeText(row);
    case KeyType::bytes:
        return "size" + rangeText(row);
    case KeyType::rate:
        return "rate" + rangeText(row);
    case KeyType::percent:
        return "share" + rangeText(row);
    case KeyType::quantity:
        return row.least || row.most ? "number with unit," + rangeText(row)
                                     : fmt::format("number with unit, in {}", row.unit);
    case KeyType::choice:
        return alternatives(row.choices, false);
    case KeyType::texts:
        return "list of texts" + countText(row);
    case KeyType::numbers:
        return "list of numbers" + countText(row);
    case KeyType::date:
        return "date";
    case KeyType::table:
        return "table";
    case KeyType::tables:
        return "list of tables" + countText(row);
    case KeyType::secret:
        return "text, { environment = \"NAME\" } or { file = \"/path\" }";
    }
    return "";
}

std::string describeKey(const KeyRow& row)
{
    if (row.required)
        return describeValue(row) + ", needed";
    return describeValue(row) + (row.fallback.empty() ? "" : fmt::format(", default {}", row.fallback));
}

std::string describeConditions(const KeyRow& row)
{
    std::string all;
    for (const KeyCondition& condition : row.when) {
        std::string_view key = condition.key;
        if (const std::string_view table = tableOf(key); !table.empty() && table == tableOf(row.path))
            key.remove_prefix(table.size() + 1);
        const bool flag = condition.values == std::vector<std::string_view> { "true" };
        all += fmt::format("{}{} is {}", all.empty() ? "" : " and ", key,
            condition.values.empty() ? "stated" : alternatives(condition.values, flag));
    }
    return all;
}

std::string markdownOf(FileKind kind, const std::vector<std::string_view>& tables)
{
    std::vector<HelpRow> rows;
    for (const std::string_view table : tables)
        for (const KeyRow* row : keysBelow(kind, table)) {
            if (!row->path.starts_with(table))
                continue; // of all items of labs: they have a table of their own
            const std::string_view name = table.substr(table.rfind('.') + 1);
            const std::string_view key = row->path.substr(row->path.rfind('.') + 1);
            const auto same = std::ranges::find(rows, key, &HelpRow::key);
            if (same == rows.end())
                rows.push_back({ key, { { name, row } } });
            else
                same->of.emplace_back(name, row);
        }
    if (rows.empty())
        return {};
    std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const HelpRow& row : rows) {
        std::string whose;
        if (row.of.size() < tables.size())
            for (const auto& [table, one] : row.of)
                whose += fmt::format("{}{}", whose.empty() ? "" : ", ", table);
        const std::string meaning = together(row, " ", [](const KeyRow& one) {
            const std::string when = describeConditions(one);
            return (when.empty() ? "" : fmt::format("Where {}: ", cellText(when))) + cellText(one.help);
        });
        text += fmt::format("| `{}` | {} | {} | {}{} |\n", row.key, cellText(valuesOf(row)),
            together(row, "; ", [](const KeyRow& one) { return defaultText(one); }),
            whose.empty() ? "" : whose + " only. ", meaning);
    }
    return text;
}

} // namespace loadstone
