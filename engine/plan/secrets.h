// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/document.h"

#include <string>

namespace loadstone::plan {

/// The text of a plan with "***" in the place of each password.
std::string withoutSecrets(const std::string& text, const Node& root);
/// For a text that does not parse: whatever follows a password's `=` on its line, and the lines after it when
/// a quote is left open there.
std::string withoutSecretLines(const std::string& text);

} // namespace loadstone::plan
