// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/inline_edits.h"

#include <algorithm>
#include <numeric>

namespace loadstone::document {

namespace {

const ValueSyntax& follow(const ValueSyntax& from, const std::vector<std::size_t>& trail, std::size_t length)
{
    const ValueSyntax* value = &from;
    for (std::size_t i = 0; i < length; ++i)
        value = &value->elements[trail[i]].value;
    return *value;
}

/// Whether the keys of an element lead on along a path; an element of an array has its number instead.
bool leadsOn(const ValueSyntax& container, std::size_t index, const Path& path, std::size_t from)
{
    if (container.kind == ValueSyntax::Kind::array)
        return path[from] == PathStep(index);
    const auto& keys = container.elements[index].keys;
    return keys.size() <= path.size() - from
        && std::equal(keys.begin(), keys.end(), path.begin() + static_cast<std::ptrdiff_t>(from),
            [](const std::string& key, const PathStep& step) { return step == PathStep(key); });
}

std::string glue(std::string_view text, std::size_t to, std::string_view middle, std::size_t from)
{
    std::string out;
    out.reserve(text.size() + middle.size());
    return out.append(text.substr(0, to)).append(middle).append(text.substr(from));
}

bool onlyBlanks(std::string_view text)
{
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

/// The white space before the first thing on the line of `at`.
std::string_view indentOf(std::string_view text, std::size_t at)
{
    const auto begin = lineBegin(text, at);
    return text.substr(begin, skipBlanks(text, begin) - begin);
}

bool beginsLine(std::string_view text, std::size_t at)
{
    const auto begin = lineBegin(text, at);
    return onlyBlanks(text.substr(begin, at - begin));
}

} // namespace

const ValueSyntax& Spot::value() const
{
    return follow(whole, trail, trail.size());
}

const ValueSyntax* Spot::container() const
{
    return trail.empty() ? nullptr : &follow(whole, trail, trail.size() - 1);
}

std::optional<Spot> findSpot(std::string_view text, const Layout& layout, const Path& path)
{
    for (std::size_t i = 0; i < layout.statements.size(); ++i) {
        const Statement& statement = layout.statements[i];
        if (statement.kind != Statement::Kind::pair)
            continue;
        const Path& block = layout.blocks[statement.block].path;
        if (block.size() + statement.keys.size() > path.size() || !startsWith(path, block)
            || !startsWith(path, layout.pathOf(statement)))
            continue;
        auto whole = readValueSyntax(text, statement.value.begin);
        if (!whole)
            return std::nullopt;
        Spot spot { i, *std::move(whole), {}, block.size() + statement.keys.size() };
        const ValueSyntax* value = &spot.whole;
        while (spot.steps < path.size()) {
            std::size_t index = 0;
            while (index < value->elements.size() && !leadsOn(*value, index, path, spot.steps))
                ++index;
            if (index == value->elements.size())
                break;
            const ElementSyntax& element = value->elements[index];
            spot.steps += value->kind == ValueSyntax::Kind::array ? 1 : element.keys.size();
            spot.trail.push_back(index);
            value = &element.value;
        }
        return spot;
    }
    return std::nullopt;
}

std::string withRegion(std::string_view text, Region region, std::string_view replacement)
{
    return glue(text, region.begin, replacement, region.end);
}

std::string withKey(
    std::string_view text, const ValueSyntax& table, const std::string& key, const std::string& toml)
{
    const std::size_t close = table.region.end - 1;
    const std::size_t end =
        table.elements.empty() ? table.region.begin + 1 : table.elements.back().value.region.end;
    return glue(text, end, (table.elements.empty() ? " " : ", ") + key + " = " + toml + " ", close);
}

std::string withoutKey(std::string_view text, const ValueSyntax& table, std::size_t element)
{
    const auto& all = table.elements;
    if (element + 1 < all.size())
        return glue(text, all[element].begin, "", all[element + 1].begin);
    if (element > 0)
        return glue(text, all[element - 1].value.region.end, "", all[element].value.region.end);
    return glue(text, table.region.begin + 1, "", table.region.end - 1);
}

std::string withElement(std::string_view text, const ValueSyntax& array, std::size_t at,
    const std::string& toml, const std::string& newLine)
{
    const auto& all = array.elements;
    if (at < all.size()) {
        const std::size_t begin = all[at].begin;
        const std::string gap = beginsLine(text, begin) ? newLine + std::string(indentOf(text, begin)) : " ";
        return glue(text, begin, toml + "," + gap, begin);
    }
    const std::size_t close = array.region.end - 1;
    if (all.empty()) {
        const std::size_t open = array.region.begin + 1;
        if (!onlyBlanks(text.substr(open, close - open)) && beginsLine(text, close)) // there are lines in it
            return glue(text, lineBegin(text, close),
                std::string(indentOf(text, close)) + "  " + toml + newLine, lineBegin(text, close));
        return glue(text, open, toml, open);
    }
    const ElementSyntax& last = all.back();
    const std::size_t end = last.comma ? *last.comma + 1 : last.value.region.end;
    const std::string_view behind = text.substr(end, close - end);
    if (behind.find('\n') == std::string_view::npos)
        return glue(text, end, (last.comma ? " " : ", ") + toml + (last.comma ? "," : ""), end);
    // On a line of its own behind the last element's, whose comment stays where it is. A comma that stands after comments on a later
    // line is where the comma has to be, and the line is counted from there.
    const std::size_t stop = lineEnd(text, end);
    const std::string line =
        newLine + std::string(indentOf(text, last.begin)) + toml + (last.comma ? "," : "");
    const std::string before = std::string(last.comma ? "" : ",") + std::string(text.substr(end, stop - end));
    return glue(text, end, before + line, stop);
}

std::string withoutElement(std::string_view text, const ValueSyntax& array, std::size_t at)
{
    const auto& all = array.elements;
    const ElementSyntax& element = all[at];
    const Region region = element.value.region;
    if (!element.comma) { // the last one: the comma before it goes where nothing else stands between
        const bool follows = at > 0;
        const std::size_t from = follows ? all[at - 1].value.region.end : region.begin;
        const std::string_view between = text.substr(from, region.begin - from);
        if (follows && between.find_first_not_of(" \t,") == std::string_view::npos)
            return glue(text, from, "", region.end);
        if (beginsLine(text, region.begin)
            && onlyBlanks(text.substr(region.end, lineEnd(text, region.end) - region.end))
            && lineEnd(text, region.end) < array.region.end)
            return glue(text, lineBegin(text, region.begin), "", text.find('\n', region.end) + 1);
        return glue(text, region.begin, "", region.end);
    }
    const std::size_t comma = *element.comma;
    const std::string_view between = text.substr(region.end, comma - region.end);
    if (!onlyBlanks(between)) { // comments stand between: two cuts
        const std::string kept(between);
        return glue(text, region.begin, kept, comma + 1);
    }
    const std::size_t next = skipBlanks(text, comma + 1);
    const bool endsLine = next == lineEnd(text, next);
    if (endsLine && beginsLine(text, region.begin))
        return glue(text, lineBegin(text, region.begin), "", text.find('\n', next) + 1);
    return glue(text, region.begin, "", endsLine ? comma + 1 : next);
}

std::string withMovedElement(
    std::string_view text, const ValueSyntax& array, std::size_t from, std::size_t to)
{
    const auto& all = array.elements;
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    const std::size_t moved = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), moved);
    std::string out;
    std::size_t at = 0;
    for (std::size_t place = 0; place < all.size(); ++place) {
        const Region slot = all[place].value.region;
        out.append(text.substr(at, slot.begin - at)).append(all[order[place]].value.region.of(text));
        at = slot.end;
    }
    return out.append(text.substr(at));
}

} // namespace loadstone::document
