// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/trimmed.h"
#include "document/row_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace loadstone::document {

namespace {

struct PrintedDigits {
    Printed number;
    std::string_view rest; ///< the unit, without blanks around it
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// "10,000.5 GB": groups of three behind commas, a decimal point; no exponent. A sign only where `negative`.
std::optional<PrintedDigits> digitsOf(std::string_view text, bool negative = false)
{
    text = trimmed(text);
    std::string digits;
    std::size_t at = 0;
    if (negative && text.starts_with('-')) {
        digits = "-";
        at = 1;
    }
    std::size_t group = 0; // digits since the last comma
    bool grouped = false, point = false;
    int decimals = 0;
    const std::size_t first = at;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (isDigit(c)) {
            digits += c;
            ++group;
            decimals += point ? 1 : 0;
        } else if (c == ',' && !point && group > 0 && group <= 3 && (!grouped || group == 3)
            && at + 3 < text.size() + 0 && isDigit(text[at + 1]) && isDigit(text[at + 2])
            && isDigit(text[at + 3])) {
            grouped = true;
            group = 0;
        } else if (c == '.' && !point && group > 0 && at + 1 < text.size() && isDigit(text[at + 1])) {
            if (grouped && group != 3)
                return std::nullopt;
            point = true;
            digits += c;
        } else {
            break;
        }
    }
    if (at == first || digits.size() > 40 || (grouped && !point && group != 3))
        return std::nullopt;
    PrintedDigits result;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), result.number.value);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return std::nullopt;
    result.number.half = 0.5 * std::pow(10.0, -decimals);
    result.rest = trimmed(text.substr(at));
    return result;
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameLetters(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](char left, char right) { return lower(left) == lower(right); });
}

struct UnitName {
    std::string_view unit; ///< of the row
    std::string_view name;
    double factor;
};

/// Of several names that differ in case alone the first is taken for a third spelling: "mb/s" are bits.
constexpr std::array kUnits {
    UnitName { "MHz", "MHz", 1 },
    UnitName { "MHz", "GHz", 1e3 },
    UnitName { "MHz", "kHz", 1e-3 },
    UnitName { "MHz", "Hz", 1e-6 },
    UnitName { "Mb/s", "Mb/s", 1 },
    UnitName { "Mb/s", "Gb/s", 1e3 },
    UnitName { "Mb/s", "Tb/s", 1e6 },
    UnitName { "Mb/s", "kb/s", 1e-3 },
    UnitName { "Mb/s", "b/s", 1e-6 },
    UnitName { "Mb/s", "Mbps", 1 },
    UnitName { "Mb/s", "Gbps", 1e3 },
    UnitName { "Mb/s", "Tbps", 1e6 },
    UnitName { "Mb/s", "kbps", 1e-3 },
    UnitName { "Mb/s", "Mbit/s", 1 },
    UnitName { "Mb/s", "Gbit/s", 1e3 },
    UnitName { "Mb/s", "Tbit/s", 1e6 },
    UnitName { "Mb/s", "kbit/s", 1e-3 },
    UnitName { "Mb/s", "MB/s", 8 },
    UnitName { "Mb/s", "GB/s", 8e3 },
    UnitName { "Mb/s", "KB/s", 8e-3 },
    UnitName { "MT/s", "MT/s", 1 },
    UnitName { "MT/s", "MHz", 1 },
    UnitName { "MT/s", "GT/s", 1e3 },
    UnitName { "rpm", "rpm", 1 },
    UnitName { "rpm", "1/min", 1 },
    UnitName { "rpm", "K", 1e3 },
    UnitName { "rpm", "K rpm", 1e3 },
    UnitName { "rpm", "Krpm", 1e3 },
    UnitName { "W", "W", 1 },
    UnitName { "W", "kW", 1e3 },
    UnitName { "W", "MW", 1e6 },
    UnitName { "W", "VA", 1 },
    UnitName { "W", "kVA", 1e3 },
    UnitName { "bit", "bit", 1 },
    UnitName { "bit", "bits", 1 },
    UnitName { "bit", "-bit", 1 },
    UnitName { "x", "x", 1 },
    UnitName { "U", "U", 1 },
    UnitName { "m", "m", 1 },
    UnitName { "m", "km", 1e3 },
    UnitName { "m", "cm", 1e-2 },
    UnitName { "m", "mm", 1e-3 },
    UnitName { "C", "C", 1 },
    UnitName { "C", "°C", 1 },
};

const UnitName* unitNamed(std::string_view unit, std::string_view name)
{
    const auto found = [&](auto same) {
        const auto* const at = std::find_if(kUnits.begin(), kUnits.end(),
            [&](const UnitName& known) { return known.unit == unit && same(known.name, name); });
        return at == kUnits.end() ? nullptr : at;
    };
    if (const UnitName* exact = found([](std::string_view a, std::string_view b) { return a == b; }))
        return exact;
    return found(sameLetters);
}

std::optional<int> numberIn(std::string_view text)
{
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || text.size() > 4 || read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::optional<Printed> printedBytes(std::string_view text, ByteSteps steps)
{
    const auto digits = digitsOf(text);
    if (!digits)
        return std::nullopt;
    std::string_view rest = digits->rest;
    double factor = 1;
    constexpr std::string_view kPrefixes = "KMGTPE";
    const auto step =
        rest.empty() ? std::string_view::npos : kPrefixes.find(rest.front() == 'k' ? 'K' : rest.front());
    if (step != std::string_view::npos) {
        rest.remove_prefix(1);
        const bool binary = rest.starts_with("iB");
        if (binary)
            rest.remove_prefix(1);
        factor = std::pow(
            binary ? 1024.0 : static_cast<double>(static_cast<int>(steps)), static_cast<double>(step) + 1);
        if (!rest.empty() && rest != "B" && rest != "bytes")
            return std::nullopt;
    } else if (rest != "B" && rest != "bytes" && rest != "byte") {
        return std::nullopt;
    }
    return Printed { digits->number.value * factor, digits->number.half * factor };
}

std::optional<Printed> printedQuantity(std::string_view text, std::string_view unit)
{
    text = trimmed(text);
    if (unit == "x" && (text.starts_with('x') || text.starts_with('X'))) {
        const auto lanes = digitsOf(text.substr(1));
        return lanes && lanes->rest.empty() ? std::optional(lanes->number) : std::nullopt;
    }
    const auto digits = digitsOf(text, unit == "C");
    const UnitName* known = digits ? unitNamed(unit, digits->rest) : nullptr;
    if (known == nullptr)
        return std::nullopt;
    return Printed { digits->number.value * known->factor, digits->number.half * known->factor };
}

std::optional<Printed> printedValue(const KeyRow& row, std::string_view text)
{
    switch (row.type) {
    case KeyType::bytes:
        return printedBytes(text, row.unit == "GB" ? ByteSteps::decimal : ByteSteps::binary);
    case KeyType::quantity:
        return printedQuantity(text, row.unit);
    case KeyType::integer:
    case KeyType::number:
    case KeyType::percent: {
        const auto digits = digitsOf(text);
        if (!digits || !(digits->rest.empty() || (row.type == KeyType::percent && digits->rest == "%")))
            return std::nullopt;
        return row.type == KeyType::integer ? Printed { digits->number.value, 0 } : digits->number;
    }
    default:
        return std::nullopt;
    }
}

std::optional<double> dateOf(std::string_view text)
{
    text = trimmed(text);
    const auto blank = text.find_first_of(" T");
    std::string_view day = text.substr(0, blank);
    std::optional<int> y, m, d;
    if (day.size() == 10 && day[4] == '-' && day[7] == '-') {
        y = numberIn(day.substr(0, 4));
        m = numberIn(day.substr(5, 2));
        d = numberIn(day.substr(8, 2));
    } else if (const auto one = day.find('/'), two = day.rfind('/');
               one != std::string_view::npos && two != one && day.size() - two == 5) {
        m = numberIn(day.substr(0, one));
        d = numberIn(day.substr(one + 1, two - one - 1));
        y = numberIn(day.substr(two + 1));
    }
    if (!y || !m || !d || *m < 0 || *d < 0)
        return std::nullopt;
    const std::chrono::year_month_day date { std::chrono::year(*y),
        std::chrono::month(static_cast<unsigned>(*m)), std::chrono::day(static_cast<unsigned>(*d)) };
    if (!date.ok())
        return std::nullopt;
    double seconds = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) * 86400;
    if (blank == std::string_view::npos)
        return seconds;
    std::string_view clock = trimmed(text.substr(blank + 1));
    if (clock.ends_with('Z'))
        clock.remove_suffix(1);
    if ((clock.size() != 5 && clock.size() != 8) || clock[2] != ':' || (clock.size() == 8 && clock[5] != ':'))
        return std::nullopt;
    const auto hours = numberIn(clock.substr(0, 2)), minutes = numberIn(clock.substr(3, 2)),
               rest = clock.size() == 8 ? numberIn(clock.substr(6, 2)) : std::optional(0);
    if (!hours || !minutes || !rest || *hours < 0 || *hours > 23 || *minutes < 0 || *minutes > 59 || *rest < 0
        || *rest > 60)
        return std::nullopt;
    return seconds + *hours * 3600 + *minutes * 60 + *rest;
}

bool sameChoice(std::string_view a, std::string_view b)
{
    constexpr std::string_view kIgnored = " -+_";
    std::size_t i = 0, j = 0;
    const auto skip = [&](std::string_view text, std::size_t& at) {
        while (at < text.size() && kIgnored.find(text[at]) != std::string_view::npos)
            ++at;
    };
    for (;;) {
        skip(a, i);
        skip(b, j);
        if (i == a.size() || j == b.size())
            return i == a.size() && j == b.size();
        if (lower(a[i++]) != lower(b[j++]))
            return false;
    }
}

} // namespace loadstone::document
