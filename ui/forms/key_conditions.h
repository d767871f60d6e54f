// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>
#include <loadstone/keys.h>

#include <QString>

#include <optional>
#include <string>

namespace loadstone::ui {

// Keys of one document: what they are where the file does not state them, and whether they apply. Paths have indices.

/// Where a key of an entry has its value from when the entry does not state it: "mix.clients" for "mixes[2].clients", "target.domain" for
/// "targets[1].domain". Nothing: nowhere.
std::optional<std::string> inheritedPath(const std::string& path);
/// What holds: what the file states, what the entry inherits, or the default; empty where there is none of these.
std::string effectiveText(const Document& document, const std::string& path);
/// Why a key does not apply: "Applies where pacing is \"users\"."; empty: it does.
QString whyNot(const Document& document, const std::string& path);
/// Whether it can never apply in a plan of this kind, whatever else the plan says.
bool isOfOtherKind(const Document& document, const KeyRow& row);
/// Words for what holds without the key: "as for all: 20", "default: 10 s"; empty: nothing does.
QString withoutIt(const Document& document, const std::string& path);
/// Removes the keys that a table which was just switched on takes the place of: the embedded target chooses its own hosts and ports.
Result<void> eraseReplaced(Document& document, const std::string& table);

} // namespace loadstone::ui
