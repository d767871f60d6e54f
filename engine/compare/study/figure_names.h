// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/compared.h>

#include <string>
#include <string_view>
#include <vector>

namespace loadstone::compare {

/// Whether a person who writes this means the figure: its key, the path of its counter, or its name in a result from elsewhere. A key with
/// several subjects means all of them together; one of them is written behind it: "io.rate of db1: Log write".
bool isNamed(const ComparedValue& value, std::string_view name);
/// The first value that is meant; nullptr: there is none.
const ComparedValue* findNamed(const std::vector<ComparedValue>& values, std::string_view name);
/// The key of a figure with this name that is computed of others.
RowKey keyNamed(std::string_view name);

} // namespace loadstone::compare
