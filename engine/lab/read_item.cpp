// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In one file, because items, links and what variants set are read by the same steps, which nobody else needs.
#include "base/joined.h"
#include "document/lab_keys.h"
#include "document/row_value.h"
#include "document/table_reader.h"
#include "lab/kinds.h"
#include "lab/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace loadstone::lab {

namespace {

using document::Member;
using document::Node;

/// What the rows of an item's kind, or of links, say of a key. All of it lives as long as the program.
struct RowsOf {
    const char* kind; ///< null: links
    const std::vector<std::string>& keys; ///< of properties
    const std::vector<std::string>& structure; ///< what else the table may have, for hints
    [[nodiscard]] const KeyRow* find(std::string_view key) const
    {
        return kind == nullptr ? document::labLinkRow(key) : document::labPropertyRow(kind, key);
    }
};

RowsOf rowsOf(ItemKind kind, PatchOf of)
{
    static const std::vector<std::string> kOfItems { "id", "kind", "name", "in", "count", "role", "notes",
        "place", "not_disclosed", "detected", "imported", "changed" };
    static const std::vector<std::string> kOfSets { "item", "unset", "name", "in", "count", "role", "notes",
        "place", "not_disclosed", "detected", "imported", "changed" };
    const char* word = toString(kind);
    return { word, document::labPropertyKeys(word), of == PatchOf::item ? kOfItems : kOfSets };
}

RowsOf rowsOfLinks()
{
    static const std::vector<std::string> kOfLinks { "from", "to", "kind", "count", "notes", "not_disclosed",
        "detected", "imported" };
    return { nullptr, document::labLinkPropertyKeys(), kOfLinks };
}

/// A value without a row, as a text: the key is unknown and its value is kept.
std::optional<std::string> plainText(const Node& node)
{
    switch (node.kind) {
    case Node::Kind::text:
    case Node::Kind::date:
        return node.text;
    case Node::Kind::integer:
        return fmt::format("{}", node.integer);
    case Node::Kind::real:
        return fmt::format("{}", node.real);
    case Node::Kind::boolean:
        return node.boolean ? "yes" : "no";
    case Node::Kind::array: {
        std::string joined;
        for (const Node& item : node.items) {
            const auto text = item.kind == Node::Kind::array ? std::nullopt : plainText(item);
            if (!text)
                return std::nullopt;
            joined += (joined.empty() ? "" : ", ") + *text;
        }
        return joined;
    }
    case Node::Kind::table:
        break;
    }
    return std::nullopt;
}

/// All that is known of the values of one table, put together at the end.
class Values {
public:
    Values(const RowsOf& rows, LabProblems& findings)
        : m_rows(rows)
        , m_findings(findings)
    {
    }

    /// `path` of the table that holds the member.
    void read(const Member& member, const std::string& path, LabValue value)
    {
        const std::string field = path + "." + member.key;
        const KeyRow* row = m_rows.find(member.key);
        if (row == nullptr && !isUsable(member, path))
            return;
        Slot* slot = slotOf(member, path, row);
        if (slot == nullptr)
            return;
        if (row == nullptr) {
            std::vector<std::string> known = m_rows.keys;
            known.insert(known.end(), m_rows.structure.begin(), m_rows.structure.end());
            m_findings.unknownProperty(member, path, known);
            value.text = plainText(member.value).value_or("");
        } else {
            const auto read = document::readValue(*row, member.value);
            if (const auto* fault = std::get_if<document::RowFault>(&read)) {
                m_findings.error(field, fault->message, fault->remedy);
                if (member.value.kind == Node::Kind::text && !document::faultOfText(member.value.text, false))
                    value.text = member.value.text;
            } else {
                value.text = std::get<document::RowValue>(read).text;
                value.number = std::get<document::RowValue>(read).number;
            }
        }
        auto& place = value.origin == ValueOrigin::detected ? slot->detected
            : value.origin == ValueOrigin::imported         ? slot->imported
                                                            : slot->typed;
        place = std::move(value);
    }

    void withhold(const std::string& key, const std::string& field)
    {
        const KeyRow* row = m_rows.find(key);
        if (row == nullptr) {
            const std::string near = m_findings.meant(key, m_rows.keys);
            m_findings.error(field, fmt::format("\"{}\" is not a key of a value", document::shown(key)),
                near.empty() ? fmt::format("use one of: {}", joined(m_rows.keys, ", "))
                             : fmt::format("did you mean {}?", near));
            return;
        }
        Slot& slot = m_slots[key];
        slot.row = row;
        if (slot.typed) {
            m_findings.error(field, fmt::format("{} is stated and not disclosed", key),
                fmt::format("remove {} here, or its value", key));
            return;
        }
        slot.typed = LabValue { {}, std::nullopt, ValueOrigin::notDisclosed, {}, {} };
    }

    [[nodiscard]] std::vector<LabProperty> take()
    {
        std::vector<LabProperty> properties;
        for (auto& [key, slot] : m_slots) {
            LabProperty property;
            property.key = key;
            property.known = slot.row != nullptr;
            auto& counts = slot.typed ? slot.typed : slot.imported ? slot.imported : slot.detected;
            if (!counts)
                continue;
            property.value = *counts;
            if (slot.detected && counts->origin != ValueOrigin::detected)
                property.detected = std::move(slot.detected);
            properties.push_back(std::move(property));
        }
        const auto rank = [&](const LabProperty& property) {
            return property.known ? m_rows.find(property.key) : nullptr;
        };
        // Rows stand in one table, so that their addresses are their order.
        std::stable_sort(
            properties.begin(), properties.end(), [&](const LabProperty& a, const LabProperty& b) {
                if (!a.known || !b.known)
                    return a.known && !b.known;
                return std::less<>()(rank(a), rank(b));
            });
        return properties;
    }

private:
    struct Slot {
        const KeyRow* row = nullptr;
        std::optional<LabValue> typed, imported, detected;
    };

    /// Whether an unknown key and its value can be kept.
    bool isUsable(const Member& member, const std::string& path)
    {
        const std::string field = path + "." + document::shown(member.key);
        const auto wrongKey = document::faultOfText(member.key, false);
        if (wrongKey || member.key.empty() || member.key.size() > 200) {
            m_findings.errorAt(member.at, field,
                wrongKey ? "this key " + wrongKey->message
                         : "this key is empty or longer than 200 characters",
                "use letters, digits and _");
            return false;
        }
        const auto text = plainText(member.value);
        if (!text) {
            m_findings.errorAt(member.at, field,
                fmt::format(
                    "this key is unknown and its value, {}, cannot be kept", describe(member.value.kind)),
                "write a text, or the entries as items of their own");
            return false;
        }
        if (const auto fault = document::faultOfText(*text, false)) {
            m_findings.errorAt(member.at, field, fault->message, fault->remedy);
            return false;
        }
        return true;
    }

    Slot* slotOf(const Member& member, const std::string& path, const KeyRow* row)
    {
        if (m_slots.size() >= kMostProperties && !m_slots.contains(member.key)) {
            if (!std::exchange(m_full, true))
                m_findings.errorAt(member.at, path + "." + document::shown(member.key),
                    fmt::format("an item has at most {} values", kMostProperties), "divide the item");
            return nullptr;
        }
        Slot& slot = m_slots[member.key];
        slot.row = row;
        return &slot;
    }

    const RowsOf& m_rows;
    LabProblems& m_findings;
    std::map<std::string, Slot, std::less<>> m_slots;
    bool m_full = false;
};

/// One text or date for all values of a table, or a table with one for each.
class Attribute {
public:
    Attribute(const Node& table, const char* key, const std::string& path, LabProblems& findings)
    {
        const Node* node = table.find(key);
        if (node == nullptr)
            return;
        const std::string field = path + "." + key;
        if (node->kind != Node::Kind::table) {
            m_all = textOf(*node, field, findings);
            return;
        }
        for (const Member& member : node->members)
            m_each[member.key] = textOf(member.value, field + "." + member.key, findings);
    }

    [[nodiscard]] std::string of(const std::string& key) const
    {
        const auto own = m_each.find(key);
        return own == m_each.end() ? m_all : own->second;
    }

private:
    static std::string textOf(const Node& node, const std::string& field, LabProblems& findings)
    {
        if (node.kind != Node::Kind::text && node.kind != Node::Kind::date) {
            findings.error(
                field, fmt::format("is {}, must be a text", describe(node.kind)), "write it in quotes");
            return {};
        }
        if (auto fault = document::faultOfText(node.text, false)) {
            findings.error(field, std::move(fault->message), std::move(fault->remedy));
            return {};
        }
        return node.text;
    }

    std::string m_all;
    std::map<std::string, std::string, std::less<>> m_each;
};

/// [item.detected] and [item.imported].
void readFound(
    const Node& node, const std::string& path, ValueOrigin origin, Values& values, LabProblems& findings)
{
    const char* source = origin == ValueOrigin::detected ? "by" : "from";
    if (node.kind != Node::Kind::table) {
        findings.error(path, fmt::format("is {}, must be a table", describe(node.kind)),
            fmt::format("write it as {{ at = 2026-11-23, {} = \"…\", key = value }}", source));
        return;
    }
    const Attribute by(node, source, path, findings);
    const Attribute at(node, "at", path, findings);
    for (const Member& member : node.members) {
        if (member.key == source || member.key == "at")
            continue;
        LabValue value;
        value.origin = origin;
        value.by = by.of(member.key);
        value.when = at.of(member.key);
        values.read(member, path, std::move(value));
    }
}

std::optional<std::vector<std::string>> readTexts(
    const Node& node, const std::string& field, std::size_t most, LabProblems& findings)
{
    std::vector<std::string> texts;
    const auto add = [&](const Node& item, const std::string& itemField) {
        if (item.kind != Node::Kind::text) {
            findings.error(
                itemField, fmt::format("is {}, must be a text", describe(item.kind)), "write it in quotes");
            return false;
        }
        if (auto fault = document::faultOfText(item.text, false)) {
            findings.error(itemField, std::move(fault->message), std::move(fault->remedy));
            return false;
        }
        texts.push_back(item.text);
        return true;
    };
    if (node.kind != Node::Kind::array)
        return add(node, field) ? std::optional(texts) : std::nullopt;
    if (node.items.size() > most) {
        findings.error(
            field, fmt::format("has {} entries, at most {} are read", node.items.size(), most), "shorten it");
        return std::nullopt;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (!add(node.items[i], fmt::format("{}[{}]", field, i)))
            return std::nullopt;
    return texts;
}

/// Keys whose values are withheld; after the typed values, which they contradict wherever they stand.
void readWithheld(const Node& table, const std::string& path, Values& values, LabProblems& findings)
{
    const Node* withheld = table.find("not_disclosed");
    if (withheld == nullptr)
        return;
    const std::string field = path + ".not_disclosed";
    const auto keys = readTexts(*withheld, field, kMostProperties, findings);
    for (std::size_t i = 0; keys && i < keys->size(); ++i)
        values.withhold(
            (*keys)[i], withheld->kind == Node::Kind::array ? fmt::format("{}[{}]", field, i) : field);
}

std::optional<std::int64_t> readCount(const Node& node, const std::string& field, LabProblems& findings)
{
    if (node.kind != Node::Kind::integer) {
        findings.error(field, fmt::format("is {}, must be a whole number", describe(node.kind)),
            "write a whole number, without quotes or unit");
        return std::nullopt;
    }
    if (node.integer < 1 || node.integer > 1'000'000) {
        findings.error(
            field, fmt::format("{} is out of range", node.integer), "write a number from 1 to 1000000");
        return std::nullopt;
    }
    return node.integer;
}

std::optional<std::pair<double, double>> readPlace(
    const Node& node, const std::string& field, LabProblems& findings)
{
    std::vector<double> numbers;
    for (const Node& item : node.items)
        if (item.kind == Node::Kind::integer || item.kind == Node::Kind::real)
            numbers.push_back(
                item.kind == Node::Kind::integer ? static_cast<double>(item.integer) : item.real);
    const auto near = [](double number) { return number >= -10000 && number <= 10000; };
    if (node.kind != Node::Kind::array || node.items.size() != 2 || numbers.size() != 2 || !near(numbers[0])
        || !near(numbers[1])) {
        findings.error(field, "is not a place in the diagram", "write column and row, as in [3, 1.5]");
        return std::nullopt;
    }
    return std::pair(numbers[0], numbers[1]);
}

std::vector<LabTuning> readTunings(const Node& table, const std::string& path, LabProblems& findings)
{
    static const std::vector<std::string> kKeys { "name", "place", "type", "default", "value", "unit",
        "why" };
    std::vector<LabTuning> tunings;
    const auto entries = readTables(table, "changed", path, findings);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string own = fmt::format("{}.changed[{}]", path, i);
        if (tunings.size() >= kMostTunings) {
            findings.error(own, fmt::format("an item has at most {} changed settings", kMostTunings),
                "shorten the list");
            break;
        }
        LabTuning tuning;
        for (const Member& member : entries[i]->members) {
            const bool isKnown = std::find(kKeys.begin(), kKeys.end(), member.key) != kKeys.end();
            const bool isScalar =
                member.value.kind != Node::Kind::array && member.value.kind != Node::Kind::table;
            if (!isKnown) {
                findings.unknownKey(member, own, kKeys);
                continue;
            }
            // The values of settings are whatever their files have.
            if ((member.key == "value" || member.key == "default") && isScalar
                && member.value.kind != Node::Kind::text) {
                const std::string text = member.value.kind == Node::Kind::boolean
                    ? (member.value.boolean ? "true" : "false")
                    : plainText(member.value).value_or("");
                (member.key == "value" ? tuning.value : tuning.defaultValue) = text;
                continue;
            }
            auto text = readText(*entries[i], member.key.c_str(), own, findings, member.key == "why");
            if (!text)
                continue;
            std::string& to = member.key == "name" ? tuning.name
                : member.key == "place"            ? tuning.place
                : member.key == "type"             ? tuning.type
                : member.key == "default"          ? tuning.defaultValue
                : member.key == "value"            ? tuning.value
                : member.key == "unit"             ? tuning.unit
                                                   : tuning.why;
            to = std::move(*text);
        }
        tuning.number = numberOfTuning(tuning.value);
        if (entries[i]->find("name") == nullptr)
            findings.error(own + ".name", "is missing", "write name = \"…\", the name of the setting");
        else if (tuning.name.empty())
            findings.error(own + ".name", "is empty", "write the name of the setting");
        tunings.push_back(std::move(tuning));
    }
    return tunings;
}

void flagOddRoles(const std::vector<std::string>& roles, const std::string& field, LabProblems& findings)
{
    for (const std::string& role : roles) {
        const auto& usual = usualRoles();
        if (std::find(usual.begin(), usual.end(), role) != usual.end())
            continue;
        const std::string near = findings.meant(role, usual);
        if (!near.empty() && near.size() > 3)
            findings.flag(field, fmt::format("\"{}\" is kept as a role of its own", document::shown(role)),
                fmt::format("did you mean \"{}\"?", near));
    }
}

} // namespace

ItemPatch readPatch(
    const Node& table, const std::string& path, ItemKind kind, PatchOf of, LabProblems& findings)
{
    ItemPatch patch;
    const RowsOf rows = rowsOf(kind, of);
    Values values(rows, findings);
    for (const Member& member : table.members) {
        const std::string& key = member.key;
        const std::string field = path + "." + key;
        patch.keys.push_back(key);
        if (key == (of == PatchOf::item ? "id" : "item") || (key == "kind" && of == PatchOf::item)
            || key == "changed")
            continue;
        if (of == PatchOf::set && (key == "id" || key == "kind"))
            findings.error(field, "a variant cannot change it", "remove the item and add another one");
        else if (key == "unset" && of == PatchOf::set)
            patch.unset = readTexts(member.value, field, kMostProperties, findings)
                              .value_or(std::vector<std::string> {});
        else if (key == "name")
            patch.name = readText(table, "name", path, findings);
        else if (key == "notes")
            patch.notes = readText(table, "notes", path, findings, true);
        else if (key == "in")
            patch.in = readId(table, "in", path, findings);
        else if (key == "count")
            patch.count = readCount(member.value, field, findings);
        else if (key == "place")
            patch.place = readPlace(member.value, field, findings);
        else if (key == "role") {
            patch.roles = readTexts(member.value, field, kMostRoles, findings);
            if (patch.roles)
                flagOddRoles(*patch.roles, field, findings);
        } else if (key == "detected")
            readFound(member.value, field, ValueOrigin::detected, values, findings);
        else if (key == "imported")
            readFound(member.value, field, ValueOrigin::imported, values, findings);
        else if (key != "not_disclosed")
            values.read(member, path, LabValue {});
    }
    readWithheld(table, path, values, findings);
    patch.properties = values.take();
    patch.changed = readTunings(table, path, findings);
    return patch;
}

std::optional<LabItem> readItem(const Node& table, const std::string& path, LabProblems& findings)
{
    LabItem item;
    item.line = table.begin.line;
    const auto id = readId(table, "id", path, findings);
    std::optional<ItemKind> kind;
    if (table.find("kind") == nullptr) {
        findings.error(path + ".kind", "is missing",
            fmt::format("write kind = \"…\" with one of: {}", joined(itemKindWords(), ", ")));
    } else if (const auto word = readText(table, "kind", path, findings)) {
        kind = itemKindOf(*word);
        if (!kind) {
            const std::string near = findings.meant(*word, itemKindWords());
            findings.error(path + ".kind",
                fmt::format("\"{}\" is not a kind of item", document::shown(*word)),
                near.empty() ? fmt::format("write one of: {}", joined(itemKindWords(), ", "))
                             : fmt::format("did you mean \"{}\"?", near));
        }
    }
    if (!id || !kind)
        return std::nullopt;
    item.id = *id;
    item.kind = *kind;
    apply(readPatch(table, path, *kind, PatchOf::item, findings), item, path, findings);
    return item;
}

std::optional<LabLink> readLink(const Node& table, const std::string& path, LabProblems& findings)
{
    LabLink link;
    link.line = table.begin.line;
    const auto from = readId(table, "from", path, findings);
    const auto to = readId(table, "to", path, findings);
    if (const auto word = readText(table, "kind", path, findings)) {
        const auto kind = linkKindOf(*word);
        if (!kind) {
            const std::string near = findings.meant(*word, linkKindWords());
            findings.error(path + ".kind",
                fmt::format("\"{}\" is not a kind of link", document::shown(*word)),
                near.empty() ? fmt::format("write one of: {}", joined(linkKindWords(), ", "))
                             : fmt::format("did you mean \"{}\"?", near));
        }
        link.kind = kind.value_or(LinkKind::network);
    }
    const RowsOf rows = rowsOfLinks();
    Values values(rows, findings);
    for (const Member& member : table.members) {
        if (member.key == "from" || member.key == "to" || member.key == "kind")
            continue;
        if (member.key == "count")
            link.count = readCount(member.value, path + ".count", findings).value_or(1);
        else if (member.key == "notes")
            link.notes = readText(table, "notes", path, findings, true).value_or("");
        else if (member.key == "detected")
            readFound(member.value, path + ".detected", ValueOrigin::detected, values, findings);
        else if (member.key == "imported")
            readFound(member.value, path + ".imported", ValueOrigin::imported, values, findings);
        else if (member.key != "not_disclosed")
            values.read(member, path, LabValue {});
    }
    readWithheld(table, path, values, findings);
    link.properties = values.take();
    if (!from || !to)
        return std::nullopt;
    link.from = *from;
    link.to = *to;
    return link;
}

} // namespace loadstone::lab
