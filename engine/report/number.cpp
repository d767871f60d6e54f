// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/wording.h"

#include <loadstone/figure.h>
#include <loadstone/table.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace loadstone {

namespace {

Nanoseconds nanoseconds(double seconds)
{
    constexpr double kMost = 9.2e9; // what fits
    return Nanoseconds(std::llround(std::min(seconds, kMost) * 1e9));
}

/// As formatLatency(), with so many significant digits.
std::string latencyWith(int digits, double seconds)
{
    const auto [factor, unit] = seconds < 1e-3 ? std::pair(1e6, "us")
        : seconds < 1                          ? std::pair(1e3, "ms")
                                               : std::pair(1.0, "s");
    return formatNumber(seconds * factor, digits) + " " + unit;
}

std::string text(double value, const Rounding& rounding)
{
    constexpr double kMegabyte = 1048576;
    if (rounding.cut)
        value = std::trunc(value);
    switch (rounding.notation) {
    case Notation::whole:
        return report::grouped(value, 0);
    case Notation::decimals:
        return report::grouped(value, rounding.digits);
    case Notation::plain:
        return fmt::format("{:.{}f}", value, rounding.digits);
    case Notation::shortest:
        return fmt::format("{:.{}g}", value, rounding.digits > 0 ? rounding.digits : 6);
    case Notation::significant:
        return formatNumber(value, rounding.digits);
    case Notation::change:
        return (std::signbit(value) ? "" : "+") + report::grouped(value, rounding.digits);
    case Notation::rate:
        return report::rate(value);
    case Notation::percent:
        return formatNumber(value * 100, rounding.digits) + " %";
    case Notation::percentDecimals:
        return fmt::format("{:.{}f} %", value * 100, rounding.digits);
    case Notation::difference:
        return report::difference(value);
    case Notation::latency:
        return rounding.digits > 0 ? latencyWith(rounding.digits, value) : formatLatency(nanoseconds(value));
    case Notation::milliseconds:
        return formatNumber(value * 1e3, rounding.digits);
    case Notation::duration: {
        const double parts = std::pow(10, rounding.digits);
        return formatDuration(nanoseconds(std::round(value * parts) / parts));
    }
    case Notation::clock:
        return formatClock(nanoseconds(value));
    case Notation::byteSize:
        return formatBytes(static_cast<std::uint64_t>(std::max(0.0, value)));
    case Notation::megabytes:
        return report::grouped(value / kMegabyte, 2);
    }
    return "?";
}

std::string signedText(double value, const Rounding& rounding)
{
    const std::string amount = text(std::abs(value), rounding);
    const bool shown = amount.find_first_of("123456789") != std::string::npos;
    return (!shown ? "" : value < 0 ? "-" : "+") + amount;
}

std::string signOf(Limit limit)
{
    switch (limit) {
    case Limit::none:
        return "";
    case Limit::least:
        return ">= ";
    case Limit::most:
        return "<= ";
    case Limit::below:
        return "< ";
    }
    return "";
}

} // namespace

const char* toString(Notation notation)
{
    constexpr std::array kNames { "whole", "decimals", "plain", "shortest", "significant", "change", "rate",
        "percent", "percentDecimals", "difference", "latency", "milliseconds", "duration", "clock",
        "byteSize", "megabytes" };
    return kNames.at(static_cast<std::size_t>(notation));
}

std::string format(const Number& number)
{
    if (!number.value || !std::isfinite(*number.value))
        return "-";
    std::string out = (number.flags.lowerBound ? "≥ " : "") + signOf(number.limit);
    if (number.from)
        out += text(*number.from, number.rounding) + " to ";
    out += number.rounding.sign ? signedText(*number.value, number.rounding)
                                : text(*number.value, number.rounding);
    if (number.error && *number.error > 0)
        out += " ± " + formatNumber(*number.error, 2);
    if (number.rounding.named && !number.unit.name.empty())
        out.append(number.unit.name.front() == '/' ? "" : " ").append(number.unit.name);
    return out;
}

Number numberOf(const Figure& figure)
{
    const FigureInfo& info = infoOf(figure.id);
    return { figure.value, unitOf(figure), info.rounding, figure.flags };
}

std::string format(const Figure& figure)
{
    return format(numberOf(figure));
}

Cell::Cell(const Figure& figure)
    : m_number(numberOf(figure))
{
}

} // namespace loadstone
