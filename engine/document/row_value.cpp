// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/row_value.h"

#include "base/joined.h"
#include "base/trimmed.h"
#include "document/table_reader.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone::document {

namespace {

constexpr std::size_t kMostText = 65536;

/// "write a number from 1 to 64", with units.
std::string rangeRemedy(const KeyRow& row, std::string_view what, std::string_view unit)
{
    const auto bound = [&](double value) {
        if (row.type == KeyType::bytes)
            return value < 1e18 ? formatBytes(static_cast<std::uint64_t>(value)) : fmt::format("{} B", value);
        return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
    };
    if (row.least && row.most)
        return fmt::format("write {} from {} to {}", what, bound(*row.least), bound(*row.most));
    return row.least ? fmt::format("write {} from {} up", what, bound(*row.least))
                     : fmt::format("write {} up to {}", what, row.most ? bound(*row.most) : "");
}

bool inRange(const KeyRow& row, double value)
{
    return std::isfinite(value) && (!row.least || value >= *row.least) && (!row.most || value <= *row.most);
}

std::string example(const KeyRow& row)
{
    if (row.type == KeyType::bytes)
        return row.unit == "GB" ? "600 GB" : "4 GB";
    if (row.type == KeyType::duration)
        return "5 ms";
    if (row.unit == "MHz")
        return "3.2 GHz";
    if (row.unit == "Mb/s")
        return "10 Gb/s";
    if (row.unit == "rpm")
        return "15000 rpm";
    if (row.unit == "MT/s")
        return "4800 MT/s";
    if (row.unit == "x")
        return "x8";
    return fmt::format("64 {}", row.unit);
}

RowFault wrongKind(const Node& node, const char* wanted, std::string remedy)
{
    return { fmt::format("is {}, must be {}", describe(node.kind), wanted), std::move(remedy) };
}

RowReading checkedText(const std::string& text)
{
    if (auto fault = faultOfText(text, false))
        return *fault;
    return RowValue { text, std::nullopt };
}

RowReading checkedNumber(const KeyRow& row, double value, std::string text)
{
    if (!inRange(row, value))
        return RowFault { fmt::format("{} is out of range", text),
            rangeRemedy(row, row.type == KeyType::integer ? "a whole number" : "a number", "") };
    return RowValue { std::move(text), value };
}

RowReading checkedChoice(const KeyRow& row, const std::string& text)
{
    if (auto fault = faultOfText(text, false))
        return *fault;
    for (const std::string_view choice : row.choices)
        if (sameChoice(choice, text))
            return RowValue { text, std::nullopt };
    const std::string meant = nearest(text, { row.choices.begin(), row.choices.end() });
    return RowFault { fmt::format("\"{}\" is unknown{}", shown(text),
                          meant.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", meant)),
        fmt::format("write \"{}\"", joined(row.choices, "\", \"")) };
}

RowReading checkedQuantity(const KeyRow& row, const std::string& text)
{
    if (auto fault = faultOfText(text, false))
        return *fault;
    const auto printed = printedValue(row, text);
    if (!printed) {
        const bool bare = !text.empty() && text.find_first_not_of("0123456789.,") == std::string::npos;
        if (row.type == KeyType::bytes
            && (text.ends_with("Gb") || text.ends_with("Mb") || text.ends_with("Kb")))
            return RowFault { fmt::format("\"{}\" counts bits", shown(text)),
                fmt::format("write bytes with a large B, as in \"{}\"", example(row)) };
        return RowFault { fmt::format("\"{}\" {}", shown(text),
                              bare ? "has no unit"
                                  : row.type == KeyType::bytes
                                  ? "is not a size"
                                  : fmt::format("is not a quantity in {}", row.unit)),
            fmt::format("write a number and its unit, as in \"{}\"", example(row)) };
    }
    if (!inRange(row, printed->value))
        return RowFault { fmt::format("\"{}\" is out of range", shown(text)),
            rangeRemedy(row, row.type == KeyType::bytes ? "a size" : "a quantity", row.unit) };
    return RowValue { text, printed->value };
}

RowReading checkedDuration(const KeyRow& row, const std::string& text)
{
    if (auto fault = faultOfText(text, false))
        return *fault;
    const auto parsed = parseDuration(shown(text));
    if (!parsed)
        return RowFault { fmt::format("\"{}\" is not a time", shown(text)),
            "write a number and its unit, as in \"5 ms\" or \"10 min\"" };
    if (!inRange(row, seconds(*parsed)))
        return RowFault { fmt::format("\"{}\" is out of range", shown(text)),
            rangeRemedy(row, "a time", "s") };
    return RowValue { text, seconds(*parsed) };
}

RowReading checkedPercent(const KeyRow& row, const std::string& text)
{
    if (auto fault = faultOfText(text, false))
        return *fault;
    const auto printed = printedValue(row, text);
    if (!printed || !inRange(row, printed->value))
        return RowFault { fmt::format("\"{}\" is not a share from {} % to {} %", shown(text),
                              row.least.value_or(0), row.most.value_or(100)),
            "write it like \"70 %\"" };
    return RowValue { text, printed->value };
}

RowReading checkedDate(const std::string& text)
{
    if (auto fault = faultOfText(text, false))
        return *fault;
    const auto date = dateOf(text);
    if (!date)
        return RowFault { fmt::format("\"{}\" is not a date", shown(text)),
            "write year, month and day without quotes, as in 2026-11-23" };
    return RowValue { text, *date };
}

RowReading checkedTexts(const std::vector<std::string>& texts)
{
    std::string joined;
    for (const std::string& text : texts) {
        if (auto fault = faultOfText(text, false))
            return *fault;
        joined += (joined.empty() ? "" : ", ") + text;
    }
    if (joined.size() > kMostText)
        return RowFault { "is longer than 64 KB", "shorten it" };
    return RowValue { std::move(joined), std::nullopt };
}

RowReading flagValue(bool on)
{
    return RowValue { on ? "yes" : "no", on ? 1.0 : 0.0 };
}

/// "U+0007"
std::string codePoint(unsigned code)
{
    return fmt::format("U+{:04X}", code);
}

/// The code point at `at`, which moves behind it; bytes that are no UTF-8 count one by one.
unsigned nextCode(std::string_view text, std::size_t& at)
{
    const auto first = static_cast<unsigned char>(text[at++]);
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    unsigned code = more == 0 ? first : first & (0x3fU >> static_cast<unsigned>(more));
    for (int i = 0; i < more && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
         ++i)
        code = code << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    return code;
}

bool isControl(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

bool changesDirection(unsigned code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e)
        || (code >= 0x2066 && code <= 0x2069);
}

} // namespace

std::optional<RowFault> faultOfText(std::string_view text, bool lines)
{
    if (text.size() > kMostText)
        return RowFault { fmt::format("is {} bytes long, at most {} are read", text.size(), kMostText),
            "shorten it" };
    for (std::size_t at = 0; at < text.size();) {
        const unsigned code = nextCode(text, at);
        if (code == '\n' || code == '\t' || code == '\r') {
            if (lines)
                continue;
            return RowFault { code == '\t' ? "contains a tab" : "has several lines", "write it on one line" };
        }
        if (isControl(code))
            return RowFault { fmt::format("contains the control character {}", codePoint(code)),
                "remove it" };
        if (changesDirection(code))
            return RowFault { fmt::format(
                                  "contains the invisible character {}, which changes the direction of text",
                                  codePoint(code)),
                "remove it" };
    }
    return std::nullopt;
}

std::string withoutInvisible(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const unsigned code = nextCode(text, at);
        if (isControl(code) || changesDirection(code))
            result += '?';
        else
            result += text.substr(begin, at - begin);
    }
    return result;
}

RowReading readValue(const KeyRow& row, const Node& node)
{
    const auto numeric = node.kind == Node::Kind::integer || node.kind == Node::Kind::real;
    const double number = node.kind == Node::Kind::integer ? static_cast<double>(node.integer) : node.real;
    const std::string digits =
        node.kind == Node::Kind::integer ? fmt::format("{}", node.integer) : fmt::format("{}", node.real);
    switch (row.type) {
    case KeyType::secret: // labs have none
    case KeyType::text:
    case KeyType::choice:
        if (node.kind != Node::Kind::text)
            return wrongKind(node, "a text",
                numeric ? fmt::format("write it in quotes: \"{}\"", digits)
                        : std::string("write it in quotes"));
        return row.type == KeyType::choice ? checkedChoice(row, node.text) : checkedText(node.text);
    case KeyType::flag:
        if (node.kind != Node::Kind::boolean)
            return wrongKind(node, "true or false", "write true or false, without quotes");
        return flagValue(node.boolean);
    case KeyType::integer:
        if (node.kind != Node::Kind::integer)
            return wrongKind(node, "a whole number", "write a whole number, without quotes or unit");
        return checkedNumber(row, number, digits);
    case KeyType::number:
        if (!numeric)
            return wrongKind(node, "a number", "write a number, without quotes or unit");
        return checkedNumber(row, number, digits);
    case KeyType::percent:
        if (numeric)
            return checkedPercent(row, digits);
        if (node.kind != Node::Kind::text)
            return wrongKind(node, "a share", "write it like \"70 %\"");
        return checkedPercent(row, node.text);
    case KeyType::bytes:
    case KeyType::quantity:
    case KeyType::duration:
    case KeyType::rate:
        if (numeric)
            return RowFault { fmt::format("{} has no unit", digits),
                fmt::format("write the unit and quotes, as in \"{}\"", example(row)) };
        if (node.kind != Node::Kind::text)
            return wrongKind(node, "a quantity", fmt::format("write it like \"{}\"", example(row)));
        return row.type == KeyType::duration ? checkedDuration(row, node.text)
                                             : checkedQuantity(row, node.text);
    case KeyType::date:
        if (node.kind != Node::Kind::date && node.kind != Node::Kind::text)
            return wrongKind(node, "a date", "write it like 2026-11-23");
        return checkedDate(node.text);
    case KeyType::texts: {
        if (node.kind == Node::Kind::text)
            return checkedTexts({ node.text });
        std::vector<std::string> texts;
        if (node.kind != Node::Kind::array)
            return wrongKind(node, "a list of texts", "write a list of texts, as in [\"a\", \"b\"]");
        for (const Node& item : node.items) {
            if (item.kind != Node::Kind::text)
                return RowFault { fmt::format("has {} where a text must be", describe(item.kind)),
                    "write a list of texts, as in [\"a\", \"b\"]" };
            texts.push_back(item.text);
        }
        return checkedTexts(texts);
    }
    case KeyType::numbers:
    case KeyType::table:
    case KeyType::tables:
        break;
    }
    return RowFault { "is not a single value", "write it as its table of keys says" };
}

RowReading readText(const KeyRow& row, const std::string& text)
{
    switch (row.type) {
    case KeyType::flag:
        for (const char* yes : { "yes", "true", "on" })
            if (sameChoice(text, yes))
                return flagValue(true);
        for (const char* no : { "no", "false", "off" })
            if (sameChoice(text, no))
                return flagValue(false);
        return RowFault { fmt::format("\"{}\" is neither yes nor no", shown(text)), "write yes or no" };
    case KeyType::integer:
    case KeyType::number: {
        const auto printed = printedValue(row, text);
        if (!printed || (row.type == KeyType::integer && printed->value != std::floor(printed->value)))
            return RowFault { fmt::format("\"{}\" is not a {}", shown(text),
                                  row.type == KeyType::integer ? "whole number" : "number"),
                rangeRemedy(row, row.type == KeyType::integer ? "a whole number" : "a number", "") };
        return checkedNumber(row, printed->value, fmt::format("{}", printed->value));
    }
    case KeyType::choice:
        return checkedChoice(row, text);
    case KeyType::percent:
        return checkedPercent(row, text);
    case KeyType::bytes:
    case KeyType::quantity:
        return checkedQuantity(row, text);
    case KeyType::duration:
        return checkedDuration(row, text);
    case KeyType::date:
        return checkedDate(text);
    default:
        return checkedText(text);
    }
}

} // namespace loadstone::document
