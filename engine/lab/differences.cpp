// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "document/row_value.h"

#include <loadstone/lab.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace loadstone {

namespace {

using What = LabDifference::What;

/// Without what differs in case and blanks alone.
std::string folded(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (blank && (result.empty() || result.back() == ' '))
            continue;
        result += blank ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool isBytes(const KeyRow* row)
{
    return row != nullptr && row->type == KeyType::bytes;
}

bool sameValue(const KeyRow* row, const LabValue& a, const LabValue& b)
{
    if ((a.origin == ValueOrigin::notDisclosed) != (b.origin == ValueOrigin::notDisclosed))
        return false;
    if (a.number && b.number)
        return isNear(*a.number, *b.number);
    if (row != nullptr && row->type == KeyType::choice)
        return document::sameChoice(a.text, b.text);
    return folded(a.text) == folded(b.text);
}

/// Whether what was detected rounds to what is described.
bool roundsTo(const KeyRow* row, const LabValue& described, const LabValue& detected)
{
    if (sameValue(row, described, detected))
        return true;
    if (row == nullptr || !described.number || !detected.number)
        return false;
    const auto agree = [](const std::optional<document::Printed>& a,
                           const std::optional<document::Printed>& b) {
        return a && b && std::abs(a->value - b->value) <= std::max(a->half, b->half) * (1 + 1e-9);
    };
    if (!isBytes(row))
        return agree(
            document::printedValue(*row, described.text), document::printedValue(*row, detected.text));
    using document::ByteSteps;
    for (const ByteSteps one : { ByteSteps::decimal, ByteSteps::binary })
        for (const ByteSteps other : { ByteSteps::decimal, ByteSteps::binary })
            if (agree(document::printedBytes(described.text, one),
                    document::printedBytes(detected.text, other)))
                return true;
    return false;
}

std::string printed(const LabValue& value)
{
    return value.origin == ValueOrigin::notDisclosed ? toString(value.origin) : value.text;
}

std::string wordOf(const KeyRow* row, const std::string& key)
{
    if (row == nullptr || row->label.empty())
        return key;
    std::string word(row->label);
    // "Memory" in the middle of a label, but "BIOS" and "vCPUs" as they are.
    if (word.size() > 1 && word[0] >= 'A' && word[0] <= 'Z' && word[1] >= 'a' && word[1] <= 'z')
        word[0] = static_cast<char>(word[0] - 'A' + 'a');
    return word;
}

/// "2 x Disk"; an item without a name is called by what it is: "Windows NT Server 4.0".
std::string describeItem(const LabItem& item)
{
    std::string what = item.name;
    for (const char* key : { "product", "model" })
        if (const LabProperty* is = item.find(key);
            what.empty() && is != nullptr && is->value.origin != ValueOrigin::notDisclosed) {
            what = is->value.text;
            if (const LabProperty* version = item.find("version");
                !what.empty() && version != nullptr && version->value.origin != ValueOrigin::notDisclosed)
                what += " " + version->value.text;
        }
    if (what.empty())
        what = item.id;
    return item.count == 1 ? what : fmt::format("{} x {}", item.count, what);
}

std::string tunedValue(const LabTuning& tuning)
{
    return tuning.unit.empty() ? tuning.value : tuning.value + " " + tuning.unit;
}

/// With what else is stated, for settings that have the same value.
std::string wholeTuning(const LabTuning& tuning)
{
    std::string text = tunedValue(tuning);
    if (!tuning.type.empty())
        text += ", " + tuning.type;
    if (!tuning.defaultValue.empty())
        text += ", default " + tuning.defaultValue;
    return text;
}

bool sameTuning(const LabTuning& a, const LabTuning& b)
{
    const bool sameValues =
        a.number && b.number ? isNear(*a.number, *b.number) : folded(a.value) == folded(b.value);
    return sameValues && folded(a.unit) == folded(b.unit) && folded(a.type) == folded(b.type)
        && folded(a.defaultValue) == folded(b.defaultValue);
}

class Comparison {
public:
    void items(const Lab& before, const Lab& after)
    {
        std::unordered_map<std::string_view, const LabItem*> afters;
        std::unordered_set<std::string_view> befores;
        for (const LabItem& item : after.items)
            afters.emplace(item.id, &item);
        for (const LabItem& item : before.items) {
            if (!befores.insert(item.id).second)
                continue;
            const auto other = afters.find(item.id);
            if (other == afters.end() || other->second->kind != item.kind)
                add(What::item, item, "", item.label(), describeItem(item), "");
            else
                compare(item, *other->second);
        }
        std::unordered_map<std::string_view, const LabItem*> kinds;
        for (const LabItem& item : before.items)
            kinds.emplace(item.id, &item);
        for (const auto& item : after.items) {
            const auto old = kinds.find(item.id);
            if (afters.at(item.id) == &item && (old == kinds.end() || old->second->kind != item.kind))
                add(What::item, item, "", item.label(), "", describeItem(item));
        }
    }

    void links(const Lab& before, const Lab& after)
    {
        // Of the links between the same ends the first is compared with the first, the second with the second.
        std::map<Ends, std::vector<std::size_t>> open;
        for (std::size_t i = after.links.size(); i-- > 0;)
            open[endsOf(after.links[i])].push_back(i);
        std::vector<bool> used(after.links.size(), false);
        for (const LabLink& link : before.links) {
            auto& same = open[endsOf(link)];
            if (same.empty()) {
                addLink(link, "", describeLink(link), "");
                continue;
            }
            used[same.back()] = true;
            compare(link, after.links[same.back()]);
            same.pop_back();
        }
        for (std::size_t i = 0; i < after.links.size(); ++i)
            if (!used[i])
                addLink(after.links[i], "", "", describeLink(after.links[i]));
    }

    std::vector<LabDifference> take() { return std::move(m_found); }

private:
    using Ends = std::tuple<LinkKind, std::string_view, std::string_view>;

    /// Whichever end is named first, but for links with a direction.
    static Ends endsOf(const LabLink& link)
    {
        const bool directed = link.kind == LinkKind::runsOn || link.kind == LinkKind::replicates;
        return directed || link.from <= link.to ? Ends(link.kind, link.from, link.to)
                                                : Ends(link.kind, link.to, link.from);
    }

    void add(What what, const LabItem& item, const std::string& key, std::string label, std::string before,
        std::string after)
    {
        m_found.push_back({ what, item.id, std::move(label), key, std::move(before), std::move(after) });
    }

    void addLink(const LabLink& link, const std::string& key, std::string before, std::string after)
    {
        const std::string ends = link.from + " -> " + link.to;
        m_found.push_back(
            { What::link, ends, key.empty() ? ends : ends + ": " + wordOf(document::labLinkRow(key), key),
                key, std::move(before), std::move(after) });
    }

    void textOf(const LabItem& item, const char* key, const char* word, const std::string& before,
        const std::string& after)
    {
        if (folded(before) != folded(after))
            add(What::property, item, key, item.label() + ": " + word, before, after);
    }

    void compare(const LabItem& before, const LabItem& after)
    {
        textOf(before, "name", "name", before.name, after.name);
        textOf(before, "in", "in", before.in, after.in);
        if (before.count != after.count)
            add(What::count, before, "count", before.label() + ": count", fmt::format("{}", before.count),
                fmt::format("{}", after.count));
        compareRoles(before, after);
        compareProperties(before, after);
        compareTunings(before, after);
        textOf(before, "notes", "notes", before.notes, after.notes);
    }

    void compareRoles(const LabItem& before, const LabItem& after)
    {
        // Their order says nothing.
        const std::set<std::string> old(before.roles.begin(), before.roles.end());
        const std::set<std::string> now(after.roles.begin(), after.roles.end());
        for (const std::string& role : before.roles)
            if (!now.contains(role))
                add(What::role, before, "role", before.label() + ": role", role, "");
        for (const std::string& role : after.roles)
            if (!old.contains(role))
                add(What::role, before, "role", before.label() + ": role", "", role);
    }

    void compareProperties(const LabItem& before, const LabItem& after)
    {
        const char* kind = toString(before.kind);
        const auto label = [&](const std::string& key) {
            return before.label() + ": " + wordOf(document::labPropertyRow(kind, key), key);
        };
        for (const LabProperty& property : before.properties) {
            const LabProperty* other = after.find(property.key);
            if (other == nullptr)
                add(What::property, before, property.key, label(property.key), printed(property.value), "");
            else if (!sameValue(document::labPropertyRow(kind, property.key), property.value, other->value))
                add(What::property, before, property.key, label(property.key), printed(property.value),
                    printed(other->value));
        }
        for (const LabProperty& property : after.properties)
            if (before.find(property.key) == nullptr)
                add(What::property, before, property.key, label(property.key), "", printed(property.value));
    }

    void compareTunings(const LabItem& before, const LabItem& after)
    {
        // One setting may occur at several places, so the place counts before the name alone.
        std::vector<const LabTuning*> partners(before.changed.size(), nullptr);
        std::vector<bool> used(after.changed.size(), false);
        for (const bool byPlace : { true, false })
            for (std::size_t i = 0; i < before.changed.size(); ++i)
                for (std::size_t j = 0; partners[i] == nullptr && j < after.changed.size(); ++j) {
                    const LabTuning& other = after.changed[j];
                    if (used[j] || other.name != before.changed[i].name
                        || (byPlace && other.place != before.changed[i].place))
                        continue;
                    partners[i] = &other;
                    used[j] = true;
                }
        for (std::size_t i = 0; i < before.changed.size(); ++i) {
            const LabTuning& tuning = before.changed[i];
            const std::string label = before.label() + ": " + tuning.name;
            if (partners[i] == nullptr)
                add(What::tuning, before, tuning.name, label, tunedValue(tuning), "");
            else if (folded(tuning.place) != folded(partners[i]->place))
                add(What::tuning, before, tuning.name, label, tunedValue(tuning) + " at " + tuning.place,
                    tunedValue(*partners[i]) + " at " + partners[i]->place);
            else if (!sameTuning(tuning, *partners[i]))
                addTuning(before, label, tuning, *partners[i]);
        }
        for (std::size_t j = 0; j < after.changed.size(); ++j)
            if (!used[j])
                add(What::tuning, before, after.changed[j].name,
                    before.label() + ": " + after.changed[j].name, "", tunedValue(after.changed[j]));
    }

    void addTuning(
        const LabItem& item, const std::string& label, const LabTuning& before, const LabTuning& after)
    {
        const bool valuesDiffer = folded(tunedValue(before)) != folded(tunedValue(after));
        add(What::tuning, item, before.name, label, valuesDiffer ? tunedValue(before) : wholeTuning(before),
            valuesDiffer ? tunedValue(after) : wholeTuning(after));
    }

    static std::string describeLink(const LabLink& link)
    {
        std::string text = toString(link.kind);
        for (const LabProperty& property : link.properties)
            if (property.key == "speed" && !property.value.text.empty())
                text += " " + property.value.text;
        return link.count == 1 ? text : fmt::format("{} x {}", link.count, text);
    }

    void compare(const LabLink& before, const LabLink& after)
    {
        if (before.count != after.count)
            addLink(before, "count", fmt::format("{}", before.count), fmt::format("{}", after.count));
        const auto find = [](const LabLink& link, const std::string& key) -> const LabProperty* {
            for (const LabProperty& property : link.properties)
                if (property.key == key)
                    return &property;
            return nullptr;
        };
        for (const LabProperty& property : before.properties) {
            const LabProperty* other = find(after, property.key);
            if (other == nullptr)
                addLink(before, property.key, printed(property.value), "");
            else if (!sameValue(document::labLinkRow(property.key), property.value, other->value))
                addLink(before, property.key, printed(property.value), printed(other->value));
        }
        for (const LabProperty& property : after.properties)
            if (find(before, property.key) == nullptr)
                addLink(before, property.key, "", printed(property.value));
        if (folded(before.notes) != folded(after.notes))
            addLink(before, "notes", before.notes, after.notes);
    }

    std::vector<LabDifference> m_found;
};

} // namespace

std::vector<LabDifference> differences(const Lab& before, const Lab& after)
{
    Comparison comparison;
    comparison.items(before, after);
    comparison.links(before, after);
    return comparison.take();
}

std::vector<LabDifference> differencesFromDetected(const Lab& lab)
{
    std::vector<LabDifference> found;
    for (const LabItem& item : lab.items)
        for (const LabProperty& property : item.properties) {
            const KeyRow* row = document::labPropertyRow(toString(item.kind), property.key);
            // What is withheld is not described, so that nothing contradicts it.
            if (!property.detected || property.value.origin == ValueOrigin::notDisclosed
                || roundsTo(row, property.value, *property.detected))
                continue;
            found.push_back({ What::property, item.id, item.label() + ": " + wordOf(row, property.key),
                property.key, printed(property.value), printed(*property.detected) });
        }
    return found;
}

} // namespace loadstone
