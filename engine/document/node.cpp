// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/node.h"

#include "document/key_names.h"

#include <algorithm>
#include <charconv>

namespace loadstone::document {

const Node* Node::find(std::string_view key) const
{
    const auto it =
        std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
    return it == members.end() ? nullptr : &it->value;
}

const char* describe(Node::Kind kind)
{
    switch (kind) {
    case Node::Kind::table:
        return "a table";
    case Node::Kind::array:
        return "an array";
    case Node::Kind::text:
        return "a text";
    case Node::Kind::integer:
        return "a whole number";
    case Node::Kind::real:
        return "a decimal number";
    case Node::Kind::boolean:
        return "true or false";
    case Node::Kind::date:
        return "a date or time";
    }
    return "";
}

bool sameContent(const Node& a, const Node& b)
{
    if (a.kind != b.kind || a.text != b.text || a.integer != b.integer || a.boolean != b.boolean
        || !(a.real == b.real || (a.real != a.real && b.real != b.real)) || a.items.size() != b.items.size()
        || a.members.size() != b.members.size())
        return false;
    if (!std::equal(a.items.begin(), a.items.end(), b.items.begin(), sameContent))
        return false;
    // Members stand in the order of the text, which two spellings of one content need not share, but mostly do.
    const bool inOrder = std::equal(a.members.begin(), a.members.end(), b.members.begin(),
        [](const Member& x, const Member& y) { return x.key == y.key; });
    if (inOrder)
        return std::equal(a.members.begin(), a.members.end(), b.members.begin(),
            [](const Member& x, const Member& y) { return sameContent(x.value, y.value); });
    const auto byKey = [](const Node& table) {
        std::vector<const Member*> sorted;
        sorted.reserve(table.members.size());
        for (const Member& member : table.members)
            sorted.push_back(&member);
        std::sort(
            sorted.begin(), sorted.end(), [](const Member* x, const Member* y) { return x->key < y->key; });
        return sorted;
    };
    const auto left = byKey(a);
    const auto right = byKey(b);
    return std::equal(left.begin(), left.end(), right.begin(),
        [](const Member* x, const Member* y) { return x->key == y->key && sameContent(x->value, y->value); });
}

std::vector<PathStep> parsePath(std::string_view path)
{
    std::vector<PathStep> steps;
    std::size_t i = 0;
    while (i < path.size()) {
        if (path[i] == '[') {
            std::size_t index = 0;
            const auto close = path.find(']', i);
            if (steps.empty() || close == std::string_view::npos)
                return {};
            const auto read = std::from_chars(path.data() + i + 1, path.data() + close, index);
            if (read.ec != std::errc() || read.ptr != path.data() + close)
                return {};
            steps.emplace_back(index);
            i = close + 1;
            continue;
        }
        if (!steps.empty() && path[i++] != '.')
            return {};
        auto name = readKeyName(path, i);
        if (!name || (i < path.size() && path[i] != '.' && path[i] != '['))
            return {};
        steps.emplace_back(*std::move(name));
    }
    return steps;
}

namespace {

const Node* step(const Node& from, const PathStep& by)
{
    if (const auto* key = std::get_if<std::string>(&by))
        return from.kind == Node::Kind::table ? from.find(*key) : nullptr;
    const auto index = std::get<std::size_t>(by);
    return from.kind == Node::Kind::array && index < from.items.size() ? &from.items[index] : nullptr;
}

} // namespace

const Node* follow(const Node& root, const std::vector<PathStep>& steps)
{
    const Node* node = &root;
    for (const PathStep& by : steps) {
        node = step(*node, by);
        if (node == nullptr)
            return nullptr;
    }
    return node;
}

Position positionOf(const Node& root, std::string_view path)
{
    const auto steps = parsePath(path);
    const Node* node = &root;
    std::size_t depth = 0;
    for (; depth < steps.size(); ++depth) {
        const Node* next = step(*node, steps[depth]);
        if (next == nullptr)
            break;
        node = next;
    }
    const bool missingInMix = depth == 2 && steps.size() == 3 && steps[0] == PathStep("mixes");
    if (missingInMix)
        if (const Node* inherited = follow(root, { PathStep("mix"), steps[2] }))
            return inherited->begin;
    return node == &root ? Position {} : node->begin;
}

std::size_t offsetOf(std::string_view text, Position at)
{
    std::size_t offset = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    for (int line = 1; line < at.line; ++line) {
        offset = text.find('\n', offset);
        if (offset == std::string_view::npos)
            return text.size();
        ++offset;
    }
    for (int column = 1; column < at.column && offset < text.size(); ++column) {
        ++offset;
        while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xc0) == 0x80)
            ++offset;
    }
    return offset;
}

} // namespace loadstone::document
