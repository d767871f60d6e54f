// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/storage_test.h"

#include <optional>

namespace loadstone::document {
class Problems;
class TableReader;
}

namespace loadstone::plan {
/// Where an import does not know the folder: such plans are refused until somebody has named it.
inline constexpr const char* kPlaceholder = "/CHANGE-ME";

/// The highest target: database reads and writes a second.
inline constexpr double kMostIops = 100'000'000;

/// `durability` and `back_end`, as raw and storage plans have them.
std::optional<RawDurability> readDurability(document::TableReader& table);
std::optional<BackEnd> readBackEnd(document::TableReader& table);

/// Reports what is wrong between values, and completes the test: target and sizes of databases of so many mailboxes.
void checkStorageTest(StorageTest& test, document::Problems& problems);

} // namespace loadstone::plan
