// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace loadstone {

enum class Unit : std::uint8_t {
    one, ///< a bare number
    messages,
    messagesPerSecond,
    perSecond,
    share, ///< of 1
    seconds,
    bytes,
    bytesPerSecond,
};
const char* toString(Unit unit); ///< "", "messages", "messages/s", "/s", "", "s", "bytes", "bytes/s"

/// How a number is written for people.
enum class Notation : std::uint8_t {
    whole, ///< "83,300"
    decimals, ///< with `digits` decimals: "29,420.99"
    plain, ///< with `digits` decimals, without separators of thousands: "2.99"
    shortest, ///< "3", "2.5"
    significant, ///< with `digits` significant digits
    rate, ///< "0.42", "17.99", "1,234"
    percent, ///< of a share, with `digits` significant digits: "0.25 %"
    percentDecimals, ///< of a share, with `digits` decimals: "98.50 %"
    difference, ///< of a share, with its sign: "+7.9 %"
    latency, ///< of seconds, with a unit that fits: "12.3 ms"
    duration, ///< of seconds: "5 min"
    clock, ///< of seconds: "1:02:05"
    byteSize, ///< "1.5 MB"
    megabytes, ///< of bytes, in units of 1,048,576: "1,024.00"
};

const char* toString(Notation notation); ///< "whole", "decimals", …

struct Rounding {
    Notation notation = Notation::whole;
    int digits = 0; ///< for notations with a number of digits
    bool cut = false; ///< to a whole number first, not rounded
    bool operator==(const Rounding&) const = default;
};

struct FigureFlags {
    bool lowerBound = false; ///< the true value is this or more: "≥"
    bool missing = false; ///< nothing to count or divide by
    bool invalid = false; ///< there is a reason against the measurement
    bool external = false; ///< from elsewhere, not measured by Loadstone
    bool operator==(const FigureFlags&) const = default;
};

/// A number of a table: what it is, and how it is printed.
struct Number {
    std::optional<double> value; ///< none: missing
    Unit unit = Unit::one;
    Rounding rounding {};
    FigureFlags flags {};
    bool operator==(const Number&) const = default;
};
/// As reports print it; "-" without a value.
std::string format(const Number& number);

} // namespace loadstone
