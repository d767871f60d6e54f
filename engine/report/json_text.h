// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace loadstone::report {

/// The members of a flat JSON object as texts; empty when it is none. At most 100.
std::vector<std::pair<std::string, std::string>> flatJsonTexts(const std::string& json);

} // namespace loadstone::report
