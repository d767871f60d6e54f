// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::lab {

// What may be what in a lab. The words are those of toString(), as files write them.

std::optional<ItemKind> itemKindOf(std::string_view word);
std::optional<LinkKind> linkKindOf(std::string_view word);
const std::vector<std::string>& itemKindWords();
const std::vector<std::string>& linkKindWords();

/// Whether an item of one kind may be contained in one of another.
bool mayContain(ItemKind container, ItemKind contained);
/// The kinds that may contain `contained`, for messages: "machine, enclosure".
std::string containersOf(ItemKind contained);
/// Whether a link may begin, or end, at an item of a kind.
bool mayBegin(LinkKind link, ItemKind from);
bool mayEnd(LinkKind link, ItemKind to);
std::string endsOf(LinkKind link, bool atBegin);

/// Roles with a meaning to this program or in the field; own words are allowed.
const std::vector<std::string>& usualRoles();

/// Letters, digits, - and _, in parts separated by dots; at most 64 characters.
bool isValidId(std::string_view id);

} // namespace loadstone::lab
