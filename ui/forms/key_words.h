// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/keys.h>

#include <QString>

namespace loadstone::ui {

/// "size" of "item[drive].size".
std::string keyOf(const KeyRow& row);
/// As forms show it: "Think time".
QString labelOf(const KeyRow& row);
/// "4 to 64 GB", what a field may hold, in words.
QString hintOf(const KeyRow& row);
/// What is wrong and what would be right, without the place.
QString objectionOf(const Problem& problem);
/// The same with its place: "Line 12: mixes[0].clients: …".
QString lineOf(const Problem& problem);

/// "mixes[].clients" of "mixes[2].clients".
std::string genericPath(const std::string& path);
/// "mixes[2]" of "mixes[2].clients"; empty for keys of the top. Keys in quotes may have dots in them.
std::string tableOf(const std::string& path);
/// "clients" of "mixes[2].clients".
std::string lastKeyOf(const std::string& path);

} // namespace loadstone::ui
