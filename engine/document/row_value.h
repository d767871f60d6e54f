// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"

#include <loadstone/keys.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace loadstone::document {

// Values of labs by the rows of their keys: one reader of quantities for files, forms and detections. Any thread, no locale.

/// A value as people read it, and as a number in the row's unit: bytes and seconds for sizes and durations, per cent, seconds
/// since 1970 for dates, 1 and 0 for flags.
struct RowValue {
    std::string text;
    std::optional<double> number;
};
/// What is wrong with a value, and what would be right.
struct RowFault {
    std::string message, remedy;
};
using RowReading = std::variant<RowValue, RowFault>;

RowReading readValue(const KeyRow& row, const Node& node);
/// The same from a text that has no quotes around it, as in a form: "4", "yes", "550 MHz", "a, b".
RowReading readText(const KeyRow& row, const std::string& text);

/// A printed number stands for all that round to it.
struct Printed {
    double value = 0;
    double half = 0; ///< half a unit of the last printed digit, in the unit of `value`; 0 for a count
};
/// How KB, MB, GB count; KiB, MiB, GiB are 1024 always.
enum class ByteSteps : std::uint16_t { decimal = 1000, binary = 1024 };
/// "600 GB" in bytes; nothing when it is no size.
std::optional<Printed> printedBytes(std::string_view text, ByteSteps steps);
/// "3.2 GHz" for the unit "MHz": 3200; thousands may be separated by commas. Nothing when it is none, or of another unit.
std::optional<Printed> printedQuantity(std::string_view text, std::string_view unit);
/// What a text of the row's type prints, sizes in the row's steps; nothing for what is no number.
std::optional<Printed> printedValue(const KeyRow& row, std::string_view text);
/// Seconds since 1970 of "2026-11-23", "2026-11-23 14:05:00" and "11/23/2026" (as SMBIOS writes dates).
std::optional<double> dateOf(std::string_view text);
/// Equal but for case, blanks, hyphens, plus signs and underscores: "RAID-10" and "raid 1+0".
bool sameChoice(std::string_view a, std::string_view b);

/// Nothing for a text that may be shown anywhere: at most 64 KB, without control characters and without the invisible characters that
/// change the direction of others. `lines`: it may have several lines.
std::optional<RowFault> faultOfText(std::string_view text, bool lines);

/// The text with a ? for each control character and each character that changes the direction of others, for messages.
std::string withoutInvisible(std::string_view text);

} // namespace loadstone::document
