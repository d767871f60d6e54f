// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "document/row_value.h"

#include <loadstone/document.h>
#include <loadstone/lab.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace loadstone {

namespace {

std::string keyText(const std::string& key)
{
    const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '-';
    });
    return bare ? key : tomlText(key);
}

/// A date of TOML for what is one in its order of year, month and day; else a text.
std::string dateValue(const std::string& text)
{
    const bool iso = text.size() >= 10 && text[4] == '-' && document::dateOf(text);
    if (!iso || (text.size() != 10 && text.size() != 19))
        return tomlText(text);
    return text.size() == 10 ? text : text.substr(0, 10) + "T" + text.substr(11) + "Z";
}

std::string listValue(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
        list += (list.empty() ? "" : ", ") + tomlText(text);
    return "[" + list + "]";
}

std::vector<std::string> partsOf(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
        const auto end = std::min(text.find(", ", at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 2;
    }
    return parts;
}

/// In the spelling that the row asks for; what it would refuse is a text, which reads as the same faulty value.
std::string valueText(const KeyRow* row, const LabValue& value)
{
    if (row == nullptr)
        return tomlText(value.text);
    switch (row->type) {
    case KeyType::texts:
        return listValue(partsOf(value.text));
    case KeyType::flag:
        return value.number ? (*value.number != 0 ? "true" : "false") : tomlText(value.text);
    case KeyType::integer:
        return value.number ? fmt::format("{:.0f}", *value.number) : tomlText(value.text);
    case KeyType::number:
        return value.number ? value.text : tomlText(value.text);
    case KeyType::date:
        return dateValue(value.text);
    default:
        return tomlText(value.text);
    }
}

using RowOf = std::function<const KeyRow*(const std::string&)>;

/// at, by or from: once for all values, or a table where they differ.
std::string attribute(const std::vector<std::pair<std::string, LabValue>>& values, const char* name,
    std::string LabValue::*member, bool date)
{
    const auto spelt = [&](const std::string& text) { return date ? dateValue(text) : tomlText(text); };
    const std::string& first = values.front().second.*member;
    const bool same = std::all_of(
        values.begin(), values.end(), [&](const auto& value) { return value.second.*member == first; });
    if (same)
        return first.empty() ? std::string() : fmt::format("{} = {}\n", name, spelt(first));
    std::string each;
    for (const auto& [key, value] : values)
        if (!(value.*member).empty())
            each += fmt::format("{}{} = {}", each.empty() ? "" : ", ", keyText(key), spelt(value.*member));
    return fmt::format("{} = {{ {} }}\n", name, each);
}

std::string foundTable(const std::string& header, const std::vector<std::pair<std::string, LabValue>>& values,
    const char* source, const RowOf& rowOf)
{
    if (values.empty())
        return {};
    std::string text = "\n[" + header + "]\n";
    text += attribute(values, "at", &LabValue::when, true);
    text += attribute(values, source, &LabValue::by, false);
    for (const auto& [key, value] : values)
        text += fmt::format("{} = {}\n", keyText(key), valueText(rowOf(key), value));
    return text;
}

struct Written {
    std::string typed, tables; ///< keys of the entry itself, and tables below it
};

Written writeValues(const std::vector<LabProperty>& properties, const std::string& header, const RowOf& rowOf)
{
    Written written;
    std::vector<std::string> withheld;
    std::vector<std::pair<std::string, LabValue>> detected, imported;
    for (const LabProperty& property : properties) {
        const LabValue& value = property.value;
        if (value.origin == ValueOrigin::typed)
            written.typed +=
                fmt::format("{} = {}\n", keyText(property.key), valueText(rowOf(property.key), value));
        else if (value.origin == ValueOrigin::notDisclosed)
            withheld.push_back(property.key);
        else
            (value.origin == ValueOrigin::detected ? detected : imported).emplace_back(property.key, value);
        if (property.detected)
            detected.emplace_back(property.key, *property.detected);
    }
    if (!withheld.empty())
        written.typed += fmt::format("not_disclosed = {}\n", listValue(withheld));
    written.tables = foundTable(header + ".detected", detected, "by", rowOf)
        + foundTable(header + ".imported", imported, "from", rowOf);
    return written;
}

void addText(std::string& text, const char* key, const std::string& value)
{
    if (!value.empty())
        text += fmt::format("{} = {}\n", key, tomlText(value));
}

std::string tuningText(const LabTuning& tuning)
{
    std::string text = "\n[[item.changed]]\n";
    text += fmt::format("name = {}\n", tomlText(tuning.name));
    addText(text, "place", tuning.place);
    addText(text, "type", tuning.type);
    addText(text, "default", tuning.defaultValue);
    addText(text, "value", tuning.value);
    addText(text, "unit", tuning.unit);
    addText(text, "why", tuning.why);
    return text;
}

std::string itemText(const LabItem& item)
{
    const char* kind = toString(item.kind);
    std::string text = fmt::format("\n[[item]]\nid = {}\nkind = {}\n", tomlText(item.id), tomlText(kind));
    addText(text, "name", item.name);
    addText(text, "in", item.in);
    if (item.count != 1)
        text += fmt::format("count = {}\n", item.count);
    if (!item.roles.empty())
        text += fmt::format("role = {}\n", listValue(item.roles));
    const Written values = writeValues(item.properties, "item",
        [kind](const std::string& key) { return document::labPropertyRow(kind, key); });
    text += values.typed;
    addText(text, "notes", item.notes);
    if (item.place)
        text += fmt::format("place = [{:g}, {:g}]\n", item.place->first, item.place->second);
    text += values.tables;
    for (const LabTuning& tuning : item.changed)
        text += tuningText(tuning);
    return text;
}

std::string linkText(const LabLink& link)
{
    std::string text = fmt::format("\n[[link]]\nfrom = {}\nto = {}\nkind = {}\n", tomlText(link.from),
        tomlText(link.to), tomlText(toString(link.kind)));
    if (link.count != 1)
        text += fmt::format("count = {}\n", link.count);
    const Written values = writeValues(
        link.properties, "link", [](const std::string& key) { return document::labLinkRow(key); });
    text += values.typed;
    addText(text, "notes", link.notes);
    text += values.tables;
    return text;
}

} // namespace

std::string writeLab(const Lab& lab)
{
    std::string text = "kind = \"lab\"\n";
    addText(text, "title", lab.title);
    addText(text, "description", lab.description);
    for (const LabItem& item : lab.items)
        text += itemText(item);
    for (const LabLink& link : lab.links)
        text += linkText(link);
    return text;
}

} // namespace loadstone
