// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "lab/checks.h"
#include "lab/kinds.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

namespace loadstone::lab {

namespace {

std::vector<std::string> idsOf(const Items& items)
{
    std::vector<std::string> ids;
    ids.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        ids.push_back(items[i].id);
    return ids;
}

/// What an unknown id may have meant.
std::string remedyFor(const std::string& id, const Items& items, LabProblems& findings)
{
    const std::string near = findings.meant(id, idsOf(items));
    return near.empty() ? "write the id of an item of this lab" : fmt::format("did you mean \"{}\"?", near);
}

void checkIds(const Draft& draft, LabProblems& findings)
{
    std::unordered_map<std::string_view, std::size_t> first;
    const auto& items = draft.lab.items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto [before, isNew] = first.emplace(items[i].id, i);
        if (!isNew)
            findings.error(draft.itemPaths[i] + ".id",
                fmt::format("\"{}\" is the id of the item in line {} already", items[i].id,
                    items[before->second].line),
                "choose another id");
    }
}

void checkContainment(const Draft& draft, const Items& items, LabProblems& findings)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        const LabItem& item = items[i];
        if (item.in.empty())
            continue;
        const std::string field = draft.pathOf(i, "in");
        const auto container = items.find(item.in);
        if (!container)
            findings.error(
                field, fmt::format("there is no item \"{}\"", item.in), remedyFor(item.in, items, findings));
        else if (!mayContain(items[*container].kind, item.kind))
            findings.error(field,
                fmt::format(
                    "a {} is not contained in a {}", toString(item.kind), toString(items[*container].kind)),
                fmt::format("name an item of one of the kinds {}", containersOf(item.kind)));
    }
    for (const std::size_t at : items.circles())
        findings.error(draft.pathOf(at, "in"),
            items[at].in == items[at].id
                ? fmt::format("\"{}\" cannot contain itself", items[at].id)
                : fmt::format(
                    "\"{}\" is contained in \"{}\" itself, by one step or more", items[at].in, items[at].id),
            "remove one of the steps");
}

void checkLinks(const Draft& draft, const Items& items, LabProblems& findings)
{
    for (std::size_t i = 0; i < draft.lab.links.size(); ++i) {
        const LabLink& link = draft.lab.links[i];
        for (const bool atBegin : { true, false }) {
            const std::string& id = atBegin ? link.from : link.to;
            const std::string field = draft.linkPaths[i] + (atBegin ? ".from" : ".to");
            const auto end = items.find(id);
            if (!end)
                findings.error(
                    field, fmt::format("there is no item \"{}\"", id), remedyFor(id, items, findings));
            else if (!(atBegin ? mayBegin(link.kind, items[*end].kind) : mayEnd(link.kind, items[*end].kind)))
                findings.error(field,
                    fmt::format("a link \"{}\" does not {} a {}", toString(link.kind),
                        atBegin ? "begin at" : "end at", toString(items[*end].kind)),
                    fmt::format("name an item of one of the kinds {}", endsOf(link.kind, atBegin)));
        }
        if (link.from == link.to)
            findings.error(draft.linkPaths[i] + ".to",
                fmt::format("\"{}\" is both ends of the link", link.to), "name another item");
    }
}

/// Circles of "runs on": each item is walked once.
void checkRunsOn(const Draft& draft, const Items& items, LabProblems& findings)
{
    struct Step {
        std::size_t to = 0, link = 0;
    };
    std::vector<std::vector<Step>> hosts(items.size());
    for (std::size_t i = 0; i < draft.lab.links.size(); ++i) {
        const LabLink& link = draft.lab.links[i];
        const auto from = items.find(link.from), to = items.find(link.to);
        if (link.kind == LinkKind::runsOn && from && to && *from != *to)
            hosts[*from].push_back({ *to, i });
    }
    enum class State : std::uint8_t { fresh, open, done };
    std::vector<State> states(items.size(), State::fresh);
    struct Visit {
        std::size_t item = 0, next = 0;
    };
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (states[i] != State::fresh)
            continue;
        std::vector<Visit> walk { { i, 0 } };
        states[i] = State::open;
        while (!walk.empty()) {
            Visit& visit = walk.back();
            if (visit.next == hosts[visit.item].size()) {
                states[visit.item] = State::done;
                walk.pop_back();
                continue;
            }
            const Step step = hosts[visit.item][visit.next++];
            if (states[step.to] == State::open)
                findings.error(draft.linkPaths[step.link] + ".to",
                    fmt::format("\"{}\" runs on \"{}\" itself, by one step or more", items[step.to].id,
                        items[visit.item].id),
                    "remove one of the steps");
            else if (states[step.to] == State::fresh) {
                states[step.to] = State::open;
                walk.push_back({ step.to, 0 });
            }
        }
    }
}

/// Properties that name other items.
struct Reference {
    ItemKind kind;
    const char* key;
    std::vector<ItemKind> named;
    bool several; ///< a list
};

const std::vector<Reference>& references()
{
    static const std::vector<Reference> table {
        { ItemKind::pool, "drive", { ItemKind::drive }, false },
        { ItemKind::volume, "drive", { ItemKind::drive }, false },
        { ItemKind::volume, "pool", { ItemKind::pool }, false },
        { ItemKind::drive, "pool", { ItemKind::pool }, false },
        { ItemKind::filesystem, "volume", { ItemKind::volume, ItemKind::drive, ItemKind::pool }, false },
        { ItemKind::software, "databases_on",
            { ItemKind::volume, ItemKind::filesystem, ItemKind::pool, ItemKind::drive }, true },
        { ItemKind::software, "logs_on",
            { ItemKind::volume, ItemKind::filesystem, ItemKind::pool, ItemKind::drive }, true },
        { ItemKind::software, "queue_on",
            { ItemKind::volume, ItemKind::filesystem, ItemKind::pool, ItemKind::drive }, true },
    };
    return table;
}

std::vector<std::string> namesIn(const std::string& text, bool several)
{
    if (!several)
        return { text };
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(", ", at), text.size());
        names.push_back(text.substr(at, end - at));
        at = end + 2;
    }
    return names;
}

void checkReferences(const Draft& draft, const Items& items, LabProblems& findings)
{
    for (std::size_t i = 0; i < items.size(); ++i)
        for (const Reference& reference : references()) {
            const LabProperty* property =
                reference.kind == items[i].kind ? items[i].find(reference.key) : nullptr;
            if (property == nullptr || property->value.text.empty())
                continue;
            for (const std::string& name : namesIn(property->value.text, reference.several)) {
                const std::string field = draft.pathOf(i, reference.key);
                const auto named = items.find(name);
                if (!named) {
                    findings.error(field, fmt::format("there is no item \"{}\"", document::shown(name)),
                        remedyFor(name, items, findings));
                    continue;
                }
                const auto& kinds = reference.named;
                if (std::find(kinds.begin(), kinds.end(), items[*named].kind) == kinds.end()) {
                    std::string words;
                    for (const ItemKind kind : kinds)
                        words += (words.empty() ? "" : " or ") + std::string(toString(kind));
                    findings.error(field,
                        fmt::format(
                            "\"{}\" is a {}, must be a {}", name, toString(items[*named].kind), words),
                        fmt::format("write the id of a {}", words));
                }
            }
        }
}

} // namespace

void checkStructure(const Draft& draft, LabProblems& findings)
{
    const Items items(draft.lab);
    checkIds(draft, findings);
    checkContainment(draft, items, findings);
    checkLinks(draft, items, findings);
    checkRunsOn(draft, items, findings);
    checkReferences(draft, items, findings);
}

} // namespace loadstone::lab
