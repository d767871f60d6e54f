// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lab/cell_words.h"

#include "base/joined.h"
#include "report/lab/cell_pattern.h"

#include <loadstone/number.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>

namespace loadstone::report {

namespace {

constexpr std::array kModifiers { "close", "grouped", "word", "Word", "fold", "Fold", "percent", "hex8", "us",
    "yesno", "enabled", "lower", "Capital", "Title", "bits", "spelled" };

bool isDecimals(std::string_view modifier)
{
    return modifier.size() == 2 && modifier[0] == '.' && modifier[1] >= '0' && modifier[1] <= '9';
}

/// The power of a prefix: "GB" is 3 of "B"; -1 for a unit that is none of the base.
int prefixOf(std::string_view unit, std::string_view base)
{
    constexpr std::string_view kPrefixes = "KMGTPE";
    if (unit == base)
        return 0;
    if (!unit.ends_with(base) || unit.empty())
        return -1;
    std::string_view prefix = unit.substr(0, unit.size() - base.size());
    if (prefix.ends_with('i'))
        prefix.remove_suffix(1);
    if (prefix.size() != 1)
        return -1;
    const std::size_t at =
        kPrefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(prefix[0]))));
    return at == std::string_view::npos ? -1 : static_cast<int>(at) + 1;
}

/// "MHz" without its prefix: "Hz".
std::string_view baseOf(std::string_view unit)
{
    for (const std::string_view base :
        { "Hz", "b/s", "T/s", "B", "s", "W", "bit", "m", "U", "C", "x", "rpm" })
        if (prefixOf(unit, base) >= 0)
            return base;
    return unit;
}

/// A number of `figure` in another unit of the same kind; nothing when it is none.
std::optional<double> numberIn(const LabFigure& figure, std::string_view unit)
{
    if (!figure.number)
        return std::nullopt;
    if (unit == "K" || unit == "M")
        return *figure.number / (unit == "K" ? 1e3 : 1e6);
    const std::string_view base = baseOf(figure.unit);
    const int from = prefixOf(figure.unit, base), to = prefixOf(unit, base);
    if (from < 0 || to < 0)
        return std::nullopt;
    const double step = unit.find("iB") != std::string_view::npos ? 1024 : figure.step;
    return *figure.number * std::pow(step, from - to);
}

std::string plainNumber(double number)
{
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return fmt::format("{:.0f}", number);
    return fmt::format("{:.10g}", number);
}

std::string groupedNumber(double number, int decimals)
{
    Number grouped;
    grouped.value = number;
    grouped.rounding = { decimals == 0 ? Notation::whole : Notation::decimals, decimals };
    return format(grouped);
}

/// Up to a hundred; greater numbers and those with a fraction stay digits.
std::string numberWord(double number)
{
    static constexpr std::array kOnes { "none", "one", "two", "three", "four", "five", "six", "seven",
        "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
        "eighteen", "nineteen" };
    static constexpr std::array kTens { "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty",
        "ninety" };
    if (number < 0 || number >= 100 || number != std::floor(number))
        return plainNumber(number);
    const auto whole = static_cast<std::size_t>(number);
    if (whole < kOnes.size())
        return kOnes.at(whole);
    const std::string tens = kTens.at(whole / 10 - 2);
    return whole % 10 == 0 ? tens : tens + "-" + kOnes.at(whole % 10);
}

std::string foldWord(double number)
{
    static constexpr std::array kFolds { "single", "dual", "triple", "quad" };
    if (number < 1 || number > 4 || number != std::floor(number))
        return plainNumber(number) + "-fold";
    return kFolds.at(static_cast<std::size_t>(number) - 1);
}

std::string capital(std::string text)
{
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

/// "9.1 GB" to "9.1GB": the blank between a number and its unit.
std::string closedUp(const std::string& text)
{
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos || blank == 0
        || std::isdigit(static_cast<unsigned char>(text[blank - 1])) == 0)
        return text;
    return text.substr(0, blank) + text.substr(blank + 1);
}

/// "write-back" to "Write-Back".
std::string title(std::string text)
{
    bool isFirst = true;
    for (char& c : text) {
        if (isFirst)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        isFirst = c == ' ' || c == '-';
    }
    return text;
}

/// "1 Gb/s" to "gigabit", "100 Mb/s" to "100-megabit"; other figures stay as they are.
std::string bits(const LabFigure& figure, const std::string& text)
{
    for (const auto& [unit, word] :
        { std::pair { "Tb/s", "terabit" }, { "Gb/s", "gigabit" }, { "Mb/s", "megabit" } })
        if (const auto number = numberIn(figure, unit); number && *number >= 1)
            return (*number == 1 ? std::string() : plainNumber(*number) + "-") + word;
    return text;
}

std::string spelled(const std::string& text)
{
    for (const auto& [abbreviation, words] : { std::pair { "SAS", "Serial Attached SCSI" },
             { "SATA", "Serial ATA" }, { "IDE", "Integrated Drive Electronics" }, { "FC", "Fibre Channel" },
             { "HT", "Hyper-Threading" } })
        if (text == abbreviation)
            return words;
    return text;
}

bool isYes(const std::string& text)
{
    return text == "true" || text == "yes" || text == "on";
}

/// "2000-04-19" to "4/19/2000".
std::string monthFirst(const std::string& date)
{
    if (date.size() < 10 || date[4] != '-' || date[7] != '-')
        return date;
    const auto part = [&](std::size_t at) {
        return date[at] == '0' ? date.substr(at + 1, 1) : date.substr(at, 2);
    };
    return part(5) + "/" + part(8) + "/" + date.substr(0, 4);
}

} // namespace

bool isModifier(std::string_view modifier)
{
    return std::ranges::find(kModifiers, modifier) != kModifiers.end() || isDecimals(modifier)
        || (modifier.starts_with("in ") && modifier.size() > 3);
}

std::string modifierNames()
{
    return fmt::format("{}, in UNIT, .DIGITS", joined(kModifiers, ", "));
}

std::string modified(const LabFigure& figure, const std::vector<std::string>& modifiers)
{
    std::string text = figure.isBare && figure.number ? plainNumber(*figure.number) : figure.text;
    std::optional<double> number = figure.number;
    int decimals = -1;
    for (const std::string& modifier : modifiers) {
        if (modifier == "close")
            text = closedUp(text);
        else if (modifier == "lower")
            std::ranges::transform(
                text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        else if (modifier == "Capital")
            text = capital(text);
        else if (modifier == "Title")
            text = title(text);
        else if (modifier == "bits")
            text = bits(figure, text);
        else if (modifier == "spelled")
            text = spelled(text);
        else if (modifier == "us")
            text = monthFirst(text);
        else if (modifier == "yesno")
            text = isYes(text) ? "Yes" : "No";
        else if (modifier == "enabled")
            text = isYes(text) ? "enabled" : "disabled";
        else if (modifier.starts_with("in ")) {
            if (const auto converted = numberIn(figure, std::string_view(modifier).substr(3))) {
                number = converted;
                text = plainNumber(*number);
            }
        } else if (number) {
            if (isDecimals(modifier)) {
                decimals = modifier[1] - '0';
                text = fmt::format("{:.{}f}", *number, decimals);
            } else if (modifier == "grouped")
                text = groupedNumber(*number, std::max(decimals, 0));
            else if (modifier == "word" || modifier == "Word")
                text = modifier == "Word" ? capital(numberWord(*number)) : numberWord(*number);
            else if (modifier == "fold" || modifier == "Fold")
                text = modifier == "Fold" ? capital(foldWord(*number)) : foldWord(*number);
            else if (modifier == "percent")
                text = fmt::format("{:.0f}", *number * 100);
            else if (modifier == "hex8" && *number >= 0 && *number < 4294967296.0)
                text = fmt::format("{:08x}", static_cast<std::uint32_t>(*number));
        }
    }
    return text;
}

std::string cutCell(std::string text)
{
    if (text.size() <= kLongestCell)
        return text;
    std::size_t end = kLongestCell - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
        --end;
    return text.substr(0, end) + "...";
}

} // namespace loadstone::report
