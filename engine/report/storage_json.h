// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/results.h>

#include <string>

namespace loadstone::report {

/// The member "storage" of a mix, one line. Times are seconds; what has no value is null.
std::string storageJson(const StorageResult& storage);

} // namespace loadstone::report
