// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// The kinds of files that people write, all of them TOML.
enum class FileKind : std::uint8_t { plan, profile, lab, study, result };
const char* toString(FileKind kind);

/// How a key is written.
enum class KeyType : std::uint8_t {
    text,
    flag, ///< true or false
    integer,
    number,
    duration, ///< "90 s", "6 h"; ranges in seconds
    bytes, ///< "10 KB", "4 GiB"; ranges in bytes
    rate, ///< "1.5/s"; ranges per second
    percent, ///< "90 %" or 90; ranges in per cent
    quantity, ///< a number with the row's unit, "7200 rpm"; ranges in that unit
    choice, ///< one of the row's choices
    texts, ///< a list of texts
    numbers, ///< a list of numbers
    date, ///< a date or a date and time of TOML
    table, ///< a table that has rows of its own
    tables, ///< a list of such tables
    secret, ///< a text, or a table that names what holds it: { environment = "NAME" }
};
const char* toString(KeyType type);

/// A key applies where another one has one of these values.
struct KeyCondition {
    std::string_view key; ///< path, such as "kind"; "tests[].kind" is of the same entry
    std::vector<std::string_view> values; ///< empty: where that key is stated
};

/// One key of a kind of file: all that readers, help, forms and wizards know of it.
struct KeyRow {
    /// From the file's top, lists without an index: "mixes[].clients". In labs the kind stands for the item:
    /// "item[drive].size", and "item[].id" is of all kinds. "counters[].volumes.*": any key of that table.
    std::string_view path;
    KeyType type = KeyType::text;
    std::string_view
        unit {}; ///< of plain numbers and of the range; empty: a number without unit, or another type
    std::optional<double> least {},
        most {}; ///< both inclusive; for texts and lists the range of their length
    /// The default as a file states it, without the quotes of a text: "60 s", "closed", "true". Empty: none, `help` says what an
    /// absent key means.
    std::string_view fallback {};
    bool required = false; ///< where the key applies
    std::vector<std::string_view> choices {};
    std::vector<KeyCondition> when {}; ///< all have to hold; empty: always
    std::string_view help {}; ///< one sentence for somebody who fills in a form
    std::string_view label {}; ///< in forms: "Think time"; empty: made from the path's last word
    bool rare = false; ///< behind "Advanced" in forms
};

/// The table of keys of a kind, in the order in which forms show them. Any thread.
std::span<const KeyRow> keysOf(FileKind kind);
/// The row of a path; lists may have indices ("mixes[2].clients"). Null: there is no such key.
const KeyRow* findKey(FileKind kind, std::string_view path);
/// The rows directly below a table: keysBelow(plan, "mixes[]").
std::vector<const KeyRow*> keysBelow(FileKind kind, std::string_view table);
/// The words of a row for people: "duration from 1 s to 30 d, default 10 s".
std::string describeKey(const KeyRow& row);
/// The same without default: "duration from 1 s to 30 d".
std::string describeValue(const KeyRow& row);
/// When a key applies: `workload.pacing is "open"`; empty: always.
std::string describeConditions(const KeyRow& row);
/// The rows below one table as a table of Markdown (key, value, default, meaning), as the help has it; ends with a line feed. Of several tables
/// with keys in common, such as target.smtp and target.imap, one that names whose a key is where not all have it. "item[drive]": without the keys of all
/// items, "item[]". Empty: no such table.
std::string markdownOf(FileKind kind, const std::vector<std::string_view>& tables);

} // namespace loadstone
