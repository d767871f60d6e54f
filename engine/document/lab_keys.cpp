// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"

#include <map>
#include <utility>

namespace loadstone::document {

namespace rows {

namespace {

KeyRow row(std::string_view path, KeyType type, std::string_view label, std::string_view help)
{
    KeyRow made;
    made.path = path;
    made.type = type;
    made.label = label;
    made.help = help;
    return made;
}

KeyRow ranged(KeyRow made, double least, double most)
{
    made.least = least;
    made.most = most;
    return made;
}

} // namespace

KeyRow text(std::string_view path, std::string_view label, std::string_view help,
    std::initializer_list<std::string_view> usual)
{
    KeyRow made = row(path, KeyType::text, label, help);
    made.choices = usual;
    return made;
}

KeyRow texts(std::string_view path, std::string_view label, std::string_view help)
{
    return row(path, KeyType::texts, label, help);
}

KeyRow choice(std::string_view path, std::string_view label, std::initializer_list<std::string_view> choices,
    std::string_view help)
{
    KeyRow made = row(path, KeyType::choice, label, help);
    made.choices = choices;
    return made;
}

KeyRow flag(std::string_view path, std::string_view label, std::string_view help)
{
    return row(path, KeyType::flag, label, help);
}

KeyRow count(std::string_view path, std::string_view label, double least, double most, std::string_view help)
{
    return ranged(row(path, KeyType::integer, label, help), least, most);
}

KeyRow number(std::string_view path, std::string_view label, double least, double most, std::string_view help)
{
    return ranged(row(path, KeyType::number, label, help), least, most);
}

KeyRow percent(std::string_view path, std::string_view label, std::string_view help)
{
    return ranged(row(path, KeyType::percent, label, help), 0, 100);
}

KeyRow capacity(std::string_view path, std::string_view label, std::string_view help)
{
    KeyRow made = ranged(row(path, KeyType::bytes, label, help), 1, 1e21);
    made.unit = "GB";
    return made;
}

KeyRow bytes(std::string_view path, std::string_view label, double most, std::string_view help)
{
    KeyRow made = ranged(row(path, KeyType::bytes, label, help), 1, most);
    made.unit = "GiB";
    return made;
}

KeyRow quantity(std::string_view path, std::string_view label, std::string_view unit, double least,
    double most, std::string_view help)
{
    KeyRow made = ranged(row(path, KeyType::quantity, label, help), least, most);
    made.unit = unit;
    return made;
}

KeyRow duration(std::string_view path, std::string_view label, double most, std::string_view help)
{
    return ranged(row(path, KeyType::duration, label, help), 0, most);
}

KeyRow date(std::string_view path, std::string_view label, std::string_view help)
{
    return row(path, KeyType::date, label, help);
}

KeyRow tables(std::string_view path, std::string_view help)
{
    return row(path, KeyType::tables, {}, help);
}

KeyRow rare(KeyRow made)
{
    made.rare = true;
    return made;
}

KeyRow required(KeyRow made)
{
    made.required = true;
    return made;
}

} // namespace rows

namespace {

using RowsByKey = std::map<std::string_view, const KeyRow*, std::less<>>;

/// Keys of items and links that are no properties: what the model has members for.
bool isLabStructure(std::string_view key)
{
    for (const std::string_view own : { "id", "kind", "name", "in", "count", "role", "notes", "place",
             "not_disclosed", "detected", "imported", "changed", "from", "to" })
        if (key == own)
            return true;
    return false;
}

/// "drive" and "size" of "item[drive].size"; nothing for a path with more or fewer steps.
std::pair<std::string_view, std::string_view> labPathParts(std::string_view path, std::string_view list)
{
    if (!path.starts_with(list) || path.size() <= list.size() || path[list.size()] != '[')
        return {};
    const auto close = path.find("].", list.size());
    if (close == std::string_view::npos)
        return {};
    const auto key = path.substr(close + 2);
    if (key.find_first_of(".[") != std::string_view::npos || isLabStructure(key))
        return {};
    return { path.substr(list.size() + 1, close - list.size() - 1), key };
}

struct LabIndex {
    std::map<std::string_view, RowsByKey, std::less<>> items; ///< by kind; "" for the keys of all kinds
    RowsByKey links;
    std::map<std::string, std::vector<std::string>, std::less<>> keys; ///< by kind, in the order of the table
    std::vector<std::string> linkKeys;
};

const LabIndex& labIndex()
{
    static const LabIndex built = [] {
        LabIndex made;
        for (const KeyRow& row : labKeys()) {
            if (const auto [kind, key] = labPathParts(row.path, "item"); !key.empty()) {
                made.items[kind][key] = &row;
                made.keys[std::string(kind)].emplace_back(key);
            } else if (const auto [none, linkKey] = labPathParts(row.path, "link"); !linkKey.empty()) {
                made.links[linkKey] = &row;
                made.linkKeys.emplace_back(linkKey);
            }
        }
        const std::vector<std::string> common = made.keys[""];
        for (auto& [kind, keys] : made.keys)
            if (!kind.empty())
                keys.insert(keys.begin(), common.begin(), common.end());
        return made;
    }();
    return built;
}

const KeyRow* findRow(const RowsByKey& rows, std::string_view key)
{
    const auto at = rows.find(key);
    return at == rows.end() ? nullptr : at->second;
}

} // namespace

std::span<const KeyRow> labKeys()
{
    static const std::vector<KeyRow> table = [] {
        std::vector<KeyRow> all;
        for (auto part : { labFileRows, labMachineRows, labStorageRows, labSoftwareRows })
            for (KeyRow& row : part())
                all.push_back(std::move(row));
        return all;
    }();
    return table;
}

const KeyRow* labPropertyRow(std::string_view kind, std::string_view key)
{
    const auto& items = labIndex().items;
    if (const auto own = items.find(kind); own != items.end())
        if (const KeyRow* row = findRow(own->second, key))
            return row;
    return findRow(items.at(""), key);
}

const KeyRow* labLinkRow(std::string_view key)
{
    return findRow(labIndex().links, key);
}

const std::vector<std::string>& labPropertyKeys(std::string_view kind)
{
    const auto& keys = labIndex().keys;
    const auto own = keys.find(kind);
    return own == keys.end() ? keys.at("") : own->second;
}

const std::vector<std::string>& labLinkPropertyKeys()
{
    return labIndex().linkKeys;
}

} // namespace loadstone::document
