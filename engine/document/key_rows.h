// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/keys.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the tables of keys are written with.
namespace loadstone::document {

using KeyRows = std::vector<KeyRow>;

// Ranges are in seconds and bytes.
inline constexpr double kMillisecond = 1e-3, kMinute = 60, kHour = 3600, kDay = 86400;
inline constexpr double kLongestTime = 30 * kDay; // of a phase, and of what has no bound of its own
inline constexpr double kKilobyte = 1024, kMegabyte = 1024 * kKilobyte, kGigabyte = 1024 * kMegabyte,
                        kTerabyte = 1024 * kGigabyte;
inline constexpr double kAnyValue = 1e15; // so much and no more is exact, with a digit behind the point

/// A text that lives as long as the program.
std::string_view kept(std::string text);

/// Rows whose paths begin below a table: "port" below "target.smtp" becomes "target.smtp.port". Conditions whose key begins with a
/// dot are of the same table; they keep the dot.
void addBelow(KeyRows& to, std::string_view table, const KeyRows& rows);
/// Of a whole table of keys: conditions become paths from the file's top.
void completeConditions(KeyRows& rows);

/// The same where each key may be stated elsewhere as well, so that none is needed and an absent one has no default of its own:
/// [mix] for [[mixes]], [[targets]] for [target].
void addOverridesBelow(KeyRows& to, std::string_view table, const KeyRows& rows);

KeyRow textKey(std::string_view path, std::string_view help, bool required = false);
// Rows of a type with a range; an empty fallback is none.
KeyRow countKey(
    std::string_view path, double least, double most, std::string_view fallback, std::string_view help);
KeyRow sizeKey(
    std::string_view path, double least, double most, std::string_view fallback, std::string_view help);
/// From 0 % to 100 %.
KeyRow shareKey(std::string_view path, std::string_view fallback, std::string_view help);

/// A key of an action of users, as per_day, score and criteria.actions name it, and the action in words.
struct ActionKey {
    const char* key;
    const char* words;
};
/// The actions that come by the clock; those that follow from reading, and the logon; those of scripts, and "submit".
const std::vector<ActionKey>& timedActionKeys();
const std::vector<ActionKey>& followingActionKeys();
const std::vector<ActionKey>& scriptedActionKeys();

/// What a mailbox holds: [initial] of profiles, [workload.initial] of plans.
KeyRows initialMailboxKeys();

} // namespace loadstone::document
