// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a number is printed as decides its unit and its rounding, in a document and in a spreadsheet alike: so the format is made from the
// printed text, and the value is what this text was printed from.
#include "report/sheet_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace loadstone::report {

namespace {

/// "≥ ", "1,234.5" and " ms" of a printed number.
struct PrintedParts {
    std::string before, digits, behind;
    double value = 0;
    int decimals = 0;
    bool grouped = false, sign = false;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::optional<PrintedParts> partsOf(const std::string& printed)
{
    PrintedParts parts;
    std::size_t begin = 0;
    while (begin < printed.size() && !isDigit(printed[begin]))
        ++begin;
    if (begin == printed.size())
        return std::nullopt;
    std::size_t end = begin;
    while (end < printed.size()
        && (isDigit(printed[end])
            || ((printed[end] == ',' || printed[end] == '.') && end + 1 < printed.size()
                && isDigit(printed[end + 1]))))
        ++end;
    const bool negative = begin > 0 && printed[begin - 1] == '-';
    parts.sign = begin > 0 && printed[begin - 1] == '+';
    parts.before = printed.substr(0, begin - (negative || parts.sign ? 1 : 0));
    parts.behind = printed.substr(end);
    if (std::ranges::any_of(parts.behind, isDigit) || parts.behind.starts_with('e')
        || parts.behind.starts_with(':'))
        return std::nullopt; // a clock, a range, an error, an exponent
    std::string plain = negative ? "-" : "";
    for (const char c : printed.substr(begin, end - begin))
        if (c == ',')
            parts.grouped = true;
        else
            plain += c;
    const auto point = plain.find('.');
    parts.decimals = point == std::string::npos ? 0 : static_cast<int>(plain.size() - point - 1);
    const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), parts.value);
    return read.ec == std::errc() && read.ptr == plain.data() + plain.size() ? std::optional(parts)
                                                                             : std::nullopt;
}

struct UnitScale {
    std::string_view behind; ///< the text behind the digits
    double factor; ///< from the number's own unit
};
constexpr double kKilo = 1024;
constexpr std::array kUnitScales {
    UnitScale { " %", 100 },
    UnitScale { "%", 100 },
    UnitScale { " ms", 1e3 },
    UnitScale { " us", 1e6 },
    UnitScale { " ns", 1e9 },
    UnitScale { " min", 1.0 / 60 },
    UnitScale { " h", 1.0 / 3600 },
    UnitScale { " d", 1.0 / 86400 },
    UnitScale { " KB", 1 / kKilo },
    UnitScale { " MB", 1 / kKilo / kKilo },
    UnitScale { " GB", 1 / kKilo / kKilo / kKilo },
    UnitScale { " TB", 1 / kKilo / kKilo / kKilo / kKilo },
};

/// As a spreadsheet rounds: half goes away from 0.
double rounded(double value, int decimals)
{
    const double scale = std::pow(10.0, decimals);
    return std::round(value * scale) / scale;
}

/// The number in the unit of the printed text; the printed one itself where no exact one would be shown as it.
double shownValue(const Number& number, const PrintedParts& parts)
{
    const double half = 0.5 * std::pow(10.0, -parts.decimals) * (1 + 1e-9);
    const auto fits = [&](double value) {
        return std::abs(value - parts.value) <= half
            && rounded(value, parts.decimals) == rounded(parts.value, parts.decimals);
    };
    if (fits(*number.value))
        return *number.value;
    for (const UnitScale& scale : kUnitScales)
        if (parts.behind.starts_with(scale.behind) && fits(*number.value * scale.factor))
            return *number.value * scale.factor;
    // Without a unit in the text: milliseconds and megabytes have theirs in the heading.
    for (const double factor : { 1e3, 1 / kKilo / kKilo })
        if (fits(*number.value * factor))
            return *number.value * factor;
    return parts.value;
}

/// As a literal of a number format.
std::string literal(const std::string& text)
{
    std::string quoted;
    for (const char c : text)
        if (c != '"' && static_cast<unsigned char>(c) >= ' ')
            quoted += c;
    constexpr std::size_t kLongest = 60; // formats may have 255 characters
    quoted.resize(std::min(quoted.size(), kLongest));
    while (!quoted.empty() && (static_cast<unsigned char>(quoted.back()) & 0xc0U) == 0x80U)
        quoted.pop_back(); // not in the middle of a character
    if (!quoted.empty() && static_cast<unsigned char>(quoted.back()) >= 0xc0U)
        quoted.pop_back();
    return quoted.empty() ? quoted : "\"" + quoted + "\"";
}

} // namespace

std::optional<SheetNumber> sheetNumber(const Number& number)
{
    if (!number.value || !std::isfinite(*number.value) || number.from || (number.error && *number.error > 0))
        return std::nullopt;
    constexpr double kDay = 86400;
    if (number.rounding.notation == Notation::clock && !number.flags.lowerBound && number.limit == Limit::none
        && !number.rounding.named)
        return SheetNumber { *number.value / kDay, *number.value < 3600 ? "mm:ss" : "[h]:mm:ss" };
    const auto parts = partsOf(format(number));
    if (!parts)
        return std::nullopt;
    // The separator shows itself from a thousand on.
    const bool grouped = parts->grouped || number.rounding.notation == Notation::whole
        || number.rounding.notation == Notation::decimals;
    std::string digits = grouped ? "#,##0" : "0";
    if (parts->decimals > 0)
        digits += "." + std::string(static_cast<std::size_t>(parts->decimals), '0');
    const std::string before = literal(parts->before), behind = literal(parts->behind);
    std::string shown = before + (parts->sign ? "+" : "") + digits + behind;
    if (parts->sign || !before.empty())
        shown += ";" + before + "-" + digits + behind;
    return SheetNumber { shownValue(number, *parts), std::move(shown) };
}

} // namespace loadstone::report
