// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace loadstone::plan {

/// The text of a plan with "***" in the place of each password.
std::string withoutSecrets(const std::string& text, const document::Node& root);
/// The passwords that a plan states itself.
std::vector<std::string> statedSecrets(const document::Node& root);
/// A plan's text without these secrets wherever they occur, comments and descriptions included. `isGood`: whether a text is still a
/// plan that can be read; where it would not be, only comments, titles and descriptions are changed.
std::string withoutSecretsAnywhere(const std::string& text, const std::vector<std::string>& secrets,
    const std::function<bool(const std::string&)>& isGood);
/// For a text that does not parse: whatever follows a password's `=` on its line, and the lines after it when
/// a quote is left open there.
std::string withoutSecretLines(const std::string& text);

/// How many plans parsePlan() has read in this process; for tests of how much work something is.
std::uint64_t plansParsed() noexcept;

} // namespace loadstone::plan
