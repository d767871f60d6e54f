// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"

#include <loadstone/keys.h>
#include <loadstone/result.h>

#include <string>
#include <string_view>

namespace loadstone::document {

/// `text`, as a person types it into a field, as TOML: with or without quotes as the key's row asks, or, where there is no row, as the
/// present value has it. `present`: the value that it will replace and how that is spelled; null and empty where there is none.
/// Ranges are not checked: what is half typed may stand in a text. An Error where no spelling fits.
Result<std::string> spellText(
    const KeyRow* row, const std::string& text, const Node* present, std::string_view spelling);

/// A text in quotes that people like to read: 'C:\Mail' rather than "C:\\Mail", lines as lines.
std::string quoted(const std::string& text, std::string_view spelling = {});

} // namespace loadstone::document
