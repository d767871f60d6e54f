// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/variants.h"

#include "base/joined.h"
#include "document/table_reader.h"
#include "lab/items.h"
#include "lab/kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace loadstone::lab {

namespace {

using document::Node;

constexpr std::size_t kMostChanges = 2'000; // of one sort, in one variant

std::vector<std::string> idsOf(const Lab& lab)
{
    std::vector<std::string> ids;
    ids.reserve(lab.items.size());
    for (const LabItem& item : lab.items)
        ids.push_back(item.id);
    return ids;
}

/// The item that `key` names, or an error.
std::optional<std::size_t> itemNamed(
    const Node& table, const char* key, const std::string& path, const Items& items, LabProblems& findings)
{
    const auto id = readId(table, key, path, findings);
    if (!id)
        return std::nullopt;
    if (const auto item = items.find(*id))
        return item;
    const std::string near = findings.meant(*id, idsOf(items.lab()));
    findings.error(path + "." + key, fmt::format("there is no item \"{}\" in the base of the variant", *id),
        near.empty() ? "write the id of an item of the base" : fmt::format("did you mean \"{}\"?", near));
    return std::nullopt;
}

template <class T>
void eraseWhere(std::vector<T>& list, std::vector<std::string>& paths, const std::vector<bool>& gone)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (gone[i])
            continue;
        if (kept != i) {
            list[kept] = std::move(list[i]);
            paths[kept] = std::move(paths[i]);
        }
        ++kept;
    }
    list.resize(kept);
    paths.resize(kept);
}

/// The items, all that they contain, and the links of both.
void removeItems(Draft& draft, const std::vector<std::size_t>& removed)
{
    std::vector<bool> gone(draft.lab.items.size(), false);
    std::set<std::string, std::less<>> ids;
    {
        const Items items(draft.lab);
        std::vector<std::size_t> open = removed;
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (gone[at])
                continue;
            gone[at] = true;
            ids.insert(items[at].id);
            open.insert(open.end(), items.below(at).begin(), items.below(at).end());
        }
    }
    std::vector<bool> goneLinks;
    for (const LabLink& link : draft.lab.links)
        goneLinks.push_back(ids.contains(link.from) || ids.contains(link.to));
    eraseWhere(draft.lab.items, draft.itemPaths, gone);
    eraseWhere(draft.lab.links, draft.linkPaths, goneLinks);
    std::erase_if(draft.overrides, [&](const auto& override) { return ids.contains(override.first.first); });
}

void unlink(const Node& table, const std::string& path, Draft& draft, LabProblems& findings)
{
    const auto from = readId(table, "from", path, findings);
    const auto to = readId(table, "to", path, findings);
    const auto word = readText(table, "kind", path, findings);
    const auto kind = word ? linkKindOf(*word) : std::nullopt;
    if (word && !kind)
        findings.error(path + ".kind", fmt::format("\"{}\" is not a kind of link", document::shown(*word)),
            fmt::format("write one of: {}", joined(linkKindWords(), ", ")));
    if (!from || !to || (word && !kind))
        return;
    std::vector<bool> gone;
    for (const LabLink& link : draft.lab.links)
        gone.push_back(((link.from == *from && link.to == *to) || (link.from == *to && link.to == *from))
            && (!kind || link.kind == *kind));
    if (std::find(gone.begin(), gone.end(), true) == gone.end())
        findings.error(path + ".from",
            fmt::format("the base has no link between \"{}\" and \"{}\"", *from, *to),
            "name the two ends of a link of the base");
    eraseWhere(draft.lab.links, draft.linkPaths, gone);
}

void set(const Node& table, const std::string& path, const Items& items, Draft& draft, LabProblems& findings)
{
    const auto index = itemNamed(table, "item", path, items, findings);
    if (!index)
        return;
    LabItem& item = draft.lab.items[*index];
    const ItemPatch patch = readPatch(table, path, item.kind, PatchOf::set, findings);
    for (const std::string& key : patch.keys)
        draft.overrides[{ item.id, key }] = path;
    apply(patch, item, path, findings);
}

void refuseUnknownKeys(
    const Node& table, const std::string& path, const std::vector<std::string>& known, LabProblems& findings)
{
    for (const document::Member& member : table.members)
        if (std::find(known.begin(), known.end(), member.key) == known.end())
            findings.unknownKey(member, path, known);
}

} // namespace

std::vector<VariantTable> readVariants(const Node& root, LabProblems& findings)
{
    static const std::vector<std::string> kKeys { "id", "title", "base", "set", "add", "remove", "link",
        "unlink" };
    std::vector<VariantTable> variants;
    std::map<std::string, int> lines;
    const auto tables = readTables(root, "variant", "", findings);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        VariantTable variant;
        variant.table = tables[i];
        variant.path = fmt::format("variant[{}]", i);
        if (i >= kMostVariants) {
            findings.error(variant.path, fmt::format("a lab has at most {} variants", kMostVariants),
                "move some of them to a lab of their own");
            break;
        }
        refuseUnknownKeys(*tables[i], variant.path, kKeys, findings);
        const auto id = readId(*tables[i], "id", variant.path, findings);
        variant.head.title = readText(*tables[i], "title", variant.path, findings).value_or("");
        if (tables[i]->find("base") != nullptr)
            variant.head.base = readId(*tables[i], "base", variant.path, findings).value_or("");
        if (!id)
            continue;
        variant.head.id = *id;
        const auto [before, isNew] = lines.emplace(*id, tables[i]->begin.line);
        if (!isNew) {
            findings.error(variant.path + ".id",
                fmt::format("\"{}\" is the id of the variant in line {} already", *id, before->second),
                "choose another id");
            continue;
        }
        variants.push_back(std::move(variant));
    }
    std::vector<std::string> ids;
    for (const VariantTable& variant : variants)
        ids.push_back(variant.head.id);
    for (VariantTable& variant : variants) {
        std::string& base = variant.head.base;
        if (base.empty())
            continue;
        if (!lines.contains(base)) {
            const std::string near = findings.meant(base, ids);
            findings.error(variant.path + ".base", fmt::format("there is no variant \"{}\"", base),
                near.empty() ? "write the id of a variant, or remove base for the lab as it stands"
                             : fmt::format("did you mean \"{}\"?", near));
            base.clear();
            continue;
        }
        // With the circles before it cut, a walk that comes back here is the only way not to end.
        std::string at = base;
        std::size_t steps = 0;
        while (!at.empty() && at != variant.head.id && steps++ <= variants.size()) {
            const auto next = std::find_if(variants.begin(), variants.end(),
                [&](const VariantTable& other) { return other.head.id == at; });
            at = next == variants.end() ? std::string() : next->head.base;
        }
        if (at.empty() && steps > kMostBases) {
            findings.error(variant.path + ".base",
                fmt::format(
                    "{} bases lie between this variant and the lab, at most {} may", steps, kMostBases),
                "choose a base that is nearer to the lab");
            base.clear();
        }
        if (at == variant.head.id) {
            findings.error(variant.path + ".base",
                base == variant.head.id
                    ? "a variant cannot be its own base"
                    : fmt::format("\"{}\" has this variant as its base, by one step or more", base),
                "choose a base that does not come back to this variant");
            base.clear();
        }
    }
    return variants;
}

std::vector<const VariantTable*> chainOf(const std::vector<VariantTable>& variants, const std::string& id)
{
    std::vector<const VariantTable*> chain;
    std::string at = id;
    while (!at.empty() && chain.size() <= variants.size()) {
        const auto found = std::find_if(variants.begin(), variants.end(),
            [&](const VariantTable& variant) { return variant.head.id == at; });
        if (found == variants.end())
            break;
        chain.push_back(&*found);
        at = found->head.base;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

void applyVariant(const VariantTable& variant, Draft& draft, LabProblems& findings)
{
    const Node& table = *variant.table;
    const auto each = [&](const char* key, auto action) {
        const auto tables = readTables(table, key, variant.path, findings);
        for (std::size_t i = 0; i < tables.size(); ++i) {
            const std::string path = fmt::format("{}.{}[{}]", variant.path, key, i);
            if (i >= kMostChanges) {
                findings.error(path, fmt::format("a variant has at most {} of these", kMostChanges),
                    "describe it as a lab of its own");
                break;
            }
            action(*tables[i], path);
        }
    };
    {
        std::vector<std::size_t> removed;
        const Items items(draft.lab);
        each("remove", [&](const Node& entry, const std::string& path) {
            refuseUnknownKeys(entry, path, { "item" }, findings);
            if (const auto item = itemNamed(entry, "item", path, items, findings))
                removed.push_back(*item);
        });
        if (!removed.empty())
            removeItems(draft, removed);
    }
    each("unlink", [&](const Node& entry, const std::string& path) {
        refuseUnknownKeys(entry, path, { "from", "to", "kind" }, findings);
        unlink(entry, path, draft, findings);
    });
    each("add", [&](const Node& entry, const std::string& path) {
        if (auto item = readItem(entry, path, findings)) {
            draft.lab.items.push_back(std::move(*item));
            draft.itemPaths.push_back(path);
        }
    });
    each("link", [&](const Node& entry, const std::string& path) {
        if (auto link = readLink(entry, path, findings)) {
            draft.lab.links.push_back(std::move(*link));
            draft.linkPaths.push_back(path);
        }
    });
    {
        // What is set changes no id, so that one index serves all of them.
        const Items items(draft.lab);
        each("set",
            [&](const Node& entry, const std::string& path) { set(entry, path, items, draft, findings); });
    }
    draft.lab.variant = variant.head.id;
}

} // namespace loadstone::lab
