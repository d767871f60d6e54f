// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/rows_of_paths.h"

#include <algorithm>

namespace loadstone::document {

namespace {

/// "mixes[].clients" from step `from` on, behind `begin`.
std::string generic(std::string begin, const Path& path, std::size_t from)
{
    for (std::size_t i = from; i < path.size(); ++i)
        if (const auto* key = std::get_if<std::string>(&path[i]))
            begin += (begin.empty() ? "" : ".") + spellKey(*key);
        else
            begin += "[]";
    return begin;
}

std::string textOf(const Node* table, std::string_view key)
{
    const Node* const found = table == nullptr ? nullptr : table->find(key);
    return found != nullptr && found->kind == Node::Kind::text ? found->text : "";
}

/// The kind of the entry of a list that has an id; empty: none has it.
std::string kindOfEntry(const Node* list, const std::string& id)
{
    if (list != nullptr)
        for (const Node& item : list->items)
            if (textOf(&item, "id") == id)
                return textOf(&item, "kind");
    return {};
}

/// The kind of the item that has an id, in the lab or added by one of its variants.
std::string kindOfItem(const Node& root, const std::string& id)
{
    std::string kind = kindOfEntry(root.find("item"), id);
    const Node* const variants = root.find("variant");
    if (variants != nullptr && variants->kind == Node::Kind::array)
        for (std::size_t i = 0; kind.empty() && i < variants->items.size(); ++i)
            kind = kindOfEntry(variants->items[i].find("add"), id);
    return kind;
}

void addItemPaths(const std::string& kind, const Path& path, std::size_t from, std::vector<std::string>& to)
{
    to.push_back(generic("item[" + kind + "]", path, from));
    const bool isAside =
        path.size() > from + 1 && (path[from] == PathStep("detected") || path[from] == PathStep("imported"));
    if (isAside)
        to.push_back(generic("item[" + kind + "]", path, from + 1));
}

} // namespace

std::vector<std::string> rowPaths(FileKind kind, const Node& root, const Path& path)
{
    std::vector<std::string> paths;
    const auto isList = [&](std::size_t at, const char* name) {
        return path.size() > at + 1 && path[at] == PathStep(name)
            && std::holds_alternative<std::size_t>(path[at + 1]);
    };
    const auto nodeAt = [&](std::size_t steps) {
        return follow(root, Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps)));
    };
    paths.push_back(generic("", path, 0));
    if (kind != FileKind::lab)
        return paths;
    if (isList(0, "item")) {
        paths.clear(); // the rows of all kinds are found under any kind
        addItemPaths(textOf(nodeAt(2), "kind"), path, 2, paths);
    } else if (isList(0, "variant") && isList(2, "add")) {
        addItemPaths(textOf(nodeAt(4), "kind"), path, 4, paths);
    } else if (isList(0, "variant") && isList(2, "set")) {
        addItemPaths(kindOfItem(root, textOf(nodeAt(4), "item")), path, 4, paths);
    } else if (isList(0, "variant") && isList(2, "link")) {
        paths.push_back(generic("link[]", path, 4));
    }
    return paths;
}

const KeyRow* rowOf(FileKind kind, const Node& root, const Path& path)
{
    for (const std::string& written : rowPaths(kind, root, path))
        if (const KeyRow* row = findKey(kind, written))
            return row;
    return nullptr;
}

std::vector<std::string> namesBelow(FileKind kind, const Node& root, const Path& table)
{
    std::vector<std::string> names;
    for (const std::string& path : rowPaths(kind, root, table))
        for (const KeyRow* row : keysBelow(kind, path)) {
            std::string name(row->path.substr(row->path.rfind('.') + 1)); // all of it where there is no dot
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(std::move(name));
        }
    return names;
}

} // namespace loadstone::document
