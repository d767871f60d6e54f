// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/findings.h"

#include "document/lab_keys.h"
#include "document/row_value.h"

#include <loadstone/keys.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace loadstone::lab {

namespace {

constexpr std::size_t kMostDetected = 5000; // of one machine; a lab takes 10,000

std::string fitForId(std::string_view name)
{
    std::string id;
    for (const char c : name) {
        const bool fits =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (fits)
            id += c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.substr(0, 60);
}

/// What names a single piece. Two pieces of one model differ in them, and are identical all the same.
constexpr std::array<std::string_view, 9> kOwn { "device", "serial", "world_wide_name", "slot",
    "hardware_address", "interface", "numa_node", "socket", "addresses" };

bool isOwn(const LabItem& item, std::string_view key)
{
    // The interface of a drive is its kind, that of an adapter its name.
    return key != "interface" ? std::ranges::find(kOwn, key) != kOwn.end() : item.kind == ItemKind::adapter;
}

std::string likeness(const LabItem& item)
{
    std::string text = fmt::format("{}\n{}\n{}\n", toString(item.kind), item.in, item.count);
    for (const LabProperty& property : item.properties)
        text += isOwn(item, property.key) ? property.key + "\n"
                                          : fmt::format("{}={}\n", property.key, property.value.text);
    return text;
}

} // namespace

Findings::Findings(const MachineText& machine, Detection& into)
    : m_machine(&machine)
    , m_into(&into)
{
}

LabItem Findings::item(ItemKind kind, std::string_view name, std::string_view in)
{
    LabItem made;
    made.kind = kind;
    if (name.empty()) {
        made.id = Detection::kMachine;
        return made;
    }
    made.in = in.empty() ? Detection::kMachine : std::string(in);
    std::string id = fitForId(name);
    if (id.empty())
        id = toString(kind);
    const std::string wanted = fmt::format("{}.{}", Detection::kMachine, id);
    made.id = wanted;
    const auto taken = [this](const std::string& one) {
        return std::ranges::any_of(items(), [&](const LabItem& item) { return item.id == one; });
    };
    for (int more = 2; taken(made.id); ++more)
        made.id = fmt::format("{}-{}", wanted, more);
    return made;
}

void Findings::add(LabItem& item, std::string_view key, const std::string& text, std::string_view by) const
{
    if (text.empty() || item.find(key) != nullptr)
        return;
    const KeyRow* row = document::labPropertyRow(toString(item.kind), key);
    if (row == nullptr)
        return;
    const auto reading = document::readText(*row, text);
    const auto* value = std::get_if<document::RowValue>(&reading);
    if (value == nullptr)
        return;
    LabProperty property;
    property.key = key;
    property.value = { value->text, value->number, ValueOrigin::detected, std::string(by), m_into->when };
    item.properties.push_back(std::move(property));
}

void Findings::addNumber(LabItem& item, std::string_view key, std::uint64_t number, std::string_view by) const
{
    add(item, key, std::to_string(number), by);
}

namespace {

/// "480 GB", "2.345 GB": in the largest unit in which it is at least one.
std::string sizeText(std::uint64_t bytes, double step, const std::array<const char*, 6>& units)
{
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= step && unit + 1 < units.size(); ++unit)
        value /= step;
    std::string text = fmt::format("{:.3f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text + " " + units[unit];
}

} // namespace

void Findings::addDriveSize(
    LabItem& item, std::string_view key, std::uint64_t bytes, std::string_view by) const
{
    if (bytes != 0)
        add(item, key, sizeText(bytes, 1000, { "B", "KB", "MB", "GB", "TB", "PB" }), by);
}

void Findings::addMemorySize(
    LabItem& item, std::string_view key, std::uint64_t bytes, std::string_view by) const
{
    if (bytes != 0)
        add(item, key, sizeText(bytes, 1024, { "B", "KiB", "MiB", "GiB", "TiB", "PiB" }), by);
}

void Findings::addFlag(LabItem& item, std::string_view key, bool value, std::string_view by) const
{
    add(item, key, value ? "yes" : "no", by);
}

void Findings::keep(LabItem item)
{
    if (items().size() >= kMostDetected) {
        notRead("the machine", "it has more than 5000 parts", "", item.id);
        return;
    }
    const auto& order = document::labPropertyKeys(toString(item.kind));
    std::ranges::stable_sort(item.properties, [&](const LabProperty& a, const LabProperty& b) {
        return std::ranges::find(order, a.key) < std::ranges::find(order, b.key);
    });
    items().push_back(std::move(item));
}

void Findings::notRead(
    const std::string& what, const std::string& why, const std::string& remedy, const std::string& field)
{
    auto& all = m_into->notRead;
    auto same =
        std::ranges::find_if(all, [&](const NotRead& one) { return one.what == what && one.why == why; });
    if (same == all.end())
        same = all.insert(all.end(), { what, why, remedy, {} });
    if (!field.empty() && std::ranges::find(same->fields, field) == same->fields.end()
        && same->fields.size() < 100)
        same->fields.push_back(field);
}

void joinIdentical(std::vector<LabItem>& items)
{
    const auto mayJoin = [&](const LabItem& item) {
        switch (item.kind) {
        case ItemKind::processor:
        case ItemKind::memory:
        case ItemKind::adapter:
        case ItemKind::controller:
        case ItemKind::drive:
            break;
        default:
            return false;
        }
        // What another item names stays an item of its own.
        return std::ranges::none_of(items, [&](const LabItem& other) {
            return other.in == item.id || other.text("volume") == item.id || other.text("drive") == item.id;
        });
    };
    std::map<std::string, std::size_t> first;
    std::vector<LabItem> joined;
    for (const LabItem& item : items) {
        if (!mayJoin(item)) {
            joined.push_back(item);
            continue;
        }
        const auto [at, isNew] = first.try_emplace(likeness(item), joined.size());
        if (isNew) {
            joined.push_back(item);
            continue;
        }
        LabItem& same = joined[at->second];
        ++same.count;
        for (std::size_t i = 0; i < same.properties.size(); ++i)
            if (isOwn(item, same.properties[i].key) && same.properties[i].value.text.size() < 1000
                && same.properties[i].value.text != item.properties[i].value.text) {
                same.properties[i].value.text += ", " + item.properties[i].value.text;
                same.properties[i].value.number.reset();
            }
    }
    // A number that differs from piece to piece has no place in an item that stands for all of them.
    for (LabItem& item : joined)
        std::erase_if(item.properties, [&](const LabProperty& property) {
            return item.count > 1 && property.key == "numa_node" && !property.value.number;
        });
    items = std::move(joined);
}

} // namespace loadstone::lab

namespace loadstone {

std::string NotRead::format() const
{
    std::string text = what + ": " + why;
    if (!fields.empty()) {
        text += fmt::format("; {} field{} empty (", fields.size(), fields.size() == 1 ? " is" : "s are");
        constexpr std::size_t kShown = 4;
        for (std::size_t i = 0; i < std::min(fields.size(), kShown); ++i)
            text += (i == 0 ? "" : ", ") + fields[i];
        text += fields.size() > kShown ? ", …)" : ")";
    }
    return remedy.empty() ? text : text + "; " + remedy;
}

} // namespace loadstone
