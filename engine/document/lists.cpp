// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Entries of lists. An entry of a list with headers ([[mixes]]) is its header with the comment lines directly above it and all that
// belongs to it, tables below it included, up to the next header that is not below it. What stands between entries stays where it is:
// when entries move, their texts change places.

#include "document/assembly.h"
#include "document/edits.h"
#include "document/inline_edits.h"
#include "document/new_entry.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::document {

namespace {

using Kind = Statement::Kind;

/// Statements of an entry: from its comment lines and header on; `strays` are its tables that stand behind others' headers.
struct Entry {
    std::size_t begin = 0, end = 0;
    std::vector<std::pair<std::size_t, std::size_t>> strays;
    [[nodiscard]] std::size_t last() const { return strays.empty() ? end : strays.back().second; }
};

/// The entries of a list with headers, in their order.
std::vector<Entry> entriesOf(const Layout& layout, const Path& list)
{
    std::vector<Entry> entries;
    const Block* before = nullptr; // the block directly before, where it is of the list as well
    for (const Block& block : layout.blocks) {
        const bool isOfList = block.path.size() > list.size() && startsWith(block.path, list);
        const auto* const at = isOfList ? std::get_if<std::size_t>(&block.path[list.size()]) : nullptr;
        if (at == nullptr) {
            before = nullptr;
            continue;
        }
        if (*at == entries.size()) {
            entries.push_back({ block.begin, block.end, {} });
        } else {
            Entry& entry = entries[*at];
            const bool goesOn = before != nullptr && before->path[list.size()] == block.path[list.size()];
            if (!goesOn)
                entry.strays.emplace_back(block.begin, block.end);
            else if (entry.strays.empty())
                entry.end = block.end;
            else
                entry.strays.back().second = block.end;
        }
        before = &block;
    }
    return entries;
}

Path entryPath(const Path& list, std::size_t at)
{
    Path path = list;
    path.emplace_back(at);
    return path;
}

bool hasHeaders(const Layout& layout, const Path& list)
{
    return std::any_of(layout.blocks.begin(), layout.blocks.end(), [&](const Block& block) {
        return block.isEntry && block.path.size() == list.size() + 1 && startsWith(block.path, list);
    });
}

/// Whether blank lines stand between the entries; also where there are fewer than two.
bool standApart(const Layout& layout, const std::vector<Entry>& entries)
{
    return entries.size() < 2 || layout.statements[entries[1].begin - 1].kind == Kind::blank;
}

void keepEntry(Assembly& out, const Entry& entry)
{
    out.keep(entry.begin, entry.end);
    for (const auto& [begin, end] : entry.strays) {
        out.join(true);
        out.keep(begin, end);
    }
}

Result<const Node*> listAt(const TextVersion& from, const Path& list)
{
    const Node* const node = follow(*from->root(), list);
    if (node == nullptr)
        return fail("there is no such list");
    if (node->kind != Node::Kind::array)
        return fail(fmt::format("is {}, not a list", describe(node->kind)));
    return node;
}

Error noEntry(std::size_t at, std::size_t size)
{
    return fail(size == 0 ? fmt::format("has no entry {}: it is empty", at)
                          : fmt::format("has no entry {}: its entries are 0 to {}", at, size - 1));
}

Error refused(const Path& list)
{
    return fail("the layout of the text does not allow it; write each entry with a header [["
        + spellDotted(list) + "]]");
}

Result<TextVersion> take(TextVersion version, const Path& list)
{
    return version ? Result<TextVersion>(std::move(version)) : refused(list);
}

Result<TextVersion> insertWithHeader(
    const TextVersion& from, const Path& list, std::size_t at, std::size_t size, const std::string& entry)
{
    const Layout& layout = *from->layout();
    auto read = readEntry(list, entry, layout.newLine);
    if (!read)
        return read.error();
    std::size_t place = layout.statements.size();
    bool apart = true;
    if (size > 0) {
        const std::vector<Entry> entries = entriesOf(layout, list);
        place = at < size ? entries[at].begin : entries.back().last();
        apart = standApart(layout, entries);
    } else { // a new list: at the end of the table that it is in
        Path around = parentOf(list);
        while (!around.empty() && follow(*from->root(), around) == nullptr)
            around.pop_back();
        if (around.empty() && layout.blocks.size() > 1)
            place = layout.blocks.back().end;
        for (const Block& block : layout.blocks)
            if (!around.empty() && startsWith(block.path, around))
                place = block.end;
    }
    Node expected = *from->root();
    Node* node = &expected;
    for (const PathStep& step : list) {
        Node* next = followMutable(*node, { step });
        if (next == nullptr) {
            const auto* key = std::get_if<std::string>(&step);
            if (key == nullptr || node->kind != Node::Kind::table)
                return fail("there is no table for it; append the entry of the list around it first");
            node->members.push_back({ *key, {}, Node() });
            next = &node->members.back().value;
            if (&step == &list.back())
                next->kind = Node::Kind::array;
        }
        node = next;
    }
    node->items.insert(node->items.begin() + static_cast<std::ptrdiff_t>(at), std::move(read->node));

    Assembly out(from->text(), layout);
    out.keep(0, place);
    out.join(apart);
    out.add(read->lines, read->last);
    out.join(apart);
    out.keep(place, layout.statements.size());
    return take(proved(out.take(), expected), list);
}

/// A list that does not exist, in an inline table.
Result<TextVersion> insertNewInline(const TextVersion& from, const Path& list, const std::string& entry)
{
    const auto element = elementOf(entry, nullptr);
    if (!element)
        return element.error();
    return setValue(from, list, "[" + element->first + "]");
}

/// The array that spells a list; an Error where it is none of this text's values.
Result<ValueSyntax> arrayAt(const TextVersion& from, const Path& list)
{
    const auto spot = findSpot(from->text(), *from->layout(), list);
    if (!spot || spot->steps != list.size() || spot->value().kind != ValueSyntax::Kind::array)
        return refused(list);
    return spot->value();
}

} // namespace

Result<TextVersion> insertEntry(
    const TextVersion& from, const Path& list, std::size_t at, const std::string& entry)
{
    const Layout& layout = *from->layout();
    const Node* const node = follow(*from->root(), list);
    if (list.empty() || !std::holds_alternative<std::string>(list.back()))
        if (node == nullptr)
            return fail("there is no such list");
    if (node != nullptr && node->kind != Node::Kind::array)
        return fail(fmt::format("is {}, not a list", describe(node->kind)));
    const std::size_t size = node == nullptr ? 0 : node->items.size();
    if (at > size)
        return fail(fmt::format("has {} entries; a new one can stand at 0 to {}", size, size));
    if (node == nullptr)
        return findSpot(from->text(), layout, list) ? insertNewInline(from, list, entry)
                                                    : insertWithHeader(from, list, at, 0, entry);
    if (hasHeaders(layout, list))
        return insertWithHeader(from, list, at, size, entry);

    const auto array = arrayAt(from, list);
    if (!array)
        return array.error();
    auto element = elementOf(entry, node);
    if (!element)
        return element.error();
    Node expected = *from->root();
    auto& items = followMutable(expected, list)->items;
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), std::move(element->second));
    return take(
        proved(withElement(from->text(), *array, at, element->first, layout.newLine), expected), list);
}

Result<TextVersion> removeEntry(const TextVersion& from, const Path& list, std::size_t at)
{
    const auto node = listAt(from, list);
    if (!node)
        return node.error();
    if (at >= (*node)->items.size())
        return noEntry(at, (*node)->items.size());
    const Layout& layout = *from->layout();
    const Path path = entryPath(list, at);
    Node expected = *from->root();
    removeAt(expected, path);
    if (!hasHeaders(layout, list)) {
        const auto array = arrayAt(from, list);
        return array ? take(proved(withoutElement(from->text(), *array, at), expected), list) : array.error();
    }
    const std::vector<bool> gone = layout.statementsOf(path);
    Assembly out(from->text(), layout);
    for (std::size_t i = 0; i < gone.size(); ++i)
        if (gone[i])
            out.drop();
        else
            out.keep(i, i + 1);
    pruneEmpty(expected, list, [&](const Path& around) {
        for (std::size_t i = 0; i < gone.size(); ++i)
            if (!gone[i] && layout.isBelow(layout.statements[i], around))
                return true;
        return false;
    });
    return take(proved(out.take(), expected), list);
}

Result<TextVersion> duplicateEntry(const TextVersion& from, const Path& list, std::size_t at)
{
    const auto node = listAt(from, list);
    if (!node)
        return node.error();
    if (at >= (*node)->items.size())
        return noEntry(at, (*node)->items.size());
    const Layout& layout = *from->layout();
    Node expected = *from->root();
    auto& items = followMutable(expected, list)->items;
    Node copy = items[at]; // insert() must not take an element of the same vector
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(copy));
    if (!hasHeaders(layout, list)) {
        const auto array = arrayAt(from, list);
        if (!array)
            return array.error();
        const std::string element(array->elements[at].value.region.of(from->text()));
        return take(
            proved(withElement(from->text(), *array, at + 1, element, layout.newLine), expected), list);
    }
    const std::vector<Entry> entries = entriesOf(layout, list);
    const Entry& entry = entries[at];
    const bool apart = standApart(layout, entries);
    Assembly out(from->text(), layout);
    out.keep(0, entry.last());
    out.join(apart);
    keepEntry(out, entry);
    out.join(apart);
    out.keep(entry.last(), layout.statements.size());
    return take(proved(out.take(), expected), list);
}

Result<TextVersion> moveEntry(const TextVersion& from, const Path& list, std::size_t at, std::size_t to)
{
    const auto node = listAt(from, list);
    if (!node)
        return node.error();
    const std::size_t size = (*node)->items.size();
    if (at >= size || to >= size)
        return noEntry(std::max(at, to), size);
    if (at == to)
        return from;
    const Layout& layout = *from->layout();
    Node expected = *from->root();
    auto& items = followMutable(expected, list)->items;
    const auto place = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    if (at < to)
        std::rotate(place(at), place(at + 1), place(to + 1));
    else
        std::rotate(place(to), place(at), place(at + 1));
    if (!hasHeaders(layout, list)) {
        const auto array = arrayAt(from, list);
        return array ? take(proved(withMovedElement(from->text(), *array, at, to), expected), list)
                     : array.error();
    }

    std::vector<Entry> entries = entriesOf(layout, list); // then those that change places alone
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(std::max(at, to)) + 1, entries.end());
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(std::min(at, to)));
    std::vector<Entry> moved = entries;
    if (at < to)
        std::rotate(moved.begin(), moved.begin() + 1, moved.end());
    else
        std::rotate(moved.begin(), moved.end() - 1, moved.end());

    // Each place gets another entry; the strays of all of them go with their entry.
    Assembly out(from->text(), layout);
    std::size_t next = 0;
    const auto keepUpTo = [&](std::size_t end) {
        out.keep(next, end);
        next = end;
    };
    for (std::size_t i = 0; i < entries.size(); ++i) {
        keepUpTo(entries[i].begin);
        out.join(false);
        keepEntry(out, moved[i]);
        out.join(false);
        next = entries[i].end;
        for (const auto& [begin, end] : entries[i].strays) {
            keepUpTo(begin);
            out.drop();
            next = end;
        }
    }
    out.keep(next, layout.statements.size());
    return take(proved(out.take(), expected), list);
}

} // namespace loadstone::document
