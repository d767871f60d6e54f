// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "lab/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace loadstone::lab {

namespace {

/// The key with the speed of a port, by kind.
const char* speedKey(const LabItem& item)
{
    if (item.kind == ItemKind::adapter)
        return "speed";
    if (item.kind == ItemKind::controller || item.kind == ItemKind::enclosure)
        return "port_speed";
    if (item.kind == ItemKind::network)
        return item.find("port_speed") != nullptr ? "port_speed" : "speed";
    return nullptr;
}

std::optional<document::Printed> speedOf(const LabLink& link)
{
    for (const LabProperty& property : link.properties)
        if (property.key == "speed" && property.value.number)
            return document::printedQuantity(property.value.text, "Mb/s");
    return std::nullopt;
}

std::string speedTextOf(const LabLink& link)
{
    for (const LabProperty& property : link.properties)
        if (property.key == "speed")
            return property.value.text;
    return {};
}

struct Use {
    double ports = 0;
    Terms terms;
    std::size_t last = 0; ///< the last link that takes some
};

} // namespace

void checkPorts(const Draft& draft, const Items& items, LabProblems& findings)
{
    std::map<std::size_t, Use> uses;
    for (std::size_t i = 0; i < draft.lab.links.size(); ++i) {
        const LabLink& link = draft.lab.links[i];
        const auto from = items.find(link.from), to = items.find(link.to);
        if (!from || !to || (link.kind != LinkKind::network && link.kind != LinkKind::storage))
            continue;
        const auto speed = speedOf(link);
        for (const auto& [end, other] : { std::pair(*from, *to), std::pair(*to, *from) }) {
            const LabItem& item = items[end];
            const char* key = speedKey(item);
            if (key == nullptr)
                continue;
            const auto port = Amount::of(item, key);
            if (speed && port && !Amount(speed->value - speed->half).mayBeAtMost(*port))
                findings.flag(draft.linkPaths[i] + ".speed",
                    fmt::format("the link has {}, {} (line {}) has ports of {}", speedTextOf(link), item.id,
                        item.line, item.text(key)),
                    fmt::format("correct the speed of the link, or {} of {}", key, item.id));
            // Each of the items at the other end has its own links to a network; elsewhere links are counted for each item.
            const double ends = item.kind == ItemKind::network
                ? (items[other].kind == ItemKind::network ? 1.0 : items.total(other))
                : std::max(1.0,
                    items[other].kind == ItemKind::network ? 1.0 : items.total(other) / items.total(end));
            Use& use = uses[end];
            use.ports += ends * static_cast<double>(link.count);
            use.terms.add(fmt::format("{} to {}{}", countText(ends * static_cast<double>(link.count)),
                items[other].id, link.line > 0 ? fmt::format(", line {}", link.line) : std::string()));
            use.last = i;
        }
    }
    for (const auto& [end, use] : uses) {
        const LabItem& item = items[end];
        const auto ports = item.number("ports");
        if (!ports)
            continue;
        // All switches of a network together, and each of other things by itself.
        const double there = item.kind == ItemKind::network
            ? *ports * std::max(1.0, item.number("switches").value_or(1)) * items.total(end)
            : *ports;
        if (use.ports > there)
            findings.flag(draft.linkPaths[use.last] + ".count",
                fmt::format("{} ports of {} (line {}) are taken ({}), it has {}", countText(use.ports),
                    item.id, item.line, use.terms.text(), countText(there)),
                fmt::format("correct ports of {}, or the counts of the links", item.id));
    }
}

} // namespace loadstone::lab
