// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "report/lab/cell_pattern.h"
#include "report/lab/cell_words.h"
#include "report/lab/lab_value.h"

#include <loadstone/lab_tables.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace loadstone {

namespace {

using namespace report;
using Keys = std::initializer_list<std::string_view>;

bool isGenerator(const LabItem& item)
{
    return std::ranges::find(item.roles, "generator") != item.roles.end();
}

bool isKind(const LabItem& item, std::initializer_list<ItemKind> kinds)
{
    return std::ranges::find(kinds, item.kind) != kinds.end();
}

Cell count(std::int64_t value)
{
    Number number;
    number.value = static_cast<double>(value);
    return number;
}

void append(std::string& text, std::string_view part, std::string_view between = "; ")
{
    if (part.empty() || text.size() > kLongestCell)
        return;
    if (!text.empty())
        text += between;
    text += part;
}

std::string labelOf(const KeyRow* row, const std::string& key)
{
    return row != nullptr && !row->label.empty() ? std::string(row->label) : key;
}

std::string valueOf(const LabProperty& property)
{
    return property.value.origin == ValueOrigin::notDisclosed ? "not disclosed" : property.value.text;
}

/// "Memory: 4 GB; BIOS: P11": what an item says but for the keys that have a column of their own.
std::string otherProperties(const LabItem& item, Keys apart)
{
    std::string text;
    for (const LabProperty& property : item.properties)
        if (std::ranges::find(apart, property.key) == apart.end())
            append(text,
                labelOf(document::labPropertyRow(toString(item.kind), property.key), property.key) + ": "
                    + valueOf(property));
    append(text, item.notes);
    return cutCell(std::move(text));
}

std::string roles(const LabItem& item)
{
    std::string text;
    for (const std::string& role : item.roles)
        append(text, role, ", ");
    return text;
}

/// Vendor and model, or vendor, product and version.
std::string modelOf(const LabItem& item)
{
    std::string text;
    for (const char* key : { "vendor", "model", "product", "version", "edition" })
        append(text, item.text(key), " ");
    return text;
}

/// What people call an item: its name, else what the machine calls it; the id is the file's own.
std::string nameOf(const LabItem& item)
{
    if (!item.name.empty())
        return item.name;
    for (const char* key : { "device", "mount", "letter", "product" })
        if (std::string text = item.text(key); !text.empty())
            return text.starts_with("/dev/") ? text.substr(5) : text;
    const std::string interface = item.kind == ItemKind::adapter ? item.text("interface") : std::string();
    return interface.empty() ? item.id : interface;
}

std::string placeOf(const LabIndex& lab, const LabItem& item)
{
    const LabItem* around = lab.find(item.in);
    return around != nullptr ? nameOf(*around) : std::string();
}

/// Summaries of what an item directly contains of some kinds, and of what runs on it.
std::string contents(const LabIndex& lab, const LabItem& item, std::initializer_list<ItemKind> kinds)
{
    std::string text;
    for (const LabItem* below : lab.below(item.id))
        if (std::string summary = isKind(*below, kinds) ? summaryOf(*below) : std::string();
            !below->name.empty() || !summary.ends_with(below->id)) // nothing is known of it
            append(text, summary);
    return text;
}

void addMachine(ReportTable& table, const LabIndex& lab, const LabItem& item)
{
    std::string memory = item.text("memory");
    append(memory, item.text("memory_type"), " ");
    append(memory, contents(lab, item, { ItemKind::memory }));
    table.rows.push_back({ item.label(), roles(item), count(lab.total(item)), modelOf(item),
        contents(lab, item, { ItemKind::processor }), cutCell(std::move(memory)),
        contents(lab, item, { ItemKind::os, ItemKind::hypervisor }),
        contents(lab, item, { ItemKind::adapter }),
        otherProperties(item, { "vendor", "model", "memory", "memory_type" }) });
}

ReportTable tableOf(std::string title, std::initializer_list<const char*> headings)
{
    ReportTable table;
    table.title = std::move(title);
    for (const char* heading : headings) {
        const std::string_view text = heading;
        table.columns.push_back({ heading, text == "Number" || text == "In total" });
    }
    return table;
}

ReportTable machines(const LabIndex& lab, bool generators)
{
    ReportTable table = tableOf(generators ? "Generators" : "Machines",
        { "Machine", "Roles", "Number", "Model", "Processors", "Memory", "Operating system", "Adapters",
            "Other" });
    for (const LabItem& item : lab.lab().items)
        if (item.kind == ItemKind::machine && isGenerator(item) == generators)
            addMachine(table, lab, item);
    return table;
}

ReportTable storage(const LabIndex& lab)
{
    ReportTable table =
        tableOf("Storage", { "Item", "Kind", "Part of", "Number", "In total", "Model", "Size", "Other" });
    for (const LabItem& item : lab.lab().items)
        if (isKind(item,
                { ItemKind::controller, ItemKind::enclosure, ItemKind::drive, ItemKind::pool,
                    ItemKind::volume, ItemKind::filesystem }))
            table.rows.push_back({ nameOf(item), toString(item.kind), placeOf(lab, item), count(item.count),
                count(lab.total(item)), modelOf(item), item.text("size"),
                otherProperties(item, { "vendor", "model", "size" }) });
    return table;
}

ReportTable network(const LabIndex& lab)
{
    ReportTable table =
        tableOf("Network", { "Item", "Kind", "Part of", "Number", "Model", "Speed", "Other" });
    for (const LabItem& item : lab.lab().items)
        if (isKind(item, { ItemKind::network, ItemKind::adapter }))
            table.rows.push_back({ nameOf(item), toString(item.kind), placeOf(lab, item),
                count(lab.total(item)), modelOf(item), item.text("speed"),
                otherProperties(item, { "vendor", "model", "speed" }) });
    const auto end = [&](const std::string& id) {
        const LabItem* item = lab.find(id);
        return item != nullptr ? item->label() : id;
    };
    for (const LabLink& link : lab.lab().links) {
        std::string speed, other;
        for (const LabProperty& property : link.properties) {
            if (property.key == "speed")
                speed = valueOf(property);
            else
                append(other,
                    labelOf(document::labLinkRow(property.key), property.key) + ": " + valueOf(property));
        }
        append(other, link.notes);
        table.rows.push_back(
            { end(link.from) + " to " + end(link.to), std::string("link, ") + toString(link.kind), "",
                count(link.count), "", std::move(speed), cutCell(std::move(other)) });
    }
    return table;
}

ReportTable software(const LabIndex& lab)
{
    ReportTable table = tableOf("Software", { "Software", "Kind", "On", "Product", "Other" });
    for (const LabItem& item : lab.lab().items)
        if (isKind(item, { ItemKind::os, ItemKind::hypervisor, ItemKind::software, ItemKind::cluster }))
            table.rows.push_back({ nameOf(item), toString(item.kind), placeOf(lab, item), modelOf(item),
                otherProperties(item, { "vendor", "model", "product", "version", "edition" }) });
    return table;
}

ReportTable tunings(const LabIndex& lab)
{
    ReportTable table = tableOf("Tunings", { "Item", "Setting", "Place", "Type", "Default", "Value", "Why" });
    for (const LabItem& item : lab.lab().items)
        for (const LabTuning& tuning : item.changed)
            table.rows.push_back({ item.label(), tuning.name, tuning.place, tuning.type, tuning.defaultValue,
                tuning.value, tuning.why });
    return table;
}

} // namespace

std::vector<ReportTable> defaultLabTables(const Lab& lab)
{
    const LabIndex index(lab);
    std::vector<ReportTable> tables;
    for (ReportTable& table : std::vector<ReportTable> { machines(index, false), storage(index),
             network(index), machines(index, true), software(index), tunings(index) })
        if (!table.empty())
            tables.push_back(std::move(table));
    return tables;
}

ReportTable labDifferenceTable(
    const std::vector<LabDifference>& differences, const std::string& before, const std::string& after)
{
    ReportTable table;
    table.title = "Differences of the labs";
    table.columns = { { "Difference", false }, { before, false }, { after, false } };
    for (const LabDifference& one : differences)
        table.rows.push_back(
            { one.label.empty() ? one.item : one.label, one.before.empty() ? std::string("-") : one.before,
                one.after.empty() ? std::string("-") : one.after });
    return table;
}

ReportTable labVariantTable(const Lab& base, const Lab& variant)
{
    const auto nameOf = [](const Lab& lab) {
        const auto it = std::ranges::find(lab.variants, lab.variant, &LabVariant::id);
        return it == lab.variants.end() ? lab.title : it->title.empty() ? it->id : it->title;
    };
    ReportTable table = labDifferenceTable(differences(base, variant), nameOf(base), nameOf(variant));
    table.title = nameOf(variant) + ": differences from " + nameOf(base);
    return table;
}

} // namespace loadstone
