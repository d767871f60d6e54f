// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A lab as JSON and as a tree for terminals.
#include "base/json.h"
#include "report/lab_section.h"
#include "report/text_tables.h"

#include <loadstone/lab.h>
#include <loadstone/lab_text.h>
#include <loadstone/report.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace loadstone {

namespace {

constexpr int kDeepest = 32; // of the tree; a lab that cannot be used may contain itself

std::string dumped(const Json& json)
{
    return jsonText(json);
}

Json jsonOf(const LabValue& value)
{
    Json json { { "text", value.text }, { "number", value.number ? Json(*value.number) : Json() },
        { "origin", toString(value.origin) } };
    if (!value.by.empty())
        json["by"] = value.by;
    if (!value.when.empty())
        json["when"] = value.when;
    return json;
}

Json jsonOf(const std::vector<LabProperty>& properties)
{
    Json json = Json::object();
    for (const LabProperty& property : properties) {
        Json& one = json[property.key] = jsonOf(property.value);
        if (property.detected)
            one["detected"] = jsonOf(*property.detected);
        if (!property.known)
            one["known"] = false;
    }
    return json;
}

Json jsonOf(const LabItem& item)
{
    Json json { { "id", item.id }, { "kind", toString(item.kind) }, { "count", item.count },
        { "in", item.in.empty() ? Json() : Json(item.in) }, { "name", item.label() }, { "role", item.roles },
        { "properties", jsonOf(item.properties) }, { "changed", Json::array() } };
    for (const LabTuning& tuning : item.changed)
        json["changed"].push_back({ { "name", tuning.name }, { "place", tuning.place },
            { "type", tuning.type }, { "default", tuning.defaultValue }, { "value", tuning.value },
            { "number", tuning.number ? Json(*tuning.number) : Json() }, { "unit", tuning.unit },
            { "why", tuning.why } });
    if (!item.notes.empty())
        json["notes"] = item.notes;
    return json;
}

Json jsonOf(const Lab& lab)
{
    Json json { { "title", lab.title }, { "description", lab.description },
        { "variant", lab.variant.empty() ? Json() : Json(lab.variant) }, { "revision", lab.revision },
        { "items", Json::array() }, { "links", Json::array() }, { "variants", Json::array() } };
    for (const LabItem& item : lab.items)
        json["items"].push_back(jsonOf(item));
    for (const LabLink& link : lab.links)
        json["links"].push_back({ { "from", link.from }, { "to", link.to }, { "kind", toString(link.kind) },
            { "count", link.count }, { "properties", jsonOf(link.properties) } });
    for (const LabVariant& variant : lab.variants)
        json["variants"].push_back({ { "id", variant.id }, { "title", variant.title },
            { "base", variant.base.empty() ? Json() : Json(variant.base) } });
    return json;
}

std::string valuesOf(const LabItem& item)
{
    std::string text;
    for (const LabProperty& property : item.properties)
        text += (text.empty() ? "" : ", ") + property.key + " "
            + (property.value.origin == ValueOrigin::notDisclosed ? "not disclosed" : property.value.text);
    return text;
}

class Tree {
public:
    Tree(const Lab& lab, std::size_t width)
        : m_lab(lab)
        , m_width(width)
    {
    }
    std::string text()
    {
        addBelow({}, 0);
        for (const LabItem& item : m_lab.items) // what a loop keeps away from the top
            if (!m_shown.contains(&item))
                add(item, 0);
        if (!m_lab.links.empty())
            m_out += "\nLinks\n";
        for (const LabLink& link : m_lab.links)
            line(fmt::format("{} -> {}: {}{}", link.from, link.to,
                     link.count > 1 ? fmt::format("{} x ", link.count) : "", toString(link.kind)),
                1);
        return std::move(m_out);
    }

private:
    void line(const std::string& text, int depth)
    {
        const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
        std::string wrapped;
        report::appendWrapped(
            wrapped, plainText(text), m_width > indent.size() + 40 ? m_width - indent.size() : 40);
        // What does not fit stands below, a step further in.
        std::string_view rest = wrapped;
        for (bool first = true; !rest.empty(); first = false) {
            const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
            m_out += indent + (first ? "" : "    ");
            m_out += rest.substr(0, end + 1);
            rest.remove_prefix(end + 1);
        }
        if (!m_out.ends_with('\n'))
            m_out += '\n';
    }
    void add(const LabItem& item, int depth)
    {
        if (!m_shown.insert(&item).second || depth > kDeepest)
            return;
        const std::int64_t total = m_lab.total(item);
        std::string text =
            fmt::format("{}{} [{}, {}]", item.count > 1 ? fmt::format("{} x ", item.count) : "", item.label(),
                toString(item.kind), item.id);
        if (total != item.count)
            text += fmt::format(" ({} in total)", total);
        for (const std::string& role : item.roles)
            text += (&role == &item.roles.front() ? " as " : ", ") + role;
        if (const std::string values = valuesOf(item); !values.empty())
            text += ": " + values;
        line(text, depth);
        for (const LabTuning& tuning : item.changed)
            line(fmt::format("changed: {} = {}{}{}", tuning.name, tuning.value,
                     tuning.unit.empty() ? "" : " " + tuning.unit,
                     tuning.defaultValue.empty() ? "" : fmt::format(" (default {})", tuning.defaultValue)),
                depth + 1);
        addBelow(item.id, depth + 1);
    }
    void addBelow(std::string_view id, int depth)
    {
        for (const LabItem* item : m_lab.below(id))
            add(*item, depth);
    }

    const Lab& m_lab;
    std::size_t m_width;
    std::set<const LabItem*> m_shown;
    std::string m_out;
};

} // namespace

std::string formatLab(const Lab& lab, std::size_t width)
{
    return Tree(lab, width).text();
}

std::string formatLabJson(const Lab& lab)
{
    return dumped(jsonOf(lab));
}

std::string report::labJson(const RunLab& lab)
{
    const CheckedLab checked = readLab(lab.text, lab.name, lab.variant);
    Json json { { "name", lab.name }, { "variant", lab.variant.empty() ? Json() : Json(lab.variant) },
        { "revision", checked.lab.revision }, { "problems", Json::array() } };
    for (const Problem& problem : checked.problems)
        json["problems"].push_back(problem.format(lab.name));
    if (checked.usable())
        json["lab"] = jsonOf(checked.lab);
    json["text"] = lab.text;
    return dumped(json);
}

} // namespace loadstone
