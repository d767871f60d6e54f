// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/table_reader.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::plan {

inline constexpr std::size_t kMostListedNames = 200; ///< of one list of a source of counters
inline constexpr std::size_t kLongestListedName = 300; ///< bytes

bool hasControlCharacters(const std::string& text);
/// A text from the plan as a message shows it, in quotes.
std::string shownInQuotes(const std::string& text);

bool isAnyName(const std::string& name);
/// Of a control group or folder: it does not lead upwards.
bool isGroupPath(const std::string& path);

/// A list of names, each one on one line and once. `what`: "the name of a process"; `good`: what else a name has to be.
void readNames(document::TableReader& table, const char* key, std::vector<std::string>& to, const char* what,
    const char* remedy, bool (*good)(const std::string&));
/// The keys `metrics`, `processors` and `volumes` of a source of counters.
void readMetrics(document::TableReader& table, std::vector<std::string>& to);
void readProcessors(document::TableReader& table, std::vector<std::uint32_t>& to);
void readVolumes(
    document::TableReader& table, std::vector<std::pair<std::string, std::vector<std::string>>>& to);

} // namespace loadstone::plan
