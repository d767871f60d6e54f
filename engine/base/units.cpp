// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/trimmed.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace loadstone {

namespace {

struct UnitFactor {
    std::string_view name;
    double factor;
};

constexpr std::array<UnitFactor, 19> kDurations { { { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 },
    { "s", 1e9 }, { "sec", 1e9 }, { "second", 1e9 }, { "seconds", 1e9 }, { "min", 6e10 }, { "minute", 6e10 },
    { "minutes", 6e10 }, { "h", 3.6e12 }, { "hour", 3.6e12 }, { "hours", 3.6e12 }, { "d", 8.64e13 },
    { "day", 8.64e13 }, { "days", 8.64e13 }, { "m", 6e10 }, { "hr", 3.6e12 } } };
constexpr std::array<UnitFactor, 10> kSizes { { { "B", 1 }, { "bytes", 1 }, { "byte", 1 }, { "KB", 1024 },
    { "KiB", 1024 }, { "MB", 1048576 }, { "MiB", 1048576 }, { "GB", 1073741824 }, { "GiB", 1073741824 },
    { "TB", 1099511627776.0 } } };
constexpr std::array<UnitFactor, 8> kRates { { { "s", 1 }, { "sec", 1 }, { "second", 1 }, { "min", 1.0 / 60 },
    { "minute", 1.0 / 60 }, { "h", 1.0 / 3600 }, { "hour", 1.0 / 3600 }, { "day", 1.0 / 86400 } } };

constexpr std::string_view kBlanks = " \t";

struct Quantity {
    double number = 0;
    std::string_view unit;
};

/// A non-negative decimal number without sign or exponent, then the rest, trimmed.
Result<Quantity> split(std::string_view text, const char* example)
{
    text = trimmed(text, kBlanks);
    Quantity quantity;
    const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto read = std::from_chars(text.data(), text.data() + end, quantity.number);
    if (end == 0 || read.ec != std::errc() || read.ptr != text.data() + end)
        return fail(fmt::format("\"{}\" does not begin with a number; write it like {}", text, example));
    quantity.unit = trimmed(text.substr(end), kBlanks);
    return quantity;
}

template <std::size_t N>
const UnitFactor* findUnit(const std::array<UnitFactor, N>& units, std::string_view name)
{
    const auto* const it =
        std::find_if(units.begin(), units.end(), [&](const UnitFactor& u) { return u.name == name; });
    return it == units.end() ? nullptr : it;
}

} // namespace

Result<Nanoseconds> parseDuration(std::string_view text)
{
    const auto quantity = split(text, "\"22 s\"");
    if (!quantity)
        return quantity.error();
    const UnitFactor* unit = findUnit(kDurations, quantity->unit);
    if (unit == nullptr)
        return fail(fmt::format("\"{}\" has {}; use ns, us, ms, s, min, h or d, as in \"22 s\"", text,
            quantity->unit.empty() ? "no unit" : fmt::format("the unknown unit \"{}\"", quantity->unit)));
    const double ns = quantity->number * unit->factor;
    if (ns > 3.2e16) // a year and some: nothing that is measured lasts longer
        return fail(fmt::format("\"{}\" is longer than a year", text));
    return Nanoseconds(std::llround(ns));
}

Result<std::uint64_t> parseBytes(std::string_view text)
{
    const auto quantity = split(text, "\"10 KB\"");
    if (!quantity)
        return quantity.error();
    const UnitFactor* unit = findUnit(kSizes, quantity->unit);
    if (unit == nullptr)
        return fail(fmt::format("\"{}\" has {}; use B, KB, MB, GB or TB, as in \"10 KB\"", text,
            quantity->unit.empty() ? "no unit" : fmt::format("the unknown unit \"{}\"", quantity->unit)));
    const double bytes = quantity->number * unit->factor;
    if (bytes > 1e18)
        return fail(fmt::format("\"{}\" is more than this program can count", text));
    return static_cast<std::uint64_t>(std::llround(bytes));
}

Result<double> parseRate(std::string_view text)
{
    const auto quantity = split(text, "\"0.4/s\"");
    if (!quantity)
        return quantity.error();
    const UnitFactor* unit = nullptr;
    if (!quantity->unit.empty() && quantity->unit.front() == '/')
        unit = findUnit(kRates, trimmed(quantity->unit.substr(1), kBlanks));
    if (unit == nullptr)
        return fail(fmt::format("\"{}\" is not a rate; use /s, /min, /h or /day, as in \"0.4/s\"", text));
    return quantity->number * unit->factor;
}

std::string formatNumber(double value, int digits)
{
    if (std::isnan(value))
        return "-";
    if (value == 0 || std::isinf(value))
        return fmt::format("{}", value);
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    std::string text = fmt::format("{:.{}f}", value, std::clamp(digits - magnitude, 0, 12));
    return text;
}

std::string formatPercent(double share, int digits)
{
    return fmt::format("{:.{}g} %", share * 100, digits);
}

std::string formatDuration(Nanoseconds t)
{
    struct Step {
        std::int64_t factor;
        const char* name;
    };
    constexpr std::array<Step, 7> kSteps { { { 86'400'000'000'000, "d" }, { 3'600'000'000'000, "h" },
        { 60'000'000'000, "min" }, { 1'000'000'000, "s" }, { 1'000'000, "ms" }, { 1'000, "us" },
        { 1, "ns" } } };
    const std::int64_t ns = t.count();
    if (ns == 0)
        return "0 s";
    for (const Step& step : kSteps) // a unit that gives at most one decimal
        if (std::abs(ns) >= step.factor && (ns * 10) % step.factor == 0)
            return ns % step.factor == 0
                ? fmt::format("{} {}", ns / step.factor, step.name)
                : fmt::format(
                    "{:.1f} {}", static_cast<double>(ns) / static_cast<double>(step.factor), step.name);
    return fmt::format("{} ns", ns);
}

std::string formatBytes(std::uint64_t bytes)
{
    constexpr std::array<const char*, 5> kNames { "B", "KB", "MB", "GB", "TB" };
    double value = static_cast<double>(bytes);
    std::size_t i = 0;
    while (value >= 1024 && i + 1 < kNames.size()) {
        value /= 1024;
        ++i;
    }
    const double rounded = std::round(value * 10) / 10;
    return rounded == std::floor(rounded) ? fmt::format("{:.0f} {}", rounded, kNames[i])
                                          : fmt::format("{:.1f} {}", rounded, kNames[i]);
}

std::string formatLatency(Nanoseconds t)
{
    const auto ns = static_cast<double>(t.count());
    if (ns < 1e3)
        return fmt::format("{:.0f} ns", ns);
    if (ns < 0.9995e6)
        return formatNumber(ns / 1e3) + " us";
    if (ns < 0.9995e9)
        return formatNumber(ns / 1e6) + " ms";
    return formatNumber(ns / 1e9) + " s";
}

std::string formatClock(Nanoseconds t)
{
    const auto s = std::max<std::int64_t>(0, (t.count() + 500'000'000) / 1'000'000'000);
    if (s >= 3600)
        return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    return fmt::format("{:02}:{:02}", s / 60, s % 60);
}

} // namespace loadstone
