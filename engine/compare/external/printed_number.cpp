// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as reports print them, and the units that they print.
#include "base/trimmed.h"
#include "document/table_reader.h"

#include <loadstone/external_result.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace loadstone {

namespace {

enum class UnitKind : std::uint8_t { time, size, throughput, share };

struct UnitName {
    std::string_view name;
    UnitKind kind;
    double factor; ///< to seconds, bytes, bytes per second, a share of 1
};

// KB, MB and GB count in steps of 1024, as the field counts; bits in steps of 1000.
constexpr std::array kUnits {
    UnitName { "s", UnitKind::time, 1 },
    UnitName { "ms", UnitKind::time, 1e-3 },
    UnitName { "us", UnitKind::time, 1e-6 },
    UnitName { "µs", UnitKind::time, 1e-6 },
    UnitName { "ns", UnitKind::time, 1e-9 },
    UnitName { "sec", UnitKind::time, 1 },
    UnitName { "second", UnitKind::time, 1 },
    UnitName { "seconds", UnitKind::time, 1 },
    UnitName { "min", UnitKind::time, 60 },
    UnitName { "minutes", UnitKind::time, 60 },
    UnitName { "h", UnitKind::time, 3600 },
    UnitName { "hour", UnitKind::time, 3600 },
    UnitName { "hours", UnitKind::time, 3600 },
    UnitName { "d", UnitKind::time, 86400 },
    UnitName { "days", UnitKind::time, 86400 },
    UnitName { "B", UnitKind::size, 1 },
    UnitName { "bytes", UnitKind::size, 1 },
    UnitName { "KB", UnitKind::size, 1024 },
    UnitName { "KiB", UnitKind::size, 1024 },
    UnitName { "MB", UnitKind::size, 1048576 },
    UnitName { "MiB", UnitKind::size, 1048576 },
    UnitName { "GB", UnitKind::size, 1073741824 },
    UnitName { "GiB", UnitKind::size, 1073741824 },
    UnitName { "TB", UnitKind::size, 1099511627776.0 },
    UnitName { "TiB", UnitKind::size, 1099511627776.0 },
    // Of two names that differ in case alone a third spelling means the first: "mb/s" are bits, and so are "kbps".
    UnitName { "bit/s", UnitKind::throughput, 0.125 },
    UnitName { "bps", UnitKind::throughput, 0.125 },
    UnitName { "Kbps", UnitKind::throughput, 125 },
    UnitName { "kbit/s", UnitKind::throughput, 125 },
    UnitName { "Mbps", UnitKind::throughput, 125e3 },
    UnitName { "Mbit/s", UnitKind::throughput, 125e3 },
    UnitName { "Mb/s", UnitKind::throughput, 125e3 },
    UnitName { "Gbps", UnitKind::throughput, 125e6 },
    UnitName { "Gbit/s", UnitKind::throughput, 125e6 },
    UnitName { "Gb/s", UnitKind::throughput, 125e6 },
    UnitName { "B/s", UnitKind::throughput, 1 },
    UnitName { "bytes/s", UnitKind::throughput, 1 },
    UnitName { "KB/s", UnitKind::throughput, 1024 },
    UnitName { "MB/s", UnitKind::throughput, 1048576 },
    UnitName { "MB/sec", UnitKind::throughput, 1048576 },
    UnitName { "GB/s", UnitKind::throughput, 1073741824 },
    UnitName { "%", UnitKind::share, 0.01 },
    UnitName { "per cent", UnitKind::share, 0.01 },
    UnitName { "percent", UnitKind::share, 0.01 },
    UnitName { "", UnitKind::share, 1 },
};

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameLetters(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, lower, lower);
}

const UnitName* unitNamed(std::string_view name)
{
    const auto exact = std::ranges::find(kUnits, name, &UnitName::name);
    if (exact != kUnits.end())
        return &*exact;
    const auto near =
        std::ranges::find_if(kUnits, [&](const UnitName& unit) { return sameLetters(unit.name, name); });
    return near == kUnits.end() ? nullptr : &*near;
}

/// "transfers" and 1 of "transfers/s"; "/s", "IOPS" and "per second" have no noun.
struct EventRate {
    std::string_view noun;
    double perSecond = 1;
};

std::optional<EventRate> eventRate(std::string_view unit)
{
    if (sameLetters(unit, "IOPS"))
        return EventRate {};
    const auto slash = unit.rfind('/');
    if (slash == std::string_view::npos)
        return std::nullopt;
    const UnitName* per = unitNamed(trimmed(unit.substr(slash + 1)));
    if (per == nullptr || per->kind != UnitKind::time)
        return std::nullopt;
    return EventRate { trimmed(unit.substr(0, slash)), 1 / per->factor };
}

/// The sign and the digits without commas, with what stands behind them; nothing for what is no number.
struct Digits {
    std::string text;
    int decimals = 0;
    std::string_view rest;
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::optional<Digits> digitsOf(std::string_view text)
{
    Digits digits;
    std::size_t at = 0;
    if (text.starts_with('-') || text.starts_with('+')) {
        if (text.front() == '-')
            digits.text = "-";
        at = 1;
    }
    const std::size_t end = std::min(text.find_first_not_of("0123456789,.", at), text.size());
    std::string_view number = text.substr(at, end - at);
    // What ends a sentence is no part of the number.
    while (!number.empty() && !isDigit(number.back()))
        number.remove_suffix(1);
    const auto point = std::min(number.find('.'), number.size());
    const std::string_view whole = number.substr(0, point);
    if (whole.empty() || !isDigit(whole.front()) || number.size() > 40)
        return std::nullopt;
    const std::size_t firstGroup = std::min(whole.find(','), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool comma = i >= firstGroup && (i - firstGroup) % 4 == 0;
        if (isDigit(whole[i]) == comma)
            return std::nullopt;
        if (!comma)
            digits.text += whole[i];
    }
    const bool isGrouped = firstGroup < whole.size();
    if (isGrouped && (firstGroup > 3 || (whole.size() - firstGroup) % 4 != 0))
        return std::nullopt;
    if (point < number.size()) {
        const std::string_view fraction = number.substr(point + 1);
        if (fraction.empty() || !std::ranges::all_of(fraction, isDigit))
            return std::nullopt;
        digits.text += '.';
        digits.text += fraction;
        digits.decimals = static_cast<int>(fraction.size());
    }
    digits.rest = trimmed(text.substr(at + number.size()));
    return digits;
}

/// The place of the last digit that is not 0: 1 of "83", 3 of "83,000", -1 of "0.50"; of 0 that of its last digit.
int lastPlace(const Digits& digits)
{
    int place = -digits.decimals;
    for (auto at = digits.text.rbegin(); at != digits.text.rend(); ++at) {
        if (*at == '.')
            continue;
        if (*at != '0')
            return isDigit(*at) ? place : -digits.decimals;
        ++place;
    }
    return -digits.decimals;
}

struct Prefix {
    std::string_view words;
    PrintedAs how;
};
constexpr std::array kPrefixes {
    Prefix { "about", PrintedAs::about },
    Prefix { "approximately", PrintedAs::about },
    Prefix { "~", PrintedAs::about },
    Prefix { "≈", PrintedAs::about },
    Prefix { "more than", PrintedAs::atLeast },
    Prefix { "at least", PrintedAs::atLeast },
    Prefix { ">=", PrintedAs::atLeast },
    Prefix { "≥", PrintedAs::atLeast },
    Prefix { ">", PrintedAs::atLeast },
    Prefix { "less than", PrintedAs::atMost },
    Prefix { "at most", PrintedAs::atMost },
    Prefix { "<=", PrintedAs::atMost },
    Prefix { "≤", PrintedAs::atMost },
    Prefix { "<", PrintedAs::atMost },
};

/// Takes the words in front of a number from it.
PrintedAs takePrefix(std::string_view& text, PrintedAs otherwise)
{
    for (const Prefix& prefix : kPrefixes)
        if (sameLetters(text.substr(0, prefix.words.size()), prefix.words)) {
            text = trimmed(text.substr(prefix.words.size()));
            return prefix.how;
        }
    return otherwise;
}

} // namespace

const char* toString(PrintedAs how)
{
    constexpr std::array kNames { "rounded", "cut", "about", "at least", "at most" };
    return kNames.at(static_cast<std::size_t>(how));
}

std::optional<double> inUnit(double value, std::string_view from, std::string_view to)
{
    from = trimmed(from);
    to = trimmed(to);
    if (from == to)
        return value;
    const UnitName* a = unitNamed(from);
    const UnitName* b = unitNamed(to);
    if (a != nullptr && b != nullptr)
        return a->kind == b->kind ? std::optional(value * (a->factor / b->factor)) : std::nullopt;
    const auto rateA = eventRate(from), rateB = eventRate(to);
    if (rateA && rateB && a == nullptr && b == nullptr) {
        const bool same = rateA->noun.empty() || rateB->noun.empty() || sameLetters(rateA->noun, rateB->noun);
        return same ? std::optional(value * (rateA->perSecond / rateB->perSecond)) : std::nullopt;
    }
    return sameLetters(from, to) ? std::optional(value) : std::nullopt;
}

Result<PrintedNumber> parsePrinted(std::string_view text, std::string_view unit, PrintedAs how)
{
    constexpr std::size_t kLongest = 100;
    std::string_view rest = trimmed(text);
    const std::string shown = document::shown(std::string(rest.substr(0, kLongest)));
    if (rest.size() > kLongest)
        return fail(fmt::format(
            "\"{}\" is too long for a number; write what the report prints, such as \"83.4\"", shown));
    PrintedNumber number;
    number.text = std::string(rest);
    number.how = takePrefix(rest, how);
    const auto digits = digitsOf(rest);
    double value = 0;
    const bool isRead = digits
        && std::from_chars(digits->text.data(), digits->text.data() + digits->text.size(), value).ec
            == std::errc();
    if (!isRead || !std::isfinite(value))
        return fail(fmt::format(
            "\"{}\" is not a printed number; write it like \"36,589.88\" or \"75%\", and \"\" where "
            "the report prints none",
            shown));
    const std::string_view printedUnit = digits->rest.empty() ? unit : digits->rest;
    const auto factor = inUnit(1, printedUnit, unit);
    if (!factor)
        return fail(fmt::format(
            "\"{}\" is printed in {}, and its figure has {}; write it in that unit, or correct the "
            "unit of the figure",
            shown, document::shown(std::string(printedUnit)),
            unit.empty() ? "no unit" : fmt::format("the unit {}", document::shown(std::string(unit)))));
    const int place = number.how == PrintedAs::about ? lastPlace(*digits) : -digits->decimals;
    number.value = value * *factor;
    number.slack = std::pow(10.0, place) * *factor * (number.how == PrintedAs::cut ? 1.0 : 0.5);
    number.decimals = digits->decimals;
    return number;
}

} // namespace loadstone
