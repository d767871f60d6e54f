// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_edits.h"

#include <loadstone/keys.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace loadstone::ui {

namespace {

std::string entryPath(const std::string& list, std::size_t at)
{
    return list + "[" + std::to_string(at) + "]";
}

bool contains(const std::vector<std::string>& ids, const std::string& id)
{
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// An item as the text below the header of its entry.
std::string entryOf(const LabItem& item)
{
    Lab one;
    one.items.push_back(item);
    const std::string written = writeLab(one);
    const std::string header = "[[item]]\n";
    const auto at = written.find(header);
    return at == std::string::npos ? std::string() : written.substr(at + header.size());
}

std::string entryOf(const LabLink& link)
{
    Lab one;
    one.links.push_back(link);
    const std::string written = writeLab(one);
    const std::string header = "[[link]]\n";
    const auto at = written.find(header);
    return at == std::string::npos ? std::string() : written.substr(at + header.size());
}

/// Replaces a text where it is `before`.
Result<void> replaceText(
    Document& document, const std::string& path, const std::string& before, const std::string& after)
{
    if (document.getText(path) == before)
        return document.setText(path, after);
    return {};
}

/// The properties that name other items: one text, or a list of them.
constexpr const char* kReferences[] = { "in", "databases_on", "logs_on", "pool", "device" };

Result<void> renameWithin(
    Document& document, const std::string& entry, const std::string& id, const std::string& newId)
{
    for (const std::string key : kReferences) {
        const std::string path = entry + "." + key;
        if (const auto done = replaceText(document, path, id, newId); !done)
            return done;
        for (std::size_t i = 0; i < document.size(path); ++i)
            if (const auto done = replaceText(document, entryPath(path, i), id, newId); !done)
                return done;
    }
    return {};
}

/// Takes copies of items into the document, under new ids.
Result<std::string> insertCopies(Document& document, const Lab& lab, std::vector<LabItem> items,
    std::vector<LabLink> links, const std::string& in)
{
    if (items.empty())
        return fail("there is no item to copy");
    std::map<std::string, std::string> names;
    Lab taken = lab;
    for (const LabItem& item : items) {
        names[item.id] = freeId(taken, item.id);
        taken.items.emplace_back().id = names[item.id];
    }
    const std::string first = names[items.front().id];
    const auto done =
        document.change("copy of " + items.front().label(), [&](Document& edited) -> Result<void> {
            for (std::size_t i = 0; i < items.size(); ++i) {
                LabItem& item = items[i];
                const auto parent = names.find(item.in);
                item.in = parent != names.end() ? parent->second : i == 0 ? in : item.in;
                item.id = names[item.id];
                item.place.reset(); // else both boxes stand at one place
                if (const auto added = edited.append("item", entryOf(item)); !added)
                    return added;
            }
            for (LabLink& link : links) {
                if (const auto from = names.find(link.from); from != names.end())
                    link.from = from->second;
                if (const auto to = names.find(link.to); to != names.end())
                    link.to = to->second;
                if (const auto added = edited.append("link", entryOf(link)); !added)
                    return added;
            }
            return {};
        });
    if (!done)
        return done.error();
    return first;
}

} // namespace

std::optional<std::string> itemPath(const Document& document, const std::string& id)
{
    for (std::size_t i = 0; i < document.size("item"); ++i)
        if (std::string path = entryPath("item", i); document.getText(path + ".id") == id)
            return path;
    return {};
}

std::vector<std::string> withContents(const Lab& lab, const std::string& id)
{
    std::vector<std::string> ids;
    if (lab.find(id) == nullptr)
        return ids;
    ids.push_back(id);
    for (std::size_t i = 0; i < ids.size(); ++i) // a cycle ends at what is there
        for (const LabItem* item : lab.below(std::string(ids[i])))
            if (!contains(ids, item->id))
                ids.push_back(item->id);
    return ids;
}

std::string freeId(const Lab& lab, const std::string& wish)
{
    if (lab.find(wish) == nullptr)
        return wish;
    // A copy of a copy counts on: srv1-2 gives srv1-3.
    std::string stem = wish;
    if (const auto dash = stem.rfind('-'); dash != std::string::npos && dash + 1 < stem.size()
        && std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(dash) + 1, stem.end(),
            [](unsigned char c) { return std::isdigit(c) != 0; }))
        stem.resize(dash);
    for (int number = 2;; ++number)
        if (std::string id = stem + "-" + std::to_string(number); lab.find(id) == nullptr)
            return id;
}

Result<std::string> addItem(Document& document, const Lab& lab, ItemKind kind, const std::string& in)
{
    std::string wish = in.empty() ? std::string() : in + ".";
    wish += toString(kind);
    std::replace(wish.begin(), wish.end(), ' ', '-');
    LabItem item;
    item.id = freeId(lab, wish);
    item.kind = kind;
    item.in = in;
    const auto done = document.change(std::string("new ") + toString(kind),
        [&](Document& edited) { return edited.append("item", entryOf(item)); });
    if (!done)
        return done.error();
    return item.id;
}

Result<void> removeItem(Document& document, const Lab& lab, const std::string& id)
{
    const LabItem* item = lab.find(id);
    if (item == nullptr)
        return fail("there is no item " + id);
    const auto gone = withContents(lab, id);
    return document.change("removal of " + item->label(), [&](Document& edited) -> Result<void> {
        for (std::size_t i = edited.size("link"); i-- > 0;) {
            const std::string path = entryPath("link", i);
            if (contains(gone, edited.getText(path + ".from").value_or(""))
                || contains(gone, edited.getText(path + ".to").value_or("")))
                if (const auto done = edited.remove("link", i); !done)
                    return done;
        }
        for (std::size_t i = edited.size("item"); i-- > 0;)
            if (contains(gone, edited.getText(entryPath("item", i) + ".id").value_or("")))
                if (const auto done = edited.remove("item", i); !done)
                    return done;
        return {};
    });
}

std::string copyItems(const Lab& lab, const std::string& id)
{
    Lab copied;
    const auto ids = withContents(lab, id);
    for (const std::string& one : ids)
        copied.items.push_back(*lab.find(one));
    if (!copied.items.empty())
        copied.items.front().in.clear();
    for (const LabLink& link : lab.links)
        if (contains(ids, link.from) && contains(ids, link.to))
            copied.links.push_back(link);
    return writeLab(copied);
}

Result<std::string> pasteItems(
    Document& document, const Lab& lab, const std::string& text, const std::string& in)
{
    const CheckedLab pasted = readLab(text, "clipboard");
    if (pasted.lab.items.empty())
        return fail("the clipboard has no items of a lab");
    return insertCopies(document, lab, pasted.lab.items, pasted.lab.links, in);
}

Result<std::string> duplicateItem(Document& document, const Lab& lab, const std::string& id)
{
    const auto ids = withContents(lab, id);
    std::vector<LabItem> items;
    for (const std::string& one : ids)
        items.push_back(*lab.find(one));
    std::vector<LabLink> links;
    for (const LabLink& link : lab.links)
        if (contains(ids, link.from) || contains(ids, link.to))
            links.push_back(link);
    const std::string in = items.empty() ? std::string() : items.front().in;
    return insertCopies(document, lab, std::move(items), std::move(links), in);
}

Result<void> moveItem(Document& document, const Lab& lab, const std::string& id, const std::string& to)
{
    const LabItem* item = lab.find(id);
    const auto path = itemPath(document, id);
    if (item == nullptr || !path)
        return fail("there is no item " + id);
    if (contains(withContents(lab, id), to))
        return fail(item->label() + " cannot be moved into itself or into what it contains");
    if (item->in == to)
        return {};
    return document.change("move of " + item->label(), [&](Document& edited) {
        return to.empty() ? edited.erase(*path + ".in") : edited.setText(*path + ".in", to);
    });
}

Result<void> renameItem(Document& document, const Lab& lab, const std::string& id, const std::string& newId)
{
    const auto path = itemPath(document, id);
    if (!path)
        return fail("there is no item " + id);
    if (id == newId)
        return {};
    if (lab.find(newId) != nullptr)
        return fail("another item has the id " + newId + "; ids are unique in a lab");
    return document.change("id of " + id, [&](Document& edited) -> Result<void> {
        if (const auto done = edited.setText(*path + ".id", newId); !done)
            return done;
        for (std::size_t i = 0; i < edited.size("item"); ++i)
            if (const auto done = renameWithin(edited, entryPath("item", i), id, newId); !done)
                return done;
        const auto renameEnds = [&](const std::string& list) -> Result<void> {
            for (std::size_t i = 0; i < edited.size(list); ++i)
                for (const std::string key : { ".from", ".to", ".item" })
                    if (const auto done = replaceText(edited, entryPath(list, i) + key, id, newId); !done)
                        return done;
            return {};
        };
        if (const auto done = renameEnds("link"); !done)
            return done;
        for (std::size_t i = 0; i < edited.size("variant"); ++i) {
            const std::string variant = entryPath("variant", i);
            for (const std::string list : { ".set", ".remove", ".link", ".unlink" })
                if (const auto done = renameEnds(variant + list); !done)
                    return done;
            for (const std::string list : { ".add", ".set" })
                for (std::size_t j = 0; j < edited.size(variant + list); ++j)
                    if (const auto done = renameWithin(edited, entryPath(variant + list, j), id, newId);
                        !done)
                        return done;
        }
        return {};
    });
}

Result<void> setNotDisclosed(
    Document& document, const std::string& item, const std::string& key, bool withheld)
{
    const auto path = itemPath(document, item);
    if (!path)
        return fail("there is no item " + item);
    const std::string list = *path + ".not_disclosed";
    return document.change(key + " of " + item, [&](Document& edited) -> Result<void> {
        std::string keys;
        bool any = false;
        for (std::size_t i = 0; i < edited.size(list); ++i)
            if (const std::string one = edited.getText(entryPath(list, i)).value_or(""); one != key) {
                keys += (any ? ", " : "") + tomlText(one);
                any = true;
            }
        if (withheld) {
            keys += (any ? ", " : "") + tomlText(key);
            any = true;
            if (edited.has(*path + "." + key))
                if (const auto done = edited.erase(*path + "." + key); !done)
                    return done;
        }
        return any ? edited.set(list, "[" + keys + "]") : edited.erase(list);
    });
}

Result<void> resetPlaces(Document& document, const Lab& lab)
{
    return document.change("reset of places", [&](Document& edited) -> Result<void> {
        for (const LabItem& item : lab.items)
            if (item.place)
                if (const auto path = itemPath(edited, item.id))
                    if (const auto done = edited.erase(*path + ".place"); !done)
                        return done;
        return {};
    });
}

std::string unusedPlaceholder(const Lab& lab)
{
    const LabItem* placeholder = lab.find(kPlaceholderSoftware);
    if (placeholder == nullptr || placeholder->kind != ItemKind::software || !placeholder->properties.empty()
        || !placeholder->notes.empty() || !placeholder->changed.empty())
        return {};
    const bool found = std::any_of(lab.items.begin(), lab.items.end(), [](const LabItem& item) {
        const LabProperty* product = item.kind == ItemKind::software ? item.find("product") : nullptr;
        return product != nullptr && product->value.origin == ValueOrigin::detected;
    });
    return found ? placeholder->id : std::string();
}

} // namespace loadstone::ui
