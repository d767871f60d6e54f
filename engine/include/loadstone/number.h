// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone {

enum class Quantity : std::uint16_t;

/// What one of a number is.
struct Unit {
    std::string_view
        name; ///< "messages/s"; empty: a bare number, or a share of 1. It lives as long as the program.
    bool operator==(const Unit&) const = default;
    static const Unit one, messages, messagesPerSecond, copies, perSecond, share, percent, seconds, bytes,
        bytesPerSecond, megabitsPerSecond;
};
inline constexpr Unit Unit::one { "" };
inline constexpr Unit Unit::messages { "messages" };
inline constexpr Unit Unit::messagesPerSecond { "messages/s" };
inline constexpr Unit Unit::copies { "copies" };
inline constexpr Unit Unit::perSecond { "/s" };
inline constexpr Unit Unit::share { "" };
inline constexpr Unit Unit::percent { "%" };
inline constexpr Unit Unit::seconds { "s" };
inline constexpr Unit Unit::bytes { "bytes" };
inline constexpr Unit Unit::bytesPerSecond { "bytes/s" };
inline constexpr Unit Unit::megabitsPerSecond { "Mbit/s" };
/// Of a counter's values as charts and tables show them: events are per second.
Unit unitOf(Quantity quantity);

/// How a number is written for people.
enum class Notation : std::uint8_t {
    whole, ///< "83,300"
    decimals, ///< with `digits` decimals: "29,420.99"
    plain, ///< with `digits` decimals, without separators of thousands: "2.99"
    shortest, ///< "3", "2.5": at most `digits` significant digits, 6 where that is 0
    significant, ///< with `digits` significant digits
    change, ///< with `digits` decimals and its sign: "+1.5"
    rate, ///< "0.42", "17.99", "1,234"
    percent, ///< of a share, with `digits` significant digits: "0.25 %"
    percentDecimals, ///< of a share, with `digits` decimals: "98.50 %"
    difference, ///< of a share, with its sign: "+7.9 %"
    latency, ///< of seconds, with a unit that fits and three digits, or as many as are asked for: "12.3 ms"
    milliseconds, ///< of seconds: so many of them, with `digits` significant digits: "12.34"
    duration, ///< of seconds: "5 min"; parts of a second with so many `digits`
    clock, ///< of seconds: "1:02:05"
    byteSize, ///< "1.5 MB"
    megabytes, ///< of bytes, in units of 1,048,576: "1,024.00"
};

const char* toString(Notation notation); ///< "whole", "decimals", …

struct Rounding {
    Notation notation = Notation::whole;
    int digits = 0; ///< for notations with a number of digits
    bool cut = false; ///< to a whole number first, not rounded
    bool named = false; ///< the unit stands behind it: "42 copies", "568.0/s"
    bool sign = false; ///< of a difference: "+1.2 ms", "-1.2 ms"; "0.0 ms" has none
    bool operator==(const Rounding&) const = default;
};

struct FigureFlags {
    bool lowerBound = false; ///< the true value is this or more: "≥"
    bool missing = false; ///< nothing to count or divide by
    bool invalid = false; ///< there is a reason against the measurement
    bool external = false; ///< from elsewhere, not measured by Loadstone
    bool operator==(const FigureFlags&) const = default;
};

/// What a limit asks of a value.
enum class Limit : std::uint8_t { none, least, most, below };

/// A number of a table: what it is, and how it is printed.
struct Number {
    std::optional<double> value; ///< none: missing
    Unit unit = Unit::one;
    Rounding rounding {};
    FigureFlags flags {};
    Limit limit = Limit::none; ///< of a limit: ">= ", "<= ", "< "
    std::optional<double> from {}; ///< of a range, which ends at the value: "10 to 20"
    std::optional<double> error {}; ///< one standard error, with two significant digits: "14.18 ± 0.11"
    bool operator==(const Number&) const = default;
};
/// As reports print it; "-" without a value.
std::string format(const Number& number);

} // namespace loadstone
