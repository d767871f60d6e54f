// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/cell_pattern.h"

#include "document/table_reader.h"
#include "report/lab/cell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::report {

namespace {

using State = LabFigure::State;

std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(' ', at);
        if (begin == std::string_view::npos)
            break;
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        found.emplace_back(text.substr(begin, end - begin));
        at = end;
    }
    return found;
}

bool isOperator(const std::string& word)
{
    return word == "+" || word == "*" || word == "/";
}

Result<CellHole> parseHole(std::string_view text)
{
    CellHole hole;
    if (const std::size_t bar = text.find('|'); bar != std::string_view::npos) {
        hole.none = text.substr(bar + 1);
        hole.hasNone = true;
        text = text.substr(0, bar);
    }
    const std::vector<std::string> all = words(text);
    std::size_t i = 0;
    for (; i < all.size(); ++i) {
        hole.operands.push_back(all[i]);
        if (i + 2 >= all.size() || !isOperator(all[i + 1])) {
            ++i;
            break;
        }
        hole.operators.push_back(all[++i][0]);
    }
    if (hole.operands.empty() || isOperator(hole.operands.front()))
        return fail("a hole without a name; write {srv.model}");
    for (; i < all.size(); ++i) {
        std::string modifier = all[i];
        if (modifier == "in" && i + 1 < all.size())
            modifier += " " + all[++i];
        if (!isModifier(modifier))
            return fail(fmt::format("\"{}\" is not a way to print a value; write one of {}",
                document::shown(modifier), modifierNames()));
        hole.modifiers.push_back(std::move(modifier));
    }
    return hole;
}

bool isUnknown(const LabFigure& figure)
{
    return figure.state == State::noItem || figure.state == State::noKey;
}

/// What is computed from several figures; its unit is that of the first one.
LabFigure computed(const CellHole& hole, const LabScope& scope, std::vector<std::string>& unknown)
{
    std::vector<LabFigure> figures;
    for (const std::string& name : hole.operands) {
        figures.push_back(figureOf(scope, name));
        if (isUnknown(figures.back()))
            unknown.push_back(name);
    }
    if (figures.size() == 1)
        return figures.front();
    for (const LabFigure& figure : figures)
        if (figure.state != State::stated || !figure.number) {
            LabFigure absent;
            absent.state = figure.state == State::stated ? State::absent : figure.state;
            return absent;
        }
    LabFigure result = figures.front();
    double sum = 0, product = *figures.front().number;
    for (std::size_t i = 0; i < hole.operators.size(); ++i) {
        const LabFigure& next = figures[i + 1];
        if (hole.operators[i] == '+') {
            sum += product;
            product = *next.number;
        } else if (hole.operators[i] == '*') {
            product *= *next.number;
            if (result.unit.empty())
                result.unit = next.unit;
        } else {
            product /= *next.number;
            if (next.unit == result.unit)
                result.unit.clear(); // a share
        }
    }
    const double value = sum + product;
    result.number = value;
    result.text = fmt::format("{}", value);
    result.isBare = result.unit.empty();
    if (!std::isfinite(value))
        result.state = State::absent; // nothing to divide by
    return result;
}

bool isNone(const LabFigure& figure)
{
    return figure.text == "none" || (figure.number && *figure.number == 0) || figure.state == State::absent;
}

bool has(const CellHole& hole, std::string_view modifier)
{
    return std::ranges::find(hole.modifiers, modifier) != hole.modifiers.end();
}

/// Lists are empty, not absent: an item without tunings has none.
bool isList(const CellHole& hole)
{
    return hole.operands.size() == 1 && hole.operands.front().ends_with(".changed");
}

bool isAbsent(const CellHole& hole, const LabFigure& figure)
{
    return isUnknown(figure) || (figure.state == State::absent && !(hole.hasNone && isList(hole)));
}

std::string textOf(const CellHole& hole, const LabFigure& figure)
{
    if (figure.state == State::notDisclosed)
        return "not disclosed";
    if (isAbsent(hole, figure))
        return "not stated";
    if (hole.hasNone && isNone(figure))
        return hole.none;
    return modified(figure, hole.modifiers);
}

/// A hole that is the whole cell and prints a plain number stays a number.
std::optional<Number> wholeNumber(const CellPattern& pattern, const LabFigure& figure)
{
    const CellHole& hole = pattern.parts.front().hole;
    if (pattern.parts.size() != 1 || figure.state != State::stated || !figure.number || !figure.isBare)
        return std::nullopt;
    if (hole.hasNone || !(hole.modifiers.empty() || (hole.modifiers.size() == 1 && has(hole, "grouped"))))
        return std::nullopt;
    if (*figure.number != std::floor(*figure.number) || std::abs(*figure.number) > 1e15)
        return std::nullopt;
    Number number;
    number.value = figure.number;
    number.rounding = { has(hole, "grouped") ? Notation::whole : Notation::plain, 0 };
    return number;
}

} // namespace

Result<CellPattern> parsePattern(std::string_view text)
{
    if (text.size() > kLongestPattern)
        return fail(fmt::format("a cell of {} characters; write at most {}", text.size(), kLongestPattern));
    CellPattern pattern;
    int options = 0;
    bool inOption = false;
    std::string plain;
    const auto flush = [&] {
        if (plain.empty())
            return;
        CellPart part;
        part.text = std::move(plain);
        part.option = inOption ? options : 0;
        pattern.parts.push_back(std::move(part));
        plain.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool twice = i + 1 < text.size() && text[i + 1] == c;
        if ((c == '{' || c == '}' || c == '[' || c == ']') && twice) {
            plain += c;
            ++i;
        } else if (c == '{') {
            const std::size_t end = text.find('}', i);
            if (end == std::string_view::npos)
                return fail("a hole without its end; write } after it, or {{ for the character");
            auto hole = parseHole(text.substr(i + 1, end - i - 1));
            if (!hole)
                return hole.error();
            flush();
            CellPart part;
            part.isHole = true;
            part.hole = std::move(*hole);
            part.option = inOption ? options : 0;
            pattern.parts.push_back(std::move(part));
            i = end;
        } else if (c == '[' && !inOption) {
            flush();
            inOption = true;
            ++options;
        } else if (c == ']' && inOption) {
            flush();
            inOption = false;
        } else if (c == '}' || c == '[' || c == ']') {
            return fail(fmt::format("a \"{0}\" that nothing goes with; write {0}{0} for the character", c));
        } else
            plain += c;
    }
    if (inOption)
        return fail("square brackets without their end; write ] after them, or [[ for the character");
    flush();
    return pattern;
}

PrintedCell printPattern(const CellPattern& pattern, const LabScope& scope)
{
    PrintedCell printed;
    std::vector<LabFigure> figures(pattern.parts.size());
    std::vector<int> leftOut;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const CellPart& part = pattern.parts[i];
        if (!part.isHole)
            continue;
        std::vector<std::string> unknown;
        figures[i] = computed(part.hole, scope, unknown);
        if (part.option == 0)
            printed.unknown.insert(printed.unknown.end(), unknown.begin(), unknown.end());
        else if (isAbsent(part.hole, figures[i]))
            leftOut.push_back(part.option);
    }
    if (!pattern.parts.empty() && pattern.parts.front().isHole)
        if (const auto number = wholeNumber(pattern, figures.front())) {
            printed.cell = *number;
            return printed;
        }
    std::string text;
    for (std::size_t i = 0; i < figures.size() && text.size() <= kLongestCell; ++i) {
        const CellPart& part = pattern.parts[i];
        if (part.option != 0 && std::ranges::find(leftOut, part.option) != leftOut.end())
            continue;
        text += part.isHole ? textOf(part.hole, figures[i]) : part.text;
    }
    printed.cell = cutCell(std::move(text));
    return printed;
}

} // namespace loadstone::report
